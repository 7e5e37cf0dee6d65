#pragma once

#include <agon/describe.hpp>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// The probabilities that one call of a model gives to the few answers of a question. On record a
/// distribution is the text of its call, as JSON, and the call's `finish` is kDistribution.
namespace agon {

/// One of the few legal answers of a question.
struct AnswerOption {
  std::string label;       ///< what a model says to choose it: "cooperate", "A"
  JsonText answer{};       ///< the answer itself
  double probability = 0;  ///< 0 to 1; those of all options add up to 1, or are all 0
};
AGON_DESCRIBE(AnswerOption, (label, "what the model says to choose it"),
              (answer, "the answer, as JSON"),
              (probability, "among all options; all 0 if none was likely", agon::range(0, 1)))

/// The probabilities of all options, and the option that was drawn by them.
struct AnswerDistribution {
  std::vector<AnswerOption> options;
  double outside = 0;
  int samples = 0;
  std::string said;
  std::string drawn;
};
AGON_DESCRIBE(AnswerDistribution, (options, "all legal answers"),
              (outside, "probability of everything else, before it was left out",
               agon::range(0, 1)),
              (samples, "answers that were counted; 0: the endpoint gave the probabilities",
               agon::at_least(0)),
              (said, "the first answer's own words, or their beginning"),
              (drawn, "label of the option that is played; empty: none was likely"))

/// The `finish` of a call whose text is an AnswerDistribution.
inline constexpr std::string_view kDistribution = "distribution";

}  // namespace agon
