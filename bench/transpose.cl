kernel void transpose(global const float *input, global float *output) {
    local float block[32][33];
    uint x = get_local_id(0), y = get_local_id(1);
    uint columns = get_global_size(0), rows = get_global_size(1) * 4;
    uint column = get_group_id(0) * 32, row = get_group_id(1) * 32;

    for (uint k = y; k < 32; k += 8)
        block[k][x] = input[(row + k) * columns + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = y; k < 32; k += 8)
        output[(column + k) * rows + row + x] = block[x][k];
}
