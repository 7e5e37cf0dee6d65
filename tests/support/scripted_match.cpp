#include "support/scripted_match.hpp"

#include <agon/conversion.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "catch.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"
#include "settings/settings.hpp"
#include "support/settings.hpp"
#include "table/match.hpp"

namespace agon::test {
namespace {

/// Says given answers: in order, probes by stage. It keeps count, as only a test may.
class Script final : public Agent {
 public:
  std::vector<std::string> answers;
  std::map<std::string, std::vector<std::string>> probes;

  void answer(Question& question) const override {
    if (question.is_probe()) {
      const auto stage = probes.find(std::string(question.stage()));
      if (stage == probes.end() || probes_used_[stage->first] >= stage->second.size())
        return question.decline();
      return say(question, stage->second[probes_used_[stage->first]++]);
    }
    if (used_ >= answers.size()) return question.decline();
    say(question, answers[used_++]);
  }
  [[nodiscard]] bool answers_probes() const override { return !probes.empty(); }

 private:
  static void say(Question& question, const std::string& answer) {
    if (answer == "decline")
      question.decline();
    else
      question.answer_json(answer);
  }
  mutable std::size_t used_ = 0;
  mutable std::map<std::string, std::size_t> probes_used_;
};

/// Passes questions on and keeps what was seen.
class Watched final : public Agent {
 public:
  Watched(const Agent& agent, std::vector<std::string>& views) : agent_(agent), views_(views) {}
  void answer(Question& question) const override {
    if (question.attempt() == 0) {
      if (views_.size() <= question.number()) views_.resize(question.number() + 1);
      if (const void* view = question.view())
        views_[question.number()] = write_json(*question.view_type(), view);
    }
    agent_.answer(question);
  }
  [[nodiscard]] bool answers_probes() const override { return agent_.answers_probes(); }

