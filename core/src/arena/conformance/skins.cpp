#include "suite/scenario/skins.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/skin.hpp>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/matches.hpp"
#include "plugin/search_path.hpp"
#include "suite/agents/prompts.hpp"
#include "suite/suite.hpp"
#include "text/words.hpp"

// The stories in which a game is told map back to it.

namespace agon::conformance {
namespace {

std::string place_and_problem(const Error& error) {
  return (error.where().empty() ? "" : error.where() + ": ") + error.problem();
}

/// How many matches of each preset are read.
constexpr std::size_t kMatchesRead = 2;

/// Texts of a game as players read them, each once.
class GameTexts {
 public:
  void add(std::string what, std::string text) {
    if (known_.insert(text).second) texts_.push_back({std::move(what), std::move(text)});
  }
  [[nodiscard]] const std::vector<PlayerText>& all() const { return texts_; }

 private:
  std::set<std::string> known_;
  std::vector<PlayerText> texts_;
};

/// What is said before play, of every situation.
void add_settings(const GameUnderTest& subject, const std::vector<std::string>& prompt_roots,
                  GameTexts& texts) {
  Scenario scenario;
  scenario.game = &subject.game();
  for (std::size_t i = 0; i < subject.presets(); ++i)
    scenario.treatments.push_back({"{}", subject.situations()[i].settings});
  scenario.prompts["en"] = load_prompts(subject.catalogue(), subject.game(), prompt_roots, {}, "",
                                        std::string(subject.game().id));
  for (PlayerText& one : player_texts(scenario)) texts.add(one.what, std::move(one.text));
}

/// What is said in play.
std::size_t add_matches(const GameUnderTest& subject, GameTexts& texts) {
  std::size_t matches = 0;
  for (const CheckedMatch* played : subject.finished(kMatchesRead)) {
    Watching how{.script = script_of(subject.game(), played->history)};
    how.every_telling = true;
    const auto watched = watch(subject, played->casting, how);
    ++matches;
    for (const std::string& told : watched->tellings) texts.add("an event", told);
    for (const ObservedQuestion& shown : watched->shown) {
      const OwnedQuestion& q = shown.question;
      texts.add("a question of stage " + q.stage, q.view_told);
      for (std::size_t i = 0; i < q.history.size(); ++i)
        if (q.history[i].what == Delivery::What::event)
          texts.add("event " + q.history[i].name, q.history[i].told);
    }
  }
  return matches;
}

/// The options of an answer that a skin renames, where it leaves out others; empty: none are left
/// out.
std::string missing_option(const Skin& skin, const Type& type, std::set<const Type*>& seen) {
  if (!seen.insert(&type).second) return {};
  std::vector<std::string> names;
  for (const Enumerator& option : type.enumerators) names.emplace_back(option.name);
  if (!type.forms)
    for (const Type* alternative : type.alternatives) names.emplace_back(kind_of(*alternative));
  std::vector<std::string> kept;
  std::set<std::string> shown;
  for (const std::string& name : names) {
    if (skin.shown(name) == name) kept.push_back(name);
    if (!shown.insert(skin.shown(name)).second)
      return "two options are '" + skin.shown(name) + "' in the skin";
  }
  if (!kept.empty() && kept.size() < names.size())
    return "the skin renames other options of an answer and leaves out '" + kept.front() + "'";
  for (const Field& field : type.fields)
    if (std::string missing = missing_option(skin, *field.type, seen); !missing.empty())
      return missing;
  if (type.element != nullptr)
    if (std::string missing = missing_option(skin, *type.element, seen); !missing.empty())
      return missing;
  for (const Type* alternative : type.alternatives)
    if (std::string missing = missing_option(skin, *alternative, seen); !missing.empty())
      return missing;
  return {};
}

std::string problem_with(const Skin& skin, const Game& game, const std::vector<PlayerText>& texts) {
  std::set<const Type*> seen;
  for (const StageCard& stage : game.stages)
    if (std::string missing = missing_option(skin, *stage.answer, seen); !missing.empty())
      return "stage " + std::string(stage.name) + ": " + missing;
  return problem_of(skin, texts);
}

}  // namespace

CheckResult check_skins(const GameUnderTest& subject) {
  CheckResult finding;
  const std::vector<std::string> roots{plugin::shipped_file("prompts").string()};
  SkinFile shipped;
  try {
    shipped = shipped_skins(subject.catalogue(), subject.game(), roots);
  } catch (const Error& error) {
    finding.fail(place_and_problem(error), subject.describe_command(), "see docs/skins.md");
    return finding;
  }
  if (shipped.skins.empty()) {
    finding.skip("the game has no skins");
    return finding;
  }
  GameTexts texts;
  add_settings(subject, roots, texts);
  const std::size_t matches = add_matches(subject, texts);
  finding.tried = fmt::format("{}, {} of {}", text::counted(shipped.skins.size() + 1, "skin"),
                              text::counted(texts.all().size(), "text"),
                              text::counted(matches, "match", "matches"));
  const auto look = [&](const std::string& name) {
    if (finding.verdict == Verdict::fail) return;
    std::string problem;
    try {
      problem = problem_with(*find_skin(shipped, name, ""), subject.game(), texts.all());
    } catch (const Error& error) {
      problem = place_and_problem(error);
    }
    if (!problem.empty())
      finding.fail("skin '" + name + "': " + problem,
                   subject.describe_command() + " --skin " + name,
                   "every text has to map back: give the skin another word");
  };
  for (const auto& [name, skin] : shipped.skins) look(name);
  look("generated-1");
  return finding;
}

}  // namespace agon::conformance
