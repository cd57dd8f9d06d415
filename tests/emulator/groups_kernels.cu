#include <torch/extension.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

// One row per thread: ranks and collectives of blocks and tiles.
__global__ void tiles(int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  auto quarter = cg::tiled_partition<4>(tile);
  const int r = block.thread_rank();
  int* row = out + 14 * r;
  row[0] = tile.thread_rank();
  row[1] = tile.meta_group_rank() * 100 + tile.meta_group_size();
  row[2] = quarter.meta_group_rank() * 100 + quarter.meta_group_size();
  row[3] = quarter.shfl(r, 5);
  row[4] = tile.shfl_up(r, 3);
  row[5] = tile.shfl_down(r, 3);
  row[6] = tile.shfl_xor(r, 9);
  row[7] = tile.ballot(r % 3 == 0);
  row[8] = tile.any(r == 20) * 10 + tile.all(r < 32);
  row[9] = cg::reduce(quarter, r, cg::plus<int>());
  row[10] = cg::reduce(tile, r ^ 5, cg::greater<int>());
  row[11] = cg::inclusive_scan(quarter, r, cg::plus<int>());
  row[12] = cg::exclusive_scan(quarter, r);
  cg::thread_group g = cg::tiled_partition(block, 8);
  g.sync();
  row[13] = g.thread_rank() * 100 + g.size() + tile.match_any(r / 4);
  cg::sync(block);
}

// The pattern of NVIDIA's guide: one atomic for all threads that want one.
__device__ int add_one(int* counter) {
  auto active = cg::coalesced_threads();
  int first;
  if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
  return active.shfl(first, 0) + active.thread_rank();
}
__global__ void coalesced(int* counter, int* out, int* masks) {
  const int t = threadIdx.x;
  out[t] = -1;
  if (t % 3 == 1) {
    out[t] = add_one(counter);
    masks[t] = __activemask();
  } else if (t == 5) {
    masks[t] = __activemask();
  } else {
    auto rest = cg::coalesced_threads();
    masks[t] = cg::reduce(rest, t, cg::less<int>()) * 100 + rest.ballot(t % 3 == 2) % 7;
    auto parts = cg::labeled_partition(rest, t % 2);
    out[t] = parts.meta_group_rank() * 1000 + parts.size() * 10 + parts.thread_rank() % 10;
  }
}

struct Pair { float value; int index; double more; };
__global__ void shuffles(float* out) {
  const int t = threadIdx.x;
  float* row = out + 12 * t;
  row[0] = __shfl_down_sync(0xffffffff, (double)t + 0.25, 1, 8);
  row[1] = __half2float(__shfl_xor_sync(0xffffffff, __float2half(t + 0.5f), 2));
  row[2] = __shfl_up_sync(0xffffffff, (long long)t << 33, 1, 16) >> 33;
  row[3] = __shfl_sync(0xffffffff, (short)-t, t + 1);
  row[4] = __low2float(__shfl_sync(0xffffffff, __floats2half2_rn(t, -t), 7));
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const Pair best = cg::reduce(warp, Pair{(t * 7) % 32 * 1.0f, t, t * 2.0}, [](Pair a, Pair b) { return a.value < b.value ? b : a; });
  row[5] = best.index + best.more;
  row[6] = __reduce_min_sync(0xffffffff, -t) + (int)__reduce_xor_sync(0xffffffff, 1u << t % 4);
  row[7] = __reduce_or_sync(0xffffffff, 1u << t % 5) + 100 * __reduce_and_sync(0xffffffff, 24u | t);
  int same;
  row[8] = __match_all_sync(0xffffffff, t / 32, &same) == 0xffffffff && same;
  row[9] = __match_all_sync(0xffffffff, t / 2, &same) + same;
  row[10] = t < 8 ? __shfl_xor_sync(0xff, t, 1) : __shfl_xor_sync(0xffffff00, t, 2);  // two groups, two operations
  row[11] = __any_sync(0xffffffff, t == 3) + 2 * __all_sync(0xffffffff, t < 31);
}

// Lanes that exited are not waited for; a mask may still name them.
__global__ void after_exit(int* out, int read_exited) {
  const int t = threadIdx.x;
  if (t >= 20) return;
  __syncwarp();
  out[t] = __ballot_sync(0xffffffff, t % 2) + __reduce_add_sync(0xffffffff, 1);
  if (read_exited) out[t] = __shfl_sync(0xffffffff, t, 25);
}
__global__ void exit_while_waited_for(int* out) {
  const int t = threadIdx.x;
  if (t < 16) out[t] = __ballot_sync(0xffffffff, 1);
}
__global__ void bad_width(int* out) { out[threadIdx.x] = __shfl_down_sync(0xffffffff, 1, 1, 12); }

// A lock that a waiting thread must let go, and a flag that a later warp sets.
__global__ void locked(int* lock, int* sum, volatile int* flag) {
  while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
  *sum += threadIdx.x;
  __syncwarp(1u << threadIdx.x % 32);
  __threadfence();
  atomicExch(lock, 0);
  if (threadIdx.x == 0)
    while (*flag == 0) __nanosleep(100);
  if (threadIdx.x == 63) *flag = 1;
}

#define INTS(t) t.data_ptr<int>()
void run_tiles(torch::Tensor out) { tiles<<<1, 32>>>(INTS(out)); }
void run_coalesced(torch::Tensor counter, torch::Tensor out, torch::Tensor masks) { coalesced<<<1, 32>>>(INTS(counter), INTS(out), INTS(masks)); }
void run_shuffles(torch::Tensor out) { shuffles<<<1, 32>>>(out.data_ptr<float>()); }
void run_after_exit(torch::Tensor out, int read_exited) { after_exit<<<1, 32>>>(INTS(out), read_exited); }
void run_exit_later(torch::Tensor out) { exit_while_waited_for<<<1, 32>>>(INTS(out)); }
void run_bad_width(torch::Tensor out) { bad_width<<<1, 32>>>(INTS(out)); }
void run_locked(torch::Tensor lock, torch::Tensor sum, torch::Tensor flag) { locked<<<1, 64>>>(INTS(lock), INTS(sum), INTS(flag)); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("tiles", &run_tiles);
  m.def("coalesced", &run_coalesced);
  m.def("shuffles", &run_shuffles);
  m.def("after_exit", &run_after_exit);
  m.def("exit_later", &run_exit_later);
  m.def("bad_width", &run_bad_width);
  m.def("locked", &run_locked);
}
