#include "suite/agents/prompts.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/game.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <filesystem>
#include <set>

#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "security/trust.hpp"
#include "text/hash.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
namespace fs = std::filesystem;

/// A prompt is written by a person; more than this is some other file.
constexpr std::uintmax_t kMostBytes = 1U << 20U;

/// The file of sentences beside the prompts of a language, without ".json", and the member of a
/// document that holds them all.
constexpr std::string_view kSentences = "sentences";
constexpr std::string_view kLanguage = "language";

/// What a folder says of itself, in its file and in a document.
constexpr std::string_view kFolderFile = "prompts.json";
constexpr std::string_view kFolder = "folder";

/// The story in a document.
constexpr std::string_view kSkin = "skin";

/// How the file of a persona begins; the name of its seat follows.
constexpr std::string_view kPersonaPrefix = "persona-";

/// What an agent reads in place of a language, and the folder of it among the prompts.
constexpr std::string_view kPublished = "published";

PromptSet::Text read_prompt(const fs::path& path) {
  std::error_code error;
  if (const std::uintmax_t size = fs::file_size(path, error); !error && size > kMostBytes)
    throw Error(ErrorKind::invalid, "a prompt is at most 1 MiB", path.string());
  PromptSet::Text text{json::read_file(path), path.string()};
  if (!text::is_utf8(text.text))
    throw Error(ErrorKind::invalid, "the file is not valid UTF-8", path.string(),
                "save it in that encoding");
  std::erase(text.text, '\r');  // what an editor elsewhere adds is no other prompt
  return text;
}

/// Names of the prompts in a folder and their files, `sentences` with them if it is of a language;
/// empty without the folder.
std::map<std::string, fs::path> files_of(const fs::path& folder, bool with_sentences) {
  std::map<std::string, fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path& path = entry.path();
    const bool is_read = path.extension() == ".txt" || path.filename() == kFolderFile ||
                         (with_sentences && path.filename() == std::string(kSentences) + ".json");
    if (is_read && entry.is_regular_file(error)) files.emplace(path.stem().string(), path);
  }
  return files;
}

/// Adds the sentences of a file: an object from the English ones to those of the language.
void add_sentences(Language::Sentences& sentences, const bj::value& file,
                   const std::string& place) {
  const auto refuse = [&](std::string_view english, const std::string& what,
                          const std::string& hint = "") {
    throw Error(ErrorKind::invalid, what, place + ": " + (json::Path() / english).str(), hint);
  };
  if (!file.is_object())
    throw Error(ErrorKind::invalid,
                "sentences are an object from English texts to their "
                "translations",
                place, "see docs/prompts.md");
  for (const auto& [english, said] : file.get_object()) {
    if (!said.is_string() || said.get_string().find_first_not_of(" \t\r\n") == bj::string::npos)
      refuse(english, "a translation is a text, and not empty");
    if (text::names_in_braces(english) != text::names_in_braces(said.get_string()))
      refuse(english, "the translation has other {names} than the sentence",
             "each name in braces stands in both");
    sentences[std::string(english)] = std::string(said.get_string());
  }
}

PromptFolder read_folder(std::string_view text, const std::string& place) {
  PromptFolder folder;
  if (const auto problem = read_json(folder, text, Missing::keeps))
    throw Error(ErrorKind::invalid, problem->what, place + ": " + problem->path,
                "see 'Published prompts' in docs/prompts.md");
  return folder;
}

std::string digest_of(const PromptSet& set) {
  return hash::hex(hash::sha256(prompts_document(set)));
}

/// What is put together for one language, or in the words that were published.
struct PromptLoading {
  std::string language;
  PromptSet set{};
  Language::Sentences sentences{};
  std::size_t added = 0;  ///< files

  [[nodiscard]] bool is_english() const { return language == "en"; }
  /// Names of what a folder has for the language, and their files; empty without the folder.
  [[nodiscard]] std::map<std::string, fs::path> files_in(const fs::path& folder) const {
    return files_of(is_english() ? folder : folder / language, !is_english());
  }
  void add(const std::string& name, const fs::path& path) {
    PromptSet::Text text = read_prompt(path);
    ++added;
    if (path.filename() == kFolderFile)
      set.folder = read_folder(json::write(json::parse(text.text, text.file)), text.file);
    else if (name == kSentences && !is_english())
      add_sentences(sentences, json::parse(text.text, text.file), text.file);
    else
      set.texts[name] = std::move(text);
  }
};

void add_own(PromptLoading& loading, const Game& game, const OwnPrompts& own,
             const std::string& beside, const std::string& where, Accesses* accesses) {
  std::map<std::string, fs::path> files;
  const auto path_of = [&](std::string_view name) {
    const fs::path path(name);
    return path.is_absolute() ? path : fs::path(beside) / path;
  };
  if (const auto* given = std::get_if<std::string>(&own)) {
    const fs::path folder = path_of(*given);
    if (accesses != nullptr && !accesses->may_read(folder, where)) return;
    std::error_code error;
    if (!fs::is_directory(folder, error))
      throw Error(ErrorKind::not_found, "folder '" + folder.string() + "' not found", where);
    files = loading.files_in(folder);
    if (files.empty() && loading.is_english() && !fs::is_directory(folder / kPublished, error))
      throw Error(ErrorKind::not_found, "the folder '" + folder.string() + "' has no .txt file",
                  where);
    std::erase_if(files, [&](const auto& file) {
      return accesses != nullptr && !accesses->may_read_in(folder, file.second, where);
    });
  } else {
    // "de/bid" is the prompt "bid" in that language.
    const std::string prefix = loading.is_english() ? "" : loading.language + "/";
    for (const auto& [name, file] : std::get<std::map<std::string, std::string>>(own)) {
      if (!name.starts_with(prefix)) continue;
      const std::string prompt = name.substr(prefix.size());
      const fs::path path = path_of(file);
      if (prompt.find('/') == std::string::npos &&
          (accesses == nullptr || accesses->may_read(path, where)))
        files.emplace(prompt, path);
    }
  }
  // A plugin's parts may have prompts of any name; nearly the name of a known one is a mistake.
  std::vector<std::string> known{"system", std::string(kSentences)};
  for (const StageCard& stage : game.stages) known.emplace_back(stage.name);
  for (const EventCard& event : game.events) known.push_back("event-" + std::string(event.name));
  for (const auto& entry : loading.set.texts) known.push_back(entry.first);
  for (const auto& [name, path] : files) {
    if (path.filename() != kFolderFile && !name.starts_with(kPersonaPrefix) &&
        std::find(known.begin(), known.end(), name) == known.end())
      if (const std::string near = text::nearest(name, known); !near.empty())
        throw Error(ErrorKind::invalid,
                    "nothing asks for the prompt '" + name + "' (did you mean '" + near + "'?)",
                    where);
    loading.add(name, path);
  }
}

}  // namespace

