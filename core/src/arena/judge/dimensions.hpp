#pragma once

#include <agon/export.hpp>
#include <array>
#include <string>
#include <string_view>

#include "judge/form_rows.hpp"

namespace agon::judge {

/// What a published study found for one dimension.
struct PublishedRating {
  double mean = 0;
  double deviation = 0;
  std::array<int, 3> quartiles{};  ///< lower, median, upper
};

/// Something that judges rate from 1 to 5.
struct Dimension {
  std::string_view id;                     ///< "IU", the column of the forms
  std::string_view name;                   ///< "information utilisation"
  std::string_view question;               ///< what is asked
  std::array<std::string_view, 5> levels;  ///< what 1 to 5 mean
  PublishedRating agents;                  ///< of model agents
  double own_play = 0;       ///< published mean of what the judges gave their own play; 0: none
  double own_deviation = 0;  ///< published standard deviation of that
};

/// The dimensions of the Alympics study (Mao and others 2023, its human evaluation of 30
/// records of the water allocation challenge, 5 judges each); anchors in our own words.
[[nodiscard]] AGON_API const std::array<Dimension, kDimensions>& dimensions();

/// What the published figures are of, for a table's foot.
[[nodiscard]] std::string_view published_source();

/// The sheet of instructions for judges. `judges_a_record`: how many rate each record.
[[nodiscard]] std::string instructions(std::size_t judges_a_record);

}  // namespace agon::judge
