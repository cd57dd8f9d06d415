// The part of the CUDA runtime API that extension code calls on the host. Streams and copies run at once, in order.
#pragma once
#include <chrono>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "device_model.h"
#include "runtime.h"

#define CUDASMITH_ERRORS(_) \
  _(cudaSuccess, 0, "no error") \
  _(cudaErrorInvalidValue, 1, "invalid argument") \
  _(cudaErrorMemoryAllocation, 2, "out of memory") \
  _(cudaErrorInitializationError, 3, "initialization error") \
  _(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
  _(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
  _(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
  _(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
  _(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
  _(cudaErrorNoDevice, 100, "no CUDA-capable device is detected") \
  _(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
  _(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
  _(cudaErrorNotReady, 600, "device not ready") \
  _(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
  _(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
  _(cudaErrorAssert, 710, "device-side assert triggered") \
  _(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
  _(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
  _(cudaErrorNotSupported, 801, "operation not supported") \
  _(cudaErrorUnknown, 999, "unknown error")
enum cudaError {
#define CUDASMITH_ERROR(NAME, NUMBER, TEXT) NAME = NUMBER,
  CUDASMITH_ERRORS(CUDASMITH_ERROR)
#undef CUDASMITH_ERROR
};
typedef cudaError cudaError_t;
inline const char* cudaGetErrorString(cudaError_t e) {
  switch (e) {
#define CUDASMITH_ERROR(NAME, NUMBER, TEXT) case NAME: return TEXT;
    CUDASMITH_ERRORS(CUDASMITH_ERROR)
#undef CUDASMITH_ERROR
  }
  return "unrecognized error code";
}
inline const char* cudaGetErrorName(cudaError_t e) {
  switch (e) {
#define CUDASMITH_ERROR(NAME, NUMBER, TEXT) case NAME: return #NAME;
    CUDASMITH_ERRORS(CUDASMITH_ERROR)
#undef CUDASMITH_ERROR
  }
  return "unrecognized error code";
}
inline cudaError_t cudaGetLastError() { return static_cast<cudaError_t>(::cudasmith::take_last_error(true)); }
inline cudaError_t cudaPeekAtLastError() { return static_cast<cudaError_t>(::cudasmith::take_last_error(false)); }

// Devices. A tensor of the emulated device lies on the CPU, whose index is -1.
namespace cudasmith {
inline bool is_device(int d) { return d == 0 || d == -1; }
}  // namespace cudasmith
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }  // a refused launch has left nothing to wait for
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaSetDevice(int d) { return ::cudasmith::is_device(d) ? cudaSuccess : cudaErrorInvalidDevice; }
inline cudaError_t cudaGetDevice(int* d) { return *d = 0, cudaSuccess; }
inline cudaError_t cudaGetDeviceCount(int* n) { return *n = 1, cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int d) {
  if (!::cudasmith::is_device(d)) return cudaErrorInvalidDevice;
  return *p = cudaDeviceProp{}, cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* v, cudaDeviceAttr a, int d) {
  if (!::cudasmith::is_device(d)) return cudaErrorInvalidDevice;
  const long found = ::cudasmith::attribute(a);
  if (found < 0) return cudaErrorInvalidValue;
  return *v = static_cast<int>(found), cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* v) { return *v = 13000, cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int* v) { return *v = 13000, cudaSuccess; }

// Streams and events.
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(2))
struct CUstream_st {};
struct CUevent_st {
  std::chrono::steady_clock::time_point at;
  bool recorded, timed;
};
typedef CUevent_st* cudaEvent_t;
inline cudaError_t cudaStreamCreate(cudaStream_t* s) { return *s = new CUstream_st, cudaSuccess; }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return cudaStreamCreate(s); }
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned, int) { return cudaStreamCreate(s); }
inline cudaError_t cudaStreamDestroy(cudaStream_t s) { return delete s, cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) {
  return *e = new CUevent_st{{}, false, (flags & cudaEventDisableTiming) == 0}, cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* e, unsigned flags = cudaEventDefault) { return cudaEventCreateWithFlags(e, flags); }
inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t = nullptr) {
  if (e == nullptr) return cudaErrorInvalidResourceHandle;
  return e->at = std::chrono::steady_clock::now(), e->recorded = true, cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t e) { return e == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t e) { return cudaEventSynchronize(e); }
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  if (from == nullptr || to == nullptr || !from->recorded || !to->recorded || !from->timed || !to->timed) return cudaErrorInvalidResourceHandle;
  return *ms = std::chrono::duration<float, std::milli>(to->at - from->at).count(), cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t e) { return delete e, cudaSuccess; }

// Memory.
enum cudaMemcpyKind {
  cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2 };
namespace cudasmith {
inline cudaError_t allocate(void** p, std::size_t bytes, const char* what) {
  if (p == nullptr) return cudaErrorInvalidValue;
  *p = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > device_model().memory_bytes) return cudaErrorMemoryAllocation;
  *p = device_alloc(bytes, what);
  return *p != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
}  // namespace cudasmith
template <class T>
cudaError_t cudaMalloc(T** p, std::size_t n) { return ::cudasmith::allocate(reinterpret_cast<void**>(p), n, "cudaMalloc block"); }
template <class T>
cudaError_t cudaMallocAsync(T** p, std::size_t n, cudaStream_t) { return cudaMalloc(p, n); }
template <class T>
cudaError_t cudaMallocManaged(T** p, std::size_t n, unsigned = cudaMemAttachGlobal) { return cudaMalloc(p, n); }
template <class T>
cudaError_t cudaMallocHost(T** p, std::size_t n, unsigned = 0) { return ::cudasmith::allocate(reinterpret_cast<void**>(p), n, "pinned block"); }
template <class T>
cudaError_t cudaHostAlloc(T** p, std::size_t n, unsigned flags) { return cudaMallocHost(p, n, flags); }
inline cudaError_t cudaFree(void* p) { return p == nullptr || ::cudasmith::device_free(p) ? cudaSuccess : cudaErrorInvalidValue; }
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return cudaFree(p); }
inline cudaError_t cudaFreeHost(void* p) { return cudaFree(p); }
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return *free = *total = ::cudasmith::device_model().memory_bytes, cudaSuccess;
}
inline cudaError_t cudaMemset(void* p, int v, std::size_t n) {
  if (!::cudasmith::inside_block(p, n)) return cudaErrorInvalidValue;
  ::cudasmith::host_copies(p, nullptr, n);
  return n > 0 ? std::memset(p, v, n) : p, cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* p, int v, std::size_t n, cudaStream_t = nullptr) { return cudaMemset(p, v, n); }
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t n, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (!::cudasmith::inside_block(to, n) || !::cudasmith::inside_block(from, n)) return cudaErrorInvalidValue;
  if (n > 0 && !::cudasmith::copy_fits(to, from, kind)) return cudaErrorInvalidValue;
  ::cudasmith::host_copies(to, from, n);
  return n > 0 ? std::memmove(to, from, n) : to, cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t n, cudaMemcpyKind k, cudaStream_t = nullptr) {
  return cudaMemcpy(to, from, n, k);
}
inline cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                std::size_t height, cudaMemcpyKind kind) {
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidValue;
  for (std::size_t y = 0; y < height; ++y) {
    const cudaError_t e = cudaMemcpy(static_cast<char*>(to) + y * to_pitch, static_cast<const char*>(from) + y * from_pitch, width, kind);
    if (e != cudaSuccess) return e;
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                     std::size_t height, cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t n, std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) {
  if (offset + n > sizeof(T)) return cudaErrorInvalidValue;
  return std::memcpy(reinterpret_cast<char*>(const_cast<std::remove_cv_t<T>*>(&symbol)) + offset, from, n), cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, std::size_t n, std::size_t offset, cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpyToSymbol(symbol, from, n, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t n, std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  if (offset + n > sizeof(T)) return cudaErrorInvalidValue;
  return std::memcpy(to, reinterpret_cast<const char*>(&symbol) + offset, n), cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t n, std::size_t offset, cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpyFromSymbol(to, symbol, n, offset, kind);
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** p, const T& symbol) {
  return *p = reinterpret_cast<P*>(const_cast<std::remove_cv_t<T>*>(&symbol)), cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* n, const T&) { return *n = sizeof(T), cudaSuccess; }

// Kernels.
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 13
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1 = 0, cudaSharedmemCarveoutMaxShared = 100 };
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || value > ::cudasmith::device_model().shared_per_block) return cudaErrorInvalidValue;
  return ::cudasmith::set_dynamic_limit(value), cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel, cudaFuncCache) { return cudaSuccess; }
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int threads, std::size_t shared) {
  if (threads < 1 || threads > 1024) return cudaErrorInvalidValue;
  return *blocks = ::cudasmith::blocks_per_sm(threads, shared), cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel k, int threads, std::size_t shared, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, k, threads, shared);
}
// What each of so many blocks of an SM may have of its shared memory.
template <class Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, Kernel, int blocks, int threads) {
  const ::cudasmith::DeviceModel& d = ::cudasmith::device_model();
  if (blocks < 1 || threads < 1 || threads > 1024 || blocks > ::cudasmith::blocks_per_sm(threads, 0)) return cudaErrorInvalidValue;
  const int each = d.shared_per_sm / blocks / 128 * 128 - d.reserved_shared;
  const int most = each < d.shared_per_block ? each : d.shared_per_block;
  return *bytes = static_cast<std::size_t>(most), cudaSuccess;
}
// The largest block among those with which an SM runs the most threads.
template <class Kernel, class Shared>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, Kernel, Shared shared, int limit = 0) {
  int best = 0;
  for (int threads = limit > 0 && limit < 1024 ? (limit + 31) / 32 * 32 : 1024; threads >= 32; threads -= 32) {
    const int blocks = ::cudasmith::blocks_per_sm(threads, static_cast<std::size_t>(shared(threads)));
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *block = threads, *grid = blocks * ::cudasmith::device_model().sms;
  }
  return best > 0 ? cudaSuccess : cudaErrorInvalidValue;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel k, std::size_t shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, k, [shared](int) { return shared; }, limit);
}

