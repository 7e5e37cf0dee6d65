#include "conformance/components.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/model/call_ledger.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <atomic>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "suite/scenario/match_setup.hpp"
#include "table/mailbox.hpp"
#include "table/match.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::conformance {
namespace {

namespace bj = boost::json;

/// Questions of a match that are kept. It is stopped after them.
constexpr std::size_t kMostOfMatch = 12;

/// What came of asking once.
struct AskedOnce {
  Reply reply;
  std::vector<ModelCall> calls;  ///< by their numbers
  bool has_new = false;          ///< it made a call that was not on record
};

/// Keeps the calls of one attempt. It may know some from before, or let none be made.
class TrialLedger final : public CallLedger {
 public:
  TrialLedger(std::vector<ModelCall> known, bool lets_call)
      : known_(std::move(known)), lets_call_(lets_call) {}
  std::optional<ModelCall> find(int index) override {
    const auto at = static_cast<std::size_t>(index);
    return at < known_.size() ? std::optional(known_[at]) : std::nullopt;
  }
  Halt admit(const CallEstimate&) override { return lets_call_ ? Halt::no : Halt::budget; }
  void keep(int index, const ModelCall& call) override {
    const std::lock_guard lock(mutex_);
    made_.insert_or_assign(index, call);
  }
  void give_back(int index, const ModelCall& failed) override { keep(index, failed); }

  [[nodiscard]] std::vector<ModelCall> made() const {
    const std::lock_guard lock(mutex_);
    std::vector<ModelCall> calls;
    for (const auto& [index, call] : made_) calls.push_back(call);
    return calls;
  }

 private:
  const std::vector<ModelCall> known_;
  const bool lets_call_;
  mutable std::mutex mutex_;
  std::map<int, ModelCall> made_;
};

/// Puts a question to an agent and waits for what it says.
AskedOnce ask_once(const Agent& agent, OwnedQuestion question, std::vector<ModelCall> known = {},
                   bool lets_call = true) {
  const auto ledger = std::make_shared<TrialLedger>(std::move(known), lets_call);
  question.ledger = ledger;
  question.deadline = Mailbox::Clock::time_point::max();
  const auto mailbox = std::make_shared<Mailbox>();
  const std::uint32_t number = question.number;
  const int attempt = question.attempt;
  mailbox->expect(number, attempt);
  agent.ask(std::move(question), Completion(mailbox, number, attempt));
  auto letters = mailbox->collect(Mailbox::Clock::time_point::max(), std::stop_token());
  AskedOnce once;
  if (!letters.empty()) once.reply = std::move(letters.front().reply);
  once.calls = ledger->made();
  once.has_new = !once.calls.empty();
  return once;
}

std::string reply_text(const Reply& reply) {
  return fmt::format("{} {} {} {} {}", static_cast<int>(reply.status), reply.declined, reply.json,
                     reply.thought, reply.remembers ? reply.memo : std::string());
}

std::string request_text(const ModelCall& call) {
  std::string words = call.purpose;
  for (const ChatMessage& message : call.messages)
    words += "\n" + message.role + "\n" + message.text;
  return words;
}

/// Where two texts part, in a few characters of each.
std::string where_apart(const std::string& a, const std::string& b) {
  constexpr std::size_t kBefore = 20, kShown = 60;
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto at = static_cast<std::size_t>(x - a.begin());
  const std::size_t from = at < kBefore ? 0 : at - kBefore;
  return fmt::format("'{}' and '{}'", text::printable(a.substr(from, kShown)),
                     text::printable(b.substr(from, kShown)));
}

/// What differs between the two, in words; empty: nothing.
std::string what_differs(const AskedOnce& a, const AskedOnce& b) {
  for (std::size_t i = 0; i < std::min(a.calls.size(), b.calls.size()); ++i) {
    if (const std::string x = request_text(a.calls[i]), y = request_text(b.calls[i]); x != y)
      return fmt::format("call {} of the model was asked {}", i + 1, where_apart(x, y));
    // A provider's answers may all be unreadable, and so come to the same.
    if (const std::string& x = a.calls[i].text, &y = b.calls[i].text; x != y)
      return fmt::format("call {} of the model was answered {}", i + 1, where_apart(x, y));
  }
  if (a.calls.size() != b.calls.size())
    return fmt::format("it made {} and {}", text::counted(a.calls.size(), "call"),
                       text::counted(b.calls.size(), "call"));
  if (const std::string x = reply_text(a.reply), y = reply_text(b.reply); x != y)
    return "the result was " + where_apart(x, y);
  return {};
}

}  // namespace

