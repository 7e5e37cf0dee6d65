#include "suite/scenario/skins.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/game.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <filesystem>
#include <set>

#include "describe/file_text.hpp"
#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "security/trust.hpp"
#include "suite/agents/prompts.hpp"
#include "suite/suite.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
namespace fs = std::filesystem;

constexpr std::string_view kGenerated = "generated-";

/// A prompt without its placeholders, which others fill in.
std::string without_placeholders(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find("{{"), text.size());
    out += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find("}}");
    if (close == std::string_view::npos) break;
    text.remove_prefix(close + 2);
    out += "\x1f";  // so that what stands on either side does not become a phrase
  }
  return out;
}

std::string names_of(const SkinFile& shipped) {
  std::string names;
  for (const auto& [name, skin] : shipped.skins) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::shared_ptr<const Skin> skin_of(const SkinFile& shipped, const std::string& name,
                                    SkinText words, const std::string& place) {
  if (words.amounts.empty()) words.amounts = shipped.amounts;
  return std::make_shared<const Skin>(name, std::move(words), place);
}

/// Makes of a scenario that in the words of a skin.
class SkinnedScenarios {
 public:
  SkinnedScenarios(Suite& suite, const suite_file::SuiteDocument& said, const Catalogue& catalogue,
                   const SuiteOptions& options, const FileText& text)
      : suite_(suite), said_(said), catalogue_(catalogue), options_(options), text_(text) {}

  void add() {
    const std::size_t own = suite_.scenarios.size();
    std::set<std::string> names;
    for (const Scenario& s : suite_.scenarios) names.insert(s.name);
    for (std::size_t i = 0; i < own; ++i) {
      const auto& mine = said_.scenarios[i].skins;
      if (!mine && !said_.skins) continue;
      const json::Path path =
          mine ? (json::Path() / "scenarios")[i] / "skins" : json::Path() / "skins";
      const SkinFile shipped = text_.placed(path, [&] {
        return shipped_skins(catalogue_, *suite_.scenarios[i].game, options_.prompt_folders);
      });
      for (const auto& [skin, place] : chosen(mine ? *mine : *said_.skins, shipped, path)) {
        Scenario told = in_skin(suite_.scenarios[i], skin, place);
        if (!names.insert(told.name).second)
          text_.fail("duplicate scenario name '" + told.name + "'", place,
                     "name each skin once, and no scenario like a skin's");
        suite_.scenarios.push_back(std::move(told));
      }
    }
  }

 private:
  using Chosen = std::vector<std::pair<std::shared_ptr<const Skin>, json::Path>>;

  Chosen chosen(const suite_file::Skins& said, const SkinFile& shipped, const json::Path& path) {
    if (shipped.skins.empty())
      text_.fail("the game has no skins", path, "leave it out, or name a file of your own");
    Chosen skins;
    if (const auto* number = std::get_if<std::uint64_t>(&said)) {
      if (*number < 1 || *number > 1000) text_.fail("must be 1 to 1000 skins", path);
      auto next = shipped.skins.begin();
      for (std::uint64_t n = 0, seed = 0; n < *number; ++n)
        if (next != shipped.skins.end()) {
          skins.emplace_back(find_skin(shipped, next->first, folder()), path);
          ++next;
        } else {
          skins.emplace_back(std::make_shared<const Skin>(generated_skin(shipped, ++seed)), path);
        }
      return skins;
    }
    const auto& list = std::get<1>(said);
    for (std::size_t n = 0; n < list.size(); ++n) {
      const json::Path place = path[n];
      if (const auto* seed = std::get_if<suite_file::GeneratedSkin>(&list[n])) {
        skins.emplace_back(std::make_shared<const Skin>(generated_skin(shipped, seed->generated)),
                           place);
        continue;
      }
      const auto& name = std::get<std::string>(list[n]);
      if (name.ends_with(".json") && options_.accesses != nullptr &&
          !options_.accesses->may_read(fs::path(folder()) / name, text_.where(place)))
        continue;
      skins.emplace_back(text_.placed(place, [&] { return find_skin(shipped, name, folder()); }),
                         place);
    }
    return skins;
  }

  [[nodiscard]] std::string folder() const { return fs::path(text_.file()).parent_path().string(); }

  Scenario in_skin(const Scenario& scenario, const std::shared_ptr<const Skin>& skin,
                   const json::Path& place) const {
    for (const auto& [language, prompts] : scenario.prompts)
      if (prompts->language != nullptr)
        text_.fail("an agent of scenario '" + scenario.name + "' reads '" + language +
                       "', and skins are in English",
                   place, "leave out the agent's \"language\", or the skins");
    const bool people = has_people(scenario);
    if (people && suite_.people && suite_.people->said.language != "en")
      text_.fail("people read '" + suite_.people->said.language + "' in scenario '" +
                     scenario.name + "', and skins are in English",
                 place, "leave out \"language\" of \"people\", or the skins");
    if (people && !scenario.instructions.markdown.empty())
      text_.fail("scenario '" + scenario.name +
                     "' has instructions of its own, which would be in the original's words",
                 place, "leave out its \"instructions\", or the skins");
    if (const std::string problem = problem_of(*skin, player_texts(scenario)); !problem.empty())
      text_.fail("the skin '" + skin->name() + "' does not fit scenario '" + scenario.name +
                     "': " + problem,
                 place, "give the skin another word");
    return agon::in_skin(scenario, skin, people);
  }

  [[nodiscard]] bool has_people(const Scenario& scenario) const {
    const std::set<int> players = scenario.players();
    return std::ranges::any_of(players, [&](int player) {
      return is_person(
          *suite_.agents[static_cast<std::size_t>(player)].in(scenario.game->id)->agent);
    });
  }

  Suite& suite_;
  const suite_file::SuiteDocument& said_;
  const Catalogue& catalogue_;
  const SuiteOptions& options_;
  const FileText& text_;
};

}  // namespace

