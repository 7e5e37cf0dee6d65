#include "people/forms/readings.hpp"

#include "describe/value.hpp"
#include "json/parse.hpp"
#include "suite/people/markdown.hpp"

namespace agon::serve {

Readings::Readings(const Suite& suite) {
  for (std::size_t i = 0; i < suite.people->stages.size(); ++i)
    if (const PeopleStage& stage = suite.people->stages[i]; stage.kind == StageKind::instructions)
      by_stage_[static_cast<std::int64_t>(i) + 1] = add(stage.text);
  for (const Scenario& s : suite.scenarios)
    if (!s.instructions.markdown.empty()) by_scenario_[s.name] = add(s.instructions);
}

std::size_t Readings::add(const PeopleText& text) {
  const auto [at, is_new] = by_text_.try_emplace(text.markdown, all_.size());
  if (!is_new) return at->second;
  std::vector<MarkdownBlock> blocks = read_markdown(text.markdown);
  Reading reading;
  if (!blocks.empty() && blocks[0].kind == MarkdownKind::heading && blocks[0].level == 1) {
    for (const MarkdownSpan& span : blocks[0].lines[0].cells[0]) reading.title += span.text;
    blocks.erase(blocks.begin());
  }
  std::map<std::string, std::string> addresses;
  for (const PeoplePicture& picture : text.pictures) {
    const auto [known, added] = by_picture_.try_emplace(picture.file.string(), pictures_.size());
    if (added) pictures_.push_back({picture.type, json::read_file(picture.file)});
    reading.pictures.push_back(known->second);
    addresses[picture.name] = "picture/" + std::to_string(known->second);
  }
  for (MarkdownBlock& block : blocks)
    for (MarkdownLine& line : block.lines)
      for (auto& cell : line.cells)
        for (MarkdownSpan& span : cell)
          if (!span.picture.empty()) span.picture = addresses[span.picture];
  reading.blocks = write_json(blocks);
  all_.push_back(std::move(reading));
  return at->second;
}

std::optional<std::size_t> Readings::of_stage(std::int64_t stage) const {
  const auto at = by_stage_.find(stage);
  return at == by_stage_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<std::size_t> Readings::of_scenario(std::string_view name) const {
  const auto at = by_scenario_.find(name);
  return at == by_scenario_.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace agon::serve
