'use strict';
// Uses the provider as a program would; prints TAP.

const assert = require('node:assert');
const { create } = require('./provider.js');

const SHADER = `
  override scale : u32 = 2;
  @group(0) @binding(0) var<storage, read_write> data : array<u32>;
  @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id : vec3u) { data[id.x] *= scale; }`;

async function makeDevice() {
  const adapter = await create().requestAdapter();
  return adapter.requestDevice();
}

async function compute(device) {
  const buffer = device.createBuffer({ size: 16, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, mappedAtCreation: true });
  new Uint32Array(buffer.getMappedRange()).set([1, 2, 3, 4]);
  buffer.unmap();
  const result = device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const module = device.createShaderModule({ code: SHADER });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, constants: { scale: 5 } } });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }],
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(buffer, 0, result, 0, 16);
  device.queue.submit([encoder.finish()]);
  await result.mapAsync(GPUMapMode.READ);
  assert.deepStrictEqual(Array.from(new Uint32Array(result.getMappedRange())), [5, 10, 15, 20]);
}

async function rejectedShader(device) {
  device.pushErrorScope('validation');
  device.pushErrorScope('out-of-memory');
  const module = device.createShaderModule({ code: 'fn f() { let x : i32 = 1.5; }' });
  assert.strictEqual(await device.popErrorScope(), null);
  const error = await device.popErrorScope();
  assert.ok(error instanceof GPUValidationError);
  const { messages } = await module.getCompilationInfo();
  assert.strictEqual(messages[0].type, 'error');
  assert.strictEqual(messages[0].lineNum, 1);
}

async function rejectedPipeline(device) {
  const module = device.createShaderModule({ code: SHADER });
  const compute = { module, constants: { none: 1 } };
  await assert.rejects(device.createComputePipelineAsync({ layout: 'auto', compute }), GPUPipelineError);
}

async function main() {
  const device = await makeDevice();
  const tests = [compute, rejectedShader, rejectedPipeline];
  console.log(`1..${tests.length}`);
  for (const [k, test] of tests.entries()) {
    try {
      await test(device);
      console.log(`ok ${k + 1} - ${test.name}`);
    } catch (error) {
      console.log(`not ok ${k + 1} - ${test.name}\n# ${String(error.stack).replaceAll('\n', '\n# ')}`);
    }
  }
  device.destroy();
}

main();
