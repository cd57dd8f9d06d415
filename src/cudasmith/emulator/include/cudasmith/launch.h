// kernel<<<grid, block, shared, stream>>>(args) becomes launcher(call, "kernel", line, grid, ...)(args).
#pragma once
#include <tuple>
#include <utility>

#include "runtime.h"

namespace cudasmith {

template <class T>
const void* pointer_of(const T& value) {
  if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) return const_cast<const void*>(static_cast<const volatile void*>(value));
  else return nullptr;
}

template <class Call>
class Launcher {
 public:
  Launcher(Call call, LaunchConfig config) : call_(call), config_(config) {}

  // Arguments are evaluated and copied once, then handed to every thread.
  template <class... Args>
  void operator()(Args&&... args) {
    std::tuple<std::decay_t<Args>...> kept(std::forward<Args>(args)...);
    const void* const pointers[] = {pointer_of<std::decay_t<Args>>(args)..., nullptr};
    config_.arguments = pointers;
    config_.argument_count = sizeof...(Args);
    auto body = [this, &kept] { std::apply(call_, kept); };
    run_grid(config_, [](void* context) { (*static_cast<decltype(body)*>(context))(); }, &body);
  }

 private:
  Call call_;
  LaunchConfig config_;
};

template <class Call>
Launcher<Call> launcher(Call call, const char* kernel, int line, dim3 grid, dim3 block,
                        std::size_t shared_bytes = 0, cudaStream_t = nullptr) {
  return {call, {kernel, line, grid, block, shared_bytes, instrumented}};
}

}  // namespace cudasmith
