#include "llm/prompt/data_text.hpp"

#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>

#include "llm/answer/words.hpp"
#include "llm/lines.hpp"

namespace agon::llm {
namespace {

/// The offset after the string that begins at `at`.
std::size_t skip_string(std::string_view json, std::size_t at) {
  for (std::size_t quote = json.find('"', at + 1); quote != std::string_view::npos;
       quote = json.find('"', quote + 1)) {
    std::size_t slashes = 0;
    while (json[quote - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) return quote + 1;
  }
  return json.size();
}

/// True for the characters that open and close values.
constexpr std::array<bool, 256> kStructural = [] {
  std::array<bool, 256> table{};
  for (const char c : {'"', '{', '}', '[', ']'}) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

std::size_t skip_space(std::string_view json, std::size_t at) {
  while (at < json.size() &&
         (json[at] == ' ' || json[at] == '\n' || json[at] == '\t' || json[at] == '\r'))
    ++at;
  return at;
}

}  // namespace

std::size_t skip_value(std::string_view json, std::size_t at) {
  if (at >= json.size()) return json.size();
  if (json[at] == '"') return skip_string(json, at);
  if (json[at] != '{' && json[at] != '[') {
    const std::size_t end = json.find_first_of(",]} \t\r\n", at);
    return end == std::string_view::npos ? json.size() : end;
  }
  int depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (!kStructural[static_cast<unsigned char>(c)]) {
      ++at;
      continue;
    }
    if (c == '"') {
      at = skip_string(json, at);
      continue;
    }
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    ++at;
    if (depth == 0) break;
  }
  return at;
}

namespace {

/// Goes through the members of an object until `use` returns true.
template <class Use>
void look_through(std::string_view json, const Use& use) {
  if (json.empty() || json[0] != '{') return;
  std::size_t at = skip_space(json, 1);
  while (at < json.size() && json[at] == '"') {
    const std::size_t name_end = skip_string(json, at);
    const std::size_t colon = skip_space(json, name_end);
    const std::size_t value = skip_space(json, colon + 1);
    if (value >= json.size()) break;
    const std::size_t end = skip_value(json, value);
    if (end == value) break;
    if (use(RawMember{json.substr(at + 1, name_end - at - 2), json.substr(value, end - value)}))
      return;
    const std::size_t comma = skip_space(json, end);
    if (comma >= json.size() || json[comma] != ',') break;
    at = skip_space(json, comma + 1);
  }
}

}  // namespace

std::vector<RawMember> members_of(std::string_view json) {
  std::vector<RawMember> members;
  look_through(json, [&](const RawMember& m) {
    members.push_back(m);
    return false;
  });
  return members;
}

std::string_view member(std::string_view json, std::string_view name) {
  std::string_view found;
  look_through(json, [&](const RawMember& m) {
    if (m.name != name) return false;
    found = m.json;
    return true;
  });
  return found;
}

std::string text_of(std::string_view json) {
  if (json.empty() || json[0] != '"') return {};
  boost::json::error_code error;
  const auto value = boost::json::parse({json.data(), json.size()}, error);
  return error || !value.is_string() ? std::string() : std::string(value.get_string());
}

const Type* core_of(const Type* type) {
  while (type != nullptr && type->kind == Kind::optional) type = type->element;
  return type;
}

namespace {

/// How much of a longer text of several lines is shown, as a multiple of what one text may take.
constexpr std::size_t kLinesFactor = 6;

/// Where to cut an escaped JSON text so that no escape and no character is cut in two.
std::size_t cut_at(std::string_view raw, std::size_t limit) {
  std::size_t at = 0;
  while (at < raw.size()) {
    std::size_t next = at + 1;
    if (raw[at] == '\\')
      next = at + (at + 1 < raw.size() && raw[at + 1] == 'u' ? 6 : 2);
    else
      while (next < raw.size() && (static_cast<unsigned char>(raw[next]) & 0xC0U) == 0x80U) ++next;
    if (next > limit) break;
    at = next;
  }
  return at;
}

/// What stands behind a text of which so many bytes are not shown.
std::string cut_mark(std::size_t bytes, const DataStyle& style) {
  return style.language->say(ModelLine("{text} [{n} bytes more]"),
                             {{"text", ""}, {"n", std::to_string(bytes)}});
}

/// Copies JSON and quotes the texts in it on the way.
class Quoter {
 public:
  Quoter(std::string_view json, const DataStyle& style) : json_(json), style_(style) {
    out_.reserve(json.size() + 32);
  }

