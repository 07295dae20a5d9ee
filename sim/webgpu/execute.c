/* Running a device job: buffers, pipelines, dispatches, results. */
#include "sim/webgpu/execute.h"

#include <string.h>

#include "sim/error.h"

enum { FENCE_BYTES = 4, MAX_GROUPS = 32 };

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/* Buffers are a multiple of 16 bytes, so that any struct of a uniform buffer fits, and never empty.
 */
static uint64_t device_bytes(const struct device_buffer *buffer) {
    return buffer->bytes ? round_up(buffer->bytes, 16) : 16;
}

/* What a shader sees of it, by which arrayLength() goes. */
static uint64_t bound_bytes(const struct device_buffer *buffer, enum binding_kind kind) {
    if (kind == BINDING_UNIFORM || buffer->bytes == 0)
        return device_bytes(buffer);
    return round_up(buffer->bytes, 4);
}

static WGPUStringView view(const char *text) {
    return (WGPUStringView){.data = text, .length = text ? strlen(text) : WGPU_STRLEN};
}

static WGPUBuffer create_buffer(const struct gpu *gpu, const char *label, uint64_t bytes,
                                WGPUBufferUsage usage) {
    WGPUBufferDescriptor descriptor = {.label = view(label), .usage = usage, .size = bytes};
    return gpu->library.DeviceCreateBuffer(gpu->device, &descriptor);
}

/* WebGPU writes whole words: a rest of 1 to 3 bytes goes as a padded word of its own. */
static void write_buffer(const struct gpu *gpu, WGPUBuffer buffer, const char *bytes,
                         uint64_t length) {
    uint64_t whole = length / 4 * 4;
    char rest[4] = {0};
    if (whole > 0)
        gpu->library.QueueWriteBuffer(gpu->queue, buffer, 0, bytes, whole);
    if (whole == length)
        return;
    memcpy(rest, bytes + whole, length - whole);
    gpu->library.QueueWriteBuffer(gpu->queue, buffer, whole, rest, sizeof rest);
}

int execute_upload(struct execution *execution, struct arena *arena, struct wgsim_error *err) {
    struct gpu *gpu = execution->gpu;
    const struct device_job *job = execution->job;
    execution->buffers = arena_alloc(arena, job->buffer_count * sizeof *execution->buffers);
    if (!execution->buffers)
        return error_set(err, "out of memory");
    gpu_begin_checked(gpu);
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct device_buffer *buffer = &job->buffers[i];
        execution->buffers[i] =
            create_buffer(gpu, buffer->name, device_bytes(buffer),
                          WGPUBufferUsage_Storage | WGPUBufferUsage_Uniform |
                              WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
        if (buffer->init && execution->buffers[i])
            write_buffer(gpu, execution->buffers[i], buffer->init, buffer->bytes);
    }
    execution->fence_source =
        create_buffer(gpu, "fence source", FENCE_BYTES, WGPUBufferUsage_CopySrc);
    execution->fence =
        create_buffer(gpu, "fence", FENCE_BYTES, WGPUBufferUsage_CopyDst | WGPUBufferUsage_MapRead);
    return gpu_end_checked(gpu, err);
}

int execute_compile(struct execution *execution, struct wgsim_error *err) {
    struct gpu *gpu = execution->gpu;
    WGPUShaderSourceWGSL source = {.chain.sType = WGPUSType_ShaderSourceWGSL,
                                   .code = view(execution->job->shader)};
    WGPUShaderModuleDescriptor descriptor = {.nextInChain = &source.chain,
                                             .label = view(execution->job->label)};
    gpu_begin_checked(gpu);
    execution->shader = gpu->library.DeviceCreateShaderModule(gpu->device, &descriptor);
    return gpu_end_checked(gpu, err);
}

/* --- One dispatch --- */

/* The bind groups of a dispatch, 0 to the highest that it uses; those between may be empty. */
struct binding_set {
    size_t group_count;
    WGPUBindGroupLayout layouts[MAX_GROUPS];
    WGPUBindGroup groups[MAX_GROUPS];
};

static WGPUBufferBindingType binding_type(enum binding_kind kind) {
    static const WGPUBufferBindingType types[] = {
        [BINDING_STORAGE] = WGPUBufferBindingType_Storage,
        [BINDING_READ_ONLY] = WGPUBufferBindingType_ReadOnlyStorage,
        [BINDING_UNIFORM] = WGPUBufferBindingType_Uniform,
    };
    return types[kind];
}

/* Explicit, because an implicit layout refuses a buffer that the entry point does not use. */
static void create_group(const struct execution *execution, const struct device_dispatch *dispatch,
                         uint32_t group, WGPUBindGroupLayoutEntry *declared,
                         WGPUBindGroupEntry *bound, struct binding_set *set) {
    const struct library *library = &execution->gpu->library;
    size_t count = 0;
    for (size_t i = 0; i < dispatch->binding_count; i++) {
        const struct device_binding *b = &dispatch->bindings[i];
        if (b->group != group)
            continue;
        declared[count] = (WGPUBindGroupLayoutEntry){.binding = b->binding,
                                                     .visibility = WGPUShaderStage_Compute,
                                                     .buffer.type = binding_type(b->kind)};
        bound[count++] =
            (WGPUBindGroupEntry){.binding = b->binding,
                                 .buffer = execution->buffers[b->buffer],
                                 .size = bound_bytes(&execution->job->buffers[b->buffer], b->kind)};
    }
    WGPUBindGroupLayoutDescriptor layout = {.entryCount = count, .entries = declared};
    set->layouts[group] = library->DeviceCreateBindGroupLayout(execution->gpu->device, &layout);
    WGPUBindGroupDescriptor descriptor = {
        .layout = set->layouts[group], .entryCount = count, .entries = bound};
    set->groups[group] = library->DeviceCreateBindGroup(execution->gpu->device, &descriptor);
}

