#pragma once

#include <agon/export.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stats/sequential/stop_test.hpp"
#include "suite/suite_file.hpp"

namespace agon {

struct Suite;

/// When a run has played enough, if that is before all is played.
struct StopRule {
  using StopKind = stats::StopQuestion::StopKind;
  StopKind kind = StopKind::best;
  std::vector<int> agents;   ///< of the suite: those that it is about; decide: the two
  int reference = -1;        ///< difference: of the suite
  double target = 0.95;      ///< difference: the half-width; best: the certainty
  double level = 0.95;       ///< difference, decide: of the intervals
  std::uint64_t blocks = 0;  ///< budget: in blocks of all agents
  std::optional<std::uint64_t> min_blocks{};  ///< as StopQuestion::fewest
  std::optional<double> worst{};              ///< as StopQuestion::worst
};

/// How to name the place of a rule's member; of the rule itself for "".
using StopRulePlace = std::function<std::string(const std::string& member)>;

/// The rule that a suite's "stop" says, an object or its short form. Agents are those of the suite,
/// which is otherwise read. Throws Error for what makes no sense in this suite, without a place
/// where that is the rule as a whole.
[[nodiscard]] StopRule read_stop_rule(const std::variant<std::string, suite_file::StopEntry>& said,
                                      const Suite& suite, const StopRulePlace& place);

/// The same of --until: the short form ("best=0.95", "a > b") or JSON; without a place.
[[nodiscard]] StopRule read_stop_rule(std::string_view text, const Suite& suite);

/// As "stop" says it, with all that follows from the suite filled in.
[[nodiscard]] AGON_API boost::json::object to_json(const StopRule& rule, const Suite& suite);

/// In words: "until it is known with 95% certainty which agent is best".
[[nodiscard]] AGON_API std::string describe(const StopRule& rule, const Suite& suite);

/// The looks that a suite has: blocks of the scenario with the fewest.
[[nodiscard]] AGON_API std::uint64_t most_looks(const Suite& suite);

/// The rule over the suite's agents by number.
[[nodiscard]] stats::StopQuestion question(const StopRule& rule, const Suite& suite);

/// Why the rule cannot be met, or a budget not spent, in a sentence, with what has to hold for that
/// where only play tells; empty if it can.
[[nodiscard]] AGON_API std::string why_never(const StopRule& rule, const Suite& suite);

/// What scores of a game lie between, for intervals by betting; nothing if it does not say.
[[nodiscard]] std::optional<stats::Interval> score_bounds(const Suite& suite,
                                                          std::string_view game);

/// True if an agent that is out may be left out of the line-ups about it: some scenario has such.
[[nodiscard]] bool can_drop(const Suite& suite);

}  // namespace agon