/// A game of a trial: the suite that keeps its agent and prompts.
struct ComponentTrial::TrialGame {
  Suite suite;
};

/// A question, who was asked and what came of it in the match.
struct ComponentTrial::CheckedQuestion {
  const Agent* agent = nullptr;
  const Agent* refused = nullptr;  ///< the same with a model that refuses all
  std::uint64_t match = 0;         ///< count over all games
  OwnedQuestion question;
  AskedOnce first;

  [[nodiscard]] std::string where() const {
    return fmt::format("{}, question {} of seat {}", question.game, question.number, question.seat);
  }
};

namespace {

using CheckedQuestion = ComponentTrial::CheckedQuestion;

/// The agent on all seats of a match. It keeps what is asked.
class KeptAgent final : public WaitingAgent {
 public:
  KeptAgent(const Agent& agent, const Agent& refused, std::uint64_t match,
            std::vector<std::unique_ptr<CheckedQuestion>>& asked)
      : agent_(agent), refused_(refused), match_(match), begin_(asked.size()), asked_(asked) {}

  void ask(OwnedQuestion question, Completion done) const override {
    if (asked_.size() - begin_ >= kMostOfMatch) {
      stop_.request_stop();
      return;
    }
    AskedOnce once = ask_once(agent_, question);
    Reply reply = once.reply;
    asked_.push_back(std::make_unique<CheckedQuestion>(
        CheckedQuestion{&agent_, &refused_, match_, std::move(question), std::move(once)}));
    done(std::move(reply));
  }
  [[nodiscard]] bool answers_probes() const override { return agent_.answers_probes(); }
  [[nodiscard]] std::string language() const override { return agent_.language(); }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  const Agent& agent_;
  const Agent& refused_;
  const std::uint64_t match_;
  const std::size_t begin_;
  std::vector<std::unique_ptr<CheckedQuestion>>& asked_;
  mutable std::stop_source stop_;
};

std::string suite_of(const CheckedComponent& component, const std::string& game,
                     const ComponentEffort& effort) {
  bj::object model{{"provider", "mock"}};
  if (component.is_provider())
    model = {{"provider", component.id},
             {"model", "check"},
             {"temperature", 0},
             {"tries", 1},
             {"outage_calls", 1000000}};
  const auto agent = [&](bj::object with) {
    bj::object params{{"model", std::move(with)}};
    if (!component.is_provider()) params[component.kind] = component.id;
    return bj::object{{"llm", std::move(params)}};
  };
  const bj::object refuses{{"provider", "mock"}, {"mock", bj::object{{"refused", 1}}}};
  // In their order: the agent of the matches, and one whose model refuses all.
  bj::object agents{{"a", agent(std::move(model))}, {"b", agent(refuses)}};
  return json::write(bj::object{
      {"seed", effort.seed},
      {"agents", std::move(agents)},
      {"scenarios",
       bj::array{bj::object{{"game", game},
                            {"blocks", effort.matches},
                            {"design", bj::object{{"focal", "a"}, {"background", "a"}}}}}}});
}

}  // namespace

ComponentTrial::ComponentTrial(const Catalogue& catalogue, const CheckedComponent& component,
                               const SuiteOptions& options, const ComponentEffort& effort)
    : component_(component) {
  std::vector<std::string> games = effort.games;
  if (!component.game.empty())
    games = {component.game};
  else if (games.empty())
    for (const Game* game : catalogue.all<Game>()) games.emplace_back(game->id);
  for (const std::string& game : games) {
    try {
      play(catalogue, game, options, effort);
    } catch (const Error& error) {
      problem_ = fmt::format("{}: {}", game, error.what());
      return;
    }
  }
}

ComponentTrial::~ComponentTrial() = default;

