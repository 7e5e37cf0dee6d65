#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "costs/call_sample.hpp"
#include "costs/costs.hpp"
#include "suite/suite.hpp"

namespace agon {

class Catalogue;

/// What is expected, and how far it may be off.
struct ExpectedRange {
  double low = 0;
  double expected = 0;
  double high = 0;
};

/// What one of an agent's models is expected to take in one scenario.
struct AgentForecast {
  std::string scenario;
  std::string agent;
  std::string model;        ///< "provider/model"
  std::string purpose{};    ///< whose calls go to it; empty: it is the agent's own
  std::uint64_t seats = 0;  ///< seats that it takes over all matches
  std::size_t sampled = 0;  ///< of these: played for the forecast, or found in the pilot
  bool from_pilot = false;
  ExpectedRange calls;
  ExpectedRange input;                            ///< tokens
  ExpectedRange output;                           ///< tokens
  std::array<ExpectedRange, kOutputParts> parts;  ///< of output
  std::string effort;                             ///< `reasoning_effort`; empty: none is set
  std::optional<ExpectedRange> cost;              ///< US dollars; none: the model has no price
  std::int64_t longest_prompt = 0;                ///< tokens, estimated
  /// US dollars that its batches save of what its calls cost by themselves; none: it has no
  /// batches, or no price.
  std::optional<double> saved{};
};

/// The batches of a scenario's calls.
struct BatchForecast {
  std::string scenario;
  std::int64_t rounds = 0;  ///< batches one after the other, in the longest sequence seen
};

struct Forecast {
  std::uint64_t matches = 0;
  std::vector<AgentForecast> rows;       ///< agents that call models only
  std::vector<BatchForecast> batches{};  ///< of scenarios with agents whose calls go out so
  std::vector<std::string> notes;
  /// Which agents of which scenarios play matches that no record has room for: in all that were
  /// played dry, or perhaps, by what models may write, which the notes say too.
  std::vector<std::string> too_long{};
  std::vector<std::string> perhaps_too_long{};

  /// Throws Error (invalid) if a match is too long. `file`: of the suite.
  AGON_API void refuse_too_long(const std::string& file) const;
};

/// Plays a few matches for each agent that calls models, with the real prompts and without any
/// endpoint: `suite` must have been read with dry_run. What such an agent plays is what the game's
/// reference strategy (GameCard::reference) would; where that cannot play, random legal answers.
/// `sample`: seats played for each agent of a scenario; 0: those of five matches or more, until
/// their calls and tokens are known to a tenth, up to a hundred matches. In the place of that, what
/// agents of the same name took in scenarios of the same name of `pilot`, which may be null.
///
/// Expected is the mean over what was seen, times the number of seats; low and high are two
/// standard errors off, where the seats of a match are one draw. How much a model writes is not
/// known without a pilot: hidden thought is taken to be as long as is usual for the effort that is
/// set, reasons in an answer some 30 words, free text some 110; and the range is a third to three
/// times as much of hidden thought, two and a half times less or more of other prose, and one and a
/// half of answers. With a pilot whose calls all had a price the cost is what they cost.
[[nodiscard]] AGON_API Forecast forecast(const Suite& suite, const Catalogue& catalogue,
                                         const PriceList& prices, int sample,
                                         const archive::Archive* pilot);

}  // namespace agon