SkinFile shipped_skins(const Catalogue& catalogue, const Game& game,
                       const std::vector<std::string>& prompt_roots) {
  std::vector<fs::path> folders;
  for (const std::string& root : prompt_roots) folders.push_back(fs::path(root) / game.id);
  if (const PluginEntry* plugin = catalogue.plugin_of_game(game.id))
    folders.push_back(fs::path(plugin->path).parent_path() / "prompts" / game.id);
  for (const fs::path& folder : folders) {
    std::error_code error;
    const fs::path file = folder / "skins.json";
    if (!fs::is_regular_file(file, error)) continue;
    const FileText text(json::read_file(file), file.string(), "see docs/skins.md");
    SkinFile skins = text.read<SkinFile>();
    text.check(skins);
    return skins;
  }
  return {};
}

std::shared_ptr<const Skin> find_skin(const SkinFile& shipped, const std::string& name,
                                      const std::string& beside) {
  if (name.ends_with(".json")) {
    const fs::path file = fs::path(name).is_absolute() ? fs::path(name) : fs::path(beside) / name;
    const FileText text(json::read_file(file), file.string(), "see docs/skins.md");
    const auto words = text.read<SkinText>();
    text.check(words);
    return skin_of(shipped, file.stem().string(), words, file.string() + ": $");
  }
  if (const auto at = shipped.skins.find(name); at != shipped.skins.end())
    return skin_of(shipped, name, at->second, "skins.json: $.skins." + name);
  std::uint64_t seed = 0;
  if (name.starts_with(kGenerated)) {
    const char* end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + kGenerated.size(), end, seed);
    if (read.ec == std::errc() && read.ptr == end)
      return std::make_shared<const Skin>(generated_skin(shipped, seed));
  }
  std::vector<std::string> known;
  for (const auto& [other, skin] : shipped.skins) known.push_back(other);
  throw Error(
      ErrorKind::not_found, "unknown skin '" + name + "'" + text::did_you_mean(name, known), "",
      known.empty()
          ? "the game has no skins; name a file that ends in .json"
          : "there are " + names_of(shipped) + ", generated-SEED, and files that end in .json");
}

std::vector<PlayerText> player_texts(const Scenario& scenario) {
  const GameCard& card = scenario.game->card;
  std::vector<PlayerText> texts{{"the title", std::string(card.title)}};
  for (const Treatment& treatment : scenario.treatments) {
    const Settings& settings = *treatment.settings;
    texts.push_back({"the rules", settings.rules()});
    const std::vector<SeatCard>& seats = settings.seating();
    for (std::size_t i = 0; i < seats.size(); ++i) {
      texts.push_back({"the name of seat " + std::to_string(i), seats[i].name});
      texts.push_back({"the role of seat " + std::to_string(i), seats[i].role});
      if (card.persona_for != nullptr)
        texts.push_back(
            {"the persona of seat " + std::to_string(i),
             card.persona_for(settings.get(), static_cast<int>(i), Language::english())});
    }
  }
  for (const StageCard& stage : scenario.game->stages)
    texts.push_back({"stage " + std::string(stage.name), std::string(stage.doc)});
  for (const auto& [language, prompts] : scenario.prompts)
    for (const auto& [name, prompt] : prompts->texts)
      texts.push_back({prompt.file, without_placeholders(prompt.text)});
  return texts;
}

std::string problem_of(const Skin& skin, const std::vector<PlayerText>& texts) {
  for (const PlayerText& one : texts)
    if (std::string problem = skin.problem_of(one.text); !problem.empty())
      return one.what + ": " + problem;
  return {};
}

Scenario in_skin(const Scenario& scenario, const std::shared_ptr<const Skin>& skin, bool people) {
  Scenario told = scenario;
  told.name += "/" + skin->name();
  told.same_draws_as = scenario.draws();
  told.factors.emplace_back(kSkinFactor);
  for (Treatment& treatment : told.treatments) {
    bj::object values = json::parse(treatment.values, "treatment").as_object();
    values[kSkinFactor] = skin->name();
    treatment.values = json::write(bj::value(std::move(values)));
  }
  for (auto& entry : told.prompts) entry.second = with_skin(*entry.second, skin);
  if (people) told.people_prompts = with_skin({}, skin);
  told.pages.clear();  // their words are the original's: people have the ordinary form
  return told;
}

void add_skins(Suite& suite, const suite_file::SuiteDocument& said, const Catalogue& catalogue,
               const SuiteOptions& options, const FileText& text) {
  SkinnedScenarios(suite, said, catalogue, options, text).add();
}

}  // namespace agon