void ComponentTrial::play(const Catalogue& catalogue, const std::string& game,
                          const SuiteOptions& options, const ComponentEffort& effort) {
  TrialGame& trial = *games_.emplace_back(std::make_unique<TrialGame>(
      TrialGame{Suite::parse(catalogue, suite_of(component_, game, effort), "check", options)}));
  const Scenario& s = trial.suite.scenarios.front();
  const AgentInGame& in = *trial.suite.agents.at(0).in(s.game->id);
  const AgentInGame& refused = *trial.suite.agents.at(1).in(s.game->id);
  const std::uint64_t first = asked_.empty() ? 0 : asked_.back()->match + 1;
  for (std::uint64_t m = 0; m < std::min<std::uint64_t>(effort.matches, s.plan->size()); ++m) {
    const design::PlannedMatch planned = s.plan->match(m);
    MatchSetup setup =
        match_setup(trial.suite, s, planned, 0, std::vector<std::string>(planned.agents.size()));
    const KeptAgent kept(*in.agent, *refused.agent, first + m, asked_);
    for (SeatSetup& seat : setup.seats) seat.agent = &kept;
    setup.label = "check";
    setup.cancel = kept.token();
    (void)play_match(setup);
  }
}

std::string ComponentTrial::extent() const {
  return fmt::format("{} of {}", text::counted(asked_.size(), "question"),
                     text::counted(games_.size(), "game"));
}

namespace {

CheckResult result_of(const ComponentTrial& trial) {
  CheckResult result;
  result.tried = trial.extent();
  const bool has_failed =
      std::ranges::any_of(trial.asked(), [](const std::unique_ptr<CheckedQuestion>& asked) {
        return asked->first.reply.status == Fault::provider_failed;
      });
  if (!trial.asked().empty() && !has_failed) return result;
  result.skip(has_failed ? "calls failed: see 'plays'" : "no question was asked: see 'plays'");
  return result;
}

/// Asks again in another order, and holds what comes of it against the first time. What differs is
/// a failure; of a provider it is worth a look, as a model may be one that samples.
CheckResult ask_again(const ComponentTrial& trial, const std::vector<const CheckedQuestion*>& order,
                      const std::string& when, const std::string& hint) {
  CheckResult result = result_of(trial);
  if (result.verdict == Verdict::skipped) return result;
  for (const CheckedQuestion* asked : order) {
    const std::string differs =
        what_differs(asked->first, ask_once(*asked->agent, asked->question));
    if (differs.empty()) continue;
    result.verdict = trial.component().is_provider() ? Verdict::warning : Verdict::fail;
    result.problem = fmt::format("{}: {}, {}", asked->where(), when, differs);
    result.hint = trial.component().is_provider()
                      ? "right for a model that samples, whatever its temperature; else " + hint
                      : hint;
    return result;
  }
  return result;
}

std::vector<const CheckedQuestion*> in_order(const ComponentTrial& trial) {
  std::vector<const CheckedQuestion*> all;
  for (const auto& asked : trial.asked()) all.push_back(asked.get());
  return all;
}

CheckResult check_component_plays(const ComponentTrial& trial) {
  CheckResult result;
  result.tried = trial.extent();
  result.problem = trial.problem();
  for (const auto& asked : trial.asked()) {
    const Reply& reply = asked->first.reply;
    if (!result.problem.empty()) break;
    if (reply.status == Fault::crashed || reply.status == Fault::provider_failed)
      result.problem = asked->where() + ": " + text::printable(reply.problem);
  }
  result.verdict = result.problem.empty() ? Verdict::pass : Verdict::fail;
  if (result.problem.empty() && trial.asked().empty()) {
    result.verdict = Verdict::fail;
    result.problem = "no game asked a question";
  }
  if (result.verdict == Verdict::fail)
    result.hint =
        "a component for one game names it: game=\"GAME\"; or check it in the games that "
        "it is for: --game GAME";
  return result;
}

CheckResult check_component_again(const ComponentTrial& trial) {
  return ask_again(trial, in_order(trial), "asked a second time",
                   "what it does may depend on the question and turn.state alone, not on the time, "
                   "random numbers of its own, the order of a set, or what it did before");
}

CheckResult check_component_order(const ComponentTrial& trial) {
  std::vector<const CheckedQuestion*> order = in_order(trial);
  std::ranges::stable_sort(order, [](const CheckedQuestion* a, const CheckedQuestion* b) {
    return a->match > b->match;
  });
  return ask_again(trial, order, "with the matches played in reverse",
                   "keep nothing from one match to the next: no data of the module, of the class "
                   "or of self; turn.state is for what a seat must know again in its match");
}

CheckResult check_component_seats(const ComponentTrial& trial) {
  std::vector<const CheckedQuestion*> order = in_order(trial);
  std::ranges::stable_sort(order, [](const CheckedQuestion* a, const CheckedQuestion* b) {
    return a->match != b->match ? a->match < b->match : a->question.seat > b->question.seat;
  });
  return ask_again(trial, order, "with the seats of a match asked one after another",
                   "a seat's component must not see what another seat was asked: keep what it "
                   "needs in turn.state, which is the seat's own");
}

CheckResult check_component_jobs(const ComponentTrial& trial) {
  CheckResult result = result_of(trial);
  if (result.verdict == Verdict::skipped) return result;
  constexpr std::size_t kThreads = 4;
  const std::vector<const CheckedQuestion*> all = in_order(trial);
  std::vector<std::string> found(all.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < all.size(); i = next++)
        found[i] = what_differs(all[i]->first, ask_once(*all[i]->agent, all[i]->question));
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (found[i].empty()) continue;
    result.verdict = trial.component().is_provider() ? Verdict::warning : Verdict::fail;
    result.problem = fmt::format("{}: with {} questions at a time, in several processes, {}",
                                 all[i]->where(), kThreads, found[i]);
    result.hint =
        "each process has its own data and its own order of sets and of what hash() "
        "gives: depend on none of these";
    break;
  }
  return result;
}

