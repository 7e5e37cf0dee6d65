#include "llm/prompt/prompts.hpp"

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/learning.hpp>
#include <agon/nearest.hpp>
#include <agon/spoken.hpp>
#include <algorithm>
#include <array>
#include <set>

#include "llm/lines.hpp"

namespace agon::llm {
namespace {

/// The names of `system`.
constexpr std::array<std::string_view, 6> kSystemNames{"title", "rules",  "seat",
                                                       "role",  "others", "persona"};
/// The names that stand for something in every prompt file (docs/prompts.md).
constexpr std::array<std::string_view, 13> kCommonNames{
    "title", "rules", "seat", "role",    "others", "persona", "task",
    "stage", "news",  "plan", "beliefs", "notes",  "view"};

/// Those of every moment of a match, for events and personas.
constexpr std::array<std::string_view, 4> kMatchNames{"title", "seat", "role", "others"};

/// Prompt files of parts are called so; the others are `system`, `task` and stages.
constexpr std::string_view kPartPrefix = "part-";

/// Those in which a folder says in its own words who the seat of a name is.
constexpr std::string_view kPersonaPrefix = "persona-";

Finding wrong(std::string what, std::string hint) {
  return {Finding::Level::error, std::move(what), std::move(hint)};
}

/// The names that a file may use, and what those of described values are, for sections.
struct KnownNames {
  std::vector<std::string> names;
  std::map<std::string, const Type*, std::less<>> types{};

  void add(std::string_view prefix, const Type* type) {
    if (type == nullptr) return;
    for (const Field& f : type->fields) {
      names.push_back(std::string(prefix) + std::string(f.name));
      types[names.back()] = f.type;
    }
  }
  /// Those inside sections over these lists: the members of an element come first.
  [[nodiscard]] KnownNames inside(std::span<const std::string_view> lists) const {
    KnownNames known = *this;
    for (const std::string_view list : lists) {
      const auto found = known.types.find(list);
      const Type* type = found == known.types.end() ? nullptr : found->second;
      while (type != nullptr && (type->kind == Kind::optional || type->kind == Kind::list))
        type = type->element;
      if (type != nullptr && type->kind == Kind::structure)
        for (const std::string_view prefix : {"", "first.", "last."}) known.add(prefix, type);
      known.names.insert(known.names.end(), {"first", "last", "index", "value"});
    }
    return known;
  }
};

/// Looks at one file: `allowed` are all names that it may use, `required` those that it must.
class FileCheck {
 public:
  FileCheck(const Prompts& prompts, std::vector<Finding>& findings)
      : prompts_(prompts), findings_(findings) {}

  void look(std::string_view file, const KnownNames& allowed,
            const std::vector<std::string_view>& required, std::string_view why) {
    const Template& text = prompts_.get(file);
    const std::string& path = prompts_.file(file);
    for (const Template::Use& use : text.uses()) {
      const std::vector<std::string> known = allowed.inside(use.lists).names;
      if (std::find(known.begin(), known.end(), use.name) != known.end()) continue;
      find(path + ":" + std::to_string(use.line) + ": nothing is called '" + std::string(use.name) +
               "' here" + did_you_mean(use.name, known),
           "docs/prompts.md lists the names");
    }
    for (const Template::Use& use : text.uses())
      if (use.heads_section && use.lists.empty() && !allowed.types.contains(use.name))
        find(path + ":" + std::to_string(use.line) + ": '" + std::string(use.name) +
                 "' has no section: it is no member of a view, an event or the facts",
             "write {{" + std::string(use.name) + "}}; a line where it is empty is left out");
    const std::vector<std::string>& left_out = prompts_.folder().left_out;
    for (const std::string_view name : required) {
      if (std::find(left_out.begin(), left_out.end(), name) != left_out.end()) continue;
      if (!text.has(name))
        find(path + ": it leaves out {{" + std::string(name) + "}}, " +
                 std::string(why.empty() ? "which a part of the agent may fill" : why),
             "put it where it belongs; lines whose names are all empty are left out of the prompt");
    }
  }

