#include <agon/error.hpp>
#include <agon/random.hpp>
#include <agon/skin.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <functional>
#include <initializer_list>
#include <set>
#include <utility>

#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"
#include "text/decimals.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_letter(char c) {
  return is_capital(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c);
}
char small(char c) {
  return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
char capital(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string first_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (!is_word(c)) break;
    word += small(c);
  }
  return word;
}

std::vector<std::string> forms_of(const std::string& words) {
  std::vector<std::string> forms(1);
  for (const char c : words)
    if (c == '|')
      forms.emplace_back();
    else
      forms.back() += c;
  return forms;
}

/// Whether `text` has the word `key` at a place; spaces of the key may be underscores there.
bool stands_at(std::string_view text, std::size_t at, std::string_view key) {
  if (text.size() - at < key.size()) return false;
  const std::string_view there = text.substr(at, key.size());
  if (at + key.size() < text.size() && is_word(text[at + key.size()])) return false;
  const bool as_it_is = is_capital(key.front());
  const bool loud = key.size() > 1 && std::none_of(there.begin(), there.end(),
                                                   [](char c) { return c >= 'a' && c <= 'z'; });
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (there[i] == key[i] || (key[i] == ' ' && there[i] == '_')) continue;
    if (as_it_is || small(there[i]) != key[i] || (i > 0 && !loud)) return false;
  }
  return true;
}

/// Whether "an" goes before it.
bool takes_an(std::string_view word) {
  const std::string low = first_word(word);
  for (const char* consonant : {"uni", "use", "usu", "uti", "eu", "one", "once"})
    if (low.starts_with(consonant)) return low.starts_with("unin") || low.starts_with("unim");
  for (const char* vowel : {"hour", "honest", "honour", "heir"})
    if (low.starts_with(vowel)) return true;
  return !low.empty() && std::string_view("aeiou").find(low.front()) != std::string_view::npos;
}

/// Writes the article that a text ends with as the word that follows wants it.
void mend_article(std::string& out, std::string_view word) {
  for (const std::string_view article : {"a ", "an "}) {
    if (out.size() < article.size()) continue;
    const std::size_t at = out.size() - article.size();
    if (small(out[at]) != 'a' || std::string_view(out).substr(at + 1) != article.substr(1) ||
        (at > 0 && (is_word(out[at - 1]) || out[at - 1] == '_')))
      continue;
    out.resize(at + 1);
    out += takes_an(word) ? "n " : " ";
    return;
  }
}

}  // namespace

Skin::Skin(std::string name, SkinText text, const std::string& place)
    : name_(std::move(name)), text_(std::move(text)) {
  read_words(place);
  close_words();
  read_amounts(place);
}

void Skin::read_words(const std::string& place) {
  std::map<std::string, std::string> taken;  // words of the skin, and what they stand for
  for (const auto& entry : text_.words) {
    const std::string &from = entry.first, &to = entry.second;
    const auto refuse = [&](const std::string& what, const std::string& hint) {
      throw Error(ErrorKind::invalid, what, place + (json::Path() / "words" / from).str().substr(1),
                  hint);
    };
    if (from == "$") {
      if (to.empty() || std::any_of(to.begin(), to.end(), is_digit))
        refuse("the sign before amounts is a text without digits, such as \"£\"", "");
      sign_ = to;
      continue;
    }
    const std::vector<std::string> originals = forms_of(from), shown = forms_of(to);
    if (originals.size() != shown.size())
      refuse("has " + std::to_string(originals.size()) + " forms, and its word of the skin has " +
                 std::to_string(shown.size()),
             "write as many words, parted by |, on either side");
    for (std::size_t i = 0; i < originals.size(); ++i) {
      const std::string &one = originals[i], &other = shown[i];
      if (one.empty() || other.empty() || !is_word(one.front()) || !is_word(other.front()) ||
          !is_word(one.back()) || !is_word(other.back()))
        refuse("words begin and end with a letter or a digit", "");
      if (one == other) continue;
      if (is_capital(one.front()) != is_capital(other.front()))
        refuse("'" + one + "' and '" + other + "' do not both begin with a capital",
               "small letters stand for both; names have capitals on both sides");
      if (!given_.emplace(one, other).second)
        refuse("'" + one + "' is renamed twice", "leave one of the two out");
      if (const auto [at, is_new] = taken.emplace(other, one); !is_new)
        refuse("'" + at->second + "' and '" + one + "' are both '" + other +
                   "' in the skin: nobody could tell them apart",
               "give each a word of its own");
    }
  }
}

