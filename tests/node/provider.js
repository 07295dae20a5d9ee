'use strict';
// WebGPU for Node on top of `wgsim serve`: enough of the API to run compute shaders, made for the WebGPU
// conformance test suite (see README.md). Calls are queued and sent one after the other, so that whatever is
// created can be used at once; errors go to the error scope that was open when the call was made.

const { spawn } = require('node:child_process');
const readline = require('node:readline');

const FEATURES = ['core-features-and-limits', 'shader-f16', 'subgroups'];

const LANGUAGE_FEATURES = [
  'linear_indexing',
  'packed_4x8_integer_dot_product',
  'pointer_composite_access',
  'readonly_and_readwrite_storage_textures',
  'subgroup_id',
  'subgroup_uniformity',
  'texture_and_sampler_let',
  'uniform_buffer_standard_layout',
  'unrestricted_pointer_parameters',
];

const LIMITS = {
  maxTextureDimension1D: 8192,
  maxTextureDimension2D: 8192,
  maxTextureDimension3D: 2048,
  maxTextureArrayLayers: 256,
  maxBindGroups: 4,
  maxBindGroupsPlusVertexBuffers: 24,
  maxBindingsPerBindGroup: 1000,
  maxDynamicUniformBuffersPerPipelineLayout: 8,
  maxDynamicStorageBuffersPerPipelineLayout: 4,
  maxSampledTexturesPerShaderStage: 16,
  maxSamplersPerShaderStage: 16,
  maxStorageBuffersPerShaderStage: 8,
  maxStorageTexturesPerShaderStage: 4,
  maxUniformBuffersPerShaderStage: 12,
  maxUniformBufferBindingSize: 65536,
  maxStorageBufferBindingSize: 134217728,
  minUniformBufferOffsetAlignment: 256,
  minStorageBufferOffsetAlignment: 256,
  maxVertexBuffers: 8,
  maxBufferSize: 268435456,
  maxVertexAttributes: 16,
  maxVertexBufferArrayStride: 2048,
  maxInterStageShaderVariables: 16,
  maxColorAttachments: 8,
  maxColorAttachmentBytesPerSample: 32,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
  maxComputeWorkgroupsPerDimension: 65535,
};

const globals = {
  GPUBufferUsage: {
    MAP_READ: 1, MAP_WRITE: 2, COPY_SRC: 4, COPY_DST: 8, INDEX: 16, VERTEX: 32, UNIFORM: 64, STORAGE: 128,
    INDIRECT: 256, QUERY_RESOLVE: 512,
  },
  GPUMapMode: { READ: 1, WRITE: 2 },
  GPUShaderStage: { VERTEX: 1, FRAGMENT: 2, COMPUTE: 4 },
  GPUTextureUsage: { COPY_SRC: 1, COPY_DST: 2, TEXTURE_BINDING: 4, STORAGE_BINDING: 8, RENDER_ATTACHMENT: 16 },
  GPUColorWrite: { RED: 1, GREEN: 2, BLUE: 4, ALPHA: 8, ALL: 15 },
};

class GPUError {
  constructor(message) { this.message = message; }
}
class GPUValidationError extends GPUError {}
class GPUOutOfMemoryError extends GPUError {}
class GPUInternalError extends GPUError {}
class GPUPipelineError extends Error {
  constructor(message, { reason }) { super(message); this.name = 'GPUPipelineError'; this.reason = reason; }
}
class GPUUncapturedErrorEvent extends Event {
  constructor(type, { error }) { super(type, { cancelable: true }); this.error = error; }
}
Object.assign(globals, {
  GPUError, GPUValidationError, GPUOutOfMemoryError, GPUInternalError, GPUPipelineError, GPUUncapturedErrorEvent,
});

// ---- The connection: requests in order, answers in order --------------------------------------------

