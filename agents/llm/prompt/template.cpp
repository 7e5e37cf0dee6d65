#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "llm/prompt/prompts.hpp"

namespace agon::llm {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.-") ==
                              std::string_view::npos;
}

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

/// Which elements of a list a section takes: all, those of which a member is true, those of which
/// it compares so with a number, or those of which it is a text. A text that is no number is
/// neither below nor above one.
struct Condition {
  enum class Sign { none, below, above, equal, is };

  std::string_view member{};
  Sign sign = Sign::none;    ///< none: the member is true; is: `other` is a name
  std::string_view other{};  ///< what it is compared with

  [[nodiscard]] bool holds(const TemplateValues& element) const {
    if (member.empty()) return true;
    if (sign == Sign::none) return !element.each(member).empty();
    const std::string text = element.text(member);
    if (sign == Sign::is) return text == element.text(other);
    const std::optional<double> value = number_in(text), number = number_in(other);
    if (!value || !number) return sign == Sign::equal && text == other;
    return sign == Sign::below   ? *value < *number
           : sign == Sign::above ? *value > *number
                                 : *value == *number;
  }
};

/// The place of an element in a section, which `first`, `last` and `index` ask for.
struct Place {
  const std::vector<TemplateValues>& elements;
  std::size_t at;

  /// Whether the name asks for it: "last" for the end of all elements, "last.round" for the end of
  /// those in a row that have the same round.
  [[nodiscard]] static bool asks(std::string_view name) {
    return name == "first" || name == "last" || name.starts_with("first.") ||
           name.starts_with("last.");
  }
  [[nodiscard]] bool is(std::string_view name) const {
    const bool is_first = name.starts_with("first");
    if (is_first ? at == 0 : at + 1 == elements.size()) return true;
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos) return false;
    const std::string_view member = name.substr(dot + 1);
    return elements[at].text(member) != elements[is_first ? at - 1 : at + 1].text(member);
  }
};

}  // namespace

struct Template::Section {
  std::string_view list;
  bool is_inverted = false;  ///< its text stands where there is no element
  Condition condition{};
  std::string_view order{};  ///< the member by which elements are sorted; empty: as they stand
  bool descends = false;
  std::vector<Piece> pieces{};

  [[nodiscard]] std::vector<TemplateValues> elements(const TemplateValues& values) const {
    std::vector<TemplateValues> all;
    for (TemplateValues& element : values.each(list))
      if (condition.holds(element)) all.push_back(std::move(element));
    if (order.empty()) return all;
    std::vector<std::pair<double, std::size_t>> keys;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double key = number_in(all[i].text(order)).value_or(-HUGE_VAL);
      keys.emplace_back(descends ? -key : key, i);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<TemplateValues> sorted;
    for (const auto& [key, i] : keys) sorted.push_back(std::move(all[i]));
    return sorted;
  }
};

/// Reads a template from its beginning to its end.
class Template::Parser {
 public:
  Parser(std::string_view text, const std::string& file, const Aliases& aliases,
         std::vector<Use>& uses)
      : text_(text), file_(file), aliases_(aliases), uses_(uses) {}

  [[nodiscard]] std::vector<Line> lines() {
    std::vector<Line> all;
    while (at_ < text_.size()) {
      Line line;
      bool has_text = false, has_sections = false;
      while (std::optional<Piece> piece = next("\n")) {
        if (piece->section)
          has_sections = true;
        else if (piece->is_name)
          line.has_names = true;
        else
          has_text = has_text || !without_blanks(piece->text).empty();
        line.pieces.push_back(*std::move(piece));
      }
      line.is_blank = !has_text && !has_sections && !line.has_names;
      // Text beside a section stands without it.
      line.has_names = line.has_names || (has_sections && !has_text);
      if (is_at_end_tag_) refuse("a '{{/' closes nothing");
      all.push_back(std::move(line));
      if (at_ < text_.size()) ++at_, ++line_;
    }
    return all;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw Error(ErrorKind::invalid, problem, file_ + ":" + std::to_string(line_),
                "write {{name}}; docs/prompts.md lists the names");
  }

