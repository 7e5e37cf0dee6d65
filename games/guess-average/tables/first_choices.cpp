#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <agon/conversion.hpp>
#include <cmath>
#include <map>

#include "guess-average/settings.hpp"
#include "guess-average/tables/tables.hpp"
#include "guess-average/target.hpp"

namespace guess_average {

namespace {

/// A column of table 6.
struct Published {
  std::string_view agent;
  double choice;
  double depth;
};

constexpr Published kTable6[] = {
    {"Direct", 47.29, 0.25}, {"CoT", 37.8, 1.25},        {"Persona", 41.0, 0.89},
    {"Refine", 41.0, 0.89},  {"Reflect", 45.2, 0.45},    {"PCoT", 44.0, 0.57},
    {"K-R", 38.42, 1.18},    {"K-R (k=3)", 32.79, 1.89},
};

agon::TableCell depth_cell(const agon::Figure& choice, double published) {
  agon::TableCell cell{.published = published};
  if (std::isnan(choice.value)) return cell;
  const auto depth = [](double x) {
    return std::isnan(x) ? agon::kNothing : strategic_depth(x, 80).value_or(agon::kNothing);
  };
  // A lower choice is a deeper one: the ends of the interval change places.
  cell.ours = {depth(choice.value), depth(choice.high), depth(choice.low), choice.n};
  return cell;
}

}  // namespace

agon::PaperTable first_choices(const agon::PlayedMatches& matches) {
  std::map<std::string, agon::Sample> choices;
  matches.each([&](const agon::PlayedMatch& match) {
    Settings settings;
    if (agon::read_json(settings, match.settings(), agon::Missing::keeps)) return;
    if (settings.percent != 80) return;
    for (const agon::PlayedSeat& seat : match.seats())
      choices[std::string(seat.agent)].add(fmt::format("{}:{}", match.scenario(), match.block()),
                                           match.metric(seat, "first_choice"));
  });
  if (choices.empty()) throw agon::LacksData{"rounds with 0.8 of the average"};
  agon::PaperTable table;
  table.corner = "first round";
  table.rows = {{"Mean Choice", {}}, {"Strategic Depth", {}}};
  const auto add = [&](const std::string& agent, double choice, double depth) {
    table.columns.push_back(agent);
    agon::Figure ours;
    if (const auto found = choices.find(agent); found != choices.end()) {
      ours = found->second.mean(matches.level());
      choices.erase(found);
    }
    table.rows[0].cells.push_back({.ours = ours, .published = choice});
    table.rows[1].cells.push_back(depth_cell(ours, depth));
  };
  for (const Published& p : kTable6) add(std::string(p.agent), p.choice, p.depth);
  while (!choices.empty()) add(std::string(choices.begin()->first), agon::kNothing, agon::kNothing);
  table.notes = {
      "Strategic depth: how often 0.8 has to be taken of 50 to come to the mean choice; of people "
      "(with two thirds of the average) the paper quotes 0.87 in laboratories to 2.63 among "
      "theorists.",
      "Every choice of the first round counts, against whomever it was made. K-R is k = 2.",
  };
  return table;
}

}  // namespace guess_average