class Server {
  constructor(command) {
    this.child = spawn(command[0], [...command.slice(1), 'serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.waiting = [];
    this.child.on('exit', () => this.waiting.splice(0).forEach((take) => take({ ok: false, error: 'wgsim ended' })));
    readline.createInterface({ input: this.child.stdout }).on('line', (line) => this.waiting.shift()(JSON.parse(line)));
    this.child.unref();
    this.child.stdin.unref();
    this.child.stdout.unref();
    this.tail = Promise.resolve();
  }

  // Sends one request; the answer may be an error.
  ask(request) {
    this.child.ref();
    this.child.stdout.ref();
    return new Promise((resolve) => {
      this.waiting.push((answer) => {
        if (this.waiting.length === 0) {
          this.child.unref();
          this.child.stdout.unref();
        }
        resolve(answer);
      });
      this.child.stdin.write(JSON.stringify(request) + '\n');
    });
  }

  // Runs a step after all earlier ones.
  queue(step) {
    const result = this.tail.then(step);
    this.tail = result.catch(() => {});
    return result;
  }
}

// ---- Errors -----------------------------------------------------------------------------------------

class Scopes {
  constructor(device) {
    this.device = device;
    this.open = [];
  }

  // Where errors of a call made now go: all are validation errors.
  current() {
    return this.open.findLast((scope) => scope.filter === 'validation') ?? null;
  }

  report(scope, error) {
    if (scope) {
      scope.error ??= error;
    } else {
      this.device.dispatchEvent(new GPUUncapturedErrorEvent('uncapturederror', { error }));
    }
  }
}

// ---- Objects ----------------------------------------------------------------------------------------

class GPUObject {
  constructor(device, descriptor) {
    this.device = device;
    this.label = descriptor?.label ?? '';
    this.id = 0; // the server's number; 0: not valid
  }

  // Queues what creates the object; an answer that is not ok is a validation error.
  create(step) {
    const { device } = this, scope = device.scopes.current();
    this.ready = device.server.queue(async () => {
      const answer = await step();
      if (!answer.ok) {
        device.scopes.report(scope, new GPUValidationError(answer.error));
      }
      return answer;
    });
  }
}

class GPUShaderModule extends GPUObject {
  constructor(device, descriptor) {
    super(device, descriptor);
    this.create(async () => {
      const answer = await device.server.ask({ op: 'shader', code: descriptor.code });
      this.id = answer.shader ?? 0;
      this.diagnostics = answer.diagnostics ?? [];
      if (!answer.ok && this.diagnostics.length) {
        const first = this.diagnostics.find((d) => d.severity === 'error') ?? this.diagnostics[0];
        answer.error = `${first.line}:${first.column}: ${first.message}`;
      }
      return answer;
    });
  }

  async getCompilationInfo() {
    await this.ready;
    const messages = this.diagnostics.map((d) => ({
      type: d.severity, message: d.message, lineNum: d.line, linePos: d.column, offset: 0, length: d.length,
    }));
    return { messages };
  }
}

class GPUComputePipeline extends GPUObject {
  constructor(device, descriptor, reports) {
    super(device, descriptor);
    const { module, entryPoint, constants } = descriptor.compute;
    const step = async () => {
      const request = { op: 'pipeline', shader: module.id, constants: constants ?? {} };
      if (entryPoint !== undefined) {
        request.entry = entryPoint;
      }
      const answer = await device.server.ask(request);
      this.id = answer.pipeline ?? 0;
      return answer;
    };
    if (reports) {
      this.create(step);
    } else {
      this.ready = device.server.queue(step);
    }
  }

  getBindGroupLayout() {
    return new GPUBindGroupLayout(this.device, {});
  }
}

class GPUBindGroupLayout extends GPUObject {}
class GPUPipelineLayout extends GPUObject {}

class GPUBindGroup extends GPUObject {
  constructor(device, descriptor) {
    super(device, descriptor);
    this.entries = Array.from(descriptor.entries, ({ binding, resource }) => {
      const part = resource instanceof GPUBuffer ? { buffer: resource } : resource;
      return { binding, buffer: part.buffer, offset: part.offset ?? 0, size: part.size };
    });
  }
}

function toHex(view) {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex');
}

class GPUBuffer extends GPUObject {
  constructor(device, descriptor) {
    super(device, descriptor);
    this.size = descriptor.size;
    this.usage = descriptor.usage;
    this.mapState = descriptor.mappedAtCreation ? 'mapped' : 'unmapped';
    this.mapped = descriptor.mappedAtCreation ? { start: 0, writes: true, bytes: new ArrayBuffer(this.size) } : null;
    this.create(async () => {
      const answer = await device.server.ask({ op: 'buffer', bytes: Math.max(this.size, 4) });
      this.id = answer.buffer ?? 0;
      return answer;
    });
  }

  mapAsync(mode, offset = 0, size = this.size - offset) {
    this.mapState = 'pending';
    return this.device.server.queue(async () => {
      const answer = await this.device.server.ask({ op: 'read', buffer: this.id, offset, bytes: size });
      if (!answer.ok) {
        this.mapState = 'unmapped';
        throw new DOMException(answer.error, 'OperationError');
      }
      const bytes = Buffer.from(answer.data, 'hex');
      this.mapped = {
        start: offset,
        writes: (mode & globals.GPUMapMode.WRITE) !== 0,
        bytes: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
      };
      this.mapState = 'mapped';
    });
  }

  // A range is a copy that unmap gathers, for ArrayBuffers cannot overlap.
  getMappedRange(offset = 0, size = this.size - offset) {
    if (!this.mapped) {
      throw new DOMException('the buffer is not mapped', 'OperationError');
    }
    const first = offset - this.mapped.start;
    if (first === 0 && size === this.mapped.bytes.byteLength) {
      return this.mapped.bytes;
    }
    const bytes = this.mapped.bytes.slice(first, first + size);
    (this.mapped.ranges ??= []).push({ first, bytes });
    return bytes;
  }

  unmap() {
    const { mapped } = this;
    this.mapped = null;
    this.mapState = 'unmapped';
    if (!mapped?.writes || mapped.bytes.byteLength === 0) {
      return;
    }
    const all = new Uint8Array(mapped.bytes);
    for (const { first, bytes } of mapped.ranges ?? []) {
      all.set(new Uint8Array(bytes), first);
    }
    const data = toHex(all);
    this.device.server.queue(() => this.device.server.ask({ op: 'write', buffer: this.id, offset: mapped.start, data }));
  }

  destroy() {
    this.mapped = null;
    this.device.server.queue(() => this.device.server.ask({ op: 'destroy', buffer: this.id }));
  }
}

// ---- Commands: closures that run at submit ------------------------------------------------------------

class GPUComputePassEncoder {
  constructor(encoder) {
    this.encoder = encoder;
    this.groups = new Map();
  }

  setPipeline(pipeline) { this.pipeline = pipeline; }

  setBindGroup(index, group, offsets = []) { this.groups.set(index, { group, offsets: Array.from(offsets) }); }

  bindings() {
    const list = [];
    for (const [index, { group, offsets }] of this.groups) {
      const dynamic = group ? [...offsets] : [];
      for (const { binding, buffer, offset, size } of group?.entries ?? []) {
        const start = offset + (dynamic.shift() ?? 0);
        list.push({ group: index, binding, buffer, offset: start, bytes: size ?? buffer.size - start });
      }
    }
    return list;
  }

  dispatchWorkgroups(x, y = 1, z = 1) {
    const { pipeline } = this, bindings = this.bindings();
    this.encoder.commands.push(async (device) => {
      if (x * y * z === 0) {
        return { ok: true };
      }
      const answer = await device.server.ask({
        op: 'dispatch', pipeline: pipeline.id, groups: [x, y, z],
        bindings: bindings.map((b) => ({ ...b, buffer: b.buffer.id })),
      });
      return answer.ok && answer.verdict === 'rejected' ? { ok: false, error: 'the dispatch is rejected' } : answer;
    });
  }

  dispatchWorkgroupsIndirect(buffer, offset) {
    const inner = new GPUComputePassEncoder({ commands: [] });
    Object.assign(inner, { pipeline: this.pipeline, groups: new Map(this.groups) });
    this.encoder.commands.push(async (device) => {
      const answer = await device.server.ask({ op: 'read', buffer: buffer.id, offset, bytes: 12 });
      const counts = Buffer.from(answer.data, 'hex');
      inner.dispatchWorkgroups(counts.readUInt32LE(0), counts.readUInt32LE(4), counts.readUInt32LE(8));
      return inner.encoder.commands[0](device);
    });
  }

  end() {}
  pushDebugGroup() {}
  popDebugGroup() {}
  insertDebugMarker() {}
}

class GPUCommandEncoder extends GPUObject {
  constructor(device, descriptor) {
    super(device, descriptor);
    this.commands = [];
  }

  beginComputePass() { return new GPUComputePassEncoder(this); }

  copyBufferToBuffer(source, ...rest) {
    if (rest[0] instanceof GPUBuffer) { // (source, destination, size)
      rest = [0, rest[0], 0, rest[1]];
    }
    const [from, destination, to, size] = rest;
    this.commands.push(async (device) => {
      const bytes = size ?? source.size - from;
      const answer = await device.server.ask({ op: 'read', buffer: source.id, offset: from, bytes });
      return answer.ok
        ? device.server.ask({ op: 'write', buffer: destination.id, offset: to, data: answer.data })
        : answer;
    });
  }

  clearBuffer(buffer, offset = 0, size = buffer.size - offset) {
    const data = '00'.repeat(size);
    this.commands.push((device) => device.server.ask({ op: 'write', buffer: buffer.id, offset, data }));
  }

  finish() { return { commands: this.commands }; }
  pushDebugGroup() {}
  popDebugGroup() {}
  insertDebugMarker() {}
}

class GPUQueue {
  constructor(device) {
    this.device = device;
    this.label = '';
  }

  submit(buffers) {
    const { device } = this, scope = device.scopes.current();
    const commands = Array.from(buffers).flatMap((buffer) => buffer.commands);
    device.server.queue(async () => {
      for (const command of commands) {
        const answer = await command(device);
        if (!answer.ok) {
          device.scopes.report(scope, new GPUValidationError(answer.error));
        }
      }
    });
  }

  writeBuffer(buffer, offset, source, start = 0, count = undefined) {
    const view = ArrayBuffer.isView(source) ? source : new Uint8Array(source);
    const width = view.BYTES_PER_ELEMENT ?? 1;
    const length = (count ?? view.byteLength / width - start) * width;
    const data = toHex(new Uint8Array(view.buffer, view.byteOffset + start * width, length));
    this.device.server.queue(() => this.device.server.ask({ op: 'write', buffer: buffer.id, offset, data }));
  }

  onSubmittedWorkDone() { return this.device.server.queue(async () => undefined); }
}

// ---- Device and adapter -------------------------------------------------------------------------------

class GPUDevice extends EventTarget {
  constructor(adapter, descriptor) {
    super();
    this.label = descriptor?.label ?? '';
    this.server = new Server(adapter.command);
    this.scopes = new Scopes(this);
    this.features = new Set(['core-features-and-limits', ...(descriptor?.requiredFeatures ?? [])]);
    this.limits = { ...LIMITS };
    this.adapterInfo = adapter.info;
    this.queue = new GPUQueue(this);
    this.lost = new Promise((resolve) => { this.lose = resolve; });
    this.onuncapturederror = null;
    this.addEventListener('uncapturederror', (event) => this.onuncapturederror?.(event));
  }

  createBuffer(descriptor) { return new GPUBuffer(this, descriptor); }
  createShaderModule(descriptor) { return new GPUShaderModule(this, descriptor); }
  createBindGroupLayout(descriptor) { return new GPUBindGroupLayout(this, descriptor); }
  createPipelineLayout(descriptor) { return new GPUPipelineLayout(this, descriptor); }
  createBindGroup(descriptor) { return new GPUBindGroup(this, descriptor); }
  createComputePipeline(descriptor) { return new GPUComputePipeline(this, descriptor, true); }
  createCommandEncoder(descriptor) { return new GPUCommandEncoder(this, descriptor); }

  async createComputePipelineAsync(descriptor) {
    const pipeline = new GPUComputePipeline(this, descriptor, false);
    const answer = await pipeline.ready;
    if (!answer.ok) {
      throw new GPUPipelineError(answer.error, { reason: 'validation' });
    }
    return pipeline;
  }

  pushErrorScope(filter) { this.scopes.open.push({ filter, error: null }); }

  popErrorScope() {
    const scope = this.scopes.open.pop();
    if (!scope) {
      return Promise.reject(new DOMException('no error scope is open', 'OperationError'));
    }
    return this.server.queue(async () => scope.error);
  }

  destroy() {
    this.server.queue(async () => {
      this.server.child.stdin.end();
      this.lose({ reason: 'destroyed', message: '' });
    });
  }
}

class GPUAdapter {
  constructor(command) {
    this.command = command;
    this.features = new Set(FEATURES);
    this.limits = { ...LIMITS };
    this.info = {
      vendor: 'wgsim', architecture: 'simulated', device: '', description: 'wgsim', subgroupMinSize: 4,
      subgroupMaxSize: 128, isFallbackAdapter: true,
    };
  }

  async requestDevice(descriptor) { return new GPUDevice(this, descriptor); }
}

class GPU {
  constructor(command) {
    this.command = command;
    this.wgslLanguageFeatures = new Set(LANGUAGE_FEATURES);
  }

  async requestAdapter() { return new GPUAdapter(this.command); }
  getPreferredCanvasFormat() { return 'rgba8unorm'; }
}

Object.assign(globals, {
  GPU, GPUAdapter, GPUDevice, GPUBuffer, GPUShaderModule, GPUComputePipeline, GPUBindGroup, GPUBindGroupLayout,
  GPUPipelineLayout, GPUCommandEncoder, GPUComputePassEncoder, GPUQueue,
});
Object.assign(globalThis, globals);

// What the suite's --gpu-provider calls; flags "wgsim=PATH" name the program, else $WGSIM or wgsim on the PATH.
function create(flags = []) {
  const path = flags.find((flag) => flag.startsWith('wgsim='))?.slice('wgsim='.length);
  return new GPU([path ?? process.env.WGSIM ?? 'wgsim']);
}

module.exports = { create, globals };
