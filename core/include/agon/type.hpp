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
  std::string_view name;
  std::string_view doc;
  std::int64_t value;
};

/// One member of a described struct.
struct Field {
  std::string_view name;
  std::string_view doc;
  const Type* type = nullptr;
  void* (*at)(void* object) = nullptr;  ///< address of the member in an object
  std::string_view unit{};
  std::string_view source{};  ///< where a default or a rule comes from: paper and section
  std::string_view data{};    ///< settings only: format of a data file that may fill this member
  double min = -std::numeric_limits<double>::infinity();  ///< of the number or of each element
  double max = std::numeric_limits<double>::infinity();
  std::size_t min_length = 0;  ///< of a text (bytes), list or map
  std::size_t max_length = std::numeric_limits<std::size_t>::max();
  Better better = Better::neither;  ///< metrics only
  bool operational = false;         ///< parameters only: how work is done, not what comes of it
  bool prose = false;               ///< views only: a text of the game's own making
  bool unshown = false;             ///< in the JSON and in no text for players
  int decimals =
      0;  ///< metrics only: 2: a number of cents, shown as dollars; Money has it by itself
};

/// The run-time description of a type: everything that reads, writes, checks, draws, records or
/// explains a value is written once, in the core, against this.
struct Type {
  Kind kind;
  std::string_view name;
  std::size_t size = 0;
  std::uint16_t slots = 1;  ///< how many places a limit can stand at, see limits.hpp

  void (*construct)(void* at) = nullptr;  ///< default value; null for types that only views hold
  void (*destroy)(void* at) = nullptr;
  void (*copy)(void* at, const void* from) = nullptr;  ///< construct a copy

  // integer, enumeration
  std::int64_t (*get)(const void*) = nullptr;
  void (*set)(void*, std::int64_t) = nullptr;  ///< the value must lie within low..high
  std::int64_t low = 0, high = 0;              ///< what the C++ type can hold
  int decimals = 0;                            ///< 2 for Money: JSON shows cents / 100
  std::span<const Enumerator> enumerators{};

  // text
  std::string_view (*text)(const void*) = nullptr;
  void (*set_text)(void*, std::string_view) = nullptr;

  // optional, list, map: the value type and how to reach the values
  const Type* element = nullptr;
  std::size_t (*count)(const void*) = nullptr;
  void* (*item)(void*, std::size_t) = nullptr;
  std::size_t capacity = 0;                      ///< the longest list the C++ type can hold
  bool (*resize)(void*, std::size_t) = nullptr;  ///< false if it cannot hold as many
  bool resize_is_free = true;                    ///< false for std::array: it has one length only
  std::string_view (*key)(const void*, std::size_t) = nullptr;
  void* (*emplace)(void*, std::string_view key) = nullptr;

  // structure
  std::span<const Field> fields{};

  // variant
  std::span<const Type* const> alternatives{};
  std::size_t (*index)(const void*) = nullptr;
  void* (*alternative)(void*) = nullptr;          ///< address of the held value
  void* (*become)(void*, std::size_t) = nullptr;  ///< switch and return the new value's address
};

/// The description of T. Its address is the type's identity within one library; across libraries
/// compare shape hashes instead (two plugins may each have an `Offer`).
template <class T>
constexpr const Type& type_of();

}  // namespace agon
