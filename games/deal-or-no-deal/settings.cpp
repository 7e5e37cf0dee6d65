#include "deal-or-no-deal/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "deal-or-no-deal/cases.hpp"

namespace deal_or_no_deal {
namespace {

Amounts amounts_of(const std::vector<int>& numbers) {
  Amounts amounts;
  for (const int number : numbers) amounts.push_back(number);
  return amounts;
}

std::string label(const ListedInstance& listed, std::size_t position) {
  return listed.id.empty() ? fmt::format("instance {}", position)
                           : fmt::format("instance {} (\"{}\")", position, listed.id);
}

std::string problem_of(const ListedInstance& listed, const Settings& settings) {
  if (listed.values.size() != 2) return "values are not given for exactly two sides";
  if (std::max({listed.counts.size(), listed.values[0].size(), listed.values[1].size()}) >
      kMaxTypes) {
    return fmt::format("there are more than {} item types", kMaxTypes);
  }
  const Instance instance = instance_of(listed);
  const auto found = problems(instance);
  if (!found.empty()) return found.front();
  if (settings.total_value == 0) return {};
  for (std::size_t side = 0; side < 2; ++side) {
    const auto everything = worth(instance.counts, instance.values[side]);
    if (everything != settings.total_value) {
      return fmt::format(
          "everything is worth {} to side {}, but total_value is {}; set total_value to 0 if it "
          "differs",
          everything, side, settings.total_value);
    }
  }
  return {};
}

constexpr std::string_view kAgonPreset = R"({"instances": "instances"})";
constexpr std::string_view kPaperPreset =
    R"({"instances": "instances", "protocol": "negotiation", "messages": true, "max_rounds": 20,
        "deal_match": "le", "beliefs": true})";
constexpr std::string_view kOriginalPreset =
    R"({"instances": "instances", "protocol": "negotiation", "messages": true, "max_rounds": 10,
        "deal_match": "eq", "swap_sides": "drawn", "beliefs": false})";
constexpr std::string_view kOpenspielPreset =
    R"({"instances": "instances", "protocol": "alternating_offers", "messages": false,
        "max_turns": 10, "discount": 1, "prob_end": 0, "beliefs": false})";

// Ten tries of every answer are one attempt and nine re-asks.
constexpr agon::Preset kAllPresets[] = {
    {.name = "agon",
     .doc = "negotiation over the shipped instances, one stop rule for everybody",
     .settings = kAgonPreset,
     .reasks = 9},
    {.name = "paper",
     .doc = "the negotiation of Hua et al. 2024, spelt out (same rules as \"agon\")",
     .settings = kPaperPreset,
     .reasks = 9},
    {.name = "original",
     .doc = "Lewis et al. 2017: takes must add up exactly, chance decides who has which side, 20 "
            "messages",
     .settings = kOriginalPreset,
     .reasks = 9},
    {.name = "openspiel",
     .doc = "OpenSpiel's game bargaining with its defaults: alternating offers, no words",
     .settings = kOpenspielPreset,
     .reasks = 3},
};

}  // namespace

std::vector<std::string> usual_items() {
  return {"book", "hat", "ball"};
}

Instance instance_of(const ListedInstance& listed) {
  return {listed.id,
          listed.line,
          amounts_of(listed.counts),
          {amounts_of(listed.values[0]), amounts_of(listed.values[1])}};
}

std::string check(const Settings& settings) {
  std::set<std::string_view> names;
  for (const std::string& item : settings.items) {
    if (item.empty()) return "an item type has an empty name";
    if (!names.insert(item).second) return fmt::format("two item types are called \"{}\"", item);
  }
  const std::vector<std::string> usual = item_names(settings);
  for (std::size_t i = settings.items.size(); i < usual.size(); ++i) {
    if (names.contains(usual[i])) {
      return fmt::format("an item type is called \"{}\", as type {} is without a name of its own",
                         usual[i], i + 1);
    }
  }
  if (settings.protocol == Protocol::negotiation) {
    if (settings.discount < 1) return "discount is for alternating offers: leave it at 1";
    if (settings.prob_end > 0) return "prob_end is for alternating offers: leave it at 0";
  }
  if (settings.instances.empty()) {
    if (settings.instance) return "there is no list of instances to take a fixed instance from";
    if (settings.order == agon::Dealing::in_turn)
      return "there is no list of instances to deal in turn; give \"instances\" or leave order out";
    if (std::string problem = generator_problem(settings); !problem.empty()) return problem;
  }
  if (settings.instance &&
      static_cast<std::size_t>(*settings.instance) >= settings.instances.size()) {
    return fmt::format("instance is {}, but there are {} instances, counted from 0",
                       *settings.instance, settings.instances.size());
  }
  if (settings.instance && settings.order == agon::Dealing::in_turn)
    return "every block has the same instance: leave out instance or order";
  for (std::size_t i = 0; i < settings.instances.size(); ++i) {
    const std::string problem = problem_of(settings.instances[i], settings);
    if (!problem.empty()) {
      return fmt::format("{}: {}", label(settings.instances[i], i), problem);
    }
  }
  return {};
}

std::span<const agon::Preset> presets() {
  return kAllPresets;
}

}  // namespace deal_or_no_deal