  void value(const Type* type) {
    type = core_of(type);
    const char c = at_ < json_.size() ? json_[at_] : '\0';
    if (c == '{') return object(type);
    if (c == '[') {
      const Type* element = type == nullptr ? nullptr : type->element;
      copy(1);
      while (at_ < json_.size() && json_[at_] != ']') {
        value(element);
        if (at_ < json_.size() && json_[at_] == ',') copy(1);
      }
      return copy(1);
    }
    const std::size_t end = skip_value(json_, at_);
    if (c == '"' && (type == nullptr || type->kind == Kind::text))
      quote(json_.substr(at_ + 1, end - at_ - 2));
    else
      out_ += json_.substr(at_, end - at_);
    at_ = end;
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void object(const Type* type) {
    copy(1);
    const Type* structure = type;
    while (at_ < json_.size() && json_[at_] == '"') {
      const std::size_t name_end = skip_value(json_, at_);
      const std::string_view name = json_.substr(at_ + 1, name_end - at_ - 2);
      copy(name_end - at_ + 1);
      if (type != nullptr && type->kind == Kind::variant && name == "kind") {
        const std::size_t end = skip_value(json_, at_);
        const std::string_view kind = json_.substr(at_ + 1, end - at_ - 2);
        structure = nullptr;
        for (const Type* alternative : type->alternatives)
          if (kind_of(*alternative) == kind) structure = alternative;
        copy(end - at_);
      } else {
        value(member_type(structure, name));
      }
      if (at_ < json_.size() && json_[at_] == ',') copy(1);
    }
    copy(1);
  }

  static const Type* member_type(const Type* structure, std::string_view name) {
    if (structure == nullptr) return nullptr;
    if (structure->kind == Kind::map) return structure->element;
    for (const Field& f : structure->fields)
      if (f.name == name) return f.type;
    return nullptr;
  }

  void copy(std::size_t bytes) {
    out_ += json_.substr(at_, bytes);
    at_ += bytes;
  }

  /// Puts escaped quotes round the text; what stands in it can neither end them nor break the line.
  void quote(std::string_view raw) {
    const bool is_name = std::any_of(style_.names.begin(), style_.names.end(),
                                     [&](const std::string& name) { return name == raw; });
    out_ += '"';
    if (is_name || raw.empty()) {
      out_ += raw.empty() ? style_.language->say(ModelLine("(empty)")) : std::string(raw);
      out_ += '"';
      return;
    }
    const std::string_view kept = raw.substr(0, cut_at(raw, style_.longest));
    out_ += "\\\"";
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (kept[i] != '\\') {
        out_ += kept[i];
        continue;
      }
      const char next = kept[++i];
      // Shown as an escape that no reader resolves: \" and \\ and \n.
      if (next == '"' || next == '\\')
        out_ += "\\\\\\", out_ += next;
      else if (next == 'n' || next == 'r' || next == 't')
        out_ += "\\\\", out_ += next;
      else
        out_ += '\\', out_ += next;
    }
    out_ += "\\\"";
    if (kept.size() < raw.size()) out_ += cut_mark(raw.size() - kept.size(), style_);
    out_ += '"';
  }

