#include <fmt/format.h>

#include <agon/error.hpp>
#include <map>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/matches.hpp"
#include "text/words.hpp"

// Every preset plays, and so does it with settings at their edges, with any agents: those that
// answer at once, and those that wait, to which the game tells all in words.

namespace agon::conformance {
namespace {

/// What broke, in matches that are of the same kind.
struct FaultTally {
  std::uint64_t matches = 0;
  std::uint64_t shortest = ~std::uint64_t{0};  ///< questions of the shortest
  std::string problem;                         ///< of that
  Casting casting;                             ///< likewise

  void add(std::uint64_t questions, const std::string& what, const Casting& whose) {
    ++matches;
    if (questions >= shortest) return;
    shortest = questions;
    problem = what;
    casting = whose;
  }
};

/// What the game throws as it says who a seat is; empty if nothing.
std::string problem_of_personas(const GameUnderTest& subject, std::size_t situation) {
  const GameCard& card = subject.game().card;
  if (card.persona_for == nullptr) return {};
  try {
    for (std::size_t i = 0; i < subject.seats(situation); ++i)
      (void)card.persona_for(subject.situations()[situation].settings->get(), static_cast<int>(i),
                             Language::english());
  } catch (const Error& error) {
    return error.problem();
  } catch (const std::exception& error) {
    return std::string("the game threw: ") + error.what();
  }
  return {};
}

/// Matches that came to their end, played again with seats that wait and answer the same.
struct Waited {
  std::size_t matches = 0;
  FaultTally faults;
};

Waited play_waiting(const GameUnderTest& subject) {
  /// Of each preset.
  constexpr std::size_t kMatches = 7;
  /// From which on no more changed settings are tried.
  constexpr std::uint64_t kManyQuestions = 20'000;
  Waited waited;
  std::vector<std::size_t> played_of(subject.situations().size());
  std::uint64_t questions = 0;
  for (const auto& played : subject.sample()) {
    const std::size_t s = played->casting.situation;
    if (played->result.end != End::finished) continue;
    if (s >= subject.presets() && questions > kManyQuestions) continue;
    if (++played_of[s] > (s < subject.presets() ? kMatches : 1)) continue;
    Watching how{.script = script_of(subject.game(), played->history)};
    how.every_telling = true;
    const auto watched = watch(subject, played->casting, how);
    ++waited.matches;
    questions += watched->result.questions;
    const std::string problem =
        watched->broken.empty() ? problem_of_personas(subject, s) : watched->broken;
    if (!problem.empty()) waited.faults.add(watched->result.questions, problem, played->casting);
  }
  return waited;
}

}  // namespace

CheckResult check_plays(const GameUnderTest& subject) {
  std::uint64_t questions = 0, cut = 0;
  FaultTally faults;
  for (const auto& played : subject.sample()) {
    questions += played->result.questions;
    cut += played->result.end == End::stopped ? 1 : 0;
    if (broken_by(subject.game(), played->result) == Breach::play)
      faults.add(played->result.questions, played->result.problem, played->casting);
  }
  const Waited waited = play_waiting(subject);
  CheckResult finding{
      .tried = fmt::format(
          "{} of {}, {}{}, {}; {} with seats that wait",
          text::counted(subject.sample().size(), "match", "matches"),
          text::counted(subject.presets(), "preset"),
          text::counted(subject.situations().size() - subject.presets(), "changed setting"),
          cut == 0 ? "" : fmt::format(" ({} cut short)", cut), text::counted(questions, "question"),
          waited.matches)};
  if (faults.matches != 0) {
    finding.fail(fmt::format("the game broke in {}: {}",
                             text::counted(faults.matches, "match", "matches"), faults.problem),
                 subject.command(faults.casting),
                 "a match must come to its end whatever its seats answer within their limits");
  } else if (waited.faults.matches != 0) {
    finding.fail(
        fmt::format("{}, the game broke in {}: {}", kWhenSeatsWait,
                    text::counted(waited.faults.matches, "match", "matches"),
                    waited.faults.problem),
        subject.check_command("plays"),
        "what tells events and views, says who a seat is or whether an answer ends the match has "
        "to do so for every event, view, seat and answer there can be");
  } else if (!subject.broken_settings().empty()) {
    const BrokenSettings& broken = subject.broken_settings().front();
    finding.fail(
        fmt::format("the game broke before any match with {}: {}",
                    text::counted(subject.broken_settings().size(), "changed setting"),
                    broken.problem),
        text::shell_line(subject.command_words(broken.preset, broken.set)),
        "settings that make no sense are turned down by a check, or a range of their member");
  }
  return finding;
}

// Where no legal answer comes, the game's own fallback is legal.

CheckResult check_fallbacks(const GameUnderTest& subject) {
  /// From which on no more settings are tried.
  constexpr std::uint64_t kManyQuestions = 50'000;
  CheckResult finding;
  std::uint64_t forced = 0, matches = 0;
  const CheckedMatch* shortest = nullptr;
  std::vector<std::unique_ptr<CheckedMatch>> all;
  const auto look = [&](const CheckedMatch& played) {
    ++matches;
    for (const record::Entry& entry : played.history.entries)
      forced += entry.what == record::Entry::What::question && !entry.probe ? 1 : 0;
    if (broken_by(subject.game(), played.result) == Breach::fallback &&
        (shortest == nullptr || played.result.questions < shortest->result.questions))
      shortest = &played;
  };
  // One seat says nothing, all others play at random: so fallbacks are asked of many positions.
  for (std::size_t s = 0; s < subject.situations().size(); ++s)
    for (std::size_t seat = 0; seat < subject.seats(s); ++seat) {
      if (s >= subject.presets() && (seat > 0 || forced > kManyQuestions)) continue;
      std::vector<std::string> agents = seated({"random", "edge"}, subject.seats(s));
      agents[seat] = "default";
      all.push_back(subject.play({s, subject.effort().seed + seat, std::move(agents)}));
      look(*all.back());
    }
  for (const auto& played : subject.sample()) look(*played);
  finding.tried = fmt::format("{}, {}", text::counted(matches, "match", "matches"),
                              text::counted(forced, "question"));
  if (shortest == nullptr) return finding;
  finding.fail(shortest->result.problem, subject.command(shortest->casting),
               fmt::format("give the question {} that its own limits and check let pass",
                           subject.wording("an agon::fallback", "a fallback=...")));
  return finding;
}

// Every stage, probe and event of the card is met in play, and every view that a stage declares is
// shown with its questions.

namespace {

/// How often the questions of a stage came with its view, and without.
struct Views {
  std::size_t with = 0;
  std::size_t without = 0;
  std::string at;  ///< a match with one that had none
};

/// Of the stages that declare a view.
std::map<std::string, Views> views_in(const GameUnderTest& subject) {
  std::map<std::string, Views> views;
  for (const CheckedMatch* played : subject.finished(4)) {
    const auto watched =
        watch(subject, played->casting, {.script = script_of(subject.game(), played->history)});
    for (const ObservedQuestion& shown : watched->shown) {
      const OwnedQuestion& q = shown.question;
      for (const StageCard& stage : subject.game().stages) {
        if (stage.name != q.stage || stage.view == nullptr) continue;
        Views& of = views[q.stage];
        ++(q.view_type != nullptr ? of.with : of.without);
        if (q.view_type == nullptr) of.at = subject.command(played->casting);
      }
    }
  }
  return views;
}

}  // namespace

CheckResult check_reached(const GameUnderTest& subject) {
  const Game& game = subject.game();
  std::set<std::string> asked, said;
  const auto note = [&](const CheckedMatch& played) {
    for (const record::Entry& entry : played.history.entries) {
      if (entry.what == record::Entry::What::question) asked.emplace(entry.name);
      if (entry.what == record::Entry::What::event) said.emplace(entry.name);
    }
  };
  for (const auto& played : subject.sample()) {
    note(*played);
    if (carries(played->result)) note(*subject.play_next(*played));
  }
  std::vector<std::string> stages, events;
  for (const StageCard& stage : game.stages)
    if (!asked.contains(std::string(stage.name)))
      stages.push_back((stage.probe ? "probe '" : "stage '") + std::string(stage.name) + "'");
  for (const EventCard& event : game.events)
    if (!said.contains(std::string(event.name)))
      events.push_back("event '" + std::string(event.name) + "'");
  CheckResult finding{.tried =
                          fmt::format("{} and {} in {}", text::counted(game.stages.size(), "stage"),
                                      text::counted(game.events.size(), "event"),
                                      text::counted(subject.sample().size(), "match", "matches"))};
  if (stages.empty())
    for (const auto& [stage, views] : views_in(subject)) {
      if (views.without == 0 || finding.verdict == Verdict::fail) continue;
      finding.verdict = views.with == 0 ? Verdict::fail : Verdict::warning;
      finding.problem = fmt::format("stage '{}' declares a view, and {} of its {} gives one", stage,
                                    views.with == 0 ? "none" : "not each",
                                    text::counted(views.with + views.without, "question"));
      finding.command = views.at;
      finding.hint = subject.wording(
          "give the view with the question: "
          "table.ask(seat, stage, agon::view(...))",
          "give the view with the question: ask(seat, stage, view=...)");
    }
  if (finding.verdict == Verdict::fail || (stages.empty() && events.empty())) return finding;
  // An event may wait for luck that no random play has; a stage that nobody is asked is no stage.
  finding.verdict = stages.empty() ? Verdict::warning : Verdict::fail;
  stages.insert(stages.end(), events.begin(), events.end());
  finding.problem = "never reached: " + text::joined(stages);
  finding.command = subject.describe_command();
  finding.hint =
      "list what the game asks and says and nothing else; if only some settings lead there, give "
      "them a preset";
  return finding;
}

}  // namespace agon::conformance
