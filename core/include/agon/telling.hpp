#pragma once

#include <agon/export.hpp>
#include <agon/language.hpp>
#include <agon/money.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// How a game puts events and views into sentences and small tables. A telling is a function
/// `std::string tell(const Sale&, const agon::Scene&)` that an Event, Stage or Probe names. Models,
/// people and `agon show` read what it returns; programs and the record have the struct itself.
namespace agon {

/// Where something is told.
class Scene {
 public:
  /// Names and settings must outlive the scene. `settings` is the game's own type; `reader` is the
  /// seat that is told it, -1: nobody in particular, as in `agon show`; `language`: what it reads.
  Scene(std::span<const std::string_view> seats, const void* settings, int reader = -1,
        const Language& language = Language::english())
      : seats_(seats), settings_(settings), reader_(reader), language_(&language) {}

  /// The seats' names, in their order.
  [[nodiscard]] std::span<const std::string_view> seats() const { return seats_; }
  /// The name of a seat of the match.
  [[nodiscard]] std::string_view name(int seat) const {
    return seats_[static_cast<std::size_t>(seat)];
  }
  /// The seat that is told it; -1: nobody in particular.
  [[nodiscard]] int reader() const { return reader_; }
  /// True if `seat` is told it: what it did itself is told as "you".
  [[nodiscard]] bool is_reader(int seat) const { return seat == reader_; }
  /// What who is told it reads. A game that says all it says through it can be played in other
  /// languages (GameCard::sentences).
  [[nodiscard]] const Language& language() const { return *language_; }
  /// A sentence of the game in that language: say("Day {day}.", {{"day", "3"}}).
  [[nodiscard]] std::string say(std::string_view sentence,
                                std::initializer_list<Filled> with = {}) const {
    return language_->say(sentence, with);
  }
  /// How a sentence about a seat begins: "Bob says", and "You say" for Bob himself.
  [[nodiscard]] std::string does(int seat, std::string_view says, std::string_view say) const {
    const bool own = is_reader(seat);
    return std::string(own ? "You" : name(seat)).append(" ").append(own ? say : says);
  }
  /// The settings of the match; S must be the game's type of them.
  template <class S>
  [[nodiscard]] const S& settings() const {
    return *static_cast<const S*>(settings_);
  }

 private:
  std::span<const std::string_view> seats_;
  const void* settings_;
  int reader_;
  const Language* language_;
};

/// What a player wrote: in quotes that it cannot end, on one line, without control characters. No
/// other text of a telling needs quotes: model agents cut what is long within them.
[[nodiscard]] AGON_API std::string speech(std::string_view text);

/// "Alice", "Alice and Bob", "Alice, Bob and Eric"; empty for none.
[[nodiscard]] AGON_API std::string listed(std::span<const std::string> words);

/// "1 unit", "3 units".
[[nodiscard]] AGON_API std::string counted(std::int64_t n, std::string_view one,
                                           std::string_view many);

/// "60", "-5", "10,000": a number in a sentence or a table, its thousands apart. JSON has none of
/// it.
[[nodiscard]] AGON_API std::string with_thousands(std::int64_t n);

/// "$60", "-$4.40", "$10,000", as with_thousands has it.
[[nodiscard]] AGON_API std::string money_text(Money amount);

/// Rows under headings, as many cells a row as headings, indented by two; columns of numbers and
/// amounts stand right. Ends without a line break; empty without rows.
[[nodiscard]] AGON_API std::string small_table(std::span<const std::string_view> headings,
                                               std::span<const std::vector<std::string>> rows);

}  // namespace agon
