#include "suite/people/people_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "suite/people/markdown.hpp"
#include "suite/suite.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

/// By how the file begins, whatever its name says; empty: it is no picture that browsers show.
std::string picture_type(const std::filesystem::path& file) {
  std::array<char, 12> begins{};
  std::ifstream(file, std::ios::binary).read(begins.data(), begins.size());
  const std::string_view bytes(begins.data(), begins.size());
  if (bytes.starts_with("\x89PNG\r\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (bytes.starts_with("GIF8")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(8) == "WEBP") return "image/webp";
  if (file.extension() == ".svg" && bytes.find('<') != std::string_view::npos)
    return "image/svg+xml";
  return {};
}

bool is_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

PeoplePicture find_picture(const FileText& text, const json::Path& path, const std::string& name,
                           const std::filesystem::path& beside, const std::string& folder) {
  if (name.find("://") != std::string::npos || name.starts_with("data:"))
    text.fail("the picture '" + name + "' is not in the suite's folder", path,
              "pages load nothing from other hosts: put it beside the suite");
  std::error_code none;
  const std::filesystem::path home =
      std::filesystem::weakly_canonical(folder.empty() ? "." : folder, none);
  const std::filesystem::path file = std::filesystem::weakly_canonical(beside / name, none);
  if (!is_below(file, home))
    text.fail("the picture '" + name + "' is not in the suite's folder", path,
              "put it beside the suite");
  if (!std::filesystem::is_regular_file(file, none))
    text.fail("the picture '" + name + "' is not there", path, "it is looked for beside its file");
  if (const std::uintmax_t size = std::filesystem::file_size(file, none); size > kLargestPicture)
    text.fail(fmt::format("the picture '{}' has {:.1f} MB", name, static_cast<double>(size) / 1e6),
              path,
              fmt::format("{} MB are the most: everybody loads it", kLargestPicture / 1'000'000));
  std::string type = picture_type(file);
  if (type.empty())
    text.fail("'" + name + "' is no picture", path, "PNG, JPEG, GIF, WebP and SVG are");
  return {name, file, std::move(type)};
}

StageKind kind_of(const FileText& text, const suite_file::StageEntry& said,
                  const json::Path& path) {
  std::vector<StageKind> kinds;
  if (said.questionnaire) kinds.push_back(StageKind::questionnaire);
  if (said.instructions) kinds.push_back(StageKind::instructions);
  if (said.quiz) kinds.push_back(StageKind::quiz);
  if (said.play) kinds.push_back(StageKind::play);
  const std::string hint = "write one of questionnaire, instructions, quiz and play";
  if (kinds.empty()) text.fail("the stage says nothing of what is done in it", path, hint);
  if (kinds.size() > 1)
    text.fail(fmt::format("a stage is one thing, and this is {} and {}", name_of(kinds[0]),
                          name_of(kinds[1])),
              path, "make a stage of each");
  if (said.attempts && kinds[0] != StageKind::quiz)
    text.fail("only a quiz has attempts", path / "attempts", "leave it out");
  return kinds[0];
}

}  // namespace

PeopleText read_people_text(const FileText& text, const json::Path& path, const std::string& name,
                            const std::string& folder, const ReadNamedFile& read) {
  constexpr std::size_t kLongest = 1'000'000;
  PeopleText found{.markdown = read(name, path)};
  if (found.markdown.size() > kLongest)
    text.fail(fmt::format("'{}' has {} bytes", name, found.markdown.size()), path,
              fmt::format("{} are the most", kLongest));
  if (!agon::text::is_utf8(found.markdown))
    text.fail("'" + name + "' is no text", path, "save it as UTF-8");
  const std::filesystem::path file = std::filesystem::path(name).is_absolute()
                                         ? std::filesystem::path(name)
                                         : std::filesystem::path(folder) / name;
  for (const std::string& picture : pictures_of(read_markdown(found.markdown)))
    found.pictures.push_back(find_picture(text, path, picture, file.parent_path(), folder));
  return found;
}

std::vector<PeopleStage> StageReader::read() const {
  const suite_file::People& people = suite_.people->said;
  const PeopleStage rules{.kind = StageKind::rules, .name = "rules"};
  const bool has_rules = people.instructions || suite_.people->trial;
  std::vector<PeopleStage> stages;
  if (!people.stages) {
    if (has_rules) stages.push_back(rules);
    stages.push_back({.kind = StageKind::play,
                      .name = "play",
                      .scenarios = scenarios_of_people(),
                      .matches = people.matches});
    return stages;
  }
  const json::Path path = json::Path() / "people" / "stages";
  if (people.matches != 1)
    text_.fail("conflicts with \"stages\"", json::Path() / "people" / "matches",
               "say it in the stages that play");
  std::vector<PeopleStage> named;
  for (std::size_t i = 0; i < people.stages->size(); ++i)
    named.push_back(read_stage((*people.stages)[i], path[i]));
  give_names(*people.stages, named);
  // The rules and the practice match come before the first match.
  bool plays = false;
  for (PeopleStage& stage : named) {
    if (stage.kind == StageKind::play && !std::exchange(plays, true) && has_rules)
      stages.push_back(rules);
    stages.push_back(std::move(stage));
  }
  if (!plays && !suite_.scenarios.empty())
    text_.fail("in no stage anybody plays", path,
               "write { \"play\": {} } where matches come; a survey has no \"scenarios\"");
  return stages;
}

PeopleStage StageReader::read_stage(const suite_file::StageEntry& said,
                                    const json::Path& path) const {
  PeopleStage stage{.kind = kind_of(text_, said, path)};
  switch (stage.kind) {
    case StageKind::questionnaire:
      check_questions(text_, path / "questionnaire", *said.questionnaire, false);
      stage.questions = *said.questionnaire;
      break;
    case StageKind::quiz:
      check_questions(text_, path / "quiz", *said.quiz, true);
      stage.questions = *said.quiz;
      stage.attempts = said.attempts.value_or(0);
      break;
    case StageKind::instructions:
      stage.text =
          read_people_text(text_, path / "instructions", *said.instructions, folder_, read_);
      break;
    default:
      read_play(*said.play, path / "play", stage);
      break;
  }
  return stage;
}

std::vector<std::string> StageReader::scenarios_of_people() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < suite_.scenarios.size(); ++i)
    if (people_in_(i, 1) > 0) names.push_back(suite_.scenarios[i].name);
  return names;
}