CheckResult check_component_replay(const ComponentTrial& trial) {
  CheckResult result = result_of(trial);
  if (result.verdict == Verdict::skipped) return result;
  for (const auto& asked : trial.asked()) {
    AskedOnce again = ask_once(*asked->agent, asked->question, asked->first.calls);
    if (again.has_new)
      result.problem = asked->where() + ": with its calls on record it made another, such as '" +
                       again.calls.front().purpose + "'";
    again.calls = asked->first.calls;
    if (const std::string differs = what_differs(asked->first, again);
        result.problem.empty() && !differs.empty())
      result.problem = asked->where() + ": with its calls on record, " + differs;
    if (result.problem.empty()) continue;
    result.verdict = Verdict::fail;
    result.hint =
        "a resumed run would pay twice, and a replay would differ: what it asks and does "
        "must follow from the question, turn.state and earlier replies";
    break;
  }
  return result;
}

/// Whether a move is played where the model refuses all that it is asked.
void look_at_refusal(const CheckedQuestion& asked, CheckResult& result) {
  const AskedOnce refused = ask_once(*asked.refused, asked.question);
  if (refused.calls.empty() || !is_played(refused.reply.status) || refused.reply.declined) return;
  result.verdict = Verdict::warning;
  result.problem =
      fmt::format("{}: the model refused all calls, and the component still answered: {}",
                  asked.where(), text::printable(text::shorten(refused.reply.json, 100)));
  result.hint =
      "right where a rule answers; else pass on what turn.ask_for_answer returns, with "
      "its fault";
}

CheckResult check_component_errors(const ComponentTrial& trial) {
  CheckResult result = result_of(trial);
  if (trial.component().is_provider()) {
    result.skip("a provider makes no calls of a model");
  }
  if (result.verdict == Verdict::skipped) return result;
  for (const auto& asked : trial.asked()) {
    if (asked->first.calls.empty()) continue;
    const AskedOnce failed = ask_once(*asked->agent, asked->question, {}, false);
    if (failed.reply.status == Fault::provider_failed) {
      if (result.verdict == Verdict::pass && asked->question.attempt == 0)
        look_at_refusal(*asked, result);
      continue;
    }
    result.verdict = Verdict::fail;
    result.problem =
        fmt::format("{}: all calls failed, and the component still answered: {}", asked->where(),
                    text::printable(text::shorten(failed.reply.json, 100)));
    result.hint =
        "let the exception of a call through: the match is then taken up again when the "
        "model is back";
    break;
  }
  return result;
}

}  // namespace

std::span<const ComponentCheck> component_checks() {
  static constexpr ComponentCheck kAll[] = {
      {"plays", "it works in its games and does not break", &check_component_plays},
      {"again", "the same question has the same calls and the same answer", &check_component_again},
      {"order", "nothing is kept from one match to another", &check_component_order},
      {"seats", "a seat is shown nothing of another seat", &check_component_seats},
      {"jobs", "several processes give the same results", &check_component_jobs},
      {"replay", "with its calls on record it makes no others, with the same result",
       &check_component_replay},
      {"errors", "a call that fails never becomes a move", &check_component_errors}};
  return kAll;
}

}  // namespace agon::conformance
