#include <agon/form.hpp>
#include <agon/game.hpp>
#include <agon/language.hpp>
#include <agon/learning.hpp>
#include <agon/spoken.hpp>
#include <algorithm>

namespace agon {
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
