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

std::string_view without_blanks(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.-") ==
                              std::string_view::npos;
}

}  // namespace

Template::Template(std::string text, const std::string& file) : text_(std::move(text)) {
  std::string_view rest = text_;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    Line made;
    made.is_blank = without_blanks(line).empty();
    const auto refuse = [&](const std::string& problem) {
      throw Error(ErrorKind::invalid, problem, file + ":" + std::to_string(number),
                  "write {{name}}; docs/prompts.md lists the names");
    };
    while (!line.empty()) {
      const std::size_t open = line.find("{{");
      if (line.substr(0, open).find("}}") != std::string_view::npos)
        refuse("there is a '}}' without its '{{'");
      if (open != 0) made.pieces.push_back({line.substr(0, open), false});
      if (open == std::string_view::npos) break;
      const std::size_t close = line.find("}}", open);
      if (close == std::string_view::npos) refuse("a '{{' is not closed in its line");
      const std::string_view name = without_blanks(line.substr(open + 2, close - open - 2));
      if (!is_name(name)) refuse("'" + std::string(name) + "' is no name");
      made.pieces.push_back({name, true});
      made.has_names = true;
      uses_.push_back({name, number});
      line.remove_prefix(close + 2);
    }
    lines_.push_back(std::move(made));
  }
}

std::string Template::fill(const std::function<std::string(std::string_view)>& value) const {
  std::string out;
  bool any_names = false, any_filled = false;
  std::string paragraph;
  const auto close_paragraph = [&] {
    if (!paragraph.empty() && (any_filled || !any_names)) {
      if (!out.empty()) out += "\n";
      out += paragraph;
    }
    paragraph.clear();
    any_names = any_filled = false;
  };
  for (const Line& line : lines_) {
    if (line.is_blank) {
      close_paragraph();
      continue;
    }
    bool filled = false;
    const std::size_t start = paragraph.size();
    for (const Piece& piece : line.pieces) {
      if (!piece.is_name) {
        paragraph += piece.text;
        continue;
      }
      const std::string text = value(piece.text);
      filled = filled || !text.empty();
      paragraph += text;
    }
    if (line.has_names) {
      any_names = true;
      any_filled = any_filled || filled;
      if (!filled) {
        paragraph.resize(start);
        continue;
      }
    }
    paragraph += "\n";
  }
  close_paragraph();
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

namespace {

constexpr std::array<std::string_view, 6> kSystemNames{"title", "rules",  "seat",
                                                       "role",  "others", "persona"};
constexpr std::array<std::string_view, 13> kCommonNames{
    "title", "rules", "seat", "role",    "others", "persona", "task",
    "stage", "news",  "plan", "beliefs", "notes",  "view"};

/// Prompt files of parts are called so; the others are `system`, `task` and stages.
constexpr std::string_view kPartPrefix = "part-";

Finding wrong(std::string what, std::string hint) {
  return {Finding::Level::error, std::move(what), std::move(hint)};
}

/// Looks at one file: `allowed` are all names that it may use, `required` those that it must.
class FileCheck {
 public:
  FileCheck(const Prompts& prompts, std::vector<Finding>& findings)
      : prompts_(prompts), findings_(findings) {}

  void look(std::string_view file, const std::vector<std::string>& allowed,
            const std::vector<std::string_view>& required, std::string_view why) {
    const Template& text = prompts_.get(file);
    const std::string& path = prompts_.file(file);
    for (const Template::Use& use : text.uses()) {
      if (std::find(allowed.begin(), allowed.end(), use.name) != allowed.end()) continue;
      std::string what = path + ":" + std::to_string(use.line) + ": nothing is called '" +
                         std::string(use.name) + "' here" + did_you_mean(use.name, allowed);
      if (told_.insert(what).second)
        findings_.push_back(wrong(std::move(what), "docs/prompts.md lists the names"));
    }
    for (const std::string_view name : required) {
      const bool used = std::any_of(text.uses().begin(), text.uses().end(),
                                    [&](const Template::Use& use) { return use.name == name; });
      if (used) continue;
      std::string what = path + ": it leaves out {{" + std::string(name) + "}}, " +
                         std::string(why.empty() ? "which a part of the agent may fill" : why);
      if (told_.insert(what).second)
        findings_.push_back(wrong(std::move(what),
                                  "put it where it belongs; lines whose names are all empty are "
                                  "left out of the prompt"));
    }
  }

 private:
  const Prompts& prompts_;
  std::vector<Finding>& findings_;
  std::set<std::string> told_;
};

void add_members(std::vector<std::string>& names, std::string_view prefix, const Type* type) {
  if (type == nullptr) return;
  for (const Field& f : type->fields) names.push_back(std::string(prefix) + std::string(f.name));
}

}  // namespace

Prompts::Prompts(std::shared_ptr<const PromptSet> set) : set_(std::move(set)) {
  for (const auto& [name, text] : set_->texts) templates_.try_emplace(name, text.text, text.file);
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

std::span<const std::string_view> common_names() {
  return kCommonNames;
}

std::span<const std::string_view> system_names() {
  return kSystemNames;
}

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

namespace {

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
    std::vector<std::string> facts;
    add_members(facts, "facts.", card.facts);
    const auto with_facts = [&](std::span<const std::string_view> names) {
      std::vector<std::string> all(names.begin(), names.end());
      all.insert(all.end(), facts.begin(), facts.end());
      return all;
    };

    check.look("system", with_facts(kSystemNames), {"rules", "persona"}, {});
    for (const StageCard& stage : game.stages) {
      std::vector<std::string> names = with_facts(kCommonNames);
      const bool own = prompts.find(stage.name) != nullptr;
      if (own) add_members(names, "view.", stage.view);
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
      std::vector<std::string> names = with_facts(kCommonNames);
      names.insert(names.end(), use.names.begin(), use.names.end());
      check.look(use.file, names, {use.names.begin(), use.names.end()},
                 "which the part that reads it fills");
    }
    // A file that nobody asks for was meant for something.
    std::vector<std::string> known{"system", "task", std::string(kTakeAlong.name)};
    for (const StageCard& stage : game.stages) known.emplace_back(stage.name);
    for (const auto& [name, text] : set.texts) {
      if (name.starts_with(kPartPrefix) ||
          std::find(known.begin(), known.end(), name) != known.end() || game.stages.empty())
        continue;
      findings.push_back({Finding::Level::warning,
                          text.file + ": no stage of '" + std::string(game.id) + "' is called '" +
                              name + "'" + did_you_mean(name, known),
                          "name it for a stage, or for a part: part-NAME.txt"});
    }
  } catch (const Error& error) {
    findings.push_back(
        wrong(error.where().empty() ? error.problem() : error.where() + ": " + error.problem(),
              error.hint()));
  }
  return findings;
}

}  // namespace agon::llm
