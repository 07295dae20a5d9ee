kernel void reduce(global const uint *input, global uint *sums) {
    local uint partial[256];
    uint li = get_local_id(0);

    partial[li] = input[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint reach = 128; reach > 0; reach /= 2) {
        if (li < reach)
            partial[li] += partial[li + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (li == 0)
        sums[get_group_id(0)] = partial[0];
}