  std::string_view json_;
  const DataStyle& style_;
  std::size_t at_ = 0;
  std::string out_;
};

/// True for a text of the game's own making, which the prompt that shows it repeats anyway.
bool is_prose(const Type& structure, std::string_view name) {
  return std::any_of(structure.fields.begin(), structure.fields.end(),
                     [&](const Field& f) { return f.prose && f.name == name; });
}

/// A text of several lines, each behind a mark, so that it cannot pass for the prompt's own.
std::string marked_lines(std::string_view text, std::size_t longest, const DataStyle& style) {
  const std::string_view kept = first_bytes(text, longest);
  const std::size_t left_out = text.size() - kept.size();
  const std::string safe = printable(kept, true);
  std::string out = "> ";
  for (const char c : safe) {
    out += c;
    if (c == '\n') out += "> ";
  }
  if (left_out != 0)
    out += "\n> " +
           style.language->say(ModelLine("[{n} bytes more]"), {{"n", std::to_string(left_out)}});
  return out;
}

}  // namespace

std::string quote_texts(const Type* type, std::string_view json, const DataStyle& style) {
  if (json.find('"') == std::string_view::npos) return std::string(json);
  Quoter quoter(json, style);
  quoter.value(type);
  return quoter.take();
}

std::string data_line(const Type* type, std::string_view json, const DataStyle& style) {
  return plain_line(type, quote_texts(type, json, style),
                    {.texts = Texts::bare, .seats = style.names});
}

std::string data_text(const Type* type, std::string_view json, const DataStyle& style) {
  if (json.empty() || json == "null" || json == "[]" || json == "{}" || json == R"("")") return {};
  const Type* core = core_of(type);
  if (json[0] == '"') {
    const std::string text = text_of(json);
    if (core != nullptr && core->kind == Kind::enumeration)
      for (const Enumerator& e : core->enumerators)
        if (e.name == text) return std::string(e.doc.empty() ? e.name : e.doc);
    if (text.find('\n') != std::string::npos)
      return marked_lines(text, style.longest * kLinesFactor, style);
    return data_line(type, json, style);
  }
  if (json[0] != '{' && json[0] != '[') return plain_line(type, json);
  if (core != nullptr && core->kind == Kind::variant) return data_line(type, json, style);
  std::string text = plain_text(type, quote_texts(type, json, style),
                                {.texts = Texts::bare, .seats = style.names});
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string bounded_telling(std::string_view told, const DataStyle& style) {
  std::string out;
  for (std::size_t at = 0; at < told.size();) {
    const std::size_t begin = std::min(told.find('"', at), told.size() - 1) + 1;
    out += told.substr(at, begin - at);
    std::size_t end = begin;
    while (end < told.size() && told[end] != '"') end += told[end] == '\\' ? 2 : 1;
    const std::string_view text = told.substr(begin, end - begin);
    const std::string_view kept =
        text.size() > style.longest ? text.substr(0, cut_at(text, style.longest)) : text;
    out += kept;
    if (end < told.size()) out += '"';
    if (kept.size() < text.size()) out += cut_mark(text.size() - kept.size(), style);
    at = end + 1;
  }
  return out;
}

std::string answer_in_words(const Type* type, std::string_view json, const DataStyle& style,
                            bool unshown) {
  if (!style.language->is_english()) return std::string(json);
  return plain_line(type, json, {.unshown = unshown, .seats = style.names});
}

std::string data_brief(const Type* type, std::string_view json, const DataStyle& style) {
  const Type* core = core_of(type);
  if (core == nullptr || core->kind != Kind::structure) return {};
  std::string brief = "{";
  for (const RawMember& m : members_of(json)) {
    if (m.json == "null" || m.json[0] == '{' || m.json[0] == '[') continue;
    if (is_prose(*core, m.name)) continue;
    brief += brief.size() == 1 ? "\"" : ",\"";
    brief += m.name;
    brief += "\":";
    brief += m.json;
  }
  brief += "}";
  return brief.size() == 2 ? std::string() : data_line(type, brief, style);
}

}  // namespace agon::llm
