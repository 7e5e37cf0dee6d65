#include "deal-or-no-deal/workflows/reflection.hpp"

#include <fmt/format.h>

namespace deal_or_no_deal {
namespace {

/// More options than this are not listed: games of the published size have fewer splits.
constexpr std::size_t kMostOptions = 60;

/// Published thresholds between what is called low, moderate and high.
constexpr Hundredths kLowUpTo = 40;
constexpr Hundredths kHighFrom = 60;

std::string decimal(Hundredths hundredths) {
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

std::string decimal(const std::optional<Hundredths>& hundredths) {
  return hundredths ? decimal(*hundredths) : std::string();
}

std::string_view fairer_label(const SplitOption& option) {
  return option.acceptance > kHighFrom ? " (high)" : "";
}

std::string_view better_label(const SplitOption& option) {
  if (option.acceptance <= kLowUpTo) return " (low)";
  return option.acceptance >= kHighFrom ? " (high)" : " (moderate)";
}

std::string option_lines(const Talk& talk, const std::vector<SplitOption>& options,
                         std::string_view (*label)(const SplitOption&)) {
  std::string text;
  for (std::size_t i = 0; i < options.size() && i < kMostOptions; ++i) {
    const SplitOption& option = options[i];
    text += fmt::format("{}- take {}: worth {} to you, probability that it is accepted {}{}",
                        i == 0 ? "" : "\n", items_text(talk, option.take), option.score,
                        decimal(option.acceptance), label(option));
    if (option.refused > 0) {
      text += fmt::format("; careful, you have proposed this {} and it was not accepted",
                          option.refused == 1 ? "once" : fmt::format("{} times", option.refused));
    }
  }
  if (options.size() > kMostOptions) {
    text += fmt::format("\n- and {} more", options.size() - kMostOptions);
  }
  return text;
}

/// Items that the side would take though they are worth nothing to it.
std::string useless_items(const Talk& talk, const Amounts& take) {
  std::string text;
  for (std::size_t i = 0; i < take.size(); ++i) {
    if (take[i] > 0 && talk.values[i] == 0) text += (text.empty() ? "" : ", ") + talk.items[i];
  }
  return text;
}

}  // namespace

std::vector<agon::PromptName> standing(const Talk& talk, const EnvyFilter& filter) {
  const bool agreed = filter.own() == filter.offered();
  const std::string offered = items_text(talk, *filter.offered());
  const Hundredths envy = agreed ? 0 : filter.envy_share();
  const Hundredths greed = agreed ? 0 : filter.greed_share();
  return {{"agreed", agreed ? offered : ""},
          {"counter", agreed ? "" : offered},
          {"envy", envy > 0 ? decimal(envy) : ""},
          {"greed", greed > 0 ? decimal(greed) : ""}};
}

std::vector<agon::PromptName> reflection(const Talk& talk, const EnvyFilter& filter,
                                         const Amounts& take, std::string draft,
                                         double deteriorate_rate) {
  const Weighed weighed = filter.weigh(take);
  return {{"draft", std::move(draft)},
          {"take", items_text(talk, take)},
          {"score", std::to_string(weighed.score)},
          {"theirs", std::to_string(weighed.their_score)},
          {"expected-envy", decimal(weighed.expected_if_envious)},
          {"expected-greed", decimal(weighed.expected_if_greedy)},
          {"chance-envy", decimal(weighed.envy_if_envious)},
          {"chance-greed", decimal(weighed.envy_if_greedy)},
          {"envied", weighed.envies ? std::to_string(weighed.their_score) : ""},
          {"useless", useless_items(talk, take)},
          {"fairer", option_lines(talk, filter.fairer(take, deteriorate_rate), fairer_label)},
          {"better", option_lines(talk, filter.better(take, deteriorate_rate), better_label)}};
}

}  // namespace deal_or_no_deal
