#include "suite/people/markdown.hpp"

#include <md4c.h>

#include <algorithm>
#include <array>
#include <utility>

namespace agon {
namespace {

bool is_address(std::string_view target) {
  return target.starts_with("https://") || target.starts_with("http://") ||
         target.starts_with("mailto:");
}

/// What "&amp;" and the like stand for. All others are words.
std::string_view decoded(std::string_view entity) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSigns{
      {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&nbsp;", "\u00a0"}}};
  for (const auto& [name, sign] : kSigns)
    if (name == entity) return sign;
  return entity;
}

std::string text_of(const MD_ATTRIBUTE& attribute) {
  std::string text;
  for (std::size_t i = 0; attribute.substr_offsets[i] < attribute.size; ++i) {
    const std::size_t from = attribute.substr_offsets[i];
    const std::string_view part(attribute.text + from, attribute.substr_offsets[i + 1] - from);
    text += attribute.substr_types[i] == MD_TEXT_ENTITY ? decoded(part) : part;
  }
  return text;
}

/// Makes blocks of what md4c meets. What is inside a list or a quote becomes lines of it.
class BlockCollector {
 public:
  void enter(MD_BLOCKTYPE type, const void* detail) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        return open_outer(MarkdownKind::quote);
      case MD_BLOCK_UL:
        ++lists_;
        return open_outer(MarkdownKind::list);
      case MD_BLOCK_OL: {
        ++lists_;
        const auto first = static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start;
        return open_outer(MarkdownKind::list, static_cast<int>(first), true);
      }
      case MD_BLOCK_LI:
        return add_line(lists_ - 1);
      case MD_BLOCK_H: {
        const auto level = static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level;
        return open(MarkdownKind::heading, static_cast<int>(level));
      }
      case MD_BLOCK_HR:
        return open(MarkdownKind::rule);
      case MD_BLOCK_CODE:
        return open(MarkdownKind::code);
      case MD_BLOCK_P:
        return open(MarkdownKind::paragraph);
      case MD_BLOCK_TABLE:
        return open(MarkdownKind::table);
      case MD_BLOCK_TR:
        blocks_.back().lines.emplace_back();
        return;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        blocks_.back().lines.back().cells.emplace_back();
        return;
      default:
        return;
    }
  }

  void leave(MD_BLOCKTYPE type) {
    const bool is_list = type == MD_BLOCK_UL || type == MD_BLOCK_OL;
    if (is_list) --lists_;
    if (is_list || type == MD_BLOCK_QUOTE) --outer_;
    if (type == MD_BLOCK_QUOTE && blocks_.back().lines.empty()) add_line();
    if (type == MD_BLOCK_CODE && !spans().empty() && spans().back().text.ends_with('\n'))
      spans().back().text.pop_back();
  }

  void enter(MD_SPANTYPE type, const void* detail) {
    if (type == MD_SPAN_STRONG) ++strong_;
    if (type == MD_SPAN_EM) ++emphasis_;
    if (type == MD_SPAN_CODE) code_ = true;
    if (type == MD_SPAN_A) {
      link_ = text_of(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href);
      if (!is_address(link_)) link_.clear();
    }
    if (type == MD_SPAN_IMG && pictures_++ == 0) {
      spans().push_back(like_now());
      spans().back().picture = text_of(static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src);
    }
  }

  void leave(MD_SPANTYPE type) {
    if (type == MD_SPAN_STRONG) --strong_;
    if (type == MD_SPAN_EM) --emphasis_;
    if (type == MD_SPAN_CODE) code_ = false;
    if (type == MD_SPAN_A) link_.clear();
    if (type == MD_SPAN_IMG) --pictures_;
  }

  void meet(MD_TEXTTYPE type, std::string_view text) {
    if (type == MD_TEXT_SOFTBR) {
      line_ended_ = true;
      return;
    }
    if (type == MD_TEXT_BR) return add("\n");
    if (type == MD_TEXT_NULLCHAR) return add("\ufffd");
    add(type == MD_TEXT_ENTITY ? decoded(text) : text);
  }

  std::vector<MarkdownBlock> blocks() { return std::move(blocks_); }

 private:
  void open_outer(MarkdownKind kind, int level = 0, bool ordered = false) {
    if (outer_++ == 0) blocks_.push_back({kind, level, ordered, {}});
  }

  void open(MarkdownKind kind, int level = 0) {
    if (outer_ == 0) {
      blocks_.push_back({kind, level, false, {}});
      if (kind != MarkdownKind::rule && kind != MarkdownKind::table) add_line();
    } else if (blocks_.back().lines.empty()) {
      add_line();
    } else if (!spans().empty()) {
      blocks_.back().kind == MarkdownKind::quote ? add_line() : add("\n");
    }
  }

  void add_line(int level = 0) { blocks_.back().lines.push_back({level, {{}}}); }

  /// Of the cell that is being read.
  std::vector<MarkdownSpan>& spans() { return blocks_.back().lines.back().cells.back(); }

  void add(std::string_view text) {
    if (std::exchange(line_ended_, false)) end_line(text);
    MarkdownSpan span = like_now();
    const auto looks_like = [&](const MarkdownSpan& other) {
      return other.strong == span.strong && other.emphasis == span.emphasis &&
             other.code == span.code && other.link == span.link && other.picture.empty();
    };
    if (pictures_ == 0 && (spans().empty() || !looks_like(spans().back())))
      spans().push_back(std::move(span));
    spans().back().text += text;
  }

  [[nodiscard]] MarkdownSpan like_now() const {
    return {
        .text = {}, .strong = strong_ > 0, .emphasis = emphasis_ > 0, .code = code_, .link = link_};
  }

  /// Words go on in the next line; Chinese has no blanks between them.
  void end_line(std::string_view next) {
    const auto is_wide = [](char byte, unsigned char from) {
      return static_cast<unsigned char>(byte) >= from;
    };
    const bool wide = !spans().empty() && !spans().back().text.empty() && !next.empty() &&
                      is_wide(spans().back().text.back(), 0x80) && is_wide(next.front(), 0xe3);
    if (!wide) add(" ");
  }

  std::vector<MarkdownBlock> blocks_;
  int outer_ = 0;  // lists and quotes that are open
  int lists_ = 0;
  int strong_ = 0, emphasis_ = 0, pictures_ = 0;
  bool code_ = false;
  bool line_ended_ = false;
  std::string link_;
};

}  // namespace

std::vector<MarkdownBlock> read_markdown(std::string_view markdown) {
  if (markdown.starts_with("\xef\xbb\xbf")) markdown.remove_prefix(3);
  BlockCollector collector;
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* to) {
    return static_cast<BlockCollector*>(to)->enter(type, detail), 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* to) {
    return static_cast<BlockCollector*>(to)->leave(type), 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* to) {
    return static_cast<BlockCollector*>(to)->enter(type, detail), 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* to) {
    return static_cast<BlockCollector*>(to)->leave(type), 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* to) {
    return static_cast<BlockCollector*>(to)->meet(type, {text, size}), 0;
  };
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &collector);
  return collector.blocks();
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
