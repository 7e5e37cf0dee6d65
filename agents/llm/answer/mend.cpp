#include "llm/answer/mend.hpp"

#include <agon/conversion.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <array>
#include <cctype>

#include "llm/prompt/members.hpp"

namespace agon::llm {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Letters and digits in lower case.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != ' ' && c != '_' && c != '-') out += lower(c);
  return out;
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

/// The length of the end of a quoted text at this place; 0 if it goes on. An apostrophe inside it
/// is followed by more of the text.
std::size_t closes(std::string_view text, std::size_t at, const Quote& quote) {
  for (const std::string_view end : quote.ends) {
    if (end.empty() || text.substr(at, end.size()) != end) continue;
    const std::size_t next = text.find_first_not_of(kBlanks, at + end.size());
    if (next == std::string_view::npos ||
        std::string_view(",:}]").find(text[next]) != std::string_view::npos)
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

/// A number that is written as no JSON number, as one; nothing if it is none for certain.
std::optional<std::string> number_in(std::string_view text) {
  text = trimmed(text);
  std::string out;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    if (text.front() == '-') out += '-';
    text.remove_prefix(1);
  }
  if (!text.empty() && text.front() == '$') text.remove_prefix(1);
  text = trimmed(text);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  std::string_view part = text.substr(std::min(point + 1, text.size()));
  if (whole.empty() || !std::all_of(part.begin(), part.end(), is_digit)) return std::nullopt;
  const bool grouped = whole.find(',') != std::string_view::npos;
  std::string digits;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const bool comma = grouped && (whole.size() - i) % 4 == 0;
    if (comma ? whole[i] != ',' || i == 0 : !is_digit(whole[i])) return std::nullopt;
    if (!comma) digits += whole[i];
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  out += digits;
  if (!part.empty()) out += "." + std::string(part);
  return out;
}

class Meaning {
 public:
  Changes changes;

  std::string value(const Type& type, std::string_view json) {
    switch (type.kind) {
      case Kind::boolean:
        return truth(json);
      case Kind::integer:
      case Kind::number:
        return number(json);
      case Kind::enumeration:
        return choice(json, [&] {
          std::vector<std::string> names;
          for (const Enumerator& e : type.enumerators) names.emplace_back(e.name);
          return names;
        }());
      case Kind::optional:
        return json == "null" ? std::string(json) : value(*type.element, json);
      case Kind::list:
        return list(*type.element, json);
      case Kind::map:
        return map(*type.element, json);
      case Kind::structure:
        return structure(type, json, false).value_or(std::string(json));
      case Kind::variant:
        return variant(type, json);
      case Kind::text:
        break;
    }
    return std::string(json);
  }

  /// Nothing if no member is one of the type.
  std::optional<std::string> structure(const Type& type, std::string_view json, bool tagged) {
    const auto members = all_members(json);
    if (!members) return std::nullopt;
    std::string out = "{";
    bool any = tagged || type.fields.empty();
    for (const RawMember& m : *members) {
      const auto field = std::find_if(type.fields.begin(), type.fields.end(),
                                      [&](const Field& f) { return f.name == m.name; });
      const bool is_tag = tagged && m.name == "kind";
      if (field == type.fields.end() && !is_tag) {
        changes.add("\"" + std::string(m.name.substr(0, 40)) + "\" is no part of the answer");
        continue;
      }
      any = true;
      if (out.size() > 1) out += ',';
      out += '"' + std::string(m.name) + "\":";
      out += is_tag ? std::string(m.json) : value(*field->type, m.json);
    }
    if (!any) return std::nullopt;
    return out + "}";
  }

 private:
  std::string changed(std::string_view from, std::string to) {
    if (from != to) changes.add(std::string(from.substr(0, 40)) + " is read as " + to);
    return to;
  }

  std::string truth(std::string_view json) {
    const std::string said = plain(json[0] == '"' ? text_of(json) : std::string(json));
    return said == "true" || said == "false" ? changed(json, said) : std::string(json);
  }

  std::string number(std::string_view json) {
    const bool quoted = json[0] == '"';
    if (!quoted && json.find_first_of("$,") == std::string_view::npos && json.back() != '.')
      return std::string(json);
    const auto number = number_in(quoted ? text_of(json) : std::string(json));
    return number ? changed(json, *number) : std::string(json);
  }

  std::string choice(std::string_view json, const std::vector<std::string>& names) {
    if (json[0] != '"') return std::string(json);
    const std::string said = text_of(json);
    const std::string* found = nullptr;
    for (const std::string& name : names) {
      if (name == said) return std::string(json);
      if (plain(name) != plain(trimmed(said))) continue;
      if (found != nullptr) return std::string(json);
      found = &name;
    }
    return found == nullptr ? std::string(json) : changed(json, "\"" + *found + "\"");
  }

  std::string list(const Type& element, std::string_view json) {
    if (json[0] != '[') return std::string(json);
    std::string out = "[";
    std::size_t at = json.find_first_not_of(kBlanks, 1);
    while (at < json.size() && json[at] != ']') {
      const std::size_t end = skip_value(json, at);
      if (end == at) return std::string(json);
      if (out.size() > 1) out += ',';
      out += value(element, json.substr(at, end - at));
      at = json.find_first_not_of(kBlanks, end);
      if (at >= json.size() || (json[at] != ',' && json[at] != ']')) return std::string(json);
      if (json[at] == ',') at = json.find_first_not_of(kBlanks, at + 1);
    }
    return out + "]";
  }

  std::string map(const Type& element, std::string_view json) {
    const auto members = all_members(json);
    if (!members) return std::string(json);
    std::string out = "{";
    for (const RawMember& m : *members) {
      if (out.size() > 1) out += ',';
      out += '"' + std::string(m.name) + "\":" + value(element, m.json);
    }
    return out + "}";
  }

  std::string variant(const Type& type, std::string_view json) {
    if (type.forms || json[0] != '{') return std::string(json);
    std::vector<std::string> kinds;
    for (const Type* alternative : type.alternatives) kinds.push_back(kind_of(*alternative));
    const std::string_view tag = member(json, "kind");
    if (tag.empty()) return std::string(json);
    const std::string kind = choice(tag, kinds);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kind != "\"" + kinds[i] + "\"") continue;
      std::string with_kind(json);
      with_kind.replace(static_cast<std::size_t>(tag.data() - json.data()), tag.size(), kind);
      return structure(*type.alternatives[i], with_kind, true).value_or(std::string(json));
    }
    return std::string(json);
  }
};

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kBlanks);
  return from == std::string_view::npos
             ? std::string_view()
             : text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