  /// The next piece; none at the end, at a tag that closes a section, and at `stop`.
  std::optional<Piece> next(std::string_view stop) {
    if (at_ >= text_.size() || (!stop.empty() && text_.substr(at_).starts_with(stop))) return {};
    if (!text_.substr(at_).starts_with("{{")) {
      const std::size_t end =
          std::min({text_.find("{{", at_), text_.size(),
                    stop.empty() ? std::string_view::npos : text_.find(stop, at_)});
      const std::string_view literal = text_.substr(at_, end - at_);
      if (literal.find("}}") != std::string_view::npos) refuse("there is a '}}' without its '{{'");
      at_ = end;
      line_ += static_cast<int>(std::count(literal.begin(), literal.end(), '\n'));
      return Piece{literal};
    }
    // In quotes stands a text, even one with braces.
    const bool is_text = text_.substr(at_).starts_with("{{'");
    const std::size_t close = is_text ? text_.find("'}}", at_ + 3) : text_.find("}}", at_);
    if (close == std::string_view::npos ||
        text_.substr(at_, close - at_).find('\n') != std::string_view::npos)
      refuse("a '{{' is not closed in its line");
    if (is_text) {
      const std::string_view literal = text_.substr(at_ + 3, close - at_ - 3);
      at_ = close + 3;
      return Piece{literal};
    }
    tag_ = without_blanks(text_.substr(at_ + 2, close - at_ - 2));
    if (tag_.starts_with('/')) {
      is_at_end_tag_ = true;
      after_tag_ = close + 2;
      return {};
    }
    at_ = close + 2;
    if (tag_.starts_with('#') || tag_.starts_with('^')) return section(tag_);
    return sum(tag_);
  }

  /// A name, with a number that is added to it or taken from it.
  Piece sum(std::string_view tag) {
    const std::size_t sign = tag.find_first_of("+-", tag.find(' '));
    if (tag.find(' ') == std::string_view::npos || sign == std::string_view::npos)
      return Piece{name(tag), true};
    const std::optional<double> number = number_in(without_blanks(tag.substr(sign + 1)));
    if (!number) refuse("'" + std::string(tag) + "' adds no number");
    return Piece{
        name(without_blanks(tag.substr(0, sign))), true, {}, tag[sign] == '-' ? -*number : *number};
  }

  Piece section(std::string_view tag) {
    auto made = std::make_shared<Section>();
    made->is_inverted = tag[0] == '^';
    std::string_view rest = tag.substr(1);
    const auto word = [&] {
      rest = without_blanks(rest);
      const std::string_view first = rest.substr(0, rest.find(' '));
      rest.remove_prefix(first.size());
      return first;
    };
    const std::string_view called = word();
    made->list = name(called);
    uses_.back().heads_section = true;
    lists_.push_back(made->list);
    for (std::string_view clause = word(); !clause.empty(); clause = word()) {
      if (clause == "by") {
        std::string_view member = word();
        made->descends = member.starts_with('-');
        if (made->descends) member.remove_prefix(1);
        made->order = name(member);
      } else if (clause == "where") {
        made->condition.member = name(word());
        const std::string_view before = rest;
        const std::string_view sign = word();
        using Sign = Condition::Sign;
        made->condition.sign = sign == "<"    ? Sign::below
                               : sign == ">"  ? Sign::above
                               : sign == "="  ? Sign::equal
                               : sign == "is" ? Sign::is
                                              : Sign::none;
        if (made->condition.sign == Sign::none) {
          rest = before;
          continue;
        }
        made->condition.other = word();
        if (made->condition.other.empty()) refuse("'where' compares with nothing");
        if (made->condition.sign == Sign::is) made->condition.other = name(made->condition.other);
        if ((sign == "<" || sign == ">") && !number_in(made->condition.other))
          refuse("'where' compares with no number");
      } else {
        refuse("'" + std::string(clause) + "' is no part of a section: where, by");
      }
    }
    const int begin = line_;
    while (std::optional<Piece> piece = next({})) made->pieces.push_back(*std::move(piece));
    const std::string_view closes = is_at_end_tag_ ? without_blanks(tag_.substr(1)) : "";
    if (closes != called) {
      line_ = begin;
      refuse("the section '" + std::string(called) + "' is not closed");
    }
    is_at_end_tag_ = false;
    at_ = after_tag_;
    lists_.pop_back();
    return Piece{{}, false, std::move(made)};
  }

