#include "classic/play.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>

#include "classic/messages.hpp"

namespace classic {
namespace {

class Match {
 public:
  Match(Table table, const Settings& settings, const Prepared& prepared)
      : table_(table), settings_(settings), prepared_(prepared) {
    course_.messages.resize(prepared.players());
    course_.halted.resize(prepared.players());
    course_.forced.resize(prepared.players());
  }

  agon::Outcome play() {
    table_.note(kPlayed, Played{prepared_.game.name, settings_.scale});
    do {
      course_.periods.emplace_back();
      moves_.clear();
      names_.clear();
      if (prepared_.tree)
        play_tree();
      else
        play_table();
      if (settings_.periods == 1) break;
      history_.push_back({period(), names_, prepared_.payoffs(course_.periods.back().outcome)});
      table_.announce(kPeriod, history_.back());
    } while (goes_on());
    if (settings_.periods > 1) names_.clear();
    const std::vector<double> payoffs = payoffs_of(settings_, prepared_, course_);
    table_.announce(kEnded, [&] { return Ended{names_, payoffs}; });
    return settle(settings_, prepared_, course_);
  }

 private:
  [[nodiscard]] int period() const { return static_cast<int>(course_.periods.size()); }

  [[nodiscard]] bool goes_on() const {
    if (period() == settings_.periods) return false;
    return settings_.continuation >= 1 ||
           table_.chance("continuation", period()).happens(settings_.continuation);
  }

  /// The rounds of messages before an action.
  void negotiate(std::size_t at) {
    const auto players = static_cast<int>(prepared_.players());
    for (int round = 1; round <= settings_.rounds; ++round) {
      for (int i = 0; i < players; ++i) {
        const int player = (settings_.who_first + i) % players;
        if (!speak(at, round, player) || !settings_.honour_halt) continue;
        table_.announce(kTalkEnded, TalkEnded{step_, round, TalkEnd::halted});
        return;
      }
    }
    if (settings_.rounds > 0)
      table_.announce(kTalkEnded, TalkEnded{step_, settings_.rounds, TalkEnd::out_of_rounds});
  }

  /// One message; true if it asks to halt. A player without a legal one says nothing.
  bool speak(std::size_t at, int round, int player) {
    const Message message =
        table_.ask(player, kMessage, agon::view([&] { return view(player, at, round); }),
                   agon::limit_length(&Message::text, 0, settings_.message_bytes));
    const auto p = static_cast<std::size_t>(player);
    const bool halt = asks_to_halt(message);
    ++course_.messages[p];
    if (halt) course_.halted[p] = true;
    messages_.push_back({step_, round, prepared_.game.players[p], message.text, halt});
    table_.announce(kMessageSent, messages_.back());
    return halt;
  }

  void play_table() {
    ++step_;
    negotiate(0);
    std::array<int, kMaxPlayers> seats{0, 1, 2, 3, 4, 5};
    const auto choices =
        table_.ask_all(std::span(seats).first(prepared_.players()), kChoose, [this](int player) {
          return agon::asking<Choice>(agon::view([this, player] { return view(player, 0, 0); }),
                                      agon::one_of(&Choice::action, names_of(options(player, 0))),
                                      agon::fallback(Choice{options(player, 0).front()}));
        });
    for (std::size_t p = 0; p < prepared_.players(); ++p)
      take(p, options(static_cast<int>(p), 0), choices[p]);
    Course::Period& now = course_.periods.back();
    now.outcome = prepared_.matrix->index(now.actions);
  }

  void play_tree() {
    const agon::theory::TreeGame& tree = *prepared_.tree;
    Course::Period& now = course_.periods.back();
    std::size_t at = 0;
    while (!tree.nodes()[at].children.empty()) {
      const auto player = static_cast<int>(tree.nodes()[at].player);
      ++step_;
      negotiate(at);
      const auto choice = table_.ask(player, kMove, agon::view([&] { return view(player, at, 0); }),
                                     agon::one_of(&Choice::action, names_of(options(player, at))),
                                     agon::fallback(Choice{options(player, at).front()}));
      now.nodes.push_back(at);
      take(static_cast<std::size_t>(player), options(player, at), choice);
      moves_.push_back(
          {step_, prepared_.game.players[static_cast<std::size_t>(player)], names_.back()});
      at = tree.nodes()[at].children[now.actions.back()];
      table_.announce(kMoved, moves_.back());
    }
    now.outcome = at;
  }

