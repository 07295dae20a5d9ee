kernel void matmul(global const float *a, global const float *b, global float *c) {
    local float tile_a[16][16], tile_b[16][16];
    uint x = get_local_id(0), y = get_local_id(1), columns = get_global_size(0);
    float sum = 0;

    for (uint t = 0; t < 64; t += 16) {
        tile_a[y][x] = a[get_global_id(1) * 64 + t + x];
        tile_b[y][x] = b[(t + y) * columns + get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 16; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(1) * columns + get_global_id(0)] = sum;
}
