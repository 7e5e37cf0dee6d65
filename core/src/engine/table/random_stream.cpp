#include <agon/dealing.hpp>
#include <agon/table.hpp>
#include <algorithm>
#include <string>

namespace agon {

std::int64_t RandomStream::between(std::int64_t lo, std::int64_t hi) {
  if (hi < lo)
    throw std::invalid_argument("chance '" + std::string(name_) + "': there is nothing between " +
                                std::to_string(lo) + " and " + std::to_string(hi));
  std::int64_t value = dice_.between(lo, hi);
  if (table_.listening_)
    table_.drawn(name_, std::span(at_.data(), static_cast<std::size_t>(n_)),
                 std::exchange(fresh_, false), type_of<std::int64_t>(), &value);
  if (value < lo || value > hi)
    throw std::invalid_argument("chance '" + std::string(name_) + "': " + std::to_string(value) +
                                " is given, which is not between " + std::to_string(lo) + " and " +
                                std::to_string(hi));
  return value;
}

int RandomStream::one_of(std::span<const int> seats) {
  if (seats.empty()) throw std::invalid_argument("RandomStream::one_of: no seat to draw from");
  const int last = *std::max_element(seats.begin(), seats.end());
  // So many that two seats all but never draw the same one.
  constexpr std::int64_t kNumbers = std::int64_t{1} << 32;
  int drawn = seats.front();
  std::int64_t highest = -1;
  for (int seat = 0; seat <= last; ++seat) {
    const std::int64_t number = below(kNumbers);
    if (number <= highest || std::find(seats.begin(), seats.end(), seat) == seats.end()) continue;
    highest = number;
    drawn = seat;
  }
  return drawn;
}

double RandomStream::unit() {
  double value = dice_.unit();
  if (table_.listening_)
    table_.drawn(name_, std::span(at_.data(), static_cast<std::size_t>(n_)),
                 std::exchange(fresh_, false), type_of<double>(), &value);
  return value;
}

std::int64_t AnyTable::deal(std::string_view name, std::int64_t n, Dealing how) {
  return how == Dealing::drawn ? chance(name).below(n) : next_in_turn(name, n);
}

void AnyTable::no_seat(int seat, const char* call) const {
  throw std::out_of_range(std::string(call) + "(): there is no seat " + std::to_string(seat) +
                          ", the match has " + std::to_string(seats_) + " (0 to " +
                          std::to_string(seats_ - 1) + ")");
}

}  // namespace agon
