// Repeated public goods with punishment: the same game as public_goods.py, rule for rule.
//
// In every period all members of a group give some of their tokens to a project that pays all of
// them, whoever gave; then they may take income from others at a cost of their own. After the
// experiments of Fehr and Gaechter (2000, 2002), with a message to the group in each period added.
#include <agon/game.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace public_goods {
namespace {

enum class Punishment { none, points, tenths };
AGON_DESCRIBE_ENUM(
    Punishment, (none, "nobody can take income from others"),
    (points, "a point costs one token and takes `harm` tokens from whom it is for"),
    (tenths,
     "a point takes a tenth of the income; ten of them cost 30 tokens, fewer cost less each"))

struct Settings {
  int players = 4;
  int periods = 6;
  int endowment = 20;
  int return_percent = 40;
  Punishment punishment = Punishment::points;
  int most_points = 10;
  int harm = 3;
  int message_length = 200;
  bool beliefs = true;
  int end_percent = 0;
};
AGON_DESCRIBE(Settings,
              (players, "members of the group", agon::range(4, 8),
               agon::source("Fehr and Gaechter 2000 and 2002: 4")),
              (periods, "periods to play", agon::range(1, 50),
               agon::source("Fehr and Gaechter 2002: 6; 2000: 10")),
              (endowment, "tokens each member gets in every period", agon::range(1, 1000),
               agon::unit("tokens"), agon::source("Fehr and Gaechter 2000 and 2002: 20")),
              (return_percent, "what each member gets of all that is given", agon::range(1, 99),
               agon::unit("percent"), agon::source("Fehr and Gaechter 2000 and 2002: 40")),
              (punishment, "how members can take income from others"),
              (most_points, "points for one member in a period, at most", agon::range(1, 10),
               agon::unit("points"), agon::source("Fehr and Gaechter 2000 and 2002: 10")),
              (harm, "what a point takes, where it costs one token", agon::range(1, 10),
               agon::unit("tokens"), agon::source("Fehr and Gaechter 2002: 3")),
              (message_length, "characters of a message before each period; 0: no messages",
               agon::range(0, 1000), agon::source("of our own: their members did not talk")),
              (beliefs, "members are asked what they expect the others to give"),
              (end_percent, "chance after each period that it was the last", agon::range(0, 50),
               agon::unit("percent"), agon::source("of our own")))

struct Message {
  std::string text;
};
AGON_DESCRIBE(Message, (text, "what you say to the group; it may be empty"))

struct Belief {
  double average = 0;
};
AGON_DESCRIBE(Belief, (average, "what the others give this period, on average", agon::at_least(0),
                       agon::unit("tokens")))

struct Contribution {
  int amount = 0;
};
AGON_DESCRIBE(Contribution,
              (amount, "what you give to the project", agon::at_least(0), agon::unit("tokens")))

struct Points {
  std::vector<int> points;
};
AGON_DESCRIBE(Points,
              (points, "points for each of the others, in the order shown", agon::at_least(0)))

struct Now {
  int period = 1;
  int endowment = 0;
  double income = 0;
};
AGON_DESCRIBE(Now, (period, "this period, from 1"),
              (endowment, "what you can give or keep", agon::unit("tokens")),
              (income, "yours of all periods so far", agon::unit("tokens")))

struct Given {
  int period = 1;
  int own = 0;
  std::vector<int> others;
  double income = 0;
};
AGON_DESCRIBE(Given, (period, "this period, from 1"), (own, "what you gave", agon::unit("tokens")),
              (others, "what the others gave, the most first", agon::unit("tokens")),
              (income, "yours of this period so far", agon::unit("tokens")))

struct Said {
  int period = 1;
  int seat = 0;
  std::string text;
};
AGON_DESCRIBE(Said, (period, "the period, from 1"), (seat, "who says it", agon::seat_number),
              (text, "the words"))

struct Project {
  int period = 1;
  int total = 0;
};
AGON_DESCRIBE(Project, (period, "the period, from 1"),
              (total, "what all gave together", agon::unit("tokens")))

struct Settled {
  int period = 1;
  int received = 0;
  int cost = 0;
  double income = 0;
};
AGON_DESCRIBE(Settled, (period, "the period, from 1"),
              (received, "points that the others gave you", agon::unit("points")),
              (cost, "what your own points cost you", agon::unit("tokens")),
              (income, "yours of this period", agon::unit("tokens")))

struct Truth {
  int period = 1;
  std::vector<int> given;
  std::vector<std::optional<double>> expected;
  std::vector<int> received;
};
AGON_DESCRIBE(Truth, (period, "the period, from 1"),
              (given, "what each seat gave", agon::unit("tokens")),
              (expected, "what each expected of the others, if it said so", agon::unit("tokens")),
              (received, "points that each got", agon::unit("points")))

struct SeatMetrics {
  double given_share = 0;
  int points_given = 0;
  int points_received = 0;
  std::optional<double> punished_below;
  std::optional<double> belief_error;
};
AGON_DESCRIBE(SeatMetrics, (given_share, "given of all tokens", agon::range(0, 1)),
              (points_given, "points given to others", agon::at_least(0)),
              (points_received, "points got from others", agon::at_least(0)),
              (punished_below, "of the points given, how many went to who had given less",
               agon::range(0, 1)),
              (belief_error, "how far what was expected was off, on average", agon::at_least(0),
               agon::unit("tokens"), agon::Better::lower))

struct MatchMetrics {
  double given_share = 0;
  double last_share = 0;
  int periods_played = 0;
};
AGON_DESCRIBE(MatchMetrics,
              (given_share, "given of all tokens", agon::range(0, 1), agon::Better::higher),
              (last_share, "the same in the last period", agon::range(0, 1)),
              (periods_played, "periods", agon::at_least(1)))

/// Words of a member; who was silent said nothing.
std::string tell_said(const Said& said, const agon::Scene& scene) {
  if (said.text.empty()) return {};
  return scene.does(said.seat, "says: ", "say: ") + agon::speech(said.text);
}

constexpr agon::Stage<"say", Message, Now> kSay{"a message to the whole group before it decides"};
constexpr agon::Probe<"expect", Belief, Now> kExpect{
    .doc = "what the others give this period, on average", .purpose = agon::Purpose::belief};
constexpr agon::Stage<"give", Contribution, Now> kGive{
    "how much of your tokens you give to the project"};
constexpr agon::Stage<"punish", Points, Given> kPunish{"points for each of the others"};
constexpr agon::Event<"said", Said> kSaid{"a member's message", &tell_said};
constexpr agon::Event<"project", Project> kProject{"what the group gave"};
constexpr agon::PrivateEvent<"settled", Settled> kSettled{"how the period ended for you"};
constexpr agon::Note<"truth", Truth> kTruth{"who gave, expected and was punished"};

using Table = agon::Table<kSay, kExpect, kGive, kPunish, kSaid, kProject, kSettled, kTruth>;
using Amounts = std::vector<int>;

/// What 0 to 10 points for one member cost (Fehr and Gaechter 2000, table 2).
constexpr std::array kCostsOfTenths{0, 1, 2, 4, 6, 9, 12, 16, 20, 25, 30};

int sum(const Amounts& amounts) {
  return std::accumulate(amounts.begin(), amounts.end(), 0);
}

int cost(const Settings& s, const Amounts& points) {
  if (s.punishment != Punishment::tenths) return sum(points);
  int all = 0;
  for (const int n : points) all += kCostsOfTenths.at(static_cast<std::size_t>(n));
  return all;
}

double after_punishment(const Settings& s, double income, int received) {
  if (s.punishment == Punishment::tenths) return income * (10 - std::min(received, 10)) / 10;
  return std::max(0.0, income - s.harm * received);
}

class Match {
 public:
  Match(Table table, const Settings& settings)
      : table_(table),
        s_(settings),
        seats_(static_cast<std::size_t>(table.seats())),
        everybody_(seats_),
        incomes_(seats_),
        given_(seats_),
        below_(seats_),
        errors_(seats_),
        metrics_(seats_) {
    std::iota(everybody_.begin(), everybody_.end(), 0);
  }

