#pragma once

#include <agon/describe.hpp>
#include <optional>
#include <string>

namespace agon::report {

/// What is chosen in the game over agents, and how it is looked at.
struct MetaQuestion {
  /// The label or factor, or LABEL=LEVEL,LEVEL for some of its levels. Empty: `agents`.
  std::string label{};
  /// Names of agents with commas between, or "all".
  std::string agents{};
  bool seats_apart = false;       ///< seats of one role are populations of their own too
  std::optional<double> alpha{};  ///< of alpha-rank, beside the limit of strong selection
};
AGON_DESCRIBE(MetaQuestion,
              (label, "the label or factor, with its levels if some were named; empty: agents"),
              (agents, "names with commas between, or all; empty: a label"),
              (seats_apart, "seats of one role are players of their own"),
              (alpha, "strength of selection of alpha-rank beside the limit", left_out))

}  // namespace agon::report