void Skin::close_words() {
  std::map<std::string, std::string> before, all = given_;
  for (const auto& [from, to] : given_) before.emplace(to, from);
  // A word of the skin that the original may have in other senses takes the place that is free at
  // the other end of its chain.
  for (const auto& [from, to] : given_) {
    if (given_.contains(to)) continue;
    std::string start = from;
    for (auto at = before.find(start); at != before.end(); at = before.find(start))
      start = at->second;
    all.emplace(to, start);
  }
  for (const auto& [from, to] : all) {
    exchanges_[0][first_word(from)].push_back({from, to});
    exchanges_[1][first_word(to)].push_back({to, from});
  }
  for (auto& exchanges : exchanges_)
    for (auto& [word, list] : exchanges)
      std::stable_sort(list.begin(), list.end(), [](const WordExchange& a, const WordExchange& b) {
        return a.from.size() > b.from.size();
      });
}

void Skin::read_amounts(const std::string& place) {
  if (!text::divides_power_of_ten(text_.scale))
    throw Error(ErrorKind::invalid,
                "a scale of " + std::to_string(text_.scale) +
                    " would show fractions of a cent that have no end",
                place + ".scale", "take 2, 5, 10, or a product of these");
  places_.push_back({{"$", sign_}, {}});
  for (std::size_t i = 0; i < text_.amounts.size(); ++i) {
    const std::string& pattern = text_.amounts[i];
    const std::size_t at = pattern.find('#');
    const std::string rest = at == std::string::npos ? "" : pattern.substr(at + 1);
    const bool is_list = rest.starts_with("...");
    const std::string after = is_list ? rest.substr(3) : rest;
    const std::string before = pattern.substr(0, at == std::string::npos ? 0 : at);
    if (at == std::string::npos || after.find('#') != std::string::npos ||
        (before.empty() && after.empty()))
      throw Error(ErrorKind::invalid, "'" + pattern + "' is no place of an amount",
                  place + ".amounts[" + std::to_string(i) + "]",
                  "write one # for the number and the words beside it: \"# dollars\"");
    places_.push_back({{before, mapped(before, false, false)},
                       {after, mapped(after, false, false)},
                       is_list,
                       before.ends_with("\":")});
  }
}

bool Skin::is_amount(std::string_view member) const {
  return std::any_of(places_.begin(), places_.end(), [&](const AmountPlace& place) {
    return place.is_json && place.before[0] == "\"" + std::string(member) + "\":";
  });
}

std::size_t Skin::word_at(std::string_view text, std::size_t at, bool back,
                          std::string& out) const {
  if (!is_word(text[at]) || (at > 0 && is_word(text[at - 1]))) return 0;
  const auto& exchanges = exchanges_[back ? 1 : 0];
  const auto found = exchanges.find(first_word(text.substr(at)));
  if (found == exchanges.end()) return 0;
  for (const auto& [from, to] : found->second) {
    if (!stands_at(text, at, from)) continue;
    const std::size_t end = at + from.size();
    const std::string_view there = text.substr(at, from.size());
    std::string word = to;
    // As others write it: a capital at the beginning of a sentence, all of them in a heading.
    if (!is_capital(from.front())) {
      if (there.size() > 1 &&
          std::none_of(there.begin(), there.end(), [](char c) { return c >= 'a' && c <= 'z'; }) &&
          std::any_of(there.begin(), there.end(), is_capital))
        std::transform(word.begin(), word.end(), word.begin(), capital);
      else if (is_capital(there.front()))
        word.front() = capital(word.front());
    }
    // Names of members have underscores.
    const bool is_name = there.find('_') != std::string_view::npos ||
                         (at > 0 && text[at - 1] == '_') ||
                         (end < text.size() && text[end] == '_') || text.substr(end, 2) == "\":" ||
                         (at > 1 && text.substr(at - 2, 2) == ":\"" && text.substr(end, 1) == "\"");
    if (is_name && from.find('_') == std::string::npos)
      std::replace(word.begin(), word.end(), ' ', '_');
    mend_article(out, word);
    out += word;
    return from.size();
  }
  return 0;
}

