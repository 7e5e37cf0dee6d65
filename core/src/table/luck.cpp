#include <agon/table.hpp>

namespace agon {

std::int64_t Luck::between(std::int64_t lo, std::int64_t hi) {
  const std::int64_t value = dice_.between(lo, hi);
  if (table_.listening_)
    table_.drawn(name_, std::span(at_.data(), static_cast<std::size_t>(n_)),
                 type_of<std::int64_t>(), &value);
  return value;
}

double Luck::unit() {
  const double value = dice_.unit();
  if (table_.listening_)
    table_.drawn(name_, std::span(at_.data(), static_cast<std::size_t>(n_)), type_of<double>(),
                 &value);
  return value;
}

}  // namespace agon