void StageReader::read_play(const suite_file::PlayEntry& said, const json::Path& path,
                            PeopleStage& stage) const {
  std::vector<std::string> known;
  for (const Scenario& s : suite_.scenarios) known.push_back(s.name);
  stage.scenarios = scenarios_of_people();
  if (said.scenarios) {
    std::set<std::string> chosen;
    for (std::size_t i = 0; i < said.scenarios->size(); ++i) {
      const std::string& name = (*said.scenarios)[i];
      const json::Path place = (path / "scenarios")[i];
      if (std::find(known.begin(), known.end(), name) == known.end())
        text_.fail("unknown scenario '" + name + "'" + text::did_you_mean(name, known), place,
                   "expected " + text::joined(known));
      if (std::find(stage.scenarios.begin(), stage.scenarios.end(), name) == stage.scenarios.end())
        text_.fail("no seat of '" + name + "' is a person's", place,
                   "name an agent \"human\" in its design, or leave it out");
      if (!chosen.insert(name).second) text_.fail("duplicate scenario '" + name + "'", place);
    }
    stage.scenarios = *said.scenarios;
  }
  if (said.groups && said.matching)
    text_.fail("conflicts with \"groups\"", path / "matching", "leave one of them out");
  stage.play = said;
  const auto is_played = [&](const Scenario& s) {
    return std::find(stage.scenarios.begin(), stage.scenarios.end(), s.name) !=
           stage.scenarios.end();
  };
  for (const Scenario& s : suite_.scenarios)
    if (is_played(s)) stage.matches += s.sequence;
  stage.matches = said.matches.value_or(stage.matches);
  std::uint64_t there = 0;
  for (std::size_t i = 0; i < suite_.scenarios.size() && there < stage.matches; ++i)
    if (is_played(suite_.scenarios[i])) there += people_in_(i, stage.matches);
  if (there < stage.matches)
    text_.fail(fmt::format("nobody can play {} matches: its scenarios have {} with a person's seat",
                           stage.matches, there),
               path, "raise their \"blocks\", or ask for fewer \"matches\"");
}

void StageReader::give_names(const std::vector<suite_file::StageEntry>& said,
                             std::vector<PeopleStage>& stages) const {
  const json::Path path = json::Path() / "people" / "stages";
  std::set<std::string> taken;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!said[i].name) continue;
    const std::string& name = stages[i].name = *said[i].name;
    if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") != std::string::npos)
      text_.fail("a stage's name has small letters, digits, - and _", path[i] / "name",
                 "write \"before\"");
    if (!taken.insert(name).second)
      text_.fail("duplicate stage name '" + name + "'", path[i] / "name", "give each its own name");
  }
  for (PeopleStage& stage : stages) {
    if (!stage.name.empty()) continue;
    stage.name = name_of(stage.kind);
    for (int n = 2; !taken.insert(stage.name).second; ++n)
      stage.name = fmt::format("{}-{}", name_of(stage.kind), n);
  }
}

}  // namespace agon