std::size_t Skin::amount_at(std::string_view text, std::size_t at, bool back,
                            std::string& out) const {
  const std::size_t here = back ? 1 : 0, there = back ? 0 : 1;
  for (const AmountPlace& place : places_) {
    const std::string& before = place.before[here];
    if (!text.substr(at).starts_with(before)) continue;
    if (!before.empty() && is_word(before.front()) && at > 0 && is_word(text[at - 1])) continue;
    if (before.empty() && at > 0 &&
        (is_word(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == ','))
      continue;
    std::size_t begin = at + before.size();
    if (place.is_json)
      while (begin < text.size() && text[begin] == ' ') ++begin;
    std::string numbers(text.substr(at + before.size(), begin - at - before.size()));
    std::size_t end = begin;
    for (;;) {
      const std::size_t size = text::number_at(text, end, !place.is_json);
      if (size == 0) break;
      numbers += text::scaled(text.substr(end, size), text_.scale, back, place.is_json);
      end += size;
      if (!place.is_list) break;
      const std::size_t gap = text.substr(end).starts_with(", ")      ? 2
                              : text.substr(end).starts_with(" and ") ? 5
                                                                      : 0;
      if (gap == 0 || text::number_at(text, end + gap, true) == 0) break;
      numbers += text.substr(end, gap);
      end += gap;
    }
    if (end == begin || !text.substr(end).starts_with(place.after[here])) continue;
    if (!place.after[here].empty()) {
      const std::size_t next = end + place.after[here].size();
      if (next < text.size() && is_word(text[next]) && is_word(text[next - 1])) continue;
    }
    out += place.before[there] + numbers;
    return end - at;
  }
  return 0;
}

std::string Skin::mapped(std::string_view text, bool back, bool amounts) const {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = amounts ? amount_at(text, at, back, out) : 0;
    if (length == 0) length = word_at(text, at, back, out);
    if (length == 0) {
      out += text[at];
      length = 1;
    }
    at += length;
  }
  return out;
}

std::string Skin::shown(std::string_view original) const {
  std::string out;
  while (!original.empty()) {
    const std::size_t end = std::min(original.find('\n'), original.size() - 1) + 1;
    const std::string_view line = original.substr(0, end);
    original.remove_prefix(end);
    const bool has_break = line.ends_with('\n');
    const std::string_view words = line.substr(0, line.size() - (has_break ? 1 : 0));
    const bool is_schema = words.starts_with('{') &&
                           words.find("\"type\":") != std::string_view::npos &&
                           json::is_value(words);
    out += is_schema ? shown_schema(words) : mapped(words, false);
    if (has_break) out += '\n';
  }
  return out;
}

std::string Skin::original(std::string_view shown) const {
  return mapped(shown, true);
}

namespace {

/// What a walk over a schema needs of the skin.
struct SchemaWords {
  const Skin& skin;
  bool reversed;
  std::int64_t scale;
  std::function<bool(std::string_view)> is_amount;

  [[nodiscard]] std::string name(std::string_view original) const {
    std::string shown = skin.shown(original);
    if (original.find(' ') == std::string_view::npos)
      std::replace(shown.begin(), shown.end(), ' ', '_');
    return shown;
  }
  [[nodiscard]] bj::value value(const bj::value& v, bool amount) const {
    if (v.is_string()) return bj::value(name(v.get_string()));
    if (v.is_number() && amount)
      return json::parse(text::scaled(json::write(v), scale, false, true), "schema");
    return v;
  }
  [[nodiscard]] bj::value list(const bj::array& items, bool amount, bool schemas) const {
    bj::array out;
    for (const bj::value& item : items)
      out.push_back(schemas ? walk(item, amount) : value(item, amount));
    const bool has_null = std::any_of(out.begin(), out.end(), [](const bj::value& v) {
      return v.is_null() || (v.is_object() && v.get_object().contains("type") &&
                             v.get_object().at("type") == "null");
    });
    if (reversed && !has_null) std::reverse(out.begin(), out.end());
    return out;
  }
  [[nodiscard]] bj::value members(const bj::object& properties) const {
    bj::object out;
    for (const auto& [key, v] : properties) out[name(key)] = walk(v, is_amount(key));
    return out;
  }
  [[nodiscard]] bj::value walk(const bj::value& v, bool amount) const {
    const bj::object* schema = v.if_object();
    if (schema == nullptr) return v;
    bj::object out;
    for (const auto& [key, inside] : *schema) {
      const std::string_view word = key;
      const auto is = [&](std::initializer_list<std::string_view> words) {
        return std::find(words.begin(), words.end(), word) != words.end();
      };
      if (word == "properties" && inside.is_object())
        out[key] = members(inside.get_object());
      else if (is({"anyOf", "oneOf", "allOf"}) && inside.is_array())
        out[key] = list(inside.get_array(), amount, true);
      else if (word == "enum" && inside.is_array())
        out[key] = list(inside.get_array(), amount, false);
      else if (word == "required" && inside.is_array()) {
        bj::array names;
        for (const bj::value& one : inside.get_array()) names.push_back(value(one, false));
        out[key] = std::move(names);
      } else if (is({"const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
                     "multipleOf"}))
        out[key] = value(inside, amount);
      else if (is({"description", "title"}) && inside.is_string())
        out[key] = skin.shown(inside.get_string());
      else if (word == "$defs" && inside.is_object()) {
        bj::object defs;
        for (const auto& [name, one] : inside.get_object()) defs[name] = walk(one, false);
        out[key] = std::move(defs);
      } else
        out[key] = walk(inside, amount);
    }
    return out;
  }
};

}  // namespace

