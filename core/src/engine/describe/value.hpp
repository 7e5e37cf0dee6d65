#pragma once

#include <agon/type.hpp>
#include <memory>
#include <new>

namespace agon {

/// Makes the object equal to `from` again, or to a default-constructed one if that is null.
inline void reset_value(const Type& type, void* object, const void* from) {
  type.destroy(object);
  if (from != nullptr)
    type.copy(object, from);
  else
    type.construct(object);
}

/// An object of a described type, on the heap.
class Value {
 public:
  explicit Value(const Type& type) : type_(&type), at_(::operator new(type.size)) {
    type.construct(at_);
  }
  Value(const Value& other) : type_(other.type_), at_(::operator new(other.type_->size)) {
    type_->copy(at_, other.at_);
  }
  Value(Value&& other) noexcept : type_(other.type_), at_(std::exchange(other.at_, nullptr)) {}
  Value& operator=(Value other) noexcept {
    std::swap(type_, other.type_);
    std::swap(at_, other.at_);
    return *this;
  }
  ~Value() {
    if (at_ == nullptr) return;
    type_->destroy(at_);
    ::operator delete(at_);
  }
  [[nodiscard]] const Type& type() const { return *type_; }
  [[nodiscard]] void* get() { return at_; }
  [[nodiscard]] const void* get() const { return at_; }

 private:
  const Type* type_;
  void* at_;
};

}  // namespace agon
