#include <agon/table.hpp>
#include <string>

namespace agon {

std::int64_t Luck::between(std::int64_t lo, std::int64_t hi) {
  if (hi < lo)
    throw std::invalid_argument("chance '" + std::string(name_) + "': there is nothing between " +
                                std::to_string(lo) + " and " + std::to_string(hi));
  const std::int64_t value = dice_.between(lo, hi);
  if (table_.listening_)
    table_.drawn(name_, std::span(at_.data(), static_cast<std::size_t>(n_)),
                 std::exchange(fresh_, false), type_of<std::int64_t>(), &value);
  return value;
}

double Luck::unit() {
  const double value = dice_.unit();
  if (table_.listening_)
    table_.drawn(name_, std::span(at_.data(), static_cast<std::size_t>(n_)),
                 std::exchange(fresh_, false), type_of<double>(), &value);
  return value;
}

void Table::no_seat(int seat, const char* call) const {
  throw std::out_of_range(std::string(call) + "(): there is no seat " + std::to_string(seat) +
                          ", the match has " + std::to_string(seats_) + " (0 to " +
                          std::to_string(seats_ - 1) + ")");
}

}  // namespace agon
