#pragma once

#include <fmt/format.h>

#include <agon/game.hpp>
#include <agon/inline_list.hpp>
#include <agon/telling.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shared {

/// A seat for each name, without roles.
[[nodiscard]] inline std::vector<agon::SeatCard> seats_named(
    const std::vector<std::string>& names) {
  std::vector<agon::SeatCard> seats;
  for (const std::string& name : names) seats.push_back({.name = name});
  return seats;
}

/// Why the names of the setting `list` do not tell seats apart: one is empty, or two are the same.
/// Empty if they do.
[[nodiscard]] inline std::string check_names(std::string_view list,
                                             const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) return fmt::format("{}[{}] has no name", list, i);
    for (std::size_t j = 0; j < i; ++j)
      if (names[j] == names[i])
        return fmt::format("{0}[{1}] and {0}[{2}] are both called {3}", list, j, i, names[i]);
  }
  return {};
}

/// An amount without a sign of money: "70", "34.50", "1,000".
[[nodiscard]] inline std::string dollars(agon::Money amount) {
  return agon::money_text(amount).substr(1);
}

/// The seats of a game from which seats drop out, round by round: what all see of a seat (`Shown`,
/// with `alive` and `hp`), what is measured of it, and for each past round a line of every seat
/// that was there, to which views point.
template <class Shown, class Metrics, class Line, class Past, std::size_t kSeats,
          std::size_t kRounds>
class Roster {
 public:
  Roster() = default;
  Roster(const Roster&) = delete;
  Roster& operator=(const Roster&) = delete;

  /// Adds the next seat.
  void add(const Shown& seat) {
    if (seat.alive) alive_.push_back(static_cast<int>(seats_.size()));
    seats_.push_back(seat);
    metrics_.push_back({});
  }
  Shown& at(int seat) { return seats_[static_cast<std::size_t>(seat)]; }
  Metrics& tally(int seat) { return metrics_[static_cast<std::size_t>(seat)]; }
  /// Who is left, in order of the seats.
  [[nodiscard]] std::span<const int> alive() const { return alive_; }
  [[nodiscard]] std::span<const Shown> seats() const { return seats_; }

  /// Adds a line of this round; one for everybody who is left.
  void write(const Line& line) { lines_.push_back(line); }
  /// The lines of this round, once all are written.
  [[nodiscard]] std::span<const Line> lines() const {
    return {lines_.end() - alive_.size(), alive_.size()};
  }
  /// Keeps the round.
  void keep(const Past& round) { past_.push_back(round); }
  [[nodiscard]] std::span<const Past> past() const { return past_; }

  /// Who has no health left is out; `leaves(seat)` says so.
  template <class Leaves>
  void retire(Leaves leaves) {
    std::size_t left = 0;
    for (const int seat : alive_) {
      if (at(seat).hp > 0) {
        alive_[left++] = seat;
      } else {
        at(seat).alive = false;
        leaves(seat);
      }
    }
    alive_.resize(left);
  }

 private:
  agon::InlineList<int, kSeats> alive_;
  agon::InlineList<Shown, kSeats> seats_;
  agon::InlineList<Metrics, kSeats> metrics_;
  agon::InlineList<Line, kSeats * kRounds> lines_;
  agon::InlineList<Past, kRounds> past_;
};

}  // namespace shared
