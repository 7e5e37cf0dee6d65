#include <agon/conversion.hpp>
#include <agon/number_text.hpp>
#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "llm/answer/read_answer.hpp"
#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/prompt/data_text.hpp"

namespace agon::llm {
namespace {

/// How much of what was said a change repeats.
constexpr std::size_t kShown = 40;

/// Bytes of a wide sign.
constexpr std::size_t kWide = 3;

/// A name or a choice without what people write differently: blanks, `_`, `-`, capitals, and the
/// stop at its end.
std::string plain(std::string_view name) {
  name = trimmed(name);
  constexpr std::string_view kWideStop = "\u3002";
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.ends_with(kWideStop)) name.remove_suffix(kWideStop.size());
  std::string out = lower_case(name);
  std::erase_if(out, [](char c) { return c == ' ' || c == '_' || c == '-'; });
  return out;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// What opens a text at this place, with how long it is and what closes the text.
struct Quote {
  std::size_t size = 0;  ///< 0: nothing does
  std::array<std::string_view, 2> ends{};
};

Quote quote_at(std::string_view text, std::size_t at) {
  if (text[at] == '\'') return {1, {"'", ""}};
  for (const std::string_view open : {"\u201c", "\u201d", "\u201e"})
    if (text.substr(at, open.size()) == open) return {open.size(), {"\u201d", "\u201c"}};
  for (const std::string_view open : {"\u2018", "\u2019"})
    if (text.substr(at, open.size()) == open) return {open.size(), {"\u2019", "\u2018"}};
  return {};
}

/// The wide comma and colon of Chinese and Japanese texts as JSON has them; else 0.
char wide_sign(std::string_view text, std::size_t at) {
  const std::string_view sign = text.substr(at, kWide);
  return sign == "\uff0c" ? ',' : sign == "\uff1a" ? ':' : '\0';
}

/// The length of the end of a quoted text at this place; 0 if it goes on. An apostrophe inside it
/// is followed by more of the text.
std::size_t closes(std::string_view text, std::size_t at, const Quote& quote) {
  for (const std::string_view end : quote.ends) {
    if (end.empty() || text.substr(at, end.size()) != end) continue;
    const std::size_t next = text.find_first_not_of(kBlanks, at + end.size());
    if (next == std::string_view::npos ||
        std::string_view(",:}]").find(text[next]) != std::string_view::npos ||
        wide_sign(text, next) != '\0')
      return end.size();
  }
  return 0;
}

/// The members of an object; nothing if there is something between or after them that is none.
std::optional<std::vector<RawMember>> all_members(std::string_view json) {
  if (json.empty() || json[0] != '{') return std::nullopt;
  std::vector<RawMember> members = members_of(json);
  const std::size_t end = members.empty()
                              ? 1
                              : static_cast<std::size_t>(members.back().json.data() - json.data()) +
                                    members.back().json.size();
  if (trimmed(json.substr(end)) != "}") return std::nullopt;
  return members;
}

class Changes {
 public:
  void add(std::string change) {
    // A few say what sort of thing was wrong.
    if (count_++ < 3) text_ += (text_.empty() ? "" : "; ") + std::move(change);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int count_ = 0;
};

class Meaning {
 public:
  Meaning(std::span<const LimitData> limits, const Language& language, std::string_view currency)
      : limits_(limits), language_(language), currency_(currency) {}

  Changes changes;
  std::string doubt;
  std::string remarks;

  /// `field`: the member that it is, or that holds it; may be null.
  std::string value(const Type& type, const Field* field, std::uint16_t slot,
                    std::string_view given) {
    std::string json = alone(type, field, given);
    switch (type.kind) {
      case Kind::boolean:
        return truth(json);
      case Kind::integer:
      case Kind::number:
        return number(type, field, json);
      case Kind::text:
        return choice(json, names_at(slot));
      case Kind::enumeration:
        return choice(json, names_of(type));
      case Kind::optional:
        return json == "null" || (type.element->kind != Kind::text && is_none(json))
                   ? changed(json, "null")
                   : value(*type.element, field, static_cast<std::uint16_t>(slot + 1), json);
      case Kind::list:
        return list(type, field, slot, unpacked(json, '['));
      case Kind::map:
        return map(type, field, slot, unpacked(json, '{'));
      case Kind::structure: {
        const std::string object = unpacked(json, '{');
        return structure(type, slot, object, false).value_or(object);
      }
      case Kind::variant:
        return variant(type, slot, json);
    }
    return json;
  }

