#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "design/plan.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

class Catalogue;

/// What a model writes, by what it is for.
enum class OutputPart : std::uint8_t {
  thinking,  ///< hidden, as its effort has it
  reasons,   ///< before an answer or in it, and drafts, reflection, calls of tools
  plans,
  beliefs,
  notes,    ///< of a notebook, and what is learned
  answers,  ///< the moves themselves, and what is said to others
};
AGON_DESCRIBE_ENUM(OutputPart, (thinking, "hidden, by effort"), (reasons, "before answers"),
                   (plans, "kept"), (beliefs, "kept"), (notes, "kept"),
                   (answers, "moves, messages"))
inline constexpr std::size_t kOutputParts = 6;

/// Models differ by so much, both ways, in how many tokens they write of a part.
constexpr double factor_of(OutputPart part) {
  return part == OutputPart::thinking ? 3 : part == OutputPart::answers ? 1.5 : 2.5;
}

/// What the seats of one agent took of one of its models in one match.
struct CallSample {
  std::int64_t seats = 1;
  std::int64_t calls = 0;
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::array<std::int64_t, kOutputParts> parts{};  ///< of output
  double least_output = 0;                         ///< of models that say little
  double most_output = 0;                          ///< of models that say much, up to their limit
  std::int64_t longest = 0;
  std::int64_t cost = 0;  ///< billionths of a US dollar
  bool is_priced = false;
  bool is_batched = false;  ///< of a pilot: some of the calls went out in batches
  double record = 0;        ///< bytes of the match's record, with all that its models write

  void add(const CallSample& other) {
    seats += other.seats;
    calls += other.calls;
    input += other.input;
    output += other.output;
    for (std::size_t p = 0; p < kOutputParts; ++p) parts[p] += other.parts[p];
    least_output += other.least_output;
    most_output += other.most_output;
    longest = std::max(longest, other.longest);
    cost += other.cost;
    is_priced = is_priced && other.is_priced;
    is_batched = is_batched || other.is_batched;
    record = std::max(record, other.record);
  }
};

/// What an agent took of each of its models: its own, then those of ModelAgent::other_models().
using ModelSamples = std::vector<CallSample>;

/// The purposes of ModelAgent::other_models(); empty for an agent that calls no model.
std::vector<std::string> other_purposes(const Agent& agent);

/// Adds what other seats of the agent took.
void add_samples(ModelSamples& to, const ModelSamples& more);

/// One match of a scenario as the runner would play it, but for records and the archive. `takes`
/// gets what each seat took, `rounds` how many batches its calls go out in, one after the other.
MatchResult play_dry(const Suite& suite, const Scenario& s, const AgentInGame* reference,
                     const design::PlannedMatch& planned, std::uint64_t position,
                     const std::vector<std::string>& carried, std::vector<ModelSamples>& takes,
                     std::int64_t& rounds);

/// The purposes whose calls go to other models than the agent's own, in the order of
/// ModelAgent::other_models(), by the names of a scenario and an agent.
using OtherPurposes =
    std::function<std::vector<std::string>(const std::string& scenario, const std::string& agent)>;

/// What the pilot has of agents by name: an element an agent and match, by scenario and agent.
std::map<std::pair<std::string, std::string>, std::vector<ModelSamples>> pilot_takes(
    const archive::Archive& pilot, const Catalogue& catalogue, const OtherPurposes& others);

}  // namespace agon
