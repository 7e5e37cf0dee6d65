// Every stage, probe and event of the card is met in play, and every view that a stage declares is
// shown with its questions.
#include <fmt/format.h>

#include <map>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/watch.hpp"
#include "text/counted.hpp"

namespace agon::conformance {

namespace {

/// How often the questions of a stage came with its view, and without.
struct Views {
  std::size_t with = 0;
  std::size_t without = 0;
  std::string at;  ///< a match with one that had none
};

/// Of the stages that declare a view.
std::map<std::string, Views> views_in(const Subject& subject) {
  std::map<std::string, Views> views;
  for (const Played* played : subject.finished(4)) {
    const auto watched =
        watch(subject, played->casting, {.script = script_of(subject.game(), played->history)});
    for (const Shown& shown : watched->shown) {
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

Finding check_reached(const Subject& subject) {
  const Game& game = subject.game();
  std::set<std::string> asked, said;
  const auto note = [&](const Played& played) {
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
  Finding finding{
      .check = "reached",
      .tried = fmt::format("{} and {} in {}", text::counted(game.stages.size(), "stage"),
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
      finding.mend = subject.wording(
          "give the view with the question: "
          "table.ask(seat, stage, agon::view(...))",
          "give the view with the question: ask(seat, stage, view=...)");
    }
  if (finding.verdict == Verdict::fail || (stages.empty() && events.empty())) return finding;
  // An event may wait for luck that no random play has; a stage that nobody is asked is no stage.
  finding.verdict = stages.empty() ? Verdict::warning : Verdict::fail;
  finding.problem = "never reached: ";
  stages.insert(stages.end(), events.begin(), events.end());
  for (std::size_t i = 0; i < stages.size(); ++i)
    finding.problem += (i == 0 ? "" : ", ") + stages[i];
  finding.command = subject.describe_command();
  finding.mend =
      "list what the game asks and says and nothing else; if only some settings lead there, give "
      "them a preset";
  return finding;
}

}  // namespace agon::conformance
