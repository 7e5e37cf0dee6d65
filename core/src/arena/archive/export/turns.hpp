#pragma once

#include <agon/export.hpp>
#include <agon/model/model_call.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "archive/export/cell.hpp"

namespace agon::archive {

/// Calls `each` with every entry of a match's record, as a JSON object on one line.
using RecordEntries = std::function<void(std::string_view record,
                                         const std::function<void(std::string_view entry)>& each)>;

/// The normalised score of a seat; NaN for one without a surplus, and of a match without an
/// outcome.
[[nodiscard]] AGON_API double normalised_score(const MatchRow& match, const SeatRow& seat);

/// A model call that came through, or the answer to a question for which no model was called.
struct Turn {
  int seat = 0;
  std::string agent;  ///< name
  std::string_view stage;
  std::int64_t question = 0;
  std::int64_t attempt = 0;
  bool probe = false;
  const CallRow* call = nullptr;  ///< null: no model was called
  /// Whether it gave the attempt: further calls of one (a notebook, say) prepare it.
  bool gives_attempt = true;
  std::string fault{};                  ///< of the attempt that it gave, by name; else empty
  std::optional<std::string> answer{};  ///< JSON that was played, with the question's last attempt
  std::optional<bool> fallback{};       ///< whether that is the fallback's
  double reward = std::numeric_limits<double>::quiet_NaN();     ///< normalised score of the seat
  double advantage = std::numeric_limits<double>::quiet_NaN();  ///< minus the group's mean
  std::string_view group;  ///< of seats in one role with the same random draws
};

/// Matches without turns, and why.
struct WithoutTurns {
  std::int64_t unrecorded = 0;   ///< matches that were played without keeping a record
  std::int64_t with_people = 0;  ///< matches with people at seats,
  std::int64_t answers = 0;      ///< and how often these people answered
};

/// Reads the turns of matches. It goes through the results of all matches first, and then holds a
/// number and a count a group, and the seats of people.
class TurnReader {
 public:
  AGON_API TurnReader(const Archive& archive, RecordEntries entries);

  /// Calls `each` with the turns of a match that was read with its record, by question, attempt and
  /// place. A turn is valid during the call.
  ///
  /// People agreed to a text, and no archive can tell whether it covers the training of models. So
  /// there are no turns of matches with people: what models are told repeats what people did.
  void each(const MatchRow& match, const std::function<void(const Turn&)>& each);
  [[nodiscard]] const WithoutTurns& without_turns() const { return without_; }

 private:
  struct RecordedQuestion {
    int seat = 0;
    std::string stage;
    bool probe = false, forced = false, by_rules = false;
    std::vector<std::string> attempts;  // their faults
    std::optional<std::string> value;
  };
  struct Mean {
    double sum = 0;
    std::int64_t count = 0;
  };
  using Questions = std::map<std::int64_t, RecordedQuestion>;
  using Group = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>;

  [[nodiscard]] static Group group_of(const MatchRow& match, const SeatRow& seat);
  [[nodiscard]] std::string id_of(const Group& group) const;
  [[nodiscard]] Questions questions_of(const MatchRow& match) const;
  [[nodiscard]] bool has_people(const MatchRow& match, const Questions& questions);
  void set_seats(const MatchRow& match);
  [[nodiscard]] Turn turn_of(const RecordedQuestion& asked, std::int64_t number,
                             std::size_t attempt) const;
  void each_call(const MatchRow& match, Questions& questions,
                 const std::function<void(const Turn&)>& each) const;

  const Archive& archive_;
  RecordEntries entries_;
  std::map<std::int64_t, AgentRow> agents_;
  std::set<std::pair<MatchId, int>> people_;  // matches, and seats at which people answered
  std::map<std::int64_t, ScenarioRow> scenarios_;
  std::map<Group, Mean> means_;
  std::vector<std::string> groups_;  // of the seats of the match
  std::vector<Turn> seats_;          // what the turns of each seat share
  WithoutTurns without_;
};

/// The cells of a turn; docs/archive.md lists the columns.
[[nodiscard]] NamedCells turn_cells(const Turn& turn, const SeatRow& seat, int score_decimals);

/// Members that the messages of a file have.
enum class ChatMembers {
  needed,  ///< role and content; of messages about tools also tool_calls or tool_call_id
  all,     ///< all four in every message, null where it has none: readers of columns need it
};

/// Appends a message as chat templates read it, as JSON: {role, content}. Calls of tools are an
/// assistant's `tool_calls`, their arguments JSON text; a result has its `tool_call_id`.
void append_chat_message(std::string& out, const ChatMessage& message,
                         ChatMembers members = ChatMembers::needed);

/// What the model said as such a message.
[[nodiscard]] ChatMessage said_message(const ModelCall& call);

/// Tools that a call offered, as a JSON list of functions ({"type": "function", "function":
/// {"name", "description", "parameters"}}), whatever the provider's form; empty without any. An
/// answer that is asked for as a tool is none.
[[nodiscard]] std::string tools_json(const ModelCall& call);

}  // namespace agon::archive