  /// The answer itself; one may stand in a member `answer` or `final_answer`, as where a list is
  /// asked for, or be the arguments of a call. Nothing if no member is one of the type.
  std::optional<std::string> whole(const Type& type, std::string_view given) {
    std::string object(given);
    constexpr int kDeepest = 3;
    for (int i = 0; i < kDeepest; ++i) {
      std::string inner = held(type, object);
      if (inner.empty()) break;
      object = std::move(inner);
    }
    return type.kind == Kind::structure ? structure(type, 0, object, false)
                                        : value(type, nullptr, 0, object);
  }

  /// Nothing if no member is one of the type.
  std::optional<std::string> structure(const Type& type, std::uint16_t slot, std::string_view json,
                                       bool tagged) {
    const auto members = all_members(json);
    if (!members) return std::nullopt;
    std::vector<std::string_view> names;
    if (tagged) names.emplace_back(kTag);
    for (const Field& f : type.fields) names.push_back(f.name);
    std::string out = "{";
    bool any = tagged || type.fields.empty();
    for (const RawMember& m : *members) {
      const std::string_view name = found_in(names, m.name);
      if (name.empty()) {
        changes.add(language_.say(ModelLine("{name} is no part of the answer"),
                                  {{"name", quoted(beginning(m.name, kShown))}}));
        if (!is_thinking(m.name))
          remarks += std::string(m.name) + ": " + std::string(m.json) + '\n';
        continue;
      }
      any = true;
      if (name != m.name) changes.add(is_read_as(quoted(beginning(m.name, kShown)), quoted(name)));
      if (out.size() > 1) out += ',';
      out += '"' + std::string(name) + "\":";
      std::uint16_t at = slot;
      const Field* field = nullptr;
      for (const Field& f : type.fields) {
        if (f.name == name) {
          field = &f;
          break;
        }
        at = static_cast<std::uint16_t>(at + f.type->slots);
      }
      const Within within(*this, "." + std::string(name));
      out += field == nullptr ? std::string(m.json) : value(*field->type, field, at, m.json);
    }
    if (!any) return std::nullopt;
    return out + "}";
  }

 private:
  static constexpr std::string_view kTag = "kind";

  /// The object that holds the answer inside another one; empty: it is not there.
  std::string held(const Type& type, std::string_view object) {
    static constexpr std::string_view kHolders[] = {
        "answer", "final_answer", "response", "output", "result", "final", "tool_call", "function"};
    static constexpr std::string_view kArguments[] = {"arguments", "parameters", "args", "input"};
    static constexpr std::string_view kOfCalls[] = {"name", "id", "type", "tool"};
    const std::vector<RawMember> members = members_of(object);
    const auto is_one = [&](std::string_view name, std::span<const std::string_view> names) {
      const bool is_own = std::any_of(type.fields.begin(), type.fields.end(),
                                      [&](const Field& f) { return plain(f.name) == plain(name); });
      return !is_own && std::any_of(names.begin(), names.end(),
                                    [&](std::string_view n) { return plain(n) == plain(name); });
    };
    const RawMember* inside = nullptr;
    const auto parts = std::count_if(members.begin(), members.end(),
                                     [](const RawMember& m) { return !is_thinking(m.name); });
    for (const RawMember& m : members) {
      if (is_one(m.name, kOfCalls) || is_thinking(m.name)) continue;
      const bool holds = parts == 1 ? is_one(m.name, kHolders) || is_one(m.name, kArguments)
                                    : is_one(m.name, kArguments) || plain(m.name) == "function";
      if (!holds || inside != nullptr) return {};
      inside = &m;
    }
    if (inside == nullptr) return {};
    std::string json = unpacked(inside->json, '{');
    if (json[0] != '{') return {};
    changes.add(language_.say(ModelLine("the answer is taken out of {name}"),
                              {{"name", quoted(beginning(inside->name, kShown))}}));
    return json;
  }

