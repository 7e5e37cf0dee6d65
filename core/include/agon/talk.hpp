#pragma once

#include <agon/callback.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Where the record of a game has what was said and what was true, so that words can be held
/// against deeds (docs/words.md): one implementation for all games.
namespace agon {

/// A member of the answers to a stage, by its names joined with dots: {"buy", "action.buy.price"}.
/// An answer without it, as of another alternative, does not have it.
struct TalkMember {
  std::string_view stage;   ///< of the answers
  std::string_view member;  ///< a number, a list of numbers, or a text
};

/// Which misstatement of a private value serves the one who makes it, if it is believed.
enum class Understating : std::uint8_t {
  serves,  ///< stating less than the truth: a buyer's budget
  harms,   ///< stating more serves: a seller's cost
  neither  ///< it depends
};

/// A private value: a number that one seat is told in an event.
struct PrivateMember {
  std::string_view event;   ///< told to the seat alone
  std::string_view member;  ///< its names; "items[].value": one for each entry of a list
  /// What people call it, separated by commas, longest first: "reservation price, limit, budget".
  /// Of a list empty: its entries are called by `label`.
  std::string_view words{};
  std::string_view label{};  ///< of a list, what an entry is called: "items[].item"
  std::string_view count{};  ///< of a list, how many there are of an entry: "items[].count"
  std::string_view unit{};   ///< of the numbers, as people say it: "dollars"
  Understating understating = Understating::neither;  ///< of it
};

/// An action as players may name it.
struct TalkedMove {
  std::string action;              ///< as the answer has it
  std::vector<std::string> words;  ///< other names: "cooperate", "split"
};

/// Actions of a repeated game as prices or quantities.
struct TalkedMarket {
  /// By seat and then by place in what `moves_for` gives: the price, or the quantity.
  std::vector<std::vector<double>> levels;
  double nash = 0;      ///< the mean level in the equilibrium of one period
  double monopoly = 0;  ///< the mean level where all together get most; never `nash`
};

/// What is said in a game, and what the record can say of it. All names are of its stages, events
/// and their members.
struct TalkCard {
  std::span<const TalkMember> messages{};    ///< texts to the other seats
  std::span<const PrivateMember> values{};   ///< private values
  std::span<const TalkMember> stated{};      ///< lists of private values, stated as an answer
  std::span<const TalkMember> offers{};      ///< a price, or the amounts that the seat would take
  std::span<const TalkMember> agreements{};  ///< present where the seat takes an offer
  std::span<const TalkMember> moves{};       ///< an action that messages before it may promise
  /// The actions that a seat may have, by name; null: `moves` are not named in talk.
  Callback<std::vector<TalkedMove>(const void* settings, int seat)> moves_for{};
  /// Nothing for settings that are no market.
  Callback<std::optional<TalkedMarket>(const void* settings)> market{};
};

}  // namespace agon