namespace cudasmith {
// cudaLaunchKernel(kernel, grid, block, args, ...): the rewriter leaves out the cast of the kernel to a pointer to void,
// so that its parameters are known.
template <class... P, std::size_t... I>
void run_with(void (*kernel)(P...), const LaunchConfig& config, void** args, std::index_sequence<I...>) {
  std::tuple<std::remove_cv_t<P>...> kept(*static_cast<std::remove_cv_t<P>*>(args[I])...);
  auto body = [&] { std::apply(kernel, kept); };
  run_grid(config, [](void* context) { (*static_cast<decltype(body)*>(context))(); }, &body);
}
template <class... P>
cudaError_t launch_named(const char* name, int line, bool cooperative, void (*kernel)(P...), dim3 grid, dim3 block, void** args,
                         std::size_t shared = 0, cudaStream_t = nullptr) {
  const unsigned long long blocks = static_cast<unsigned long long>(grid.x) * grid.y * grid.z;
  if (cooperative && blocks > static_cast<unsigned long long>(blocks_per_sm(static_cast<int>(block.x * block.y * block.z), shared)) * device_model().sms) {
    refuse_launch({name, line, grid, block, shared, instrumented}, cudaErrorCooperativeLaunchTooLarge);
    return cudaErrorCooperativeLaunchTooLarge;
  }
  run_with(kernel, {name, line, grid, block, shared, instrumented, nullptr, 0, cooperative}, args, std::index_sequence_for<P...>());
  return cudaPeekAtLastError();
}
}  // namespace cudasmith