  /// A value that stands once more under its own name: {"bid": {"bid": 58}}.
  std::string alone(const Type& type, const Field* field, std::string_view json) {
    const bool is_plain = type.kind != Kind::structure && type.kind != Kind::map &&
                          type.kind != Kind::variant && type.kind != Kind::optional;
    if (!is_plain || field == nullptr || json[0] != '{') return std::string(json);
    const std::vector<RawMember> members = members_of(json);
    if (members.size() != 1 || found_in({field->name, "value", "amount"}, members[0].name).empty())
      return std::string(json);
    return changed(json, std::string(members[0].json));
  }

  /// The place of what is looked at, for as long as it is.
  class Within {
   public:
    Within(Meaning& meaning, const std::string& step)
        : path_(meaning.path_), outside_(meaning.path_.size()) {
      path_ += step;
    }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    ~Within() { path_.resize(outside_); }

   private:
    std::string& path_;
    std::size_t outside_;
  };

  static std::vector<std::string_view> names_of(const Type& enumeration) {
    std::vector<std::string_view> names;
    for (const Enumerator& e : enumeration.enumerators) names.push_back(e.name);
    return names;
  }

  /// The keys or texts that a limit allows there; empty without one.
  [[nodiscard]] std::vector<std::string_view> names_at(std::uint16_t slot) const {
    for (const LimitData& limit : limits_)
      if (limit.slot == slot && limit.kind == LimitKind::names)
        return {limit.names, limit.names + limit.n};
    return {};
  }

  /// The one of the names that this is, written in whatever way; empty: none, or not for certain.
  static std::string_view found_in(const std::vector<std::string_view>& names,
                                   std::string_view said) {
    std::string_view found;
    const std::string wanted = plain(said);
    for (const std::string_view name : names) {
      if (name == said) return name;
      if (plain(name) != wanted) continue;
      if (!found.empty()) return {};
      found = name;
    }
    return found;
  }

  static std::string quoted(std::string_view name) { return '"' + std::string(name) + '"'; }

  [[nodiscard]] std::string is_read_as(std::string given, std::string read) const {
    return language_.say(ModelLine("{given} is read as {read}"),
                         {{"given", std::move(given)}, {"read", std::move(read)}});
  }

  std::string changed(std::string_view from, std::string to) {
    if (from != to) changes.add(is_read_as(beginning(from, kShown), beginning(to, kShown)));
    return to;
  }

  /// In whatever language: what somebody says is no matter of what was asked.
  static bool is_word(std::string_view said, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), said) != words.end();
  }

  static bool is_none(std::string_view json) {
    const std::string said = plain(text_of(json));
    return is_word(said, {"null", "none", "keine", "kein", "keines", "无", "没有"});
  }

  std::string truth(std::string_view json) {
    const std::string said = plain(text_of(json));
    if (is_word(said, {"true", "yes", "ja", "是", "是的", "对"})) return changed(json, "true");
    if (is_word(said, {"false", "no", "nein", "否", "不", "不是"})) return changed(json, "false");
    return std::string(json);
  }

  /// Amounts of money are in dollars, unless their field or the game says otherwise.
  [[nodiscard]] std::string_view unit_of(const Type& type, const Field* field) const {
    if (field != nullptr && !field->unit.empty() && field->unit != "currency") return field->unit;
    return type.decimals == 2 ? std::string_view("dollars") : currency_;
  }

  std::string number(const Type& type, const Field* field, std::string_view json) {
    if (json[0] != '"') return std::string(json);
    const std::string said = text_of(json);
    const std::string_view unit = unit_of(type, field);
    NumberText number = read_number_text(said, unit);
    if (number.json.empty() && number.meant.empty())
      number = read_number_text(said, language_.own_text(unit));
    if (doubt.empty() && !number.meant.empty()) doubt = path_ + ": " + in_doubt(said, number);
    if (doubt.empty() && number.json.empty() && number.meant.empty() && has_more_than_number(said))
      doubt = path_ + ": " + in_another_unit(said, unit);
    return number.json.empty() ? std::string(json) : changed(json, std::move(number.json));
  }

  /// Whether there is one number in a text, and something else.
  static bool has_more_than_number(std::string_view said) {
    constexpr std::string_view kDecimals = "0123456789";
    const std::size_t from = said.find_first_of(kDecimals);
    if (from == std::string_view::npos) return false;
    const std::size_t size = said.find_last_of(kDecimals) + 1 - from;
    std::string rest(said);
    rest.erase(from, size);
    return rest.find_first_not_of(" \t\r\n.,'+-") != std::string::npos &&
           !read_number_text(said.substr(from, size), {}).json.empty();
  }

