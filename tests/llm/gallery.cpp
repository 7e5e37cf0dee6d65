#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "catch.hpp"
#include "json/parse.hpp"
#include "model_table.hpp"
#include "text/hash.hpp"

namespace llm_gallery_test {
namespace {

using namespace agon;
using namespace agon::test;

/// Sides of a bargain that meet halfway: random ones walk away at once.
ModelCall haggles(const ModelRequest& request) {
  const auto has = [&](std::string_view words) {
    return request.schema.find(words) != std::string::npos;
  };
  if (!has("\"talk\"")) return said("I come to meet the other side slowly.");
  const std::string thought = has("\"thought\"") ? R"("thought":"There is time.",)" : "";
  const int nearer = 5 * static_cast<int>(request.messages.size());
  return said("{" + thought + R"("talk":"What about this?","action":{"kind":)" +
              (has("\"buy\"") ? R"("buy","price":)" + std::to_string(150 + nearer)
                              : R"("sell","price":)" + std::to_string(300 - nearer)) +
              "}}");
}

struct Shown {
  std::string_view game;
  std::string_view settings;  ///< short matches: what changes is the memory only
  ModelCall (*say)(const ModelRequest&) = nullptr;  ///< null: at random
  std::string_view language{};                      ///< empty: English
};
const Shown kGames[] = {
    {"bargaining", R"({"preset": "agon"})", &haggles},
    {"classic", R"({"rounds": 2})"},
    {"clock-auction", R"({"rounds": 3})"},
    {"deal-or-no-deal", R"({"max_rounds": 4})"},
    {"ebay", R"({"days": 4})"},
    {"english-auction", R"({"arena": "demo"})"},
    {"guess-average", R"({"rounds": 5})"},
    {"play-rating",
     R"({"records": [{"id": "R01", "key": "a", "text": "Game: g\nThe player to rate: Ann"}]})"},
    {"sealed-bid", R"({"rounds": 4})"},
    {"survival-auction", R"({"days": 5})"},
    {"water-allocation", R"({"days": 5, "persona": true})"},
};
constexpr std::string_view kTranslated[] = {"guess-average", "water-allocation"};
constexpr std::string_view kLanguages[] = {"de", "zh"};

struct Architecture {
  std::string_view name;
  std::string_view parts;  ///< those that are not the default
};
constexpr Architecture kArchitectures[] = {
    {"default", ""},
    {"notebook", "memory=notebook planning=adaptive beliefs=on reasoning=chain-of-thought"},
};

/// All requests of the first, the middle and the last question that the first seat was asked.
std::string gallery(const Shown& shown, const Architecture& architecture) {
  Ledgers ledgers;
  const MatchResult result =
      ModelTable(shown.game, shown.settings)
          .everybody(std::string(architecture.parts) +
                         (shown.language.empty() ? "" : " language=") + std::string(shown.language),
                     std::make_shared<ScriptedModel>(shown.say))
          .ledgers(ledgers)
          .play();
  INFO(shown.game << ", " << architecture.name << ": " << result.problem);
  REQUIRE(result.end == End::finished);
  std::vector<std::uint32_t> asked;
  for (const auto& [key, call] : ledgers.calls)
    if (std::get<0>(key) == 0 && (asked.empty() || asked.back() != std::get<1>(key)))
      asked.push_back(std::get<1>(key));
  REQUIRE(!asked.empty());
  const std::set<std::uint32_t> picked{asked.front(), asked[asked.size() / 2], asked.back()};
  std::string text =
      "# " + std::string(shown.game) + ", " + std::string(architecture.name) +
      (shown.language.empty() ? "" : ", in " + std::string(shown.language)) + "\n\nSettings " +
      std::string(shown.settings) + ", parts " +
      (architecture.parts.empty() ? "as by default" : std::string(architecture.parts)) +
      ". All that a model in the first seat is sent at its first, its middle and its "
      "last question, in a match of models that " +
      (shown.say == nullptr ? "answer at random" : "meet halfway") +
      ". A test keeps it "
      "(`AGON_UPDATE_SNAPSHOTS=1 test_llm \"The gallery*\"` writes it again).\n";
  for (const auto& [key, call] : ledgers.calls) {
    const auto& [seat, question, attempt, index] = key;
    if (seat != 0 || !picked.contains(question)) continue;
    text += "\n## Question " + std::to_string(question) +
            (attempt > 0 ? ", attempt " + std::to_string(attempt + 1) : "") + ": " + call.purpose +
            "\n";
    for (const ChatMessage& m : call.messages)
      text += "\n### " + m.role + "\n\n~~~\n" + m.text + "\n~~~\n";
    text += "\n### it said\n\n~~~\n" + call.text + "\n~~~\n";
  }
  return text;
}

}  // namespace

TEST_CASE("The gallery of prompts is what models are sent") {
  namespace fs = std::filesystem;
  const fs::path source = AGON_TEST_SOURCE;
  const fs::path built = fs::path(AGON_TEST_SHARE).parent_path().parent_path() / "prompts-gallery";
  fs::create_directories(built);
  const char* update = std::getenv("AGON_UPDATE_SNAPSHOTS");
  const bool renew = update != nullptr && std::string_view(update) == "1";
  const auto write = [](const fs::path& file, std::string_view text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    REQUIRE(out);
  };
  CHECK(std::size(kGames) == game_ids().size() + 1);  // judges play alone
  std::vector<Shown> pages(std::begin(kGames), std::end(kGames));
  for (const Shown& shown : kGames)
    if (std::find(std::begin(kTranslated), std::end(kTranslated), shown.game) !=
        std::end(kTranslated))
      for (const std::string_view language : kLanguages)
        pages.push_back({shown.game, shown.settings, shown.say, language});
  std::string digests;
  for (const Shown& shown : pages)
    for (const Architecture& architecture : kArchitectures) {
      const std::string text = gallery(shown, architecture);
      const std::string name = std::string(shown.game) + "-" + std::string(architecture.name) +
                               (shown.language.empty() ? "" : "-" + std::string(shown.language)) +
                               ".md";
      write(built / name, text);
      digests += hash::hex(hash::sha256(text)) + "  ./" + name + "\n";
    }
  const fs::path expected = source / "tests" / "llm" / "gallery.sha256";
  if (renew) write(expected, digests);
  INFO("look at " << built.string()
                  << "; if the changes are meant: AGON_UPDATE_SNAPSHOTS=1 test_llm "
                     "\"The gallery*\"");
  CHECK(json::read_file(expected) == digests);
}

}  // namespace llm_gallery_test
