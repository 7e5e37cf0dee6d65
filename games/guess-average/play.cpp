#include "guess-average/play.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "shared/roster.hpp"

namespace guess_average {

namespace {

/// An average or a target: at most two decimals.
std::string figure(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string tell(const Round& round, const agon::Scene& scene) {
  std::vector<std::string> winners;
  std::vector<std::vector<std::string>> rows;
  for (const Choice& c : round.choices) {
    if (c.won) winners.emplace_back(c.name);
    rows.push_back({std::string(c.name), std::to_string(c.number),
                    c.hp > 0 ? std::to_string(c.hp) : scene.say(Line("out"))});
  }
  const agon::Language& language = scene.language();
  std::string text = language.then(
      scene.say(Line("Round {round}: the average was {mean}, the target {target}."),
                {{"round", std::to_string(round.round)},
                 {"mean", figure(round.mean)},
                 {"target", figure(round.target)}}),
      round.winning_number ? scene.say(Line("{names} won with {number}."),
                                       {{"names", language.listed(winners)},
                                        {"number", std::to_string(*round.winning_number)}})
                           : scene.say(Line("All chose the same number, and nobody won.")));
  const std::array<std::string_view, 3> headings{
      language.text(Line("name")), language.text(Line("number")), language.text(Line("health"))};
  text += "\n" + agon::small_table(headings, rows);
  std::vector<std::string> out;
  for (const Choice& c : round.choices)
    if (c.hp <= 0) out.emplace_back(c.name);
  if (!out.empty())
    text += "\n" + scene.say(out.size() == 1 ? Line("{names} is out of the game.")
                                             : Line("{names} are out of the game."),
                             {{"names", language.listed(out)}});
  return text;
}

std::string tell(const Out&, const agon::Scene&) {
  return {};  // it is told with the round, which ends with that event
}

std::string tell(const Turn& turn, const agon::Scene& scene) {
  std::string text = scene.say(
      Line("This is round {round} of {rounds}. You are {name}, and your health is {health}."),
      {{"round", std::to_string(turn.round)},
       {"rounds", std::to_string(turn.round + turn.rounds_left)},
       {"name", std::string(turn.name)},
       {"health", std::to_string(turn.hp)}});
  // Everybody's health was told with the last round.
  std::vector<std::string> left;
  for (const Player& p : turn.players)
    if (p.alive) left.emplace_back(p.name);
  if (left.size() < turn.players.size())
    text = scene.language().then(text, scene.say(Line("Still in the game: {names}."),
                                                 {{"names", scene.language().listed(left)}}));
  return text;
}

Target target_of(std::span<const int> numbers, int percent) {
  const auto n = static_cast<std::int64_t>(numbers.size());
  std::int64_t sum = 0;
  for (const int x : numbers) sum += x;
  Target t;
  t.mean = static_cast<double>(sum) / static_cast<double>(n);
  // The target in hundredths is percent * sum / n: rounded in integers.
  t.hundredths = (2 * percent * sum + n) / (2 * n);
  t.exact = static_cast<double>(percent * sum) / static_cast<double>(100 * n);
  return t;
}

std::optional<int> winning_number(std::span<const int> numbers, const Target& target) {
  if (numbers.empty()) return std::nullopt;
  bool all_same = numbers.size() > 1;
  int best = numbers[0];
  const auto distance = [&](int x) { return std::abs(std::int64_t{100} * x - target.hundredths); };
  for (const int x : numbers) {
    all_same = all_same && x == numbers[0];
    const auto d = distance(x), least = distance(best);
    if (d < least || (d == least && x < best)) best = x;
  }
  if (all_same) return std::nullopt;
  return best;
}

std::optional<double> strategic_depth(double choice, int percent) {
  if (percent == 100 || choice <= 0) return std::nullopt;
  const double depth = std::log(choice / 50) / std::log(static_cast<double>(percent) / 100);
  return std::round(depth * 1e4) / 1e4 + 0.0;  // no negative zero
}

namespace {

using Picks = agon::InlineList<agon::Answer<Pick>, agon::kMaxSeats>;

/// One match in the making.
class Match : shared::Roster<Player, SeatMetrics, Choice, PastRound, kMaxPlayers, kMaxRounds> {
 public:
  Match(Table table, const Settings& settings) : table_(table), settings_(settings) {
    for (const std::string& name : settings.players) add({name, true, settings.start_hp});
  }

  agon::Outcome play() {
    for (round_ = 1; round_ <= settings_.rounds && !alive().empty(); ++round_) {
      if (alive().size() == 1) {
        // Whatever is chosen alone wins: nobody need be asked.
        tally(alive()[0]).wins += settings_.rounds - round_ + 1;
        break;
      }
      settle(ask());
      retire([&](int seat) { table_.announce(kOut, [&] { return Out{round_, at(seat).name}; }); });
    }
    return outcome();
  }

 private:
  Picks ask() {
    return table_.ask_all(alive(), kPick, [&](int seat) {
      return agon::asking<Pick>(agon::limit(&Pick::number, settings_.lowest, settings_.highest),
                                agon::fallback(Pick{settings_.highest}),
                                agon::view([this, seat] { return turn(seat); }));
    });
  }

  Turn turn(int seat) {
    return Turn{.round = round_,
                .rounds_left = settings_.rounds - round_,
                .name = at(seat).name,
                .hp = at(seat).hp,
                .lowest = settings_.lowest,
                .highest = settings_.highest,
                .percent = settings_.percent,
                .players = seats(),
                .history = past()};
  }

  void settle(const Picks& picks) {
    agon::InlineList<int, kMaxPlayers> numbers;
    for (const auto& pick : picks) numbers.push_back(pick.number);
    const Target target = target_of(numbers, settings_.percent);
    const auto winning = winning_number(numbers, target);
    int winners = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const int seat = alive()[i];
      Player& player = at(seat);
      const bool won = winning == numbers[i];
      winners += won;
      if (!won) --player.hp;
      measure(tally(seat), numbers[i], target.exact, won);
      write({player.name, numbers[i], won, player.hp});
      number_sum_ += numbers[i];
    }
    keep({round_, target.mean, target.shown(), lines()});
    table_.announce(kRound, [&] {
      Round event{round_, target.mean, target.shown(), winning, {}};
      for (const Choice& choice : lines()) event.choices.push_back(choice);
      return event;
    });
    ++match_.rounds_played;
    match_.rounds_without_winner += winners == 0;
    match_.shared_wins += winners > 1;
    if (!match_.first_mean) match_.first_mean = target.mean;
    match_.last_mean = target.mean;
    match_.last_target = target.shown();
    match_.equilibrium_gap = target.mean - settings_.lowest;
  }

  void measure(SeatMetrics& mine, int number, double target, bool won) const {
    mine.wins += won;
    ++mine.rounds_played;
    if (!mine.first_choice) mine.first_choice = number;
    mine.mean_choice = mine.mean_choice.value_or(0) + number;  // a sum until the end
    (round_ <= settings_.rounds / 2 ? mine.distance_first : mine.distance_second) +=
        std::abs(number - target);
  }

  agon::Outcome outcome() {
    agon::Outcome result(table_.seats());
    int choices = 0;
    for (int seat = 0; seat < table_.seats(); ++seat) {
      SeatMetrics& mine = tally(seat);
      mine.survived = at(seat).alive;
      mine.hp_end = at(seat).hp;
      mine.win_rate = static_cast<double>(mine.wins) / settings_.rounds;
      if (mine.first_choice)
        mine.strategic_depth = strategic_depth(*mine.first_choice, settings_.percent);
      if (mine.rounds_played > 0) {
        *mine.mean_choice /= mine.rounds_played;
        mine.mean_distance = (mine.distance_first + mine.distance_second) / mine.rounds_played;
      }
      if (mine.distance_first > 0 && mine.rounds_played > settings_.rounds / 2)
        mine.adaption_index = mine.distance_second / mine.distance_first;
      match_.survivors += mine.survived;
      choices += mine.rounds_played;
      result.seat(seat, {.score = mine.wins, .disagreement = 0, .ideal = settings_.rounds})
          .seat_metrics(seat, mine);
    }
    if (choices > 0) match_.mean_choice = number_sum_ / choices;
    result.match_metrics(match_);
    return result;
  }

  Table table_;
  const Settings& settings_;
  int round_ = 0;
  double number_sum_ = 0;
  MatchMetrics match_;
};

}  // namespace

agon::Outcome play(Table table, const Settings& settings) {
  return Match(table, settings).play();
}

}  // namespace guess_average