  /// Why a number with a unit that is not its own is not read.
  [[nodiscard]] std::string in_another_unit(std::string_view said, std::string_view unit) const {
    const std::string given = '"' + beginning(trimmed(said), kShown) + '"';
    if (unit.empty())
      return language_.say(ModelLine("{given} has words beside the number: write the number alone"),
                           {{"given", given}});
    return language_.say(ModelLine("{given} has words beside the number that are not its unit: "
                                   "write the number alone, in {unit}"),
                         {{"given", given}, {"unit", std::string(language_.own_text(unit))}});
  }

  /// Why a number is not read as what it seems to mean.
  [[nodiscard]] std::string in_doubt(std::string_view said, const NumberText& number) const {
    const std::string given = '"' + beginning(trimmed(said), kShown) + '"';
    if (!number.other.empty())
      return language_.say(
          ModelLine("{given} may mean {one} or {other}: write the one that you mean, without "
                    "quotes"),
          {{"given", given}, {"one", number.meant}, {"other", number.other}});
    return language_.say(
        ModelLine("{given} is no number of JSON: write {number} if that is what you mean"),
        {{"given", given}, {"number", number.meant}});
  }

  std::string choice(std::string_view json, const std::vector<std::string_view>& names) {
    if (json[0] != '"') return std::string(json);
    const std::string_view found = found_in(names, text_of(json));
    return found.empty() ? std::string(json) : changed(json, as_text(found));
  }

  /// An object or a list that stands as a text of JSON, without its quotes.
  std::string unpacked(std::string_view json, char begin) {
    if (json[0] == '"') {
      const std::string text(trimmed(text_of(json)));
      boost::system::error_code error;
      if (text.starts_with(begin)) boost::json::parse(text, error);
      if (text.starts_with(begin) && !error) return changed(json, text);
    }
    return std::string(json);
  }

  std::string list(const Type& type, const Field* field, std::uint16_t slot,
                   const std::string& json) {
    if (json[0] != '[') return json;
    std::string out = "[";
    std::size_t at = json.find_first_not_of(kBlanks, 1);
    for (std::size_t i = 0; at < json.size() && json[at] != ']'; ++i) {
      const std::size_t end = skip_value(json, at);
      if (end == at) return json;
      if (out.size() > 1) out += ',';
      const Within within(*this, "[" + std::to_string(i) + "]");
      out += value(*type.element, field, static_cast<std::uint16_t>(slot + 1),
                   std::string_view(json).substr(at, end - at));
      at = json.find_first_not_of(kBlanks, end);
      if (at >= json.size() || (json[at] != ',' && json[at] != ']')) return json;
      if (json[at] == ',') at = json.find_first_not_of(kBlanks, at + 1);
    }
    return out + "]";
  }

  std::string map(const Type& type, const Field* field, std::uint16_t slot,
                  const std::string& json) {
    const auto members = all_members(json);
    if (!members) return json;
    const std::vector<std::string_view> keys = names_at(slot);
    std::string out = "{";
    for (const RawMember& m : *members) {
      if (out.size() > 1) out += ',';
      const std::string said = '"' + std::string(m.name) + '"';
      const std::string key = choice(said, keys);
      const Within within(*this, "[" + beginning(key, kShown) + "]");
      out += key + ":" + value(*type.element, field, static_cast<std::uint16_t>(slot + 1), m.json);
    }
    return out + "}";
  }

  std::string variant(const Type& type, std::uint16_t slot, std::string_view given) {
    if (type.forms) return std::string(given);
    std::string json = unpacked(given, '{');
    std::vector<std::string> kinds;
    for (const Type* alternative : type.alternatives) kinds.push_back(kind_of(*alternative));
    // The name alone says all of one that has no members.
    const std::vector<std::string_view> names(kinds.begin(), kinds.end());
    const std::string_view alone = json[0] == '"' ? found_in(names, text_of(json)) : "";
    for (std::size_t i = 0; i < kinds.size() && !alone.empty(); ++i)
      if (kinds[i] == alone && type.alternatives[i]->fields.empty())
        return changed(json, "{\"" + std::string(kTag) + "\":" + as_text(alone) + "}");
    for (const RawMember& m : members_of(json)) {
      if (found_in({kTag}, m.name).empty()) continue;
      const std::string kind = choice(m.json, names);
      std::uint16_t at = static_cast<std::uint16_t>(slot + 1);
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kind == as_text(kinds[i])) {
          std::string with_kind = json;
          with_kind.replace(static_cast<std::size_t>(m.json.data() - json.data()), m.json.size(),
                            kind);
          return structure(*type.alternatives[i], at, with_kind, true).value_or(json);
        }
        at = static_cast<std::uint16_t>(at + type.alternatives[i]->slots);
      }
      break;
    }
    return json;
  }

  static std::string as_text(std::string_view text) {
    return boost::json::serialize(boost::json::value(boost::json::string_view(text)));
  }

  std::span<const LimitData> limits_;
  const Language& language_;
  std::string_view currency_;
  std::string path_ = "$";
};

