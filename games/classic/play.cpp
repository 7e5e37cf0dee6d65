#include "classic/play.hpp"

#include <algorithm>
#include <array>
#include <deque>

#include "classic/advice.hpp"
#include "classic/answers.hpp"
#include "classic/events.hpp"

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

}  // namespace classic
