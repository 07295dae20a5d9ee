kernel void blur(global const float *input, global float *output) {
    local float strip[72];
    uint li = get_local_id(0);
    int n = get_global_size(0), base = get_group_id(0) * 64 - 4;

    for (uint k = li; k < 72; k += 64)
        strip[k] = input[clamp(base + (int)k, 0, n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint d = 0; d <= 8; d++)
        sum += strip[li + d];
    output[get_global_id(0)] = sum / 9;
}
