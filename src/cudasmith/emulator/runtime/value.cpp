#include "../include/cudasmith/value.h"

namespace cudasmith {

Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

void Module::add(Function function) { functions_.push_back(std::move(function)); }

}  // namespace cudasmith
