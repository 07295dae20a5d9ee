// A buffer more than a stage may have.
@group(0) @binding(0) var<storage, read_write> a: u32;
@group(0) @binding(1) var<storage, read_write> b: u32;
@group(0) @binding(2) var<storage, read_write> c: u32;
@group(0) @binding(3) var<storage, read_write> d: u32;
@group(0) @binding(4) var<storage, read_write> e: u32;
@group(0) @binding(5) var<storage, read_write> f: u32;
@group(0) @binding(6) var<storage, read_write> g: u32;
@group(0) @binding(7) var<storage, read_write> h: u32;
#ifndef FIXED
@group(0) @binding(8) var<storage, read_write> i: u32;
#endif
@compute @workgroup_size(1)
fn main() {
  a = 1u; b = 1u; c = 1u; d = 1u; e = 1u; f = 1u; g = 1u; h = 1u;
#ifndef FIXED
  i = 1u;
#endif
}