  agon::Outcome play() {
    do play_period();
    while (!is_over());
    return outcome();
  }

 private:
  /// By who gives points and who gets them.
  using PointsBySeats = std::vector<Amounts>;
  static std::size_t at(int seat) { return static_cast<std::size_t>(seat); }

  [[nodiscard]] Now now(int seat) const { return {period_, s_.endowment, incomes_[at(seat)]}; }

  void talk() {
    if (s_.message_length == 0) return;
    const auto said = table_.ask_all(everybody_, kSay, [&](int seat) {
      return agon::asking<Message>(agon::limit_length(&Message::text, 0, s_.message_length),
                                   agon::view([this, seat] { return now(seat); }));
    });
    for (const int seat : everybody_)
      table_.announce(kSaid, Said{period_, seat, said[at(seat)].text});
  }

  std::vector<std::optional<double>> expect() {
    std::vector<std::optional<double>> expected(seats_);
    if (!s_.beliefs) return expected;
    const auto beliefs = table_.probe_all(everybody_, kExpect, [&](int seat) {
      return agon::asking<Belief>(agon::limit(&Belief::average, 0, s_.endowment),
                                  agon::view([this, seat] { return now(seat); }));
    });
    for (std::size_t i = 0; i < seats_; ++i)
      if (beliefs[i]) expected[i] = beliefs[i]->average;
    return expected;
  }

