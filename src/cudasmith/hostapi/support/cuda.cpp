// torch's CUDA side. Without CUDA in torch every function says so, as torch's own does.
#include <cudasmith/abi.h>

#include <c10/util/Exception.h>

#ifdef CUDASMITH_TORCH_WITH_CUDA
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <mutex>
#include <vector>

extern "C" {
void csm_cuda_check(int error, const char* file, const char* function, unsigned line) {
  c10::cuda::c10_cuda_check_implementation(error, file, function, line, true);
}
void* csm_cuda_stream(int device, int what) {
  const auto d = static_cast<c10::DeviceIndex>(device);
  return what == 0 ? c10::cuda::getCurrentCUDAStream(d).stream() : c10::cuda::getDefaultCUDAStream(d).stream();
}
int csm_cuda_device() { return c10::cuda::current_device(); }
int csm_cuda_device_count() { return c10::cuda::device_count(); }
int csm_cuda_set_device(int device) {
  const int before = c10::cuda::current_device();
  if (device >= 0 && device != before) c10::cuda::set_device(static_cast<c10::DeviceIndex>(device));
  return before;
}
void csm_cuda_synchronize(int device) {
  const int before = csm_cuda_set_device(device);
  c10::cuda::device_synchronize();
  csm_cuda_set_device(before);
}
void* csm_cuda_properties(int device) {
  static std::mutex lock;
  static std::vector<cudaDeviceProp*> all;
  const std::lock_guard guard(lock);
  if (all.empty()) all.resize(static_cast<size_t>(c10::cuda::device_count_ensure_non_zero()));
  auto*& found = all.at(static_cast<size_t>(device));
  if (!found) {
    auto* made = new cudaDeviceProp;
    C10_CUDA_CHECK(cudaGetDeviceProperties(made, device));
    found = made;
  }
  return found;
}
}
#else
namespace {
[[noreturn]] void missing() {
  TORCH_CHECK(false, "this torch is built without CUDA; install a torch with CUDA to run the kernels of this file");
}
}  // namespace
extern "C" {
void csm_cuda_check(int error, const char* file, const char* function, unsigned line) {
  TORCH_CHECK(false, "CUDA error ", error, " at ", file, ":", line, " in ", function, "; this torch is built without CUDA");
}
void* csm_cuda_stream(int, int) { missing(); }
int csm_cuda_device() { missing(); }
int csm_cuda_device_count() { return 0; }
int csm_cuda_set_device(int) { missing(); }
void csm_cuda_synchronize(int) { missing(); }
void* csm_cuda_properties(int) { missing(); }
}
#endif
