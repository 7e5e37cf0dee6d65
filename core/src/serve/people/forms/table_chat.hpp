#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "people/store.hpp"
#include "suite/people/people_file.hpp"

namespace agon::serve {

/// The text with three dots in place of each of the words, whatever their case. A word of letters
/// is only found whole: "ann" is not in "planned". Chinese has no blanks: there it is found
/// anywhere.
[[nodiscard]] AGON_API std::string withhold(std::string_view text,
                                            const std::vector<std::string>& words);

/// Why a message is not taken.
enum class ChatProblem : std::uint8_t { none, empty, too_long, too_many };

/// What people at one table write to each other beside the decisions. The game has no part in it.
/// Used with the session's mutex held.
class TableChat {
 public:
  TableChat() = default;
  /// `said`: of the suite; null: nobody writes.
  explicit TableChat(const suite_file::Chat* said) : said_(said) {}
  void load(std::vector<ChatRow> rows);

  /// True if people in a match of the scenario may write to each other.
  [[nodiscard]] bool is_in(const std::string& scenario) const;
  [[nodiscard]] bool withholds() const { return said_ != nullptr && !said_->withhold.empty(); }
  /// Characters of a message.
  [[nodiscard]] std::uint64_t longest() const { return said_ == nullptr ? 0 : said_->longest; }

  /// Looks whether somebody may write this now. Where it may be, the row has its number and its
  /// text is as it is to be kept and shown; it is shown once it was given to show().
  ChatProblem take(ChatRow& row);
  /// True if this was taken already, be it shown or not.
  [[nodiscard]] bool was_taken(const ChatRow& row) const;
  /// It is kept.
  void show(ChatRow row);
  /// It could not be kept: it may be sent again.
  void give_back(const ChatRow& row);

  /// What is shown at a table, in order.
  [[nodiscard]] const std::vector<ChatRow>& lines(const archive::MatchId& match) const;
  [[nodiscard]] const std::map<archive::MatchId, std::vector<ChatRow>>& all() const {
    return lines_;
  }

 private:
  const suite_file::Chat* said_ = nullptr;
  std::map<archive::MatchId, std::vector<ChatRow>> lines_;
  std::map<archive::MatchId, std::int64_t> next_;           ///< numbers
  std::set<std::pair<std::string, std::string>> taken_;     ///< who, token
  std::map<std::string, std::deque<std::int64_t>> recent_;  ///< by who wrote it: when
};

}  // namespace agon::serve