 private:
  const Agent& agent_;
  std::vector<std::string>& views_;
};

}  // namespace

const Said& Played::event(std::string_view name, std::size_t n) const {
  for (const Said& s : said)
    if (s.name == name && n-- == 0) return s;
  FAIL("there is no such event: " << name);
  return said.front();
}

std::size_t Played::count(std::string_view event_name) const {
  std::size_t n = 0;
  for (const Said& s : said) n += s.name == event_name ? 1 : 0;
  return n;
}

double Played::metric(std::string_view name, int seat) const {
  const Type* type = seat < 0 ? game.card.match_metrics : game.card.seat_metrics;
  REQUIRE(type != nullptr);
  const auto& values = seat < 0 ? outcome.match_metrics() : outcome[seat].metrics;
  for (std::size_t i = 0; i < type->fields.size(); ++i)
    if (type->fields[i].name == name) return i < values.size() ? values[i] : std::nan("");
  FAIL("there is no such metric: " << name);
  return 0;
}

void check_all_metrics(const Played& played, int seat,
                       const std::map<std::string_view, double>& expected) {
  const Type* type = seat < 0 ? played.game.card.match_metrics : played.game.card.seat_metrics;
  REQUIRE(type != nullptr);
  for (const auto& [name, value] : expected) (void)played.metric(name, seat);
  for (const Field& field : type->fields) {
    const auto listed = expected.find(field.name);
    const double value = listed == expected.end() ? 0 : listed->second;
    const double found = played.metric(field.name, seat);
    INFO("seat " << seat << ", " << field.name << ": " << found << ", expected " << value);
    if (std::isnan(value))
      CHECK(std::isnan(found));
    else
      CHECK(found == Approx(value).epsilon(1e-12));
  }
}

void check_metric_bounds(const Played& played) {
  for (int seat = -1; seat < played.outcome.seats(); ++seat) {
    const Type* type = seat < 0 ? played.game.card.match_metrics : played.game.card.seat_metrics;
    for (const Field& f : type->fields) {
      const double value = played.metric(f.name, seat);
      INFO("seat " << seat << ", " << f.name << " = " << value);
      CHECK_FALSE(value < f.min);
      CHECK_FALSE(value > f.max);
    }
  }
}

std::vector<std::string> answers_of(const Played& played, int seat) {
  std::vector<std::string> all;
  for (const Asked& asked : played.asked)
    if (asked.seat == seat) all.push_back(asked.answer_json);
  return all;
}

struct ScriptedMatch::State {
  const Game game;
  Settings settings;
  std::vector<Script> scripts;
  std::map<int, const Agent*> agents;
  std::map<int, std::string> carried;
  std::uint64_t luck = 1;
  std::uint64_t turn = 0;
  int reasks = 3;
};

ScriptedMatch::ScriptedMatch(const Game& game, std::string_view settings_json)
    : state_(new State{game,
                       agon::test::read_settings(game, settings_json, "test settings"),
                       std::vector<Script>(kMaxSeats),
                       {},
                       {}}) {
  state_->reasks = state_->settings.reasks();
}
ScriptedMatch::~ScriptedMatch() = default;

ScriptedMatch& ScriptedMatch::seat(int seat, std::vector<std::string> answers) {
  state_->scripts.at(static_cast<std::size_t>(seat)).answers = std::move(answers);
  return *this;
}
ScriptedMatch& ScriptedMatch::probes(int seat, const std::string& stage,
                                     std::vector<std::string> answers) {
  state_->scripts.at(static_cast<std::size_t>(seat)).probes[stage] = std::move(answers);
  return *this;
}
ScriptedMatch& ScriptedMatch::agent(int seat, const Agent& agent) {
  state_->agents[seat] = &agent;
  return *this;
}
ScriptedMatch& ScriptedMatch::turn(std::uint64_t turn) {
  state_->turn = turn;
  return *this;
}

ScriptedMatch& ScriptedMatch::luck(std::uint64_t key) {
  state_->luck = key;
  return *this;
}
ScriptedMatch& ScriptedMatch::reasks(int reasks) {
  state_->reasks = reasks;
  return *this;
}
ScriptedMatch& ScriptedMatch::carried(int seat, std::string json) {
  state_->carried[seat] = std::move(json);
  return *this;
}

Played ScriptedMatch::play() {
  MatchSetup setup = set_up_match(state_->game, state_->settings, state_->luck);
  setup.reasks = state_->reasks;
  setup.turn = state_->turn;
  std::vector<std::string> views;
  std::vector<std::unique_ptr<Watched>> watched;
  for (std::size_t i = 0; i < setup.cards.size(); ++i) {
    const auto given = state_->agents.find(static_cast<int>(i));
    const Agent& agent = given == state_->agents.end() ? state_->scripts[i] : *given->second;
    watched.push_back(std::make_unique<Watched>(agent, views));
    const auto carried = state_->carried.find(static_cast<int>(i));
    setup.seats.push_back({watched.back().get(), combine(state_->luck, i + 1),
                           carried == state_->carried.end() ? "" : carried->second});
  }
  MatchResult result = play_match(setup);
  if (result.end != End::finished) FAIL(result.problem);

  Played played;
  played.game = state_->game;
  played.outcome = result.outcome;
  played.carried = result.carried;
  played.record = result.record;
  views.resize(result.questions);
  const record::RecordedTypes recorded(
      [&](const hash::Digest& shape) { return result.shapes->notation(shape); });
  const auto json = [&](const record::Entry& e) {
    return recorded.json(e.shape, e.payload).value_or("?");
  };
  const record::History history = record::read(played.record);
  for (const record::Entry& e : history.entries) {
    if (e.what == record::Entry::What::event)
      played.said.push_back({std::string(e.name), json(e), e.audience});
    if (e.what == record::Entry::What::question)
      played.asked.push_back({e.seat, std::string(e.name), e.probe, views[e.number], json(e),
                              static_cast<int>(e.attempts.size()) - (e.forced ? 0 : 1), e.forced});
  }
  return played;
}

Played play_agents(const Game& game, std::string_view settings_json,
                   const std::vector<const Agent*>& agents, std::uint64_t luck) {
  ScriptedMatch match(game, settings_json);
  for (std::size_t i = 0; i < agents.size(); ++i) match.agent(static_cast<int>(i), *agents[i]);
  return match.luck(luck).play();
}

}  // namespace agon::test