  Amounts give() {
    const auto answers = table_.ask_all(everybody_, kGive, [&](int seat) {
      return agon::asking<Contribution>(agon::limit(&Contribution::amount, 0, s_.endowment),
                                        agon::view([this, seat] { return now(seat); }));
    });
    Amounts given;
    for (const auto& answer : answers) given.push_back(answer.amount);
    return given;
  }

  PointsBySeats punish(const Amounts& given, const std::vector<double>& incomes) {
    PointsBySeats points(seats_, Amounts(seats_));
    if (s_.punishment == Punishment::none) return points;
    // The others are shown by what they gave, so that nobody has a name to remember; who of those
    // that gave the same comes first is drawn, so that no seat has more to fear than another.
    std::vector<int> order = everybody_;
    table_.chance("order", period_).shuffle(std::span(order));
    std::stable_sort(order.begin(), order.end(),
                     [&](int one, int other) { return given[at(one)] > given[at(other)]; });
    const Amounts most(seats_ - 1, s_.most_points);
    const auto others = [&](int seat) {
      std::vector<int> all = order;
      std::erase(all, seat);
      return all;
    };
    const auto answers = table_.ask_all(everybody_, kPunish, [&](int seat) {
      return agon::asking<Points>(
          agon::limit_each(&Points::points, std::span(most)), agon::usual(&Points::points, 0, 1),
          agon::check([&, seat](const Points& answer) {
            return cost(s_, answer.points) <= incomes[at(seat)]
                       ? std::string()
                       : std::string("your points cost more than your income");
          }),
          agon::fallback(Points{Amounts(seats_ - 1)}), agon::view([&, seat] {
            Given view{period_, given[at(seat)], {}, incomes[at(seat)]};
            for (const int other : others(seat)) view.others.push_back(given[at(other)]);
            return view;
          }));
    });
    for (const int seat : everybody_) {
      std::size_t next = 0;
      for (const int other : others(seat))
        points[at(seat)][at(other)] = answers[at(seat)].points[next++];
    }
    return points;
  }

  void play_period() {
    ++period_;
    talk();
    const auto expected = expect();
    const Amounts given = give();
    const int total = sum(given);
    last_ = total;
    table_.announce(kProject, Project{period_, total});
    std::vector<double> incomes;
    for (const int own : given)
      incomes.push_back(s_.endowment - own + total * s_.return_percent / 100.0);
    const PointsBySeats points = punish(given, incomes);
    Amounts received(seats_);
    for (const Amounts& row : points)
      for (std::size_t i = 0; i < seats_; ++i) received[i] += row[i];
    for (std::size_t i = 0; i < seats_; ++i) {
      const int spent = cost(s_, points[i]);
      const double income = after_punishment(s_, incomes[i], received[i]) - spent;
      incomes_[i] += income;
      given_[i] += given[i];
      metrics_[i].points_given += sum(points[i]);
      metrics_[i].points_received += received[i];
      for (std::size_t k = 0; k < seats_; ++k)
        if (given[k] < given[i]) below_[i] += points[i][k];
      if (expected[i]) {
        const double average =
            static_cast<double>(total - given[i]) / static_cast<double>(seats_ - 1);
        errors_[i].first += std::abs(*expected[i] - average);
        ++errors_[i].second;
      }
      table_.tell(everybody_[i], kSettled, Settled{period_, received[i], spent, income});
    }
    table_.note(kTruth, Truth{period_, given, expected, received});
  }

  bool is_over() {
    if (period_ == s_.periods) return true;
    return s_.end_percent > 0 && table_.chance("end", period_).happens(s_.end_percent / 100.0);
  }

