#pragma once

#include <agon/model/distribution.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/provider.hpp>
#include <span>

namespace agon::llm {

/// Sets the request's options and the words that ask for one of them, if the question's answer is a
/// struct of one member, and 2 to 20 values of it are legal: names, whole numbers, true or false.
/// A value is its own label where the values' first characters differ; else A, B, C, ... are.
void ask_for_option(ModelRequest& request, const OwnedQuestion& question);

/// The distribution in the log-probabilities of an answer. The option is decided by the first
/// tokens that fit one label alone; blanks, quotes and the beginning of a JSON object before it are
/// passed over. What fits no label, or was not said and fits several, lies outside.
[[nodiscard]] AnswerDistribution distribution_by_tokens(const WireChoice& choice,
                                                        std::span<const AnswerOption> options);

/// The frequencies of the options among answers. An answer that does not begin with one label alone
/// lies outside.
[[nodiscard]] AnswerDistribution distribution_by_count(std::span<const WireChoice> choices,
                                                       std::span<const AnswerOption> options);

/// Makes a distribution the text of a call that was answered.
void set_distribution(ModelCall& call, AnswerDistribution distribution);

/// Draws an option of the distribution that is the call's text; `unit` is from 0 to under 1.
void draw_option(ModelCall& call, double unit);

/// The answer that was drawn; unparsable where no option was likely.
[[nodiscard]] ModelAnswer drawn_answer(const ModelCall& call, const Language& language);

}  // namespace agon::llm
