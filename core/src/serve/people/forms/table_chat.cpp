#include "people/forms/table_chat.hpp"

#include <agon/form.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "text/utf8.hpp"

namespace agon::serve {
namespace {

constexpr std::int64_t kMinute = 60'000;
/// Nobody reads more, and all of it is kept in memory.
constexpr std::int64_t kMostLines = 5000;

/// Letters that have a small form, in the alphabets of Europe, as that.
char32_t folded(char32_t c) {
  const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (in('A', 'Z') || (in(0xc0, 0xde) && c != 0xd7) || (in(0x391, 0x3a9) && c != 0x3a2) ||
      in(0x410, 0x42f))
    return c + 32;
  if (in(0x400, 0x40f)) return c + 80;
  if (in(0x100, 0x137) || in(0x14a, 0x177)) return c | 1U;
  if ((in(0x139, 0x148) || in(0x179, 0x17e)) && c % 2 == 1) return c + 1;
  return c;
}

/// A letter or digit of a script that has blanks between words.
bool is_of_word(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= 0xc0 && c < 0x2000 && c != 0xd7 && c != 0xf7);
}

struct Letters {
  std::vector<char32_t> folded{};
  std::vector<std::size_t> at{};  ///< byte of each, and the end
};

Letters letters_of(std::string_view text) {
  Letters letters;
  for (std::size_t at = 0; at < text.size();) {
    const text::CodePoint one = text::decode(text, at);
    letters.folded.push_back(folded(one.value));
    letters.at.push_back(at);
    at += std::max<std::size_t>(1, one.length);
  }
  letters.at.push_back(text.size());
  return letters;
}

bool stands_at(const std::vector<char32_t>& text, std::size_t at,
               const std::vector<char32_t>& word) {
  const std::size_t end = at + word.size();
  if (word.empty() || end > text.size() ||
      !std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at)))
    return false;
  const bool begins = at == 0 || !is_of_word(word.front()) || !is_of_word(text[at - 1]);
  const bool ends = end == text.size() || !is_of_word(word.back()) || !is_of_word(text[end]);
  return begins && ends;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

std::string withhold(std::string_view text, const std::vector<std::string>& words) {
  const Letters letters = letters_of(text);
  std::vector<std::vector<char32_t>> sought;
  for (const std::string& word : words) sought.push_back(letters_of(trimmed(word)).folded);
  std::string out;
  for (std::size_t i = 0; i < letters.folded.size();) {
    std::size_t longest = 0;
    for (const auto& word : sought)
      if (word.size() > longest && stands_at(letters.folded, i, word)) longest = word.size();
    if (longest == 0) {
      out += text.substr(letters.at[i], letters.at[i + 1] - letters.at[i]);
      ++i;
    } else {
      out += "\u2026";
      i += longest;
    }
  }
  return out;
}

void TableChat::load(std::vector<ChatRow> rows) {
  for (ChatRow& row : rows) {
    next_[row.match] = row.number + 1;
    taken_.insert({row.pseudonym, row.token});
    show(std::move(row));
  }
}

bool TableChat::is_in(const std::string& scenario) const {
  if (said_ == nullptr) return false;
  return !said_->scenarios || std::find(said_->scenarios->begin(), said_->scenarios->end(),
                                        scenario) != said_->scenarios->end();
}

bool TableChat::was_taken(const ChatRow& row) const {
  return taken_.contains({row.pseudonym, row.token});
}

ChatProblem TableChat::take(ChatRow& row) {
  const std::string_view text = trimmed(row.text);
  if (text.empty()) return ChatProblem::empty;
  if (letters_of(text).folded.size() > longest()) return ChatProblem::too_long;
  std::deque<std::int64_t>& recent = recent_[row.pseudonym];
  while (!recent.empty() && recent.front() <= row.at - kMinute) recent.pop_front();
  if (recent.size() >= said_->per_minute || next_[row.match] >= kMostLines)
    return ChatProblem::too_many;
  recent.push_back(row.at);
  row.text = withhold(printable(text, true), said_->withhold);
  row.number = next_[row.match]++;
  taken_.insert({row.pseudonym, row.token});
  return ChatProblem::none;
}

void TableChat::show(ChatRow row) {
  lines_[row.match].push_back(std::move(row));
}

void TableChat::give_back(const ChatRow& row) {
  taken_.erase({row.pseudonym, row.token});
}

const std::vector<ChatRow>& TableChat::lines(const archive::MatchId& match) const {
  static const std::vector<ChatRow> nothing;
  const auto at = lines_.find(match);
  return at == lines_.end() ? nothing : at->second;
}

}  // namespace agon::serve
