// A variable of the workgroup that WGSL does not accept: it has an initialiser.
var<workgroup> tile: u32 = 0u;

@compute @workgroup_size(64)
fn main() {
  tile = 1u;
}