  void take(std::size_t player, std::span<const std::string> names,
            const agon::Answer<Choice>& choice) {
    const auto found = std::find(names.begin(), names.end(), choice.action);
    Course::Period& now = course_.periods.back();
    now.actions.push_back(static_cast<std::size_t>(found - names.begin()));
    names_.push_back(*found);
    if (!choice.forced()) return;
    course_.forced[player] = true;
    now.valid = false;
  }

  [[nodiscard]] std::span<const std::string> options(int player, std::size_t at) const {
    return prepared_.tree ? std::span(prepared_.options[at])
                          : std::span(prepared_.game.actions[static_cast<std::size_t>(player)]);
  }

  /// Views of the names for a limit: they have to stay until the answer is there.
  std::span<const std::string_view> names_of(std::span<const std::string> names) {
    limits_.emplace_back(names.begin(), names.end());
    return limits_.back();
  }

  [[nodiscard]] View view(int player, std::size_t at, int round) const {
    const GameData& game = prepared_.game;
    View view;
    view.game = prepared_.told[static_cast<std::size_t>(player)];
    view.actions = game.actions;
    view.payoffs = game.payoffs;
    view.nodes = game.nodes;
    view.at = static_cast<int>(at);
    // In a negotiation before another's move, there is nothing that this player will choose.
    if (!prepared_.tree || game.nodes[at].player == player) view.options = options(player, at);
    view.moves = moves_;
    view.messages = messages_;
    view.round = round;
    view.rounds_left = round == 0 ? 0 : settings_.rounds - round + 1;
    if (round == 0 && !messages_.empty()) view.advice = advice_text(settings_.prompt);
    view.period = period();
    if (settings_.tell_horizon && settings_.continuation >= 1)
      view.periods_left = settings_.periods - period() + 1;
    // In the last period that there can be, none follows.
    if (settings_.tell_horizon && settings_.continuation < 1)
      view.continuation = period() < settings_.periods ? settings_.continuation : 0;
    view.history = history_;
    view.focal = prepared_.focal;
    return view;
  }

  Table table_;
  const Settings& settings_;
  const Prepared& prepared_;
  Course course_;
  int step_ = 0;
  std::vector<MessageSent> messages_;
  std::vector<Moved> moves_;             ///< of this period
  std::vector<std::string_view> names_;  ///< of the actions taken in this period
  std::vector<PeriodPlayed> history_;
  std::deque<std::vector<std::string_view>> limits_;
};

}  // namespace

agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared) {
  return Match(table, settings, prepared).play();
}