static int create_groups(const struct execution *execution, const struct device_dispatch *dispatch,
                         struct arena *arena, struct binding_set *set, struct wgsim_error *err) {
    size_t count = dispatch->binding_count;
    WGPUBindGroupLayoutEntry *declared = arena_alloc(arena, count * sizeof *declared);
    WGPUBindGroupEntry *bound = arena_alloc(arena, count * sizeof *bound);
    if (!declared || !bound)
        return error_set(err, "out of memory");
    set->group_count = 0;
    for (size_t i = 0; i < count; i++)
        if (dispatch->bindings[i].group >= set->group_count)
            set->group_count = dispatch->bindings[i].group + 1;
    for (uint32_t group = 0; group < set->group_count; group++)
        create_group(execution, dispatch, group, declared, bound, set);
    return 0;
}

static int create_pipeline(const struct execution *execution,
                           const struct device_dispatch *dispatch, const struct binding_set *set,
                           struct arena *arena, WGPUComputePipeline *pipeline,
                           struct wgsim_error *err) {
    const struct library *library = &execution->gpu->library;
    WGPUConstantEntry *constants = arena_alloc(arena, dispatch->constant_count * sizeof *constants);
    if (!constants)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < dispatch->constant_count; i++) {
        constants[i].key = view(dispatch->constants[i].name);
        constants[i].value = execution->gpu->is_hardware ? dispatch->constants[i].value
                                                         : dispatch->constants[i].value_on_cpu;
    }
    WGPUPipelineLayoutDescriptor layout = {.bindGroupLayoutCount = set->group_count,
                                           .bindGroupLayouts = set->layouts};
    WGPUComputePipelineDescriptor descriptor = {
        .label = view(dispatch->entry),
        .layout = library->DeviceCreatePipelineLayout(execution->gpu->device, &layout),
        .compute = {.module = execution->shader,
                    .entryPoint = view(dispatch->entry),
                    .constants = constants,
                    .constantCount = dispatch->constant_count},
    };
    *pipeline = library->DeviceCreateComputePipeline(execution->gpu->device, &descriptor);
    return 0;
}

static void encode_and_submit(const struct execution *execution,
                              const struct device_dispatch *dispatch, const struct binding_set *set,
                              WGPUComputePipeline pipeline) {
    const struct library *library = &execution->gpu->library;
    WGPUCommandEncoder encoder = library->DeviceCreateCommandEncoder(
        execution->gpu->device, &(WGPUCommandEncoderDescriptor){0});
    WGPUComputePassEncoder pass =
        library->CommandEncoderBeginComputePass(encoder, &(WGPUComputePassDescriptor){0});
    library->ComputePassEncoderSetPipeline(pass, pipeline);
    for (uint32_t group = 0; group < set->group_count; group++)
        library->ComputePassEncoderSetBindGroup(pass, group, set->groups[group], 0, NULL);
    library->ComputePassEncoderDispatchWorkgroups(pass, dispatch->groups[0], dispatch->groups[1],
                                                  dispatch->groups[2]);
    library->ComputePassEncoderEnd(pass);
    library->CommandEncoderCopyBufferToBuffer(encoder, execution->fence_source, 0, execution->fence,
                                              0, FENCE_BYTES);
    WGPUCommandBuffer commands =
        library->CommandEncoderFinish(encoder, &(WGPUCommandBufferDescriptor){0});
    library->QueueSubmit(execution->gpu->queue, 1, &commands);
}

int execute_dispatch(struct execution *execution, size_t i, struct arena *arena,
                     struct wgsim_error *err) {
    struct gpu *gpu = execution->gpu;
    const struct device_dispatch *dispatch = &execution->job->dispatches[i];
    struct binding_set set;
    WGPUComputePipeline pipeline = NULL;
    gpu_begin_checked(gpu);
    int made = create_groups(execution, dispatch, arena, &set, err);
    if (made == 0)
        made = create_pipeline(execution, dispatch, &set, arena, &pipeline, err);
    if (made != 0 || gpu_end_checked(gpu, err) != 0)
        return -1;
    gpu_begin_checked(gpu);
    encode_and_submit(execution, dispatch, &set, pipeline);
    if (gpu_end_checked(gpu, err) != 0)
        return -1;
    if (!gpu_map(gpu, execution->fence, FENCE_BYTES, err))
        return -1;
    gpu->library.BufferUnmap(execution->fence);
    return 0;
}

const void *execute_read(struct execution *execution, size_t i, struct wgsim_error *err) {
    struct gpu *gpu = execution->gpu;
    uint64_t bytes = device_bytes(&execution->job->buffers[i]);
    gpu_begin_checked(gpu);
    WGPUBuffer copy =
        create_buffer(gpu, "read back", bytes, WGPUBufferUsage_CopyDst | WGPUBufferUsage_MapRead);
    WGPUCommandEncoder encoder =
        gpu->library.DeviceCreateCommandEncoder(gpu->device, &(WGPUCommandEncoderDescriptor){0});
    gpu->library.CommandEncoderCopyBufferToBuffer(encoder, execution->buffers[i], 0, copy, 0,
                                                  bytes);
    WGPUCommandBuffer commands =
        gpu->library.CommandEncoderFinish(encoder, &(WGPUCommandBufferDescriptor){0});
    gpu->library.QueueSubmit(gpu->queue, 1, &commands);
    if (gpu_end_checked(gpu, err) != 0)
        return NULL;
    return gpu_map(gpu, copy, bytes, err);
}
