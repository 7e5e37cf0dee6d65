#include "llm/prompt/template.hpp"

#include <agon/error.hpp>

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

}  // namespace

Template::Template(std::string text, const std::string& file) : text_(std::move(text)) {
  std::string_view rest = text_;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    Line made;
    made.is_blank = without_blanks(line).empty();
    const auto refuse = [&](const std::string& problem) {
      throw Error(ErrorKind::invalid, problem, file + ":" + std::to_string(number),
                  "write {{name}}; docs/prompts.md lists the names");
    };
    while (!line.empty()) {
      const std::size_t open = line.find("{{");
      if (line.substr(0, open).find("}}") != std::string_view::npos)
        refuse("there is a '}}' without its '{{'");
      if (open != 0) made.pieces.push_back({line.substr(0, open), false});
      if (open == std::string_view::npos) break;
      const std::size_t close = line.find("}}", open);
      if (close == std::string_view::npos) refuse("a '{{' is not closed in its line");
      const std::string_view name = without_blanks(line.substr(open + 2, close - open - 2));
      if (!is_name(name)) refuse("'" + std::string(name) + "' is no name");
      made.pieces.push_back({name, true});
      made.has_names = true;
      uses_.push_back({name, number});
      line.remove_prefix(close + 2);
    }
    lines_.push_back(std::move(made));
  }
}

std::string Template::fill(const std::function<std::string(std::string_view)>& value) const {
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
    bool filled = false;
    const std::size_t start = paragraph.size();
    for (const Piece& piece : line.pieces) {
      if (!piece.is_name) {
        paragraph += piece.text;
        continue;
      }
      const std::string text = value(piece.text);
      filled = filled || !text.empty();
      paragraph += text;
    }
    if (line.has_names) {
      any_names = true;
      any_filled = any_filled || filled;
      if (!filled) {
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
