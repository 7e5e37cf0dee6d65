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

/// Which elements of a list a section takes: all, those of which a member is true, or those of
/// which it compares so with a number. A text that is no number compares with none.
struct Condition {
  std::string_view member{};
  char sign = '\0';  ///< '<', '>' or '='; none: the member is true
  double number = 0;

  [[nodiscard]] bool holds(const TemplateValues& element) const {
    if (member.empty()) return true;
    if (sign == '\0') return !element.each(member).empty();
    const std::optional<double> value = number_in(element.text(member));
    if (!value) return false;
    return sign == '<' ? *value < number : sign == '>' ? *value > number : *value == number;
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
      while (std::optional<Piece> piece = next("\n")) {
        if (piece->is_name || piece->section) line.has_names = true;
        if (piece->is_name || piece->section || !without_blanks(piece->text).empty())
          line.is_blank = false;
        line.pieces.push_back(*std::move(piece));
      }
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
    const std::size_t close = text_.find("}}", at_);
    if (close == std::string_view::npos ||
        text_.substr(at_, close - at_).find('\n') != std::string_view::npos)
      refuse("a '{{' is not closed in its line");
    tag_ = without_blanks(text_.substr(at_ + 2, close - at_ - 2));
    if (tag_.starts_with('/')) {
      is_at_end_tag_ = true;
      after_tag_ = close + 2;
      return {};
    }
    at_ = close + 2;
    if (tag_.starts_with('#') || tag_.starts_with('^')) return section(tag_);
    return Piece{name(tag_), true};
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
    lists_.push_back(made->list);
    for (std::string_view clause = word(); !clause.empty(); clause = word()) {
      if (clause == "by") {
        std::string_view member = word();
        made->descends = member.starts_with('-');
        if (made->descends) member.remove_prefix(1);
        made->order = name(member);
      } else if (clause == "where") {
        made->condition.member = name(word());
        rest = without_blanks(rest);
        if (rest.empty() || std::string_view("<>=").find(rest[0]) == std::string_view::npos)
          continue;
        made->condition.sign = word()[0];
        const std::optional<double> number = number_in(word());
        if (!number) refuse("'where' compares with no number");
        made->condition.number = *number;
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
    uses_.push_back({meant, line_, lists_});
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

std::string Template::filled(const Piece& piece, const TemplateValues& values) {
  if (piece.is_name) return values.text(piece.text);
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
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const bool is_last = i + 1 == elements.size();
    add({elements[i].text, [&, is_last](std::string_view name) {
           if (name != "last") return elements[i].each(name);
           return is_last ? std::vector<TemplateValues>{elements[i]}
                          : std::vector<TemplateValues>{};
         }});
  }
  return out;
}

std::string Template::fill(const TemplateValues& values) const {
  std::string out;
  bool any_names = false, any_filled = false;
  std::string paragraph;
  const auto close_paragraph = [&] {
    if (!paragraph.empty() && (any_filled || !any_names)) {
      if (!out.empty()) out += "\n";
      out += paragraph;
    }
    paragraph.clear();
    any_names = any_filled = false;
  };
  for (const Line& line : lines_) {
    if (line.is_blank) {
      close_paragraph();
      continue;
    }
    bool is_filled = false;
    const std::size_t start = paragraph.size();
    for (const Piece& piece : line.pieces) {
      const std::string text = filled(piece, values);
      if (piece.is_name || piece.section) is_filled = is_filled || !text.empty();
      paragraph += text;
    }
    if (line.has_names) {
      any_names = true;
      any_filled = any_filled || is_filled;
      if (!is_filled) {
        paragraph.resize(start);
        continue;
      }
    }
    paragraph += "\n";
  }
  close_paragraph();
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

}  // namespace agon::llm
