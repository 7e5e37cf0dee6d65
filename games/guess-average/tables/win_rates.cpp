#include "guess-average/tables/tables.hpp"
#include "shared/k_level_paper.hpp"

namespace guess_average {

namespace {

using namespace k_level_paper;

constexpr std::string_view kLacks = "rounds in which one player meets others who are all alike";

constexpr std::string_view kLacksAgents =
    "rounds in which one player meets others who are all alike and none of the paper's programs";
constexpr std::string_view kLacksPrograms =
    "rounds in which one player meets four of one program, such as four 'LastBids (Fix)'";

// Table 1, row by row.
constexpr double kTable1[] = {
    0.43, 0.67, 0.62, 0.53, 0.43, 0.61, 0.82,  //
    0.07, 0.32, 0.35, 0.14, 0.22, 0.45, 0.63,  //
    0.05, 0.37, 0.29, 0.05, 0.37, 0.11, 0.46,  //
    0.42, 0.68, 0.63, 0.39, 0.64, 0.74, 0.78,  //
    0.10, 0.34, 0.32, 0.31, 0.23, 0.22, 0.46,  //
    0.03, 0.44, 0.52, 0.21, 0.51, 0.54, 0.85,  //
    0.04, 0.15, 0.14, 0.04, 0.17, 0.14, 0.52,  //
};
constexpr double kTable1Averages[] = {0.16, 0.32, 0.41, 0.24, 0.37, 0.40, 0.65};

// Table 8, the half of the guessing game.
constexpr double kTable8[] = {
    0.43, 0.82, 0.77,  //
    0.04, 0.52, 0.60,  //
};

// Table 9.
constexpr double kTable9[] = {
    0.65, 0.87, 0.87, 0.81, 0.99, 0.80, 0.97,  //
    0.44, 0.67, 0.69, 0.61, 0.54, 0.76, 0.77,  //
    0.05, 0.06, 0.15, 0.00, 0.29, 0.15, 0.48,  //
    0.34, 0.44, 0.57, 0.33, 0.49, 0.46, 0.74,  //
    0.01, 0.12, 0.16, 0.01, 0.27, 0.06, 0.75,  //
    0.06, 0.15, 0.18, 0.19, 0.18, 0.14, 0.18,  //
};

// Table 10: Direct and K-R of LLaMA-7B, GPT-3.5 and GPT-4.
constexpr std::string_view kModels[] = {"Direct (LLaMA-7B)", "K-R (LLaMA-7B)", "Direct (GPT-3.5)",
                                        "K-R (GPT-3.5)",     "Direct",         "K-R"};
constexpr double kTable10[] = {
    0.30, 0.43, 0.30, 0.49, 0.65, 0.97,  //
    0.13, 0.22, 0.11, 0.36, 0.44, 0.77,  //
    0.12, 0.12, 0.17, 0.32, 0.05, 0.48,  //
    0.17, 0.13, 0.19, 0.42, 0.34, 0.74,  //
    0.04, 0.11, 0.22, 0.38, 0.01, 0.75,  //
    0.03, 0.08, 0.11, 0.10, 0.06, 0.18,  //
};
constexpr double kTable10Averages[] = {0.13, 0.18, 0.18, 0.35, 0.26, 0.65};

agon::PaperTable rates(const agon::PlayedMatches& matches, const Layout& layout) {
  Meetings meetings;
  matches.each([&](const agon::PlayedMatch& match) { meetings.add(match, "win_rate"); });
  agon::PaperTable table = meetings.table(layout, matches.level());
  table.notes = {
      "Rounds won over rounds played, a column a player, a row four opponents of a kind. "
      "Against its own kind every seat counts, in the paper Alex alone."};
  return table;
}

}  // namespace

agon::PaperTable win_rates(const agon::PlayedMatches& matches) {
  agon::PaperTable table = rates(matches, {.players = kMethods,
                                           .opponents = kMethods,
                                           .published = kTable1,
                                           .averages = kTable1Averages,
                                           .elsewhere = kPrograms,
                                           .lacks = kLacksAgents});
  table.notes.emplace_back(
      "The paper's average of CoT is a misprint: its cells give 0.42, which its appendix G "
      "prints.");
  return table;
}

agon::PaperTable win_rates_by_depth(const agon::PlayedMatches& matches) {
  return rates(matches, {.players = kDepthPlayers,
                         .opponents = kDepthOpponents,
                         .published = kTable8,
                         .elsewhere = kPrograms,
                         .lacks = kLacksAgents});
}

agon::PaperTable win_rates_against_programs(const agon::PlayedMatches& matches) {
  return rates(matches, {.players = kMethods,
                         .opponents = kPrograms,
                         .published = kTable9,
                         .elsewhere = kMethods,
                         .lacks = kLacksPrograms});
}

agon::PaperTable win_rates_of_models(const agon::PlayedMatches& matches) {
  return rates(matches, {.players = kModels,
                         .opponents = kPrograms,
                         .published = kTable10,
                         .averages = kTable10Averages,
                         .elsewhere = kMethods,
                         .lacks = kLacksPrograms});
}

agon::PaperTable adaption(const agon::PlayedMatches& matches) {
  std::vector<std::string_view> opponents(std::begin(kMethods), std::end(kMethods));
  opponents.insert(opponents.end(), std::begin(kPrograms), std::end(kPrograms));
  Meetings meetings;
  matches.each([&](const agon::PlayedMatch& match) { meetings.add(match, "adaption_index"); });
  agon::PaperTable table = meetings.table(
      {.players = kMethods, .opponents = opponents, .lacks = kLacks}, matches.level());
  table.notes = {
      "Distance of the choices from the targets in the second half of the rounds over that in the "
      "first half, a mean over matches as in the published program; below 1 the player came "
      "nearer. Matches without any distance in the first half are left out.",
      "The paper tests these numbers (table 13) and does not print them.",
  };
  return table;
}

}  // namespace guess_average
