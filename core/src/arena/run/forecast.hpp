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

/// From low to high.
struct Span {
  double low = 0;
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
/// endpoint: `suite` must have been read with dry_run. `sample`: seats played for each agent of a
/// scenario. In the place of that, what agents of the same name took in scenarios of the same name
/// of `pilot`, which may be null.
///
/// Low and high are the least and the most that a match took, times the number of matches; with a
/// pilot, two standard errors around its mean. Written tokens of the dry run are those of a bare
/// answer: high is then the model's limit, or eight times as many and 500 a call.
[[nodiscard]] AGON_API Forecast forecast(const Suite& suite, const Prices& prices, int sample,
                                         const archive::Archive* pilot);

}  // namespace agon
