#include "guess-average/game.hpp"

#include <fmt/format.h>

#include <agon/agent.hpp>

#include "guess-average/play.hpp"
#include "guess-average/strategies.hpp"
#include "shared/roster.hpp"

namespace guess_average {

namespace {

/// Whether a player can lose all health before the last round.
bool can_be_out(const Settings& s) {
  return s.start_hp < s.rounds;
}

/// 80 percent as 0.8.
std::string share(int percent) {
  const std::string decimals = percent % 10 == 0 ? fmt::format("{}", percent % 100 / 10)
                                                 : fmt::format("{:02}", percent % 100);
  return fmt::format("{}.{}", percent / 100, decimals);
}

}  // namespace

Facts facts(const Settings& s) {
  Facts f;
  f.rounds = s.rounds;
  f.players = static_cast<int>(s.players.size());
  f.lowest = s.lowest;
  f.highest = s.highest;
  f.share = share(s.percent);
  f.start_hp = s.start_hp;
  return f;
}

std::string rules_text(const Settings& s, const agon::Language& language) {
  const auto figure = [](auto n) { return std::to_string(n); };
  std::string text =
      language.say(Line("{players} players play {rounds} rounds, and your aim is to win as many of "
                        "them as you can. Everybody starts with {health}."),
                   {{"players", figure(s.players.size())},
                    {"rounds", figure(s.rounds)},
                    {"health", language.counted(s.start_hp, Line("{n} health point"),
                                                Line("{n} health points"))}}) +
      "\n\n" + language.say(Line("Each round:")) + "\n" +
      language.say(Line("1. All players choose a whole number from {lowest} to {highest}, at the "
                        "same time and without talking."),
                   {{"lowest", figure(s.lowest)}, {"highest", figure(s.highest)}}) +
      "\n" +
      language.say(Line("2. The target is {share} times the average of all numbers chosen, your "
                        "own included, rounded to two decimals."),
                   {{"share", share(s.percent)}});
  for (const Line line :
       {Line("3. The number nearest to the target wins the round, for everybody who chose it. If a "
             "lower and a higher number are equally near, the lower one wins. If all chose the "
             "same number, nobody wins."),
        Line("4. Who does not win loses 1 health point; at 0 a player is out."),
        Line("5. All are told all numbers, the average, the target, who won, and everybody's "
             "health.")})
    text += "\n" + language.say(line);
  if (can_be_out(s))
    text += "\n\n" + language.say(Line("A player who is left alone wins the rounds that remain."));
  return text;
}

std::vector<std::string> five_players() {
  return {"Alex", "Bob", "Cindy", "David", "Eric"};
}

std::string check(const Settings& s) {
  if (std::string why = shared::check_names("players", s.players); !why.empty()) return why;
  if (s.lowest >= s.highest)
    return fmt::format("lowest is {} and highest {}: there is nothing to choose", s.lowest,
                       s.highest);
  return {};
}

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon", .doc = "Five players, ten rounds, 0.8 of the average."},
    {.name = "paper",
     .doc = "The same; an answer that cannot be read is asked for three times in all, then it is "
            "the largest number.",
     .reasks = 2},
    {.name = "classroom",
     .doc = "Nagel's first round: two thirds (67 percent) of the average of numbers from 0 to 100.",
     .settings = R"({"percent": 67, "lowest": 0})"},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return shared::seats_named(settings.players);
}

}  // namespace

agon::Game game() {
  return agon::game<&play>(
      "guess-average", {
                           .title = "Guess a share of the average",
                           .seats = {2, kMaxPlayers},
                           .rules_for = agon::hook<&rules_text>,
                           .seating = agon::hook<&seating>,
                           .check = agon::hook<&check>,
                           .source = "Zhang et al., K-Level Reasoning, arXiv 2402.01521, guessing "
                                     "0.8 of the average; after Nagel 1995",
                           .score = "rounds won",
                           .disagreement = "no round",
                           .ideal = "all rounds (10)",
                           // Rounds won out of all rounds.
                           .score_range = agon::range(0, 1),
                           .seat_metrics = &agon::type_of<SeatMetrics>(),
                           .match_metrics = &agon::type_of<MatchMetrics>(),
                           .presets = kPresets,
                           .facts = &agon::type_of<Facts>(),
                           .facts_for = agon::facts<&facts>,
                           .reference = "k-level:deviation=0.5",
                           .sentences = kSentences,
                       });
}

void enter(agon::Registry& registry) {
  constexpr std::string_view source = "K-Level Reasoning, appendix D, programmatic strategies";
  registry.add(game());
  registry.add(agon::agent<Fix>(
      {.id = "fix",
       .game = "guess-average",
       .doc = "Chooses around the same number in every round: 0-Level, Fix with deviation 0, Var "
              "with 5.",
       .source = source}));
  registry.add(agon::agent<Last>(
      {.id = "last",
       .game = "guess-average",
       .doc = "Chooses around the target of the round before: LastBids, Fix with deviation 0, Var "
              "with 5.",
       .source = source}));
  registry.add(agon::agent<Mono>({.id = "mono",
                                  .game = "guess-average",
                                  .doc = "Chooses less by the same step every round: MonoTrend "
                                         "(Fix).",
                                  .source = source}));
  registry.add(agon::agent<Monorand>(
      {.id = "monorand",
       .game = "guess-average",
       .doc = "The same with a step of its own, drawn before its first choice: MonoTrend (Var).",
       .source = source}));
  registry.add(agon::agent<KLevel>(
      {.id = "k-level",
       .game = "guess-average",
       .doc = "Supposes that the others do what they did on average, works out what is best "
              "against that, what is best against others who do so, and so on k times over.",
       .source = "Nagel 1995; Stahl and Wilson 1995"}));
  add_tables(registry);
}

}  // namespace guess_average
