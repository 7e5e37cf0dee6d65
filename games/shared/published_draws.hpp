#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

/// Numbers with which a match of others is brought to where its chance led.
namespace shared {

/// What RandomStream::shuffle() draws to bring 0, 1, 2, ... into this order.
[[nodiscard]] inline std::vector<std::int64_t> shuffle_draws(std::span<const std::size_t> order) {
  std::vector<std::size_t> things(order.size());
  std::iota(things.begin(), things.end(), std::size_t{0});
  std::vector<std::int64_t> draws;
  for (std::size_t i = order.size(); i > 1; --i) {
    const auto at = std::find(things.begin(), things.end(), order[i - 1]);
    draws.push_back(at - things.begin());
    std::swap(things[i - 1], *at);
  }
  return draws;
}

/// What RandomStream::one_of() draws so that this seat of so many is drawn, if it is among those
/// that may be.
[[nodiscard]] inline std::vector<std::int64_t> draws_of(std::size_t seat, std::size_t seats) {
  constexpr std::int64_t highest = (std::int64_t{1} << 32) - 1;
  std::vector<std::int64_t> draws(seats, 0);
  draws[seat] = highest;
  return draws;
}

}  // namespace shared
