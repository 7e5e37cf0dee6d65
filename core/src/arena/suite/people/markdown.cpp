#include "suite/people/markdown.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace agon {
namespace {

constexpr std::string_view kBlank = " \t";
constexpr std::string_view kPunctuation = "\\`*_{}[]()#+-.!|<>~\"'";

std::string_view stripped(std::string_view line) {
  const std::size_t from = line.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return line.substr(from, line.find_last_not_of(kBlank) - from + 1);
}

std::size_t indent_of(std::string_view line) {
  std::size_t width = 0;
  for (const char c : line) {
    if (c != ' ' && c != '\t') break;
    width += c == ' ' ? 1 : 4;
  }
  return width;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Reads what stands within a paragraph, a heading, an item or a cell.
class SpanReader {
 public:
  explicit SpanReader(std::string_view text) : text_(text) {}

  std::vector<MarkdownSpan> read() {
    while (at_ < text_.size()) step();
    flush();
    return std::move(spans_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\\' && at_ + 1 < text_.size() &&
        (kPunctuation.find(text_[at_ + 1]) != std::string_view::npos || text_[at_ + 1] == '\n')) {
      now_.text += text_[at_ + 1];
      at_ += 2;
      return;
    }
    if (c == '`' && read_code()) return;
    if (c == '!' && text_.substr(at_).starts_with("![") && read_target(at_ + 1, true)) return;
    if (c == '[' && read_target(at_, false)) return;
    if (c == '<' && read_address()) return;
    if ((c == '*' || c == '_') && read_mark(c)) return;
    if (c == '\n') return end_line();
    now_.text += c;
    ++at_;
  }

  /// Words of a paragraph go on in the next line; two blanks before its end break it.
  void end_line() {
    ++at_;
    const bool breaks = now_.text.ends_with("  ");
    while (now_.text.ends_with(' ')) now_.text.pop_back();
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    const bool wide = !now_.text.empty() && at_ < text_.size() &&
                      static_cast<unsigned char>(now_.text.back()) >= 0x80 &&
                      static_cast<unsigned char>(text_[at_]) >= 0xe3;
    if (breaks)
      now_.text += '\n';
    else if (!wide)  // Chinese has no blanks
      now_.text += ' ';
  }

  bool read_code() {
    std::size_t ticks = 1;
    while (at_ + ticks < text_.size() && text_[at_ + ticks] == '`') ++ticks;
    const std::string fence(ticks, '`');
    const std::size_t end = text_.find(fence, at_ + ticks);
    if (end == std::string_view::npos) return false;
    flush();
    MarkdownSpan span = now_;
    span.text = stripped(text_.substr(at_ + ticks, end - at_ - ticks));
    span.code = true;
    spans_.push_back(std::move(span));
    at_ = end + ticks;
    return true;
  }

  /// "[words](target "title")", from the first bracket on.
  bool read_target(std::size_t open, bool is_picture) {
    std::size_t depth = 0, end = open;
    for (; end < text_.size(); ++end) {
      if (text_[end] == '\\')
        ++end;
      else if (text_[end] == '[')
        ++depth;
      else if (text_[end] == ']' && --depth == 0)
        break;
    }
    if (end + 1 >= text_.size() || text_[end + 1] != '(') return false;
    const std::size_t close = text_.find(')', end);
    if (close == std::string_view::npos) return false;
    std::string_view target = stripped(text_.substr(end + 2, close - end - 2));
    if (target.starts_with('<') && target.find('>') != std::string_view::npos)
      target = target.substr(1, target.find('>') - 1);
    else
      target = target.substr(0, target.find_first_of(" \t\n"));
    const std::string_view words = text_.substr(open + 1, end - open - 1);
    if (target.empty() || (!is_picture && !is_address(target))) return false;
    flush();
    if (is_picture) {
      MarkdownSpan span = now_;
      for (const MarkdownSpan& part : SpanReader(words).read()) span.text += part.text;
      span.picture = target;
      spans_.push_back(std::move(span));
    } else {
      for (MarkdownSpan span : SpanReader(words).read()) {
        span.strong = span.strong || now_.strong;
        span.emphasis = span.emphasis || now_.emphasis;
        span.link = target;
        spans_.push_back(std::move(span));
      }
    }
    at_ = close + 1;
    return true;
  }

  /// "<https://example.org>"
  bool read_address() {
    const std::size_t end = text_.find('>', at_);
    if (end == std::string_view::npos) return false;
    const std::string_view target = text_.substr(at_ + 1, end - at_ - 1);
    if (!is_address(target) || target.find_first_of(" \n\t") != std::string_view::npos)
      return false;
    flush();
    MarkdownSpan span = now_;
    span.text = span.link = target;
    spans_.push_back(std::move(span));
    at_ = end + 1;
    return true;
  }

  static bool is_address(std::string_view target) {
    return target.starts_with("https://") || target.starts_with("http://") ||
           target.starts_with("mailto:");
  }

  /// Begins or ends what is strong or has emphasis.
  bool read_mark(char c) {
    const bool is_double = at_ + 1 < text_.size() && text_[at_ + 1] == c;
    const std::string mark(is_double ? 2 : 1, c);
    bool& on = is_double ? now_.strong : now_.emphasis;
    const std::size_t after = at_ + mark.size();
    const char before = at_ == 0 ? ' ' : text_[at_ - 1];
    const char next = after < text_.size() ? text_[after] : ' ';
    if (on) {
      if (before == ' ' || before == '\n' || (c == '_' && is_word(next))) return false;
    } else {
      if (next == ' ' || next == '\n' || (c == '_' && is_word(before))) return false;
      if (!ends_later(mark, after)) return false;
    }
    flush();
    on = !on;
    at_ = after;
    return true;
  }

  [[nodiscard]] bool ends_later(const std::string& mark, std::size_t from) const {
    for (std::size_t end = text_.find(mark, from); end != std::string_view::npos;
         end = text_.find(mark, end + 1)) {
      if (end == from || text_[end - 1] == ' ' || text_[end - 1] == '\n') continue;
      // One sign of two ends nothing.
      const bool is_part = mark.size() == 1 &&
                           ((end + 1 < text_.size() && text_[end + 1] == mark[0] && !now_.strong) ||
                            text_[end - 1] == mark[0]);
      if (!is_part) return true;
    }
    return false;
  }

  void flush() {
    if (now_.text.empty()) return;
    spans_.push_back(now_);
    now_.text.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  MarkdownSpan now_;
  std::vector<MarkdownSpan> spans_;
};

MarkdownLine line_of(std::string_view text, int level = 0) {
  return {level, {SpanReader(text).read()}};
}

/// "- item" or "1. item".
struct ListMark {
  bool ordered = false;
  int number = 0;
  std::size_t width = 0;  ///< of the mark, with the blank behind it
};

std::optional<ListMark> list_mark(std::string_view line) {
  if (line.size() < 2) return {};
  if ((line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ')
    return ListMark{false, 0, 2};
  std::size_t digits = 0;
  int number = 0;
  while (digits < line.size() && digits < 6 && line[digits] >= '0' && line[digits] <= '9')
    number = 10 * number + (line[digits++] - '0');
  if (digits == 0 || digits + 1 >= line.size()) return {};
  if ((line[digits] != '.' && line[digits] != ')') || line[digits + 1] != ' ') return {};
  return ListMark{true, number, digits + 2};
}

std::size_t heading_level(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  return level != std::string_view::npos && level >= 1 && level <= 6 && line[level] == ' ' ? level
                                                                                           : 0;
}

bool is_rule(std::string_view line) {
  if (line.size() < 3 || (line[0] != '-' && line[0] != '*' && line[0] != '_')) return false;
  return line.find_first_not_of(std::string{line[0], ' '}) == std::string_view::npos;
}

/// "|---|:--:|", below the head of a table.
bool is_table_line(std::string_view line) {
  return line.find('-') != std::string_view::npos && line.find('|') != std::string_view::npos &&
         line.find_first_not_of("|-: \t") == std::string_view::npos;
}

MarkdownLine row_of(std::string_view line) {
  line = stripped(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|') && !line.ends_with("\\|")) line.remove_suffix(1);
  MarkdownLine row;
  std::string cell;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const bool escaped = i + 1 < line.size() && line[i] == '\\' && line[i + 1] == '|';
    if (escaped) {
      cell += line[++i];
    } else if (i == line.size() || line[i] == '|') {
      row.cells.push_back(SpanReader(stripped(cell)).read());
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return row;
}

/// Reads blocks line by line.
class BlockReader {
 public:
  explicit BlockReader(std::string_view markdown) {
    while (!markdown.empty()) {
      const std::size_t end = markdown.find('\n');
      std::string_view line = markdown.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      lines_.push_back(line);
      markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end + 1);
    }
  }

  std::vector<MarkdownBlock> read() {
    while (at_ < lines_.size()) {
      const std::string_view line = stripped(lines_[at_]);
      if (line.empty()) {
        ++at_;
      } else if (line.starts_with("```") || line.starts_with("~~~")) {
        read_code(line.substr(0, 3));
      } else if (const std::size_t level = heading_level(line); level != 0) {
        std::string_view words = stripped(line.substr(level));
        while (words.ends_with('#')) words.remove_suffix(1);
        add(MarkdownKind::heading, {line_of(stripped(words))}, static_cast<int>(level));
        ++at_;
      } else if (is_rule(line)) {
        add(MarkdownKind::rule, {});
        ++at_;
      } else if (line.starts_with('>')) {
        read_quote();
      } else if (const auto mark = list_mark(line)) {
        read_list(*mark);
      } else if (at_ + 1 < lines_.size() && line.find('|') != std::string_view::npos &&
                 is_table_line(stripped(lines_[at_ + 1]))) {
        read_table();
      } else {
        read_paragraph();
      }
    }
    return std::move(blocks_);
  }

 private:
  void add(MarkdownKind kind, std::vector<MarkdownLine> lines, int level = 0,
           bool ordered = false) {
    blocks_.push_back({kind, level, ordered, std::move(lines)});
  }

  void read_code(std::string_view fence) {
    std::string text;
    for (++at_; at_ < lines_.size() && !stripped(lines_[at_]).starts_with(fence); ++at_)
      text.append(lines_[at_]).append(1, '\n');
    ++at_;
    if (!text.empty()) text.pop_back();
    MarkdownSpan span{.text = std::move(text)};
    add(MarkdownKind::code, {{0, {{std::move(span)}}}});
  }

  void read_quote() {
    std::string text;
    for (; at_ < lines_.size() && stripped(lines_[at_]).starts_with('>'); ++at_)
      text.append(text.empty() ? "" : "\n").append(stripped(stripped(lines_[at_]).substr(1)));
    add(MarkdownKind::quote, {line_of(text)});
  }

  void read_table() {
    std::vector<MarkdownLine> rows{row_of(lines_[at_])};
    for (at_ += 2; at_ < lines_.size() && lines_[at_].find('|') != std::string_view::npos; ++at_) {
      rows.push_back(row_of(lines_[at_]));
      rows.back().cells.resize(rows.front().cells.size());
    }
    add(MarkdownKind::table, std::move(rows));
  }

  /// True where a line begins something else than more of a paragraph.
  [[nodiscard]] static bool begins_block(std::string_view line) {
    return line.empty() || heading_level(line) != 0 || is_rule(line) || line.starts_with('>') ||
           line.starts_with("```") || line.starts_with("~~~") || list_mark(line);
  }

  void read_paragraph() {
    std::string text(lines_[at_++]);
    for (; at_ < lines_.size() && !begins_block(stripped(lines_[at_])); ++at_)
      text.append("\n").append(lines_[at_]);
    const std::size_t from = text.find_first_not_of(kBlank);
    add(MarkdownKind::paragraph, {line_of(std::string_view(text).substr(from))});
  }

  void read_list(const ListMark& first) {
    std::vector<std::pair<int, std::string>> items;
    std::vector<std::size_t> indents;  // of the lists that are open
    for (; at_ < lines_.size(); ++at_) {
      const std::string_view line = stripped(lines_[at_]);
      const auto mark = list_mark(line);
      const std::size_t indent = indent_of(lines_[at_]);
      if (line.empty()) {
        // The list goes on behind an empty line where an item or its words do.
        if (at_ + 1 < lines_.size() &&
            (indent_of(lines_[at_ + 1]) > indents.front() || list_mark(stripped(lines_[at_ + 1]))))
          continue;
        break;
      }
      if (mark && !is_rule(line)) {
        while (indents.size() > 1 && indent < indents.back()) indents.pop_back();
        if (indents.empty() || indent > indents.back() + 1) indents.push_back(indent);
        if (indents.size() == 1 && mark->ordered != first.ordered) break;
        items.emplace_back(static_cast<int>(indents.size()) - 1, line.substr(mark->width));
      } else if (items.empty() || (begins_block(line) && indent <= indents.front())) {
        break;
      } else {
        items.back().second.append("\n").append(line);
      }
    }
    std::vector<MarkdownLine> lines;
    for (const auto& [level, text] : items) lines.push_back(line_of(stripped(text), level));
    add(MarkdownKind::list, std::move(lines), first.number, first.ordered);
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::vector<MarkdownBlock> blocks_;
};

}  // namespace

std::vector<MarkdownBlock> read_markdown(std::string_view markdown) {
  if (markdown.starts_with("\xef\xbb\xbf")) markdown.remove_prefix(3);
  return BlockReader(markdown).read();
}

std::vector<std::string> pictures_of(const std::vector<MarkdownBlock>& blocks) {
  std::vector<std::string> names;
  for (const MarkdownBlock& block : blocks)
    for (const MarkdownLine& line : block.lines)
      for (const auto& cell : line.cells)
        for (const MarkdownSpan& span : cell)
          if (!span.picture.empty() &&
              std::find(names.begin(), names.end(), span.picture) == names.end())
            names.push_back(span.picture);
  return names;
}

}  // namespace agon