/// True for a value of JSON that is neither a text nor an object nor a list.
bool is_json_word(std::string_view word) {
  boost::system::error_code error;
  boost::json::parse({word.data(), word.size()}, error);
  return !error;
}

/// `True`, `None` and the like as JSON has them; empty for other words.
std::string_view json_word(std::string_view word) {
  const std::string said = lower_case(word);
  return said == "true"                     ? "true"
         : said == "false"                  ? "false"
         : said == "null" || said == "none" ? "null"
                                            : "";
}

/// The word that begins where a value may: up to the comma or bracket after it. In an object a
/// comma before a digit is one of the number, as names have quotes.
std::string_view word_at(std::string_view json, std::size_t at, bool in_list) {
  std::size_t end = at;
  while (end < json.size() && wide_sign(json, end) == '\0' &&
         std::string_view("]}{[\":\n").find(json[end]) == std::string_view::npos) {
    if (json[end] == ',' && (in_list || end + 1 >= json.size() || !is_digit(json[end + 1]))) break;
    ++end;
  }
  return trimmed(json.substr(at, end - at));
}

/// The length of the signs that may stand before a number: of plus and minus, of currencies.
std::size_t signs_before(std::string_view word) {
  constexpr std::string_view kSigns[] = {"+",      "-",      ".",      "$",      " ",
                                         "\u20ac", "\u20bd", "\u00a5", "\uffe5", "\u20b9",
                                         "\u00a3", "\u2212", "\uff0d", "\uff0b", "\uff04"};
  std::size_t at = 0;
  for (int i = 0; i < 4; ++i)
    for (const std::string_view sign : kSigns)
      if (word.substr(at).starts_with(sign)) {
        at += sign.size();
        break;
      }
  return at;
}

/// Whether a digit of full width stands there.
bool is_wide_digit(std::string_view text) {
  constexpr std::string_view kZero = "\uff10", kNine = "\uff19";
  const std::string_view sign = text.substr(0, kWide);
  return sign.size() == kWide && sign >= kZero && sign <= kNine;
}

/// Whether a word is a number for people and none of JSON. In a list it is not known whether a
/// comma parts thousands or elements.
bool is_peoples_number(std::string_view word, std::string_view after, bool in_list) {
  const std::size_t digit = signs_before(word);
  if (digit < word.size() && is_wide_digit(word.substr(digit))) return true;
  if (digit >= word.size() || !is_digit(word[digit]) || is_json_word(word)) return false;
  const auto digits = [](std::string_view text) {
    return std::min(text.find_first_not_of("0123456789"), text.size());
  };
  return !in_list ||
         (word[digit] != '0' && !(after.starts_with(',') && digits(after.substr(1)) == 3));
}

}  // namespace

bool is_thinking(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "thought",   "thoughts", "thinking",    "reasoning", "reason",        "reasons",
      "rationale", "analysis", "explanation", "plan",      "justification", "draft"};
  return std::find(std::begin(kNames), std::end(kNames), plain(name)) != std::end(kNames);
}

