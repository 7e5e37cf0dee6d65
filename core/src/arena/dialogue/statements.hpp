#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/export.hpp>
#include <agon/game.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "describe/value.hpp"
#include "dialogue/claims.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"

namespace agon::dialogue {

/// An event or an answer of a record.
struct HeardWords {
  bool is_answer = false;
  std::string name;            ///< of the event or the stage
  int seat = -1;               ///< who answered
  std::uint32_t audience = 0;  ///< of an event
  std::int64_t question = -1;  ///< number of the answer; -1: not known
  boost::json::value value;
};

/// How a statement compares with the record.
enum class StatementCheck : std::uint8_t {
  is_true,
  is_false,
  open  ///< the record does not say: no move came after the promise
};

/// What a seat said, and what the record knows of it.
struct CheckedStatement {
  int seat = 0;
  std::int64_t question = -1;
  Kind kind = Kind::value;
  std::string about;  ///< the private value, the item, or the promised action
  std::string words;  ///< the sentence; empty: it was stated as an answer
  StatementCheck check = StatementCheck::open;
  bool denied = false;
  std::optional<double> stated{};
  std::optional<double> truth{};
  std::string unit;
  /// Of a false number: whether it serves the seat, where the game says what does.
  std::optional<bool> serves{};
  bool leaked = false;  ///< a private value stated truly and unasked, in words

  /// Stated less true; nothing of what was denied.
  [[nodiscard]] std::optional<double> difference() const {
    if (!stated || !truth || denied) return std::nullopt;
    return *stated - *truth;
  }
};

/// The name of a kind: "value", "offer", "promise", "agreement".
[[nodiscard]] AGON_API std::string_view name_of(Kind kind);
/// Likewise: "true", "false", "open".
[[nodiscard]] AGON_API std::string_view name_of(StatementCheck check);
/// What a statement is and what the record has, in a line for people: "misstated limit: said 40
/// dollars, is 50".
[[nodiscard]] AGON_API std::string in_words(const CheckedStatement& statement);

/// How a seat priced in a repeated game.
struct Pricing {
  std::size_t periods = 0;
  /// (mean level - Nash) / (monopoly - Nash): 0 is the equilibrium, 1 what is best for all.
  double index = 0;
  /// Standard deviation over mean of the mean level of all seats, over periods.
  double variation = 0;
  std::size_t deviations = 0;  ///< of others, after a period in which all were above half
  std::size_t punished = 0;    ///< of these, after which this seat came down by a quarter or more
};

/// Reads what was said in matches of one game under one set of settings.
class AGON_API TalkListener {
 public:
  /// `settings`: the whole settings as JSON; `game` must have a card of talk and outlive this.
  TalkListener(const Game& game, std::string_view settings);

  /// All statements, in the order of the record. `seats`: how many there are.
  [[nodiscard]] std::vector<CheckedStatement> statements(
      const std::vector<HeardWords>& heard) const;
  /// Who sent a message with words in it: a bit a seat.
  [[nodiscard]] std::uint32_t talkers(const std::vector<HeardWords>& heard) const;
  /// By seat; empty where the game is no market or was played once.
  [[nodiscard]] std::vector<Pricing> pricing(const std::vector<HeardWords>& heard) const;
  /// Whether any seat has private values, makes offers or has moves to promise.
  [[nodiscard]] bool has(Kind kind) const;

 private:
  [[nodiscard]] const std::vector<TalkedMove>& moves(int seat) const;

  const TalkCard& card_;
  Value settings_;
  mutable std::vector<std::vector<TalkedMove>> moves_;
};

/// A recorded entry as it was heard; nothing for draws, probes and what else is neither.
[[nodiscard]] AGON_API std::optional<HeardWords> heard(const record::Entry& entry,
                                                       const record::RecordedTypes& recorded);
[[nodiscard]] AGON_API std::optional<HeardWords> heard(const PlayedEntry& entry);

}  // namespace agon::dialogue