Mended mend_writing(std::string_view json) {
  std::string out;
  bool quotes = false, breaks = false, comma = false, words = false;
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
    const char c = json[at];
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
    if (c == '}' || c == ']') {
      const std::size_t before = out.find_last_not_of(kBlanks);
      if (before != std::string::npos && out[before] == ',') out.erase(before, 1), comma = true;
    }
    bool replaced = false;
    for (const auto& [word, json_word] :
         {std::pair<std::string_view, std::string_view>{"True", "true"},
          {"False", "false"},
          {"None", "null"}}) {
      if (json.substr(at, word.size()) != word) continue;
      const char next = at + word.size() < json.size() ? json[at + word.size()] : '}';
      if (std::isalnum(static_cast<unsigned char>(next)) != 0) continue;
      out += json_word;
      at += word.size();
      words = replaced = true;
      break;
    }
    if (!replaced) out += json[at++];
  }
  Changes changes;
  if (quotes) changes.add("names and texts of JSON stand in \" quotes");
  if (breaks) changes.add("a line break in a text of JSON is \\n");
  if (comma) changes.add("there is a comma too many");
  if (words) changes.add("JSON has true, false and null");
  return {std::move(out), changes.take()};
}

std::optional<Mended> mend_meaning(const Type& type, std::string_view object) {
  Meaning meaning;
  std::optional<std::string> json;
  if (type.kind == Kind::structure)
    json = meaning.structure(type, object, false);
  else
    json = meaning.value(type, object);
  if (!json) return std::nullopt;
  return Mended{*std::move(json), meaning.changes.take()};
}

bool is_refusal(std::string_view text) {
  // A refusal is said at once.
  constexpr std::size_t kBegin = 300;
  std::string said;
  text = trimmed(text);
  for (std::size_t i = 0; i < std::min(text.size(), kBegin); ++i) {
    if (text.substr(i, 3) == "\u2019")
      said += '\'', i += 2;
    else
      said += lower(text[i]);
  }
  // What the model would have to do; "I won't bid more" is a move in prose, and no refusal.
  static constexpr std::array<std::string_view, 10> kWill{
      "i can't ",          "i cannot ",         "i can not ",      "i won't ",
      "i will not ",       "i'm unable to ",    "i am unable to ", "i'm not able to ",
      "i am not able to ", "i must decline to "};
  static constexpr std::array<std::string_view, 10> kWhat{
      "assist", "help with", "help you",  "comply",  "fulfil",
      "answer", "respond",   "engage in", "provide", "do that"};
  for (const std::string_view will : kWill)
    for (std::size_t at = said.find(will); at != std::string::npos; at = said.find(will, at + 1))
      for (const std::string_view what : kWhat)
        if (std::string_view(said).substr(at + will.size(), what.size()) == what) return true;
  return said.starts_with("i must decline") || said.starts_with("i refuse to");
}

}  // namespace agon::llm