std::string without_comments(std::string_view object, std::string& comments) {
  std::string out;
  char quote = 0;
  for (std::size_t at = 0; at < object.size();) {
    const std::string_view rest = object.substr(at);
    if (quote != 0) {
      if (rest[0] == '\\' && rest.size() > 1) {
        out += rest.substr(0, 2);
        at += 2;
        continue;
      }
      if (rest[0] == quote) quote = 0;
      out += object[at++];
      continue;
    }
    std::size_t size = 0;
    if (rest.starts_with("//") || rest[0] == '#') size = std::min(rest.find('\n'), rest.size());
    if (rest.starts_with("/*"))
      if (const std::size_t end = rest.find("*/", 2); end != std::string_view::npos) size = end + 2;
    if (size > 0) {
      comments += rest.substr(0, size);
      comments += '\n';
      at += size;
      continue;
    }
    // An apostrophe opens a text only where one may begin.
    const std::size_t before = out.find_last_not_of(kBlanks);
    const bool may_open = before != std::string::npos &&
                          std::string_view("{[,:").find(out[before]) != std::string_view::npos;
    if (rest[0] == '"' || (rest[0] == '\'' && may_open)) quote = rest[0];
    out += object[at++];
  }
  return out;
}

Mended mend_writing(std::string_view json, const Language& language) {
  std::string out;
  bool quotes = false, breaks = false, comma = false, words = false;
  std::string open;          // the brackets that are open
  bool wants_value = false;  // what comes next is a value, not a name
  const auto put = [&](std::string_view text, std::size_t& at) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < ' ') {
      breaks = true;
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : " ";
    } else {
      out += c;
    }
    ++at;
  };
  for (std::size_t at = 0; at < json.size();) {
    const char wide = wide_sign(json, at);
    const char c = wide == '\0' ? json[at] : wide;
    if (kBlanks.find(c) != std::string_view::npos) {
      out += c;
      ++at;
      continue;
    }
    const bool is_value = std::exchange(wants_value, false);
    if (c == '"') {
      out += json[at++];
      while (at < json.size() && json[at] != '"') {
        if (json[at] == '\\' && at + 1 < json.size())
          out += json[at++], out += json[at++];
        else
          put(json, at);
      }
      if (at < json.size()) out += json[at++];
      continue;
    }
    if (const Quote quote = quote_at(json, at); quote.size > 0) {
      quotes = true;
      out += '"';
      at += quote.size;
      std::size_t end = 0;
      while (at < json.size() && (end = closes(json, at, quote)) == 0) {
        if (json[at] == '\\' && at + 1 < json.size()) {
          // \' is no escape of JSON.
          if (json[at + 1] != '\'') out += json[at];
          out += json[at + 1];
          at += 2;
        } else if (json[at] == '"') {
          out += "\\\"", ++at;
        } else {
          put(json, at);
        }
      }
      out += '"';
      at += end;
      continue;
    }
    if (is_value) {
      const bool in_list = open.back() == '[';
      const std::string_view word = word_at(json, at, in_list);
      const std::string_view known = json_word(word);
      const bool is_text =
          known.empty() && is_peoples_number(word, json.substr(at + word.size()), in_list);
      if (!known.empty() || is_text) {
        words = words || (!known.empty() && known != word);
        if (is_text) out += '"';
        out += is_text ? word : known;
        if (is_text) out += '"';
        at += word.size();
        continue;
      }
    }
    if (c == '}' || c == ']') {
      const std::size_t before = out.find_last_not_of(kBlanks);
      if (before != std::string::npos && out[before] == ',') out.erase(before, 1), comma = true;
      if (!open.empty()) open.pop_back();
    }
    if (c == '{' || c == '[') open += c;
    wants_value = !open.empty() && (open.back() == '[' ? c == '[' || c == ',' : c == ':');
    out += c;
    at += wide == '\0' ? 1 : kWide;
    quotes = quotes || wide != '\0';
  }
  Changes changes;
  const auto add = [&](bool is_so, ModelLine change) {
    if (is_so) changes.add(language.say(change));
  };
  add(quotes, ModelLine("JSON has \" quotes around names and texts, and , and : between them"));
  add(breaks, ModelLine("a line break in a text of JSON is \\n"));
  add(comma, ModelLine("there is a comma too many"));
  add(words, ModelLine("JSON has true, false and null"));
  return {std::move(out), changes.take()};
}

std::optional<Mended> mend_meaning(const Type& type, std::span<const LimitData> limits,
                                   std::string_view object, const Language& language,
                                   std::string_view currency) {
  Meaning meaning(limits, language, currency);
  std::optional<std::string> json = meaning.whole(type, object);
  if (!json) return std::nullopt;
  return Mended{*std::move(json), meaning.changes.take(), std::move(meaning.doubt),
                std::move(meaning.remarks)};
}

}  // namespace agon::llm
