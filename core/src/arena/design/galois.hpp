#pragma once

#include <agon/export.hpp>

namespace agon::design {

/// The finite field with `order` elements, written 0 .. order - 1. An element of GF(p^k) is the
/// number whose digits to base p are the coefficients of a polynomial, the constant first; products
/// are reduced by a fixed irreducible polynomial.
class AGON_API GaloisField {
 public:
  /// Every prime, and the prime powers 4, 8, 9 and 16.
  [[nodiscard]] static bool exists(int order);

  /// Throws Error unless exists(order).
  explicit GaloisField(int order);

  [[nodiscard]] int order() const { return order_; }
  /// The sum of two elements.
  [[nodiscard]] int add(int a, int b) const;
  /// The product of two elements.
  [[nodiscard]] int multiply(int a, int b) const;

 private:
  int order_;
  int prime_;
  int tail_ = 0;  // what x^k reduces to, as an element; unused for primes
};

}  // namespace agon::design
