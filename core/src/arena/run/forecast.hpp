#pragma once

#include <agon/export.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "run/prices.hpp"
#include "suite/suite.hpp"

namespace agon {

class Catalogue;

/// What is expected, and how far it may be off.
struct Span {
  double low = 0;
  double expected = 0;
  double high = 0;
};

/// What one agent's model is expected to take in one scenario.
struct AgentForecast {
  std::string scenario;
  std::string agent;
  std::string model;        ///< "provider/model"
  std::uint64_t seats = 0;  ///< seats that it takes over all matches
  std::size_t sampled = 0;  ///< of these: played for the forecast, or found in the pilot
  bool from_pilot = false;
  Span calls;
  Span input;                       ///< tokens
  Span output;                      ///< tokens
  std::optional<Span> cost;         ///< US dollars; none: the model has no price
  std::int64_t longest_prompt = 0;  ///< tokens, estimated
};

struct Forecast {
  std::uint64_t matches = 0;
  std::vector<AgentForecast> rows;  ///< agents that call models only
  std::vector<std::string> notes;
};

/// Plays a few matches for each agent that calls models, with the real prompts and without any
/// endpoint: `suite` must have been read with dry_run. What such an agent plays is what the game's
/// reference strategy (GameCard::reference) would; where that cannot play, random legal answers.
/// `sample`: seats played for each agent of a scenario; 0: five or more, until their calls are
/// known to a tenth, up to sixty. In the place of that, what agents of the same name took in
/// scenarios of the same name of `pilot`, which may be null.
///
/// Expected is the mean over what was seen, times the number of seats; low and high are two
/// standard errors off. How much a model writes is not known without a pilot: reasons are taken to
/// be some 30 words where they are asked for, hidden thought to be as long as is usual for the
/// effort that is set, and the range is a third of that to three times as much.
[[nodiscard]] AGON_API Forecast forecast(const Suite& suite, const Catalogue& catalogue,
                                         const Prices& prices, int sample,
                                         const archive::Archive* pilot);

}  // namespace agon
