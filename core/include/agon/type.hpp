#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace agon {

/// What a described value is, and so what form it takes in JSON, on a terminal and in a record.
enum class Kind : std::uint8_t {
  boolean,      ///< bool
  integer,      ///< any integer type; Money is an integer with two decimals
  number,       ///< double, finite
  text,         ///< UTF-8
  enumeration,  ///< an enum described with AGON_DESCRIBE_ENUM
  optional,     ///< std::optional: the value or null
  list,         ///< vector, array, span (views only) or InlineList
  map,          ///< text to value; its keys are named for the moment
  structure,    ///< a struct described with AGON_DESCRIBE
  variant,      ///< one of several structs, told apart by a "kind" member
};

/// Which direction of a metric is the better one.
enum class Better : std::uint8_t { neither, higher, lower };

struct Type;

/// One named value of an enumeration.
struct Enumerator {
  std::string_view name;  ///< as JSON has it
  std::string_view doc;   ///< what it means
  std::int64_t value;     ///< the enumerator as a number
};

/// One member of a described struct.
struct Field {
  std::string_view name;                ///< as JSON has it
  std::string_view doc;                 ///< what it means
  const Type* type = nullptr;           ///< description of the member
  void* (*at)(void* object) = nullptr;  ///< address of the member in an object
  std::string_view unit{};              ///< "coins"; empty: none
  std::string_view source{};            ///< where a default or a rule comes from: paper and section
  std::string_view data{};  ///< settings only: format of a data file that may fill this member
  double min = -std::numeric_limits<double>::infinity();  ///< of the number or of each element
  double max = std::numeric_limits<double>::infinity();   ///< likewise
  std::size_t min_length = 0;                             ///< of a text (bytes), list or map
  std::size_t max_length = std::numeric_limits<std::size_t>::max();  ///< likewise
  Better better = Better::neither;                                   ///< metrics only
  bool operational = false;  ///< parameters only: how work is done, not what comes of it
  bool prose = false;        ///< views only: a text of the game's own making
  bool unshown = false;      ///< in the JSON and in no text for players
  bool seat = false;         ///< the number of a seat, told as its name
  bool phase = false;        ///< facts only: names the event that parts two phases
  int decimals =
      0;  ///< metrics only: 2: a number of cents, shown as dollars; Money has it by itself
};

/// The run-time description of a type: everything that reads, writes, checks, draws, records or
/// explains a value is written once, in the core, against this.
struct Type {
  Kind kind;                ///< says which of the members below have a meaning
  std::string_view name;    ///< of a struct or an enumeration; else "integer", "list", ...
  std::size_t size = 0;     ///< of an object, in bytes
  std::uint16_t slots = 1;  ///< how many places a limit can stand at, see limits.hpp

  void (*construct)(void* at) = nullptr;  ///< default value; null for types that only views hold
  void (*destroy)(void* at) = nullptr;    ///< ends an object's life
  void (*copy)(void* at, const void* from) = nullptr;  ///< construct a copy

  // integer, enumeration
  std::int64_t (*get)(const void*) = nullptr;  ///< the value as a number; Money in cents
  void (*set)(void*, std::int64_t) = nullptr;  ///< the value must lie within low..high
  std::int64_t low = 0;                        ///< lowest number that the C++ type can hold
  std::int64_t high = 0;                       ///< highest
  int decimals = 0;                            ///< 2 for Money: JSON shows cents / 100
  std::span<const Enumerator> enumerators{};   ///< in order of description

  // text
  std::string_view (*text)(const void*) = nullptr;      ///< the text
  void (*set_text)(void*, std::string_view) = nullptr;  ///< replaces it

  // optional, list, map: the value type and how to reach the values
  const Type* element = nullptr;                 ///< description of a value
  std::size_t (*count)(const void*) = nullptr;   ///< how many there are
  void* (*item)(void*, std::size_t) = nullptr;   ///< address of value i
  std::size_t capacity = 0;                      ///< the longest list the C++ type can hold
  bool (*resize)(void*, std::size_t) = nullptr;  ///< false if it cannot hold as many
  bool resize_is_free = true;                    ///< false for std::array: it has one length only
  std::string_view (*key)(const void*, std::size_t) = nullptr;  ///< of a map: key i
  void* (*emplace)(void*, std::string_view key) = nullptr;      ///< of a map: adds a value

  // structure
  std::span<const Field> fields{};  ///< members, in order of description

  // variant
  std::span<const Type* const> alternatives{};    ///< what it may hold
  std::size_t (*index)(const void*) = nullptr;    ///< which of them it holds
  void* (*alternative)(void*) = nullptr;          ///< address of the held value
  void* (*become)(void*, std::size_t) = nullptr;  ///< switch and return the new value's address
};

/// The description of T. Its address is the type's identity within one library; across libraries
/// compare shape hashes instead (two plugins may each have an `Offer`).
template <class T>
constexpr const Type& type_of();

}  // namespace agon