  /// The prompts' own words for events: of those that seats are told.
  void look_at_events(const Game& game, const KnownNames& allowed) {
    for (const EventCard& event : game.events) {
      const std::string file = "event-" + std::string(event.name);
      if (prompts_.find(file) == nullptr) continue;
      if (event.audience == Audience::record) {
        find(prompts_.file(file) + ": no seat is told of the event '" + std::string(event.name) +
                 "'; it stands in the record alone",
             "remove the file");
        continue;
      }
      KnownNames names = allowed;
      names.add("event.", event.type);
      look(file, names, {}, {});
    }
  }

 private:
  void find(std::string what, std::string hint) {
    if (told_.insert(what).second) findings_.push_back(wrong(std::move(what), std::move(hint)));
  }

  const Prompts& prompts_;
  std::vector<Finding>& findings_;
  std::set<std::string> told_;
};

}  // namespace

Prompts::Prompts(std::shared_ptr<const PromptSet> set) : set_(std::move(set)) {
  for (const auto& [name, text] : set_->texts)
    templates_.try_emplace(name, text.text, text.file, set_->folder.placeholders);
}

const Template* Prompts::find(std::string_view name) const {
  const auto found = templates_.find(name);
  return found == templates_.end() ? nullptr : &found->second;
}

const Template& Prompts::get(std::string_view name) const {
  if (const Template* found = find(name)) return *found;
  std::vector<std::string> known;
  for (const auto& entry : templates_) known.push_back(entry.first);
  if (set_->language != nullptr)
    throw Error(ErrorKind::not_found,
                "there is no prompt file '" + std::string(name) + ".txt' in the language '" +
                    set_->language->id() + "'",
                "",
                "it stands in the folder '" + set_->language->id() +
                    "' beside the English one; docs/prompts.md");
  throw Error(
      ErrorKind::not_found,
      "there is no prompt file '" + std::string(name) + ".txt'" + did_you_mean(name, known), "",
      "the generic ones are in share/agon/prompts/any-game; a part of your own needs it in the "
      "scenario's 'prompts' folder, or in prompts/GAME beside the plugin of the game");
}

const std::string& Prompts::file(std::string_view name) const {
  return set_->texts.find(name)->second.file;
}

namespace {

/// The names that a prompt for a stage must use, so that no part is dropped in silence.
std::vector<std::string_view> required_names(Purpose purpose) {
  switch (purpose) {
    case Purpose::learn:
      return {};
    case Purpose::plan:
      return {"news", "beliefs", "notes"};
    case Purpose::belief:
      // How things stand may tell the news itself.
      return {"notes"};
    case Purpose::act:
    case Purpose::replan:
    case Purpose::other:
      break;
  }
  return {"news", "plan", "beliefs", "notes"};
}

/// What a language lacks for a game, or has for nothing.
void check_language(const Game& game, const Language& language, std::vector<Finding>& findings) {
  const std::string id(game.id);
  const std::string in = " in '" + language.id() + "'";
  const auto add = [&](std::string what, std::string hint) {
    findings.push_back(wrong(std::move(what), std::move(hint)));
  };
  for (const StageCard& stage : game.stages)
    if (stage.view != nullptr && stage.telling == nullptr)
      add("what is seen at stage '" + std::string(stage.name) + "' of '" + id +
              "' has no telling, and cannot be said" + in,
          "give the stage a telling");
  for (const EventCard& event : game.events)
    if (event.audience != Audience::record && event.telling == nullptr && is_shown(event.type))
      add("the event '" + std::string(event.name) + "' of '" + id +
              "' has no telling, and cannot be said" + in,
          "give the event a telling");
  std::set<std::string_view> texts = spoken_texts(game);
  texts.insert(std::begin(kModelSentences), std::end(kModelSentences));
  constexpr std::size_t kShown = 5;
  const std::string file = language.id() + "/sentences.json";
  std::size_t lacking = 0;
  for (const std::string_view text : texts)
    if (!language.sentences().contains(text) && ++lacking <= kShown)
      add(file + " lacks, for '" + id + "': \"" + std::string(text) + "\"",
          "add it, with what it is" + in);
  if (lacking > kShown)
    add(file + " lacks " + std::to_string(lacking - kShown) + " more texts for '" + id + "'",
        "add them as well");
  for (const auto& [english, said] : language.sentences())
    if (!texts.contains(english))
      findings.push_back({Finding::Level::warning,
                          file + ": nothing in '" + id + "' says \"" + english + "\"",
                          "leave it out"});
}

}  // namespace

std::vector<Finding> check_prompts(const Game& game, const PromptSet& set,
                                   std::span<const PromptUse> parts) {
  std::vector<Finding> findings;
  if (set.language != nullptr) {
    const std::string in = "' in '" + set.language->id() + "'";
    if (game.card.sentences.empty())
      return {wrong("there is no '" + std::string(game.id) + in +
                        ": all that the game says is in English (its card lists no sentences)",
                    "leave out the agent's 'language'; docs/prompts.md says how a game is made "
                    "ready for others")};
    if (set.texts.empty() && set.language->sentences().empty())
      return {wrong("there is no '" + std::string(game.id) + in + ": no folder '" +
                        set.language->id() + "' beside the English prompts",
                    "see 'Other languages' in docs/prompts.md")};
    check_language(game, *set.language, findings);
  }
  try {
    const Prompts prompts(std::shared_ptr<const PromptSet>(std::shared_ptr<void>(), &set));
    FileCheck check(prompts, findings);
    const GameCard& card = game.card;
    const auto with_facts = [&](std::span<const std::string_view> names) {
      KnownNames all{{names.begin(), names.end()}};
      all.add("facts.", card.facts);
      return all;
    };

    for (const std::string& name : set.folder.left_out)
      if (std::find(kCommonNames.begin(), kCommonNames.end(), name) == kCommonNames.end())
        findings.push_back(
            wrong("prompts.json: $.left_out: no prompt requires '" + name + "'" +
                      did_you_mean(
                          name, std::vector<std::string>(kCommonNames.begin(), kCommonNames.end())),
                  "docs/prompts.md lists the names"));
    check.look("system", with_facts(kSystemNames), {"rules", "persona"}, {});
    for (const StageCard& stage : game.stages) {
      KnownNames names = with_facts(kCommonNames);
      const bool own = prompts.find(stage.name) != nullptr;
      if (own) names.add("view.", stage.view);
      // What these were is not known of earlier questions.
      if (own && set.folder.keep_questions)
        for (const std::string_view name : {"task", "persona"}) std::erase(names.names, name);
      check.look(own ? stage.name : "task", names, required_names(stage.purpose), {});
    }
    // Asked of every game's players, where matches follow one another.
    check.look(prompts.find(kTakeAlong.name) != nullptr ? kTakeAlong.name : "task",
               with_facts(kCommonNames), required_names(kTakeAlong.purpose), {});
    if (game.stages.empty())
      check.look("task", with_facts(kCommonNames), required_names(Purpose::act), {});
    static constexpr std::string_view kAgainNames[] = {"complaint", "left"};
    std::vector<PromptUse> uses{{"part-again", kAgainNames}};
    uses.insert(uses.end(), parts.begin(), parts.end());
    for (const PromptUse& use : uses) {
      if (use.only_if_there && prompts.find(use.file) == nullptr) continue;
      KnownNames names = use.only_if_there ? KnownNames{} : with_facts(kCommonNames);
      names.names.insert(names.names.end(), use.names.begin(), use.names.end());
      check.look(use.file, names, {use.names.begin(), use.names.end()},
                 "which the part that reads it fills");
    }
    check.look_at_events(game, with_facts(kMatchNames));
    // A file that nobody asks for was meant for something.
    std::vector<std::string> known{"system", "task", std::string(kTakeAlong.name)};
    for (const StageCard& stage : game.stages) known.emplace_back(stage.name);
    for (const EventCard& event : game.events) known.push_back("event-" + std::string(event.name));
    for (const auto& [name, text] : set.texts) {
      if (name.starts_with(kPersonaPrefix)) check.look(name, with_facts(kMatchNames), {}, {});
      if (name.starts_with(kPartPrefix) || name.starts_with(kPersonaPrefix) ||
          std::find(known.begin(), known.end(), name) != known.end() || game.stages.empty())
        continue;
      findings.push_back({Finding::Level::warning,
                          text.file + ": no stage of '" + std::string(game.id) + "' is called '" +
                              name + "'" + did_you_mean(name, known),
                          "name it for a stage, an event (event-NAME.txt), a seat's persona "
                          "(persona-SEAT.txt) or a component (part-NAME.txt)"});
    }
  } catch (const Error& error) {
    findings.push_back(
        wrong(error.where().empty() ? error.problem() : error.where() + ": " + error.problem(),
              error.hint()));
  }
  return findings;
}

}  // namespace agon::llm
