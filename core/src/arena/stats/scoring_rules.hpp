#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <span>

/// @file
/// Scoring rules of forecasts: proper ones, which nobody does better by than by saying what they
/// hold to be so (Gneiting and Raftery, Journal of the American Statistical Association 102, 2007).
/// All of them are losses: lower is better.
namespace agon::stats {

/// A probability below this counts as this in logarithms, which would be infinite.
inline constexpr double kLeastForecast = 0.001;

/// (p - o)^2 where o is 1 if it came true, else 0 (Brier, Monthly Weather Review 78, 1950).
[[nodiscard]] AGON_API double brier_score(double probability, bool came_true);
/// The same summed over all that could have been.
[[nodiscard]] AGON_API double brier_score(std::span<const double> probabilities, std::size_t truth);
/// Minus the natural logarithm of what was given to what came true.
[[nodiscard]] AGON_API double log_score(double probability_of_truth);
/// Of an interval that is to hold the truth with the probability `level`: its width, and for a
/// truth outside of it 2 / (1 - level) times how far outside.
[[nodiscard]] AGON_API double interval_score(double low, double high, double level, double truth);

}  // namespace agon::stats
