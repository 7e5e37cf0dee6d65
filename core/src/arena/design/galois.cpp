#include "design/galois.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <array>

namespace agon::design {
namespace {

bool is_prime(int n) {
  if (n < 2) return false;
  for (int d = 2; d <= n / d; ++d)
    if (n % d == 0) return false;
  return true;
}

struct Extension {
  int order;
  int prime;
  int tail;  // minus the irreducible polynomial without its leading term, as an element
};

// x^2+x+1, x^3+x+1 and x^4+x+1 over GF(2), x^2+1 over GF(3): x^2 = -1 = 2.
constexpr std::array<Extension, 4> extensions{Extension{4, 2, 3}, Extension{8, 2, 3},
                                              Extension{16, 2, 3}, Extension{9, 3, 2}};

}  // namespace

bool GaloisField::exists(int order) {
  for (const Extension& extension : extensions)
    if (extension.order == order) return true;
  return is_prime(order);
}

GaloisField::GaloisField(int order) : order_(order), prime_(order) {
  if (!exists(order))
    throw Error(ErrorKind::invalid, fmt::format("there is no field with {} elements here", order),
                {}, "use a prime, 4, 8, 9 or 16");
  for (const Extension& extension : extensions) {
    if (extension.order != order) continue;
    prime_ = extension.prime;
    tail_ = extension.tail;
  }
}

int GaloisField::add(int a, int b) const {
  int out = 0;
  for (int place = 1; place < order_; place *= prime_) {
    const int digit = (a / place % prime_ + b / place % prime_) % prime_;
    out += digit * place;
  }
  return out;
}

int GaloisField::multiply(int a, int b) const {
  if (prime_ == order_) return static_cast<int>(static_cast<long long>(a) * b % order_);
  // Horner's scheme from the highest coefficient of b: out = out * x + digit * a.
  const int top = order_ / prime_;
  int out = 0;
  for (int place = top; place > 0; place /= prime_) {
    const int carry = out / top;
    out = out % top * prime_;
    for (int i = 0; i < carry; ++i) out = add(out, tail_);
    for (int i = 0; i < b / place % prime_; ++i) out = add(out, a);
  }
  return out;
}

}  // namespace agon::design
