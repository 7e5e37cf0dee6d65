#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <charconv>
#include <filesystem>

#include "classic/game.hpp"

namespace classic {
namespace {

using agon::JsonNode;

constexpr const char* kMend =
    "give the files as they are published, whose names say who played for what: friendly_1000.json";

/// What the name of a file says.
struct Named {
  std::string personality;
  std::int64_t jackpot = 0;
};

Named named(const agon::InputFile& file) {
  const std::string stem = std::filesystem::path(file.name).stem().string();
  Named n;
  const std::size_t end = stem.find('_');
  n.personality = stem.substr(0, end);
  std::string_view rest = end == std::string::npos ? "" : std::string_view(stem).substr(end + 1);
  if (rest.ends_with("_2")) rest.remove_suffix(2);  // the second file of a cell
  const auto [stop, code] = std::from_chars(rest.data(), rest.data() + rest.size(), n.jackpot);
  if (n.personality.empty() || code != std::errc() || stop != rest.data() + rest.size() ||
      n.jackpot < 1)
    throw agon::Error(agon::ErrorKind::invalid,
                      "the name of the file does not say personality and jackpot", file.name,
                      kMend);
  return n;
}

/// Files of this name hold what people decided.
constexpr std::string_view kPeople = "people";

agon::PublishedSeat seat(const Named& who, const JsonNode& action) {
  std::string json = R"({"action": )";
  agon::append_json_text(json, action.text());
  json += '}';
  if (who.personality == kPeople) return {std::string(kPeople), {}, {{"choose", {{json}}}}};
  return {"claude-3-sonnet", {{"personality", who.personality}}, {{"choose", {{json}}}}};
}

void read_file(const agon::InputFile& file, agon::Imported& result) {
  const Named who = named(file);
  const agon::JsonDocument document(file.bytes, file.name);
  const JsonNode root = document.root();
  const auto decisions =
      root.kind() == JsonNode::Kind::object ? root.find("decisions") : std::nullopt;
  if (!decisions) root.fail("these are no Golden Balls results: \"decisions\" is missing", kMend);
  if (const auto talks = root.find("negotiation"); talks && talks->size() > 0)
    talks->fail("the players talked before they chose, which is not published of Golden Balls",
                kMend);
  const std::size_t scenario = result.place(
      {fmt::format("golden balls, jackpot {}", who.jackpot), "classic",
       fmt::format(R"({{"preset": "paper", "game": "golden-balls", "scale": {}}})", who.jackpot)});
  const std::vector<std::size_t> lines = decisions->element_lines();
  for (std::size_t i = 0; i < decisions->size(); ++i) {
    const JsonNode decision = (*decisions)[i];
    result.matches.push_back(
        {file.name,
         lines[i],
         scenario,
         {seat(who, decision["Alice_action"]), seat(who, decision["Bob_action"])}});
  }
}

agon::Imported read(std::span<const agon::InputFile> files) {
  agon::Imported result = agon::read_each(files, &read_file);
  result.summary = fmt::format("{} games of Golden Balls from {} files", result.matches.size(),
                               files.size() - result.bad_rows.size());
  return result;
}

}  // namespace

agon::Importer golden_balls_importer() {
  return {
      .id = "golden-balls",
      .doc =
          "reads the published decisions in Golden Balls (PERSONALITY_JACKPOT.json), or those of "
          "people in the same form (people_JACKPOT.json), as matches of classic",
      .extension = ".json",
      .read = &read,
      .imports = agon::Imports::matches,
      .source =
          "github.com/Wenyueh/game_theory, src/result/human_verification (Hua et al. "
          "2024)",
      .licence = "Apache-2.0"};
}

}  // namespace classic
