#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <type_traits>

namespace agon {

namespace detail {

/// Room for `Capacity` values, of which the first `size_` are there.
template <class T, std::size_t Capacity, bool = std::is_trivially_destructible_v<T>>
struct InlineRoom {
  InlineRoom() {}  // NOLINT(modernize-use-equals-default): leaves the room as it is
  union {
    std::array<T, Capacity> items_;
  };
  std::uint32_t size_ = 0;
};
template <class T, std::size_t Capacity>
struct InlineRoom<T, Capacity, false> {
  InlineRoom() {}  // NOLINT(modernize-use-equals-default): leaves the room as it is
  InlineRoom(const InlineRoom&) = delete;
  InlineRoom& operator=(const InlineRoom&) = delete;
  ~InlineRoom() {
    for (std::size_t i = 0; i < size_; ++i) items_[i].~T();
  }
  union {
    std::array<T, Capacity> items_;
  };
  std::uint32_t size_ = 0;
};

}  // namespace detail

/// A list of at most `Capacity` values held in place. It never allocates, and making and copying it
/// touches no more than what is in it, so that answers and outcomes stay cheap on the hot path.
/// Going over the capacity throws std::length_error.
template <class T, std::size_t Capacity>
class InlineList : detail::InlineRoom<T, Capacity> {
  using Room = detail::InlineRoom<T, Capacity>;
  using Room::items_;
  using Room::size_;

 public:
  /// As of std::vector, with size() at most `Capacity`.
  ///@{
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  InlineList() {
    if constexpr (kSmall) ::new (static_cast<void*>(&items_)) std::array<T, Capacity>;
  }
  InlineList(std::initializer_list<T> items) : InlineList() {
    for (const T& item : items) push_back(item);
  }
  InlineList(std::size_t n, const T& item) : InlineList() { resize(n, item); }
  InlineList(const InlineList& other) : Room() { copy(other); }
  InlineList& operator=(const InlineList& other) {
    if (this == &other) return *this;
    clear();
    copy(other);
    return *this;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] static constexpr std::size_t max_size() { return Capacity; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }
  T* data() { return items_.data(); }
  const T* data() const { return items_.data(); }
  T& back() { return items_[size_ - 1U]; }
  const T& back() const { return items_[size_ - 1U]; }

  void push_back(const T& item) {
    if (size_ == Capacity) throw std::length_error("InlineList is full");
    ::new (place(size_)) T(item);
    ++size_;
  }
  /// push_back() of what `make()` returns, which is built in place.
  template <class Make>
  T& push_back_made(Make make) {
    if (size_ == Capacity) throw std::length_error("InlineList is full");
    T* const made = ::new (place(size_)) T(make());
    ++size_;
    return *made;
  }
  void pop_back() { shrink(size_ - 1U); }
  void clear() { shrink(0); }
  ///@}
  /// resize() for a caller that writes every element next.
  void resize_for_overwrite(std::size_t n) {
    if (n > Capacity) throw std::length_error("InlineList is full");
    for (std::size_t i = size_; i < n; ++i) ::new (place(i)) T;
    shrink(n);
  }
  /// resize() as of std::vector.
  ///@{
  void resize(std::size_t n) {
    if (n > Capacity) throw std::length_error("InlineList is full");
    for (std::size_t i = size_; i < n; ++i) ::new (place(i)) T();
    shrink(n);
  }
  void resize(std::size_t n, const T& item) {
    if (n > Capacity) throw std::length_error("InlineList is full");
    while (size_ < n) push_back(item);
    shrink(n);
  }
  ///@}

  /// Equal in length and in every element.
  friend bool operator==(const InlineList& a, const InlineList& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (!(a.items_[i] == b.items_[i])) return false;
    return true;
  }

 private:
  // A list that fits a cache line is copied whole, which is a move or two.
  static constexpr bool kSmall =
      std::is_trivially_copyable_v<T> && sizeof(T) * Capacity <= std::size_t{64};

  /// Cuts the list down to `n`, or takes what was just made behind it for a part of it.
  void shrink(std::size_t n) {
    if constexpr (!std::is_trivially_destructible_v<T>)
      for (std::size_t i = n; i < size_; ++i) items_[i].~T();
    size_ = static_cast<std::uint32_t>(n);
  }
  void* place(std::size_t i) { return static_cast<void*>(data() + i); }
  void copy(const InlineList& other) {
    if constexpr (kSmall) {
      items_ = other.items_;
      size_ = other.size_;
    } else {
      for (std::size_t i = 0; i < other.size_; ++i) ::new (place(i)) T(other.items_[i]);
      size_ = other.size_;
    }
  }
};

}  // namespace agon
