#pragma once

#include <agon/model/model_parts.hpp>
#include <agon/plugin.hpp>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/valuations.hpp"

namespace deal_or_no_deal {

/// A message or an offer, as somebody reads it who waits for its text.
struct Spoken {
  int seat = 0;
  std::string text;
  std::optional<Amounts> take;  ///< what its writer proposes to take
};

/// What a side sees in a TalkView or a BeliefView.
struct Talk {
  std::vector<std::string> items;
  Amounts counts;
  Amounts values;
  int total_value = 0;  ///< 0: not known of the other side
  int round = 0;        ///< from 1
  std::vector<Spoken> said;
  std::optional<Amounts> their_claim{};  ///< values that the other side stated
};

/// Is that a part of what is on the table?
[[nodiscard]] bool lies_within(const Amounts& part, const Amounts& counts);

/// "1 book, 0 hats and 2 balls".
[[nodiscard]] std::string items_text(const Talk& talk, const Amounts& part);

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

/// Adds the workflow of the published code (Hua et al. 2024, section 5.4) around a model that
/// negotiates: it drafts a message, is told what its proposal means in the light of what the other
/// side has turned down, and rewrites it until it is content. And one that chooses whether to use
/// it, by the game of that choice.
void add_workflows(agon::Registry& registry);

}  // namespace deal_or_no_deal