namespace {

namespace theory = agon::theory;

/// What the best reply to what the others did would have brought more.
double table_regret(const theory::MatrixGame& game, std::size_t cell, std::size_t player) {
  const std::size_t best = theory::best_replies(game, player, cell).front();
  std::vector<std::size_t> profile = game.profile(cell);
  profile[player] = best;
  return game.payoff(game.index(profile), player) - game.payoff(cell, player);
}

/// What backward induction from one of the player's own nodes would have brought more.
double tree_regret(const Prepared& made, const Course::Period& period, std::size_t player) {
  const double got = made.payoffs(period.outcome)[player];
  double regret = 0;
  for (const std::size_t n : period.nodes) {
    if (made.tree->nodes()[n].player != player) continue;
    const double value = made.tree->nodes()[made.solution.end[n]].payoffs[player];
    regret = std::max(regret, value - got);
  }
  return regret;
}

int choice_of(const Prepared& made, const Course::Period& period, std::size_t player) {
  if (!made.tree) return static_cast<int>(period.actions[player]) + 1;
  for (std::size_t i = 0; i < period.nodes.size(); ++i)
    if (made.tree->nodes()[period.nodes[i]].player == player)
      return static_cast<int>(period.actions[i]) + 1;
  return 0;
}

bool cooperated(const Prepared& made, const Course::Period& period, std::size_t player) {
  return made.cooperation->counts[player][period.actions[player]];
}

/// The mean over the periods of what `of` says of each.
template <class Of>
double mean(const Course& course, Of of) {
  double sum = 0;
  for (const Course::Period& period : course.periods) sum += of(period);
  return sum / static_cast<double>(course.periods.size());
}

void add_equilibria(MatchMetrics& m, const Prepared& made, const Course& course) {
  if (made.tree) {
    m.spe = mean(course, [&](const Course::Period& period) {
      return period.valid && period.actions == made.solution.path;
    });
    m.nash = m.best_nash = m.spe;
    return;
  }
  m.cell = static_cast<int>(course.periods.back().outcome);
  if (made.nash.empty()) return;
  const auto share = [&](const std::vector<bool>& cells) {
    return mean(course, [&](const Course::Period& period) {
      return period.valid && cells[period.outcome];
    });
  };
  m.nash = share(made.nash);
  m.best_nash = share(made.best_nash);
}

void add_cooperation(MatchMetrics& m, const Prepared& made, const Course& course) {
  if (!made.counts_cooperation) return;
  const auto n = static_cast<double>(made.players());
  const auto share = [&](const Course::Period& period) {
    int cooperators = 0;
    for (std::size_t p = 0; p < made.players(); ++p) cooperators += cooperated(made, period, p);
    return cooperators / n;
  };
  m.cooperation = mean(course, share);
  m.cooperation_first = share(course.periods.front());
  m.cooperation_last = share(course.periods.back());
  m.mutual_cooperation =
      mean(course, [&](const Course::Period& period) { return share(period) == 1; });
}

SeatMetrics seat_metrics(const Prepared& made, const Course& course, std::size_t p,
                         double periods_counted) {
  SeatMetrics own;
  own.choice = choice_of(made, course.periods.front(), p);
  if (made.counts_cooperation) {
    own.cooperated =
        mean(course, [&](const Course::Period& period) { return cooperated(made, period, p); });
    own.cooperated_first = cooperated(made, course.periods.front(), p);
    own.cooperated_last = cooperated(made, course.periods.back(), p);
  }
  own.regret = periods_counted * mean(course, [&](const Course::Period& period) {
                 return made.tree ? tree_regret(made, period, p)
                                  : table_regret(*made.matrix, period.outcome, p);
               });
  own.messages = course.messages[p];
  own.halted = course.halted[p];
  own.forced = course.forced[p];
  return own;
}

}  // namespace

std::vector<double> payoffs_of(const Settings& settings, const Prepared& made,
                               const Course& course) {
  std::vector<double> sums(made.players());
  for (const Course::Period& period : course.periods)
    for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += made.payoffs(period.outcome)[p];
  if (settings.payoff == Counted::average)
    for (double& sum : sums) sum /= static_cast<double>(course.periods.size());
  return sums;
}

agon::Outcome settle(const Settings& settings, const Prepared& made, const Course& course) {
  const std::size_t n = made.players();
  const std::vector<double> payoffs = payoffs_of(settings, made, course);
  // A mean over periods is worth one of them, a sum all of them.
  const double counted =
      settings.payoff == Counted::average ? 1 : static_cast<double>(course.periods.size());
  agon::Outcome outcome(static_cast<int>(n));
  MatchMetrics m;
  for (std::size_t p = 0; p < n; ++p) {
    const Anchors& anchors = made.anchors[p];
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const bool pie = anchors.one > anchors.zero;
    const int seat = static_cast<int>(p);
    outcome.seat(seat, {.score = payoffs[p],
                        .disagreement = pie ? anchors.zero * counted : none,
                        .ideal = pie ? anchors.one * counted : none});
    SeatMetrics own = seat_metrics(made, course, p, counted);
    own.payoff = payoffs[p];
    outcome.seat_metrics(seat, own);
    m.valid = m.valid && !own.forced;
    m.welfare += payoffs[p];
    m.messages += own.messages;
    m.halted = m.halted || own.halted;
  }
  add_equilibria(m, made, course);
  add_cooperation(m, made, course);
  m.pareto = mean(course, [&](const Course::Period& period) {
    return made.pareto[made.tree ? period.outcome - made.game.nodes.size() : period.outcome];
  });
  if (made.best_welfare > made.worst_welfare)
    m.welfare_share = mean(course, [&](const Course::Period& period) {
      double welfare = 0;
      for (const double x : made.payoffs(period.outcome)) welfare += x;
      return (welfare - made.worst_welfare) / (made.best_welfare - made.worst_welfare);
    });
  for (const Course::Period& period : course.periods)
    m.moves += static_cast<int>(period.actions.size());
  m.periods = static_cast<int>(course.periods.size());
  outcome.match_metrics(m);
  return outcome;
}

}  // namespace classic
