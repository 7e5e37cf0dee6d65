#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "archive/rows.hpp"
#include "record/record.hpp"
#include "table/probes.hpp"

namespace agon::report {

/// A recorded match in which truths are looked up.
struct ProbedMatch {
  const record::History& history;
  const std::vector<SeatCard>& seats;
  const std::vector<double>& scores;  ///< by seat, as people read them; NaN: none
  /// An event or an answer as JSON.
  std::function<std::string(const record::Entry&)> json;
};

/// What came true: one of these.
struct ProbeOutcome {
  std::optional<std::size_t> option;  ///< of choices and distributions; statements: 0 yes, 1 no
  std::optional<double> number;
  std::string words;
};

/// The truth for the answer that is entry `at` of the match; nothing if it does not occur, or is
/// none of the answers.
[[nodiscard]] std::optional<ProbeOutcome> outcome_of(const ProbeEntry& probe,
                                                     const ProbedMatch& match, std::size_t at);

}  // namespace agon::report
