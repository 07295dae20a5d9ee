// Clean both ways: trees are joined by compare-exchange, roots are looked for while others join.
@group(0) @binding(0) var<storage, read> other: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
var<workgroup> parent: array<atomic<u32>, 64>;

fn root(i: u32) -> u32 {
  var r = i;
  loop {
    let p = atomicLoad(&parent[r]);
    if (p == r) { break; }
    r = p;
  }
  return r;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  atomicStore(&parent[li], li);
  workgroupBarrier();
  var a = li;
  var b = other[li] % 64u;
  loop {
    a = root(a);
    b = root(b);
    if (a == b) { break; }
    let low = min(a, b);
    let high = max(a, b);
#ifdef FIXED
    let r = atomicCompareExchangeWeak(&parent[high], high, low);
    if (r.exchanged) { break; }
#else
    if (atomicCompareExchangeWeak(&parent[high], high, low).exchanged) { break; }
#endif
  }
  workgroupBarrier();
  dst[li] = root(li);
}
