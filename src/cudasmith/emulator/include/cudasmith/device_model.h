// The GPU that the emulator stands for, as the runtime API tells it.
#pragma once
#include <cstddef>
#include <cstring>

#include "runtime.h"

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrReservedSharedMemoryPerBlock = 111
};

struct cudaDeviceProp {
  char name[256] = {};
  std::size_t totalGlobalMem, sharedMemPerBlock = 49152, totalConstMem = 65536;
  std::size_t sharedMemPerMultiprocessor, sharedMemPerBlockOptin, reservedSharedMemPerBlock;
  int regsPerBlock = 65536, regsPerMultiprocessor = 65536, warpSize = 32, maxThreadsPerBlock = 1024;
  int maxThreadsDim[3] = {1024, 1024, 64}, maxGridSize[3] = {2147483647, 65535, 65535};
  int major, minor, multiProcessorCount, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
  int l2CacheSize, memoryBusWidth, cooperativeLaunch = 1, concurrentKernels = 1, asyncEngineCount = 3, unifiedAddressing = 1, managedMemory = 1;

  cudaDeviceProp() {
    const ::cudasmith::DeviceModel& d = ::cudasmith::device_model();
    std::memcpy(name, d.name, sizeof d.name);
    totalGlobalMem = d.memory_bytes;
    sharedMemPerMultiprocessor = static_cast<std::size_t>(d.shared_per_sm);
    sharedMemPerBlockOptin = static_cast<std::size_t>(d.shared_per_block);
    reservedSharedMemPerBlock = static_cast<std::size_t>(d.reserved_shared);
    major = d.major, minor = d.minor, multiProcessorCount = d.sms;
    maxThreadsPerMultiProcessor = d.threads_per_sm, maxBlocksPerMultiProcessor = d.blocks_per_sm;
    l2CacheSize = d.l2_bytes, memoryBusWidth = d.bus_bits;
  }
};

namespace cudasmith {
// Blocks of one SM, by threads and shared memory: registers are not known here.
inline int blocks_per_sm(int threads, std::size_t shared) {
  const DeviceModel& d = device_model();
  if (threads < 1 || threads > 1024 || shared > static_cast<std::size_t>(d.shared_per_block)) return 0;
  const int by_threads = d.threads_per_sm / ((threads + 31) / 32 * 32);
  const std::size_t each = (shared + static_cast<std::size_t>(d.reserved_shared) + 127) / 128 * 128;
  const int by_shared = each == 0 ? d.blocks_per_sm : static_cast<int>(static_cast<std::size_t>(d.shared_per_sm) / each);
  const int least = by_threads < by_shared ? by_threads : by_shared;
  return least < d.blocks_per_sm ? least : d.blocks_per_sm;
}
// -1: not a known attribute.
inline long attribute(cudaDeviceAttr a) {
  const DeviceModel& d = device_model();
  switch (a) {
    case cudaDevAttrMaxThreadsPerBlock: case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: return 1024;
    case cudaDevAttrMaxBlockDimZ: return 64;
    case cudaDevAttrMaxGridDimX: return 2147483647;
    case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ: return 65535;
    case cudaDevAttrMaxSharedMemoryPerBlock: return 49152;
    case cudaDevAttrTotalConstantMemory: case cudaDevAttrMaxRegistersPerBlock: case cudaDevAttrMaxRegistersPerMultiprocessor: return 65536;
    case cudaDevAttrWarpSize: return 32;
    case cudaDevAttrClockRate: return d.clock_khz;
    case cudaDevAttrMultiProcessorCount: return d.sms;
    case cudaDevAttrConcurrentKernels: case cudaDevAttrCooperativeLaunch: return 1;
    case cudaDevAttrMemoryClockRate: return d.memory_clock_khz;
    case cudaDevAttrGlobalMemoryBusWidth: return d.bus_bits;
    case cudaDevAttrL2CacheSize: return d.l2_bytes;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return d.threads_per_sm;
    case cudaDevAttrComputeCapabilityMajor: return d.major;
    case cudaDevAttrComputeCapabilityMinor: return d.minor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return d.shared_per_sm;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return d.shared_per_block;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return d.blocks_per_sm;
    case cudaDevAttrReservedSharedMemoryPerBlock: return d.reserved_shared;
    default: return -1;
  }
}
}  // namespace cudasmith