  agon::Outcome outcome() {
    const int others = table_.seats() - 1, tokens = s_.endowment * period_;
    // At best a seat gives no more than it takes to leave the others, who give all, whole.
    const double own =
        std::max(0.0, static_cast<double>(s_.endowment * (100 - others * s_.return_percent)) /
                          s_.return_percent);
    const double best =
        s_.endowment - own + (others * s_.endowment + own) * s_.return_percent / 100;
    agon::Outcome result;
    result.resize(table_.seats());
    for (std::size_t i = 0; i < seats_; ++i) {
      SeatMetrics& mine = metrics_[i];
      mine.given_share = static_cast<double>(given_[i]) / tokens;
      if (mine.points_given > 0)
        mine.punished_below = static_cast<double>(below_[i]) / mine.points_given;
      if (errors_[i].second > 0) mine.belief_error = errors_[i].first / errors_[i].second;
      result
          .seat(everybody_[i],
                {.score = incomes_[i], .disagreement = tokens, .ideal = best * period_})
          .seat_metrics(everybody_[i], mine);
    }
    const int size = table_.seats();
    return result.match_metrics(MatchMetrics{static_cast<double>(sum(given_)) / (tokens * size),
                                             static_cast<double>(last_) / (s_.endowment * size),
                                             period_});
  }

  Table table_;
  const Settings& s_;
  std::size_t seats_;
  std::vector<int> everybody_;
  std::vector<double> incomes_;
  Amounts given_, below_;
  std::vector<std::pair<double, int>> errors_;  ///< sum and number
  std::vector<SeatMetrics> metrics_;
  int period_ = 0;
  int last_ = 0;  ///< what was given in the last period
};

agon::Outcome play(Table table, const Settings& settings) {
  return Match(table, settings).play();
}

std::string rules(const Settings& s) {
  const auto number = [](int n) { return std::to_string(n); };
  std::string text =
      "You are one of " + number(s.players) +
      " members of a group. In each period each of you gets " + number(s.endowment) +
      " tokens and gives some of them to a project, all at the same time. What you do "
      "not give is yours. Every member gets " +
      number(s.return_percent) + "% of all that the group gave, whoever gave it.";
  if (s.punishment != Punishment::none) {
    text +=
        " Then you see what each of the others gave, without names, and may give each of them 0 "
        "to " +
        number(s.most_points) + " points. ";
    if (s.punishment == Punishment::points)
      text += "A point costs you one token and takes " + number(s.harm) +
              " tokens from whom it is for, never more than the income of the period.";
    else
      text +=
          "A point takes a tenth of the period's income from whom it is for. Points for one member "
          "cost 1, 2, 4, 6, 9, 12, 16, 20, 25 and 30 tokens, for 1 to 10 of them.";
    text += " Points may not cost you more than your income of the period.";
  }
  text += " The number of periods is " + number(s.periods) + ".";
  if (s.end_percent > 0)
    text += " After each of them it ends with a chance of " + number(s.end_percent) + "%.";
  return text;
}

std::vector<agon::SeatCard> seating(const Settings& s) {
  std::vector<agon::SeatCard> seats;
  for (const char* name : {"Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"})
    if (static_cast<int>(seats.size()) < s.players) seats.push_back({name});
  return seats;
}

std::string check(const Settings& s) {
  if (s.players * s.return_percent > 100) return {};
  return "what the group gives has to pay it more than it costs: raise return_percent or players, "
         "so that their product is more than 100";
}

constexpr std::array<agon::Preset, 4> kPresets{
    {{"agon", "six periods with messages and beliefs"},
     {"altruistic-punishment", "Fehr and Gaechter 2002: a point costs one token and takes 3",
      R"({"message_length": 0, "beliefs": false})"},
     {"partners", "Fehr and Gaechter 2000: ten periods, points that take tenths",
      R"({"periods": 10, "punishment": "tenths", "message_length": 0, "beliefs": false})"},
     {"no-punishment", "ten periods without points",
      R"({"periods": 10, "punishment": "none", "message_length": 0, "beliefs": false})"}}};

}  // namespace
}  // namespace public_goods

AGON_GAME("public-goods", public_goods::play, .title = "Public goods with punishment",
          .seats = {4, 8}, .rules_for = agon::hook<&public_goods::rules>,
          .seating = agon::hook<&public_goods::seating>, .check = agon::hook<&public_goods::check>,
          .source =
              "Fehr and Gaechter, Cooperation and Punishment in Public Goods Experiments, "
              "American Economic Review 90 (2000); Altruistic punishment in humans, Nature "
              "415 (2002)",
          .score = "income of all periods, in tokens",
          .disagreement = "nobody gives and nobody punishes",
          .ideal =
              "all others give all, and the seat as little as leaves them no worse off than "
              "alone",
          .seat_metrics = &agon::type_of<public_goods::SeatMetrics>(),
          .match_metrics = &agon::type_of<public_goods::MatchMetrics>(),
          .presets = public_goods::kPresets)