std::string Skin::shown_schema(std::string_view schema) const {
  const SchemaWords words{*this, text_.order == OptionOrder::reversed, text_.scale,
                          [this](std::string_view member) { return is_amount(member); }};
  return json::write(words.walk(json::parse(schema, "schema"), false));
}

std::string Skin::problem_of(std::string_view original) const {
  const auto beside = [&](std::size_t at) {
    const std::size_t from = at < 30 ? 0 : at - 30;
    return "'..." + std::string(original.substr(from, 70)) + "...'";
  };
  for (const auto& [from, to] : given_) {
    if (given_.contains(to)) continue;
    for (std::size_t at = 0; at < original.size(); ++at)
      if ((at == 0 || !is_word(original[at - 1])) && is_word(original[at]) &&
          stands_at(original, at, to))
        return "'" + to + "', which stands for '" + from +
               "', is a word of the text itself: " + beside(at);
  }
  const std::string back = this->original(shown(original));
  if (back == original) return {};
  const auto differs = static_cast<std::size_t>(
      std::mismatch(original.begin(), original.end(), back.begin(), back.end()).first -
      original.begin());
  return "what is shown does not map back: " + beside(differs) + " became '..." +
         back.substr(differs < 30 ? 0 : differs - 30, 70) + "...'";
}

namespace {

/// "mavo", "tisel": a word that means nothing.
std::string drawn_word(Dice& dice) {
  constexpr std::string_view kConsonants = "bdfgklmnprstvz", kVowels = "aeiou";
  std::string word;
  for (int syllable = 0; syllable < 3; ++syllable) {
    word += kConsonants[dice.below(kConsonants.size())];
    word += kVowels[dice.below(kVowels.size())];
  }
  return word + "n";
}

/// What a word has beyond a shorter one of the same stem: "ding" of "bidding" after "bid".
std::string ending_after(const std::string& word, const std::string& stem) {
  for (const char* ending : {"s", "es", "ed", "ing", "er", "ers", "d"})
    if (word == stem + ending || word == stem + stem.back() + ending) return ending;
  return {};
}

}  // namespace

Skin generated_skin(const SkinFile& file, std::uint64_t seed) {
  std::set<std::string> words;
  for (const auto& [name, skin] : file.skins)
    for (const auto& [from, to] : skin.words)
      // Phrases are of words that are renamed one by one.
      if (from != "$" && from.find(' ') == std::string::npos) words.insert(from);
  Dice dice(seed, 0, 0);
  SkinText text;
  text.story = "Words that mean nothing, drawn with the seed " + std::to_string(seed);
  std::set<std::string> taken, drawn;
  for (const std::string& key : words) {
    std::string shown;
    std::string stem;
    std::string own;
    for (const std::string& form : forms_of(key)) {
      if (!taken.insert(form).second) {
        shown.clear();
        break;
      }
      std::string ending = stem.empty() ? "" : ending_after(form, stem);
      if (ending.empty()) {
        do own = drawn_word(dice);
        while (!drawn.insert(own).second);
        if (is_capital(form.front())) own.front() = capital(own.front());
        stem = form;
      }
      shown += (shown.empty() ? "" : "|") + own + ending;
    }
    if (!shown.empty()) text.words.emplace(key, shown);
  }
  text.order = dice.below(2) == 0 ? OptionOrder::original : OptionOrder::reversed;
  constexpr std::int64_t kScales[] = {1, 2, 5, 10, 20, 50, 100};
  text.amounts = file.amounts;
  if (!file.amounts.empty()) text.scale = kScales[dice.below(std::size(kScales))];
  return {"generated-" + std::to_string(seed), std::move(text), "generated skin"};
}

}  // namespace agon
