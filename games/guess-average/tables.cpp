#include "shared/tables.hpp"

#include <agon/analysis/statistics.hpp>
#include <agon/conversion.hpp>
#include <cmath>
#include <map>

#include "guess-average/game.hpp"
#include "guess-average/play.hpp"
#include "shared/k_level_paper.hpp"

namespace guess_average {

/// A table of published.json.
const shared::PublishedTable& published(std::string_view id);

namespace {

agon::TableCell depth_cell(const agon::Figure& choice) {
  agon::TableCell cell;
  if (std::isnan(choice.value)) return cell;
  const auto depth = [](double x) {
    return std::isnan(x) ? agon::kNothing : strategic_depth(x, 80).value_or(agon::kNothing);
  };
  // A lower choice is a deeper one: the ends of the interval change places.
  cell.ours = {depth(choice.value), depth(choice.high), depth(choice.low), choice.n};
  return cell;
}

agon::PaperTable first_choices(const agon::PlayedMatches& matches) {
  std::map<std::string, agon::Sample> choices;
  matches.each([&](const agon::PlayedMatch& match) {
    Settings settings;
    if (agon::read_json(settings, match.settings(), agon::Missing::keeps)) return;
    if (settings.percent != 80) return;
    for (const agon::PlayedSeat& seat : match.seats())
      choices[std::string(seat.agent)].add(shared::block_of(match),
                                           match.metric(seat, "first_choice"));
  });
  if (choices.empty()) throw agon::LacksData{"rounds with 0.8 of the average"};
  agon::PaperTable table;
  table.corner = "first round";
  table.rows = {{.label = "Mean Choice", .cells = {}, .unit = "number chosen"},
                {.label = "Strategic Depth", .cells = {}, .unit = "levels"}};
  const auto add = [&](const std::string& agent) {
    table.columns.push_back(agent);
    agon::Figure ours;
    if (const auto found = choices.find(agent); found != choices.end()) {
      ours = found->second.mean(matches.level());
      choices.erase(found);
    }
    table.rows[0].cells.push_back({.ours = ours});
    table.rows[1].cells.push_back(depth_cell(ours));
  };
  const shared::PublishedTable& printed = published("k-level/table-6");
  for (const std::string& agent : printed.columns()) add(agent);
  while (!choices.empty()) add(std::string(choices.begin()->first));
  printed.fill(table);
  table.notes = {
      "Strategic depth: how often 0.8 has to be taken of 50 to come to the mean choice; of people "
      "(with two thirds of the average) the paper quotes 0.87 in laboratories to 2.63 among "
      "theorists.",
      "Every choice of the first round counts, against whomever it was made. K-R is k = 2.",
  };
  return table;
}

/// Which numbers are chosen as a match goes on: the game's own table.
agon::PaperTable choices_by_round(const agon::PlayedMatches& matches) {
  shared::MeanCurves curves;
  shared::KnownSettings<Settings> known;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    const Settings* settings = known.of(match);
    agon::each_said<kRound>(match, [&](const Round& said) {
      const auto round = static_cast<std::size_t>(said.round) - 1;
      for (const Choice& choice : said.choices)
        for (const agon::PlayedSeat& seat : match.seats())
          if (seat.name == choice.name)
            curves.add(heading, std::string(seat.agent), round, block, choice.number);
      // From 100 percent on every number that all choose is an equilibrium.
      if (settings != nullptr && settings->percent < 100)
        curves.add_theory(heading, "equilibrium", round, settings->lowest);
    });
  });
  if (curves.empty()) throw agon::LacksData{"recorded matches"};
  agon::PaperTable table =
      curves.table({.x = "round", .y = "mean number chosen"}, {.decimals = 1}, matches.level(),
                   {"Mean of the numbers that an agent chose in a round. Equilibrium: the lowest "
                    "number, which iterated dominance leaves. n: choices."});
  table.units = {"number chosen"};
  return table;
}

using namespace k_level_paper;

