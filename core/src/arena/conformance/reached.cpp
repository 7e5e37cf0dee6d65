// Every stage, probe and event of the card is met in play.
#include <fmt/format.h>

#include <set>

#include "conformance/checks.hpp"
#include "text/counted.hpp"

namespace agon::conformance {

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
    const std::vector<std::string>& carried = played->result.carried;
    if (played->result.end == End::finished &&
        std::any_of(carried.begin(), carried.end(),
                    [](const std::string& memo) { return !memo.empty(); }))
      note(*subject.play_next(*played));
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
  if (stages.empty() && events.empty()) return finding;
  // An event may wait for luck that no random play has; a stage that nobody is asked is no stage.
  finding.verdict = stages.empty() ? Verdict::warning : Verdict::fail;
  finding.problem = "never reached: ";
  stages.insert(stages.end(), events.begin(), events.end());
  for (std::size_t i = 0; i < stages.size(); ++i)
    finding.problem += (i == 0 ? "" : ", ") + stages[i];
  finding.command = "agon describe " + std::string(game.id);
  finding.mend =
      "list what the game asks and says and nothing else; if only some settings lead there, give "
      "them a preset";
  return finding;
}

}  // namespace agon::conformance
