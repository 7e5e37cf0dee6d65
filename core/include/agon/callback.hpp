#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace agon {

template <class Signature>
class Callback;

/// A function on a card: a plain one, or one together with what it works on, for cards that were
/// made while the arena runs, as those of games in other processes are. `Callback<int(double)>` is
/// made of any function, captureless lambda or hook that turns into `int (*)(double)`.
template <class R, class... A>
class Callback<R(A...)> {
 public:
  using Plain = R (*)(A...);                    ///< a function by itself
  using Bound = R (*)(const void* self, A...);  ///< one that is given what it works on

  /// None.
  constexpr Callback() = default;
  /// None.
  constexpr Callback(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as pointers have it
  /// A function by itself.
  template <class F>
  requires std::is_convertible_v<F, Plain>
  // NOLINTNEXTLINE(google-explicit-constructor): a function is one
  constexpr Callback(F plain) : plain_(plain) {}
  /// A function and what it works on, which must outlive the card.
  constexpr Callback(Bound bound, const void* self) : bound_(bound), self_(self) {}

  /// Calls it; only if there is one.
  R operator()(A... arguments) const {
    return bound_ != nullptr ? bound_(self_, std::forward<A>(arguments)...)
                             : plain_(std::forward<A>(arguments)...);
  }
  /// True if there is one.
  constexpr explicit operator bool() const { return plain_ != nullptr || bound_ != nullptr; }
  /// True if there is none.
  friend constexpr bool operator==(const Callback& callback, std::nullptr_t) {
    return !static_cast<bool>(callback);
  }

 private:
  Plain plain_ = nullptr;
  Bound bound_ = nullptr;
  const void* self_ = nullptr;
};

}  // namespace agon