constexpr std::string_view kLacks = "rounds in which one player meets others who are all alike";

constexpr std::string_view kLacksAgents =
    "rounds in which one player meets others who are all alike and none of the paper's programs";
constexpr std::string_view kLacksPrograms =
    "rounds in which one player meets four of one program, such as four 'LastBids (Fix)'";

/// Seven ways of reasoning, as players and as opponents.
const std::vector<std::string>& methods() {
  return published("k-level/table-1").columns();
}

/// The programs that play the game.
const std::vector<std::string>& programs() {
  return published("k-level/table-9").rows();
}

agon::PaperTable rates(const agon::PlayedMatches& matches, const Layout& layout) {
  return table_of(
      matches, "win_rate", layout, "share of rounds",
      {"Rounds won over rounds played, a column a player, a row four opponents of a kind. "
       "Against its own kind every seat counts, in the paper Alex alone."});
}

agon::PaperTable win_rates(const agon::PlayedMatches& matches) {
  agon::PaperTable table =
      rates(matches, layout_of(published("k-level/table-1"), kLacksAgents, programs()));
  table.notes.emplace_back(
      "The paper's average of CoT is a misprint: its cells give 0.42, which its appendix G "
      "prints.");
  return table;
}

agon::PaperTable win_rates_by_depth(const agon::PlayedMatches& matches) {
  return rates(matches, layout_of(published("k-level/table-8-guess"), kLacksAgents, programs()));
}

agon::PaperTable win_rates_against_programs(const agon::PlayedMatches& matches) {
  return rates(matches, layout_of(published("k-level/table-9"), kLacksPrograms, methods()));
}

agon::PaperTable win_rates_of_models(const agon::PlayedMatches& matches) {
  return rates(matches, layout_of(published("k-level/table-10"), kLacksPrograms, methods()));
}

agon::PaperTable adaption(const agon::PlayedMatches& matches) {
  std::vector<std::string> opponents = methods();
  opponents.insert(opponents.end(), programs().begin(), programs().end());
  return table_of(
      matches, "adaption_index", {.players = methods(), .opponents = opponents, .lacks = kLacks},
      "ratio of distances",
      {
          "Distance of the choices from the targets in the second half of the rounds over that in "
          "the "
          "first half, a mean over matches as in the published program; below 1 the player came "
          "nearer. Matches without any distance in the first half are left out.",
          "The paper tests these numbers (table 13) and does not print them.",
      });
}

}  // namespace

void add_tables(agon::Registry& registry) {
  shared::add_paper_tables(
      registry, "guess-average",
      {
          {"k-level/table-1", "win rates in guessing 0.8 of the average",
           "Zhang et al., K-Level Reasoning (2024), table 1", "papers/k-level/table-1.json",
           &win_rates},
          {"k-level/table-6", "strategic depth in the first round",
           "Zhang et al., K-Level Reasoning (2024), table 6", "papers/k-level/table-1.json",
           &first_choices},
          {"k-level/table-8-guess", "win rates of k-level reasoning with k = 2 and 3",
           "Zhang et al., K-Level Reasoning (2024), table 8, left",
           "papers/k-level/table-8-guess.json", &win_rates_by_depth},
          {"k-level/table-9", "win rates against programs",
           "Zhang et al., K-Level Reasoning (2024), table 9", "papers/k-level/table-9.json",
           &win_rates_against_programs},
          {"k-level/table-10", "win rates of other models against programs",
           "Zhang et al., K-Level Reasoning (2024), table 10", "papers/k-level/table-10.json",
           &win_rates_of_models},
          {"k-level/adaption-index", "adaption index in guessing 0.8 of the average",
           "Zhang et al., K-Level Reasoning (2024), table 13 and published code",
           "papers/k-level/table-1.json", &adaption},
      });
  registry.add(shared::own_table("guess-average/choices", "numbers chosen, round by round",
                                 "guess-average", &choices_by_round));
}

}  // namespace guess_average