  std::string_view name(std::string_view word) {
    const auto alias = aliases_.find(std::string(word));
    const std::string_view meant = alias == aliases_.end() ? word : alias->second;
    if (!is_name(meant)) refuse("'" + std::string(word) + "' is no name");
    uses_.push_back({meant, line_, lists_, false});
    return meant;
  }

  std::string_view text_;
  const std::string& file_;
  const Aliases& aliases_;
  std::vector<Use>& uses_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::string_view tag_{};
  bool is_at_end_tag_ = false;
  std::size_t after_tag_ = 0;
  std::vector<std::string_view> lists_{};
};

Template::Template(std::string text, const std::string& file, const Aliases& aliases)
    : text_(std::move(text)) {
  lines_ = Parser(text_, file, aliases, uses_).lines();
}

Template::Template(std::string text, const std::string& file)
    : Template(std::move(text), file, Aliases()) {}

bool Template::has(std::string_view name) const {
  return std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) { return use.name == name; });
}

std::string Template::filled(const Piece& piece, const TemplateValues& values) {
  if (piece.is_name) {
    std::string text = values.text(piece.text);
    const std::optional<double> number = piece.added == 0 ? std::nullopt : number_in(text);
    if (number) text = fmt::format("{}", *number + piece.added);
    return text;
  }
  if (!piece.section) return std::string(piece.text);
  const Section& section = *piece.section;
  std::vector<TemplateValues> elements = section.elements(values);
  std::string out;
  const auto add = [&](const TemplateValues& element) {
    for (const Piece& inner : section.pieces) out += filled(inner, element);
  };
  if (section.is_inverted) {
    if (elements.empty()) add(values);
    return out;
  }
  // These ask for the place in the section around them, and have none of their own.
  if (Place::asks(section.list)) {
    if (!elements.empty()) add(values);
    return out;
  }
  if (elements.size() == 1 && elements.front().is_single) {
    const TemplateValues& one = elements.front();
    add({[&](std::string_view name) { return (name == "index" ? values : one).text(name); },
         [&](std::string_view name) { return (Place::asks(name) ? values : one).each(name); }});
    return out;
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Place place{elements, i};
    add({[&, i](std::string_view name) {
           return name == "index" ? std::to_string(i + 1) : elements[i].text(name);
         },
         [&, i, place](std::string_view name) {
           if (!Place::asks(name)) return elements[i].each(name);
           return place.is(name) ? std::vector<TemplateValues>{elements[i]}
                                 : std::vector<TemplateValues>{};
         }});
  }
  return out;
}

std::string Template::fill(const TemplateValues& values) const {
  std::string out;
  out.reserve(2048);  // most prompts are shorter
  bool any_names = false, any_filled = false;
  std::size_t end_before = 0, begin = 0;  // of the paragraph
  const auto close_paragraph = [&] {
    if (out.size() > begin && (any_filled || !any_names))
      end_before = out.size();
    else
      out.resize(end_before);
    if (!out.empty()) out += '\n';
    begin = out.size();
    any_names = any_filled = false;
  };
  for (const Line& line : lines_) {
    if (line.is_blank) {
      close_paragraph();
      continue;
    }
    bool is_filled = false;
    const std::size_t start = out.size();
    for (const Piece& piece : line.pieces) {
      if (!piece.is_name && !piece.section) {
        out += piece.text;
        continue;
      }
      const std::string text = filled(piece, values);
      is_filled = is_filled || !text.empty();
      out += text;
    }
    if (line.has_names) {
      any_names = true;
      any_filled = any_filled || is_filled;
      if (!is_filled) {
        out.resize(start);
        continue;
      }
    }
    out += '\n';
  }
  close_paragraph();
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

}  // namespace agon::llm
