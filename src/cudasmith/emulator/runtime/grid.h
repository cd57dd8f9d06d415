// The launch log and the switches that Python sets.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "../include/cudasmith/runtime.h"

namespace cudasmith {

struct LaunchRecord {
  std::string kernel;
  int line;
  dim3 grid, block;
  std::size_t shared_bytes;
};

extern std::vector<LaunchRecord> launch_log;
extern bool skip_kernels;  // log launches but run nothing: the control experiment

extern DeviceModel device;  // the target

}  // namespace cudasmith
