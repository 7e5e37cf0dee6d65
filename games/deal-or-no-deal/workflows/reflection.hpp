#pragma once

#include <agon/model/model_parts.hpp>
#include <array>
#include <string>

#include "deal-or-no-deal/workflows/envy_sets.hpp"
#include "deal-or-no-deal/workflows/talk_reading.hpp"

namespace deal_or_no_deal {

/// The prompt with what an agent is told before it drafts a message, and the one with what it is
/// told about its draft.
inline constexpr std::string_view kStandingPrompt = "part-envy-free-standing";
inline constexpr std::string_view kReflectionPrompt = "part-envy-free-reflection";

/// The names in them that standing() and reflection() fill.
inline constexpr std::array<std::string_view, 4> kStandingNames{"agreed", "counter", "envy",
                                                                "greed"};
inline constexpr std::array<std::string_view, 12> kReflectionNames{
    "draft",       "take",         "score",  "theirs",  "expected-envy", "expected-greed",
    "chance-envy", "chance-greed", "envied", "useless", "fairer",        "better"};

/// The agent's last split, what the other side made of it, and why it may have been refused. Both
/// sides have proposed something.
[[nodiscard]] std::vector<agon::PromptName> standing(const Talk& talk, const EnvyFilter& filter);

/// What a draft that proposes to take `take` is worth, and what could be proposed instead. `draft`
/// is the message as JSON.
[[nodiscard]] std::vector<agon::PromptName> reflection(const Talk& talk, const EnvyFilter& filter,
                                                       const Amounts& take, std::string draft,
                                                       double deteriorate_rate);

}  // namespace deal_or_no_deal
