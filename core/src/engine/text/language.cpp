#include "text/language.hpp"

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/game.hpp>
#include <agon/language.hpp>
#include <agon/learning.hpp>
#include <agon/spoken.hpp>
#include <algorithm>
#include <utility>

#include "text/utf8.hpp"

namespace agon {
namespace {

/// How much of a text a message repeats.
constexpr std::size_t kShown = 120;

/// The end of the name that begins behind the brace at `at`; `at` if there is none.
std::size_t name_end(std::string_view sentence, std::size_t at) {
  const std::size_t end = sentence.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 1);
  return end != std::string_view::npos && end > at + 1 && sentence[end] == '}' ? end : at;
}

}  // namespace

Language::Language(std::string id, Sentences sentences)
    : id_(std::move(id)), sentences_(std::move(sentences)) {}

const Language& Language::english() {
  static const Language language;
  return language;
}

std::string_view Language::text(std::string_view english) const {
  if (is_english() || english.empty()) return english;
  const auto found = sentences_.find(english);
  if (found == sentences_.end())
    throw Error(ErrorKind::not_found,
                "the language '" + id_ + "' lacks \"" + text::shorten(english, kShown) + "\"", "",
                "add it to the sentences.json of the game's prompts in '" + id_ +
                    "', or of the scenario's own; docs/prompts.md");
  return found->second;
}

std::string_view Language::own_text(std::string_view words) const {
  const auto found = sentences_.find(words);
  return found == sentences_.end() ? words : std::string_view(found->second);
}

std::string Language::say(std::string_view sentence, std::span<const Filled> with) const {
  const std::string_view words = text(sentence);
  std::size_t size = words.size();
  for (const Filled& f : with) size += f.text.size();
  std::string out;
  out.reserve(size);
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = words[at] == '{' ? name_end(words, at) : at;
    if (end == at) {
      out += words[at++];
      continue;
    }
    const std::string_view name = words.substr(at + 1, end - at - 1);
    const auto found =
        std::find_if(with.begin(), with.end(), [&](const Filled& f) { return f.name == name; });
    if (found == with.end())
      throw Error(ErrorKind::not_found, "nothing stands for {" + std::string(name) + "} in \"" +
                                            text::shorten(words, kShown) + "\"");
    out += found->text;
    at = end + 1;
  }
  return out;
}

std::string Language::say(std::string_view sentence, std::initializer_list<Filled> with) const {
  return say(sentence, std::span(with.begin(), with.size()));
}

std::string Language::counted(std::int64_t n, std::string_view one, std::string_view many) const {
  return say(n == 1 ? one : many, {{"n", std::to_string(n)}});
}

std::string Language::listed(std::span<const std::string> words) const {
  if (words.empty()) return {};
  std::string some = words.front();
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    some = say(ArenaLine("{first}, {second}"), {{"first", std::move(some)}, {"second", words[i]}});
  if (words.size() == 1) return some;
  return say(ArenaLine("{some} and {last}"), {{"some", std::move(some)}, {"last", words.back()}});
}

std::string Language::then(std::string_view first, std::string_view second) const {
  if (first.empty() || second.empty()) return std::string(first.empty() ? second : first);
  return say(ArenaLine("{first} {second}"),
             {{"first", std::string(first)}, {"second", std::string(second)}});
}

std::string Saying::in(const Language& language) const {
  std::vector<Filled> with;
  for (const Part& part : parts)
    with.push_back(
        {part.name, part.is_sentence ? std::string(language.text(part.text)) : part.text});
  return language.say(sentence, with);
}

std::span<const std::string_view> arena_sentences() {
  return kArenaSentences;
}

namespace {

/// What a description says of a value that is asked for: it stands in the schema and in forms.
void add_docs(std::set<std::string_view>& texts, const Type& type) {
  for (const Field& f : type.fields) {
    texts.insert(f.doc);
    texts.insert(f.unit);
    add_docs(texts, *f.type);
  }
  for (const Enumerator& e : type.enumerators) texts.insert(e.doc);
  if (type.element != nullptr) add_docs(texts, *type.element);
  for (const Type* alternative : type.alternatives) add_docs(texts, *alternative);
}

}  // namespace

std::set<std::string_view> spoken_texts(const Game& game) {
  const GameCard& card = game.card;
  std::set<std::string_view> texts{card.title, card.rules, card.score, kTakeAlong.doc};
  for (const auto sentences : {arena_sentences(), card.sentences})
    texts.insert(sentences.begin(), sentences.end());
  add_docs(texts, type_of<Learnings>());
  for (const StageCard& stage : game.stages) {
    texts.insert(stage.doc);
    add_docs(texts, *stage.answer);
  }
  if (card.facts != nullptr)
    for (const Field& f : card.facts->fields)
      if (f.phase) texts.insert(f.unit.empty() ? f.name : f.unit);
  texts.erase("");
  return texts;
}

bool can_be_told(const Game& game, const Language& language) {
  const bool in_words =
      std::all_of(game.stages.begin(), game.stages.end(),
                  [](const StageCard& s) { return s.view == nullptr || s.telling != nullptr; }) &&
      std::all_of(game.events.begin(), game.events.end(), [](const EventCard& e) {
        return e.audience == Audience::record || e.telling != nullptr || !is_shown(e.type);
      });
  if (!in_words || game.card.sentences.empty()) return false;
  const std::set<std::string_view> texts = spoken_texts(game);
  return std::all_of(texts.begin(), texts.end(),
                     [&](std::string_view text) { return language.sentences().contains(text); });
}

}  // namespace agon