std::shared_ptr<const PromptSet> load_prompts(const Catalogue& catalogue, const Game& game,
                                              const std::vector<std::string>& roots,
                                              const std::optional<OwnPrompts>& own,
                                              const std::string& beside, const std::string& where,
                                              const std::string& language, Accesses* accesses) {
  std::vector<fs::path> folders;
  for (const std::string& root : roots) folders.push_back(fs::path(root) / "any-game");
  for (const std::string& root : roots) folders.push_back(fs::path(root) / game.id);
  if (const PluginEntry* plugin = catalogue.plugin_of_game(game.id))
    folders.push_back(fs::path(plugin->path).parent_path() / "prompts" / game.id);
  PromptLoading loading{language == kPublished ? "en" : language};
  const auto add_all = [&] {
    for (const fs::path& folder : folders)
      for (const auto& [name, path] : loading.files_in(folder)) loading.add(name, path);
    if (own) add_own(loading, game, *own, beside, where, accesses);
  };
  add_all();
  if (language == kPublished) {
    loading.language = kPublished;
    loading.added = 0;
    add_all();
    if (loading.added == 0)
      throw Error(ErrorKind::not_found,
                  "no published prompts ship with '" + std::string(game.id) + "'", where,
                  "put them into 'published' in a folder of prompts; see 'Published prompts' in "
                  "docs/prompts.md");
  } else if (!loading.is_english()) {
    loading.set.language = std::make_shared<const Language>(language, std::move(loading.sentences));
  }
  loading.set.digest = digest_of(loading.set);
  return std::make_shared<const PromptSet>(std::move(loading.set));
}

std::string prompts_document(const PromptSet& prompts) {
  bj::object document;
  for (const auto& [name, text] : prompts.texts) document[name] = text.text;
  const std::string folder = write_json(prompts.folder);
  if (folder != write_json(PromptFolder{})) document[kFolder] = json::parse(folder, "");
  if (prompts.language != nullptr) {
    bj::object sentences;
    for (const auto& [english, said] : prompts.language->sentences()) sentences[english] = said;
    document[kLanguage] =
        bj::object{{"id", prompts.language->id()}, {kSentences, std::move(sentences)}};
  }
  if (prompts.skin != nullptr)
    document[kSkin] = bj::object{{"name", prompts.skin->name()},
                                 {kSkin, json::parse(write_json(prompts.skin->text()), "")}};
  return json::write(bj::value(std::move(document)));
}

std::shared_ptr<const PromptSet> with_skin(const PromptSet& prompts,
                                           std::shared_ptr<const Skin> skin) {
  auto set = std::make_shared<PromptSet>(prompts);
  set->skin = std::move(skin);
  set->digest = digest_of(*set);
  return set;
}

std::shared_ptr<const PromptSet> read_prompts_document(std::string_view text,
                                                       const std::string& place) {
  auto set = std::make_shared<PromptSet>();
  const bj::value document = json::parse(text, place);
  if (!document.is_object()) throw Error(ErrorKind::invalid, "these are no prompts", place);
  for (const auto& entry : document.get_object()) {
    if (const bj::object* language = entry.value().if_object();
        language != nullptr && entry.key() == kLanguage && language->contains("id") &&
        language->at("id").is_string() && language->contains(kSentences)) {
      Language::Sentences sentences;
      add_sentences(sentences, language->at(kSentences), place);
      set->language = std::make_shared<const Language>(std::string(language->at("id").get_string()),
                                                       std::move(sentences));
      continue;
    }
    if (const bj::object* skin = entry.value().if_object();
        skin != nullptr && entry.key() == kSkin && skin->contains("name") &&
        skin->at("name").is_string() && skin->contains(kSkin)) {
      SkinText words;
      if (const auto problem = read_json(words, json::write(skin->at(kSkin)), Missing::keeps))
        throw Error(ErrorKind::invalid, problem->what, place + ": " + problem->path);
      set->skin = std::make_shared<const Skin>(std::string(skin->at("name").get_string()),
                                               std::move(words), place + ": $");
      continue;
    }
    if (entry.key() == kFolder && entry.value().is_object()) {
      set->folder = read_folder(json::write(entry.value()), place);
      continue;
    }
    if (!entry.value().is_string()) throw Error(ErrorKind::invalid, "these are no prompts", place);
    set->texts[std::string(entry.key())] = {
        std::string(entry.value().get_string()),
        place + " (recorded prompt '" + std::string(entry.key()) + "')"};
  }
  set->digest = digest_of(*set);
  return set;
}

}  // namespace agon
