#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

/// Words of a Markdown text that look alike, or a picture among them.
struct MarkdownSpan {
  std::string text;  ///< of a picture: what it shows
  bool strong = false;
  bool emphasis = false;
  bool code = false;
  std::string link{};     ///< http, https or mailto; empty: none
  std::string picture{};  ///< as the text names its file; empty: none
};
AGON_DESCRIBE(MarkdownSpan, (text, "words; of a picture what it shows"), (strong, "bold"),
              (emphasis, "italic"), (code, "as it is typed"), (link, "address; empty: none"),
              (picture, "file or address of a picture; empty: none"))

enum class MarkdownKind : std::uint8_t { heading, paragraph, quote, list, table, code, rule };
AGON_DESCRIBE_ENUM(MarkdownKind, (heading, "of what follows"), (paragraph, "of words"),
                   (quote, "words of somebody"), (list, "of items"),
                   (table, "whose first row is its head"), (code, "as it is typed"),
                   (rule, "a line between parts"))

/// A heading, a paragraph, an item of a list or a row of a table.
struct MarkdownLine {
  int level = 0;                                   ///< of an item: how deep it is
  std::vector<std::vector<MarkdownSpan>> cells{};  ///< one, but of a row
};
AGON_DESCRIBE(MarkdownLine, (level, "of an item: how deep it is"),
              (cells, "of a row; else one of words"))

struct MarkdownBlock {
  MarkdownKind kind = MarkdownKind::paragraph;
  int level = 0;         ///< of a heading, from 1; of a numbered list: its first number
  bool ordered = false;  ///< of a list
  std::vector<MarkdownLine> lines{};
};
AGON_DESCRIBE(MarkdownBlock, (kind, "of block"),
              (level, "of a heading, from 1; of a numbered list its first number"),
              (ordered, "the list has numbers"), (lines, "items, rows, or one"))

/// Reads CommonMark with GitHub's tables (by md4c), but for indented code. HTML is words, and so is
/// a link to anything but http, https and mailto. Of what is inside a list or a quote, each item
/// and each paragraph is a line.
[[nodiscard]] AGON_API std::vector<MarkdownBlock> read_markdown(std::string_view markdown);

/// The pictures that it names, in order, each once.
[[nodiscard]] AGON_API std::vector<std::string> pictures_of(
    const std::vector<MarkdownBlock>& blocks);

}  // namespace agon
