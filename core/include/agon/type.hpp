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
  text,         ///< UTF-8; JsonText is a text that stands for any JSON value
  enumeration,  ///< an enum described with AGON_DESCRIBE_ENUM
  optional,     ///< std::optional: the value or null
  list,         ///< vector, array, span (views only) or InlineList
  map,          ///< text to value; its keys are named for the moment
  structure,    ///< a struct described with AGON_DESCRIBE
  variant,      ///< one of several structs, told apart by a "kind" member; or one of several
                ///< forms, told apart by what they are in JSON
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
  std::string_view name;                                       ///< as JSON has it
  std::string_view doc;                                        ///< what it means
  const Type* type = nullptr;                                  ///< description of the member
  void* (*reach)(void* object, std::size_t number) = nullptr;  ///< see at()
  std::size_t number = 0;     ///< of a type made at run time: which member of the value it is
  std::string_view unit{};    ///< "coins"; empty: none
  std::string_view source{};  ///< where a default or a rule comes from: paper and section
  std::string_view data{};    ///< settings only: format of a data file that may fill this member
  std::string_view former{};  ///< its name before, which files may still have; empty: none
  double min = -std::numeric_limits<double>::infinity();  ///< of the number or of each element
  double max = std::numeric_limits<double>::infinity();   ///< likewise
  std::size_t min_length = 0;                             ///< of a text (code points), list or map
  std::size_t max_length = std::numeric_limits<std::size_t>::max();  ///< likewise
  Better better = Better::neither;                                   ///< metrics only
  bool operational = false;  ///< parameters only: how work is done, not what comes of it
  bool prose = false;        ///< views only: a text of the game's own making
  bool unshown = false;      ///< in the JSON and in no text for players
  bool seat = false;         ///< the number of a seat, told as its name
  bool phase = false;        ///< facts only: names the event that parts two phases
  bool apart = false;        ///< facts only: names the member that parts plays of their own
  bool left_out = false;     ///< an optional, text or list that is not written if empty
  /// Metrics only: 2: a number of cents, shown as dollars; Money has it by itself.
  int decimals = 0;

  /// Address of the member in an object.
  [[nodiscard]] void* at(void* object) const { return reach(object, number); }
};

/// How values of a type are reached; Type says what each does. Where it is given the type, one
/// function serves all types that were made at run time.
struct Operations {
  void (*construct)(const Type&, void* at) = nullptr;  ///< null for types that only views hold
  void (*destroy)(const Type&, void* at) = nullptr;    ///< Type::destroy
  void (*copy)(const Type&, void* at, const void* from) = nullptr;   ///< Type::copy
  std::int64_t (*get)(const void*) = nullptr;                        ///< Type::get
  void (*set)(void*, std::int64_t) = nullptr;                        ///< Type::set
  std::string_view (*text)(const void*) = nullptr;                   ///< Type::text
  void (*set_text)(void*, std::string_view) = nullptr;               ///< null for texts of views
  void (*borrow)(void*, const void*, std::size_t) = nullptr;         ///< Type::borrow
  std::size_t (*count)(const void*) = nullptr;                       ///< Type::count
  void* (*item)(void*, std::size_t) = nullptr;                       ///< Type::item
  bool (*resize)(const Type&, void*, std::size_t) = nullptr;         ///< null for lists of views
  std::string_view (*key)(const void*, std::size_t) = nullptr;       ///< Type::key
  void* (*emplace)(const Type&, void*, std::string_view) = nullptr;  ///< Type::emplace
  std::size_t (*index)(const Type&, const void*) = nullptr;          ///< Type::index
  void* (*alternative)(void*) = nullptr;                             ///< Type::alternative
  void* (*become)(const Type&, void*, std::size_t) = nullptr;        ///< Type::become
};

/// The description of a type: everything that reads, writes, checks, draws, records or explains a
/// value is written once, in the core, against this. It is made by the compiler (type_of) or at run
/// time from a description that was written down; what uses it cannot tell the two apart.
struct Type {
  Kind kind;                ///< says which of the members below have a meaning
  std::string_view name;    ///< of a struct or an enumeration; else "integer", "list", ...
  std::size_t size = 0;     ///< of an object, in bytes
  std::uint16_t slots = 1;  ///< how many places a limit can stand at, see limits.hpp

  // integer, enumeration
  std::int64_t low = 0;                       ///< lowest number that an object can hold
  std::int64_t high = 0;                      ///< highest
  int decimals = 0;                           ///< 2 for Money: JSON shows cents / 100
  std::span<const Enumerator> enumerators{};  ///< in order of description

  // text
  bool any_json = false;  ///< JsonText: in JSON it is the value itself

  // optional, list, map
  const Type* element = nullptr;  ///< description of a value
  std::size_t capacity = 0;       ///< the longest list that an object can hold
  bool resize_is_free = true;     ///< false for std::array: it has one length only

  std::span<const Field> fields{};              ///< structure: members, in order of description
  std::span<const Type* const> alternatives{};  ///< variant: what it may hold
  /// Variant: its alternatives have no "kind" member, and no two have the same form in JSON.
  bool forms = false;
  Operations operations{};  ///< called by what follows

  /// Makes a default value; only if can_construct().
  void construct(void* at) const { operations.construct(*this, at); }
  /// Ends an object's life.
  void destroy(void* at) const { operations.destroy(*this, at); }
  /// Makes a copy; only if can_copy().
  void copy(void* at, const void* from) const { operations.copy(*this, at, from); }
  /// False for types that only views hold.
  [[nodiscard]] bool can_construct() const { return operations.construct != nullptr; }
  /// False for types that only views hold.
  [[nodiscard]] bool can_copy() const { return operations.copy != nullptr; }

  /// Boolean, integer, enumeration: the value as a number; Money in cents.
  [[nodiscard]] std::int64_t get(const void* at) const { return operations.get(at); }
  /// The value must lie within low..high.
  void set(void* at, std::int64_t value) const { operations.set(at, value); }

  /// Text: what it says.
  [[nodiscard]] std::string_view text(const void* at) const { return operations.text(at); }
  /// Text: replaces it; only if can_set_text().
  void set_text(void* at, std::string_view text) const { operations.set_text(at, text); }
  /// False for texts that only views hold.
  [[nodiscard]] bool can_set_text() const { return operations.set_text != nullptr; }

  /// A text or list that only views hold: lets it refer to `n` characters or elements, which must
  /// outlive it; only if can_borrow().
  void borrow(void* at, const void* items, std::size_t n) const { operations.borrow(at, items, n); }
  /// True for texts and lists that only views hold.
  [[nodiscard]] bool can_borrow() const { return operations.borrow != nullptr; }

  /// Optional, list, map: how many values there are.
  [[nodiscard]] std::size_t count(const void* at) const { return operations.count(at); }
  /// Optional, list, map: address of value i.
  [[nodiscard]] void* item(void* at, std::size_t i) const { return operations.item(at, i); }
  /// Optional, list, map: false if it cannot hold as many; a map can only be emptied. Only if
  /// can_resize().
  bool resize(void* at, std::size_t n) const { return operations.resize(*this, at, n); }
  /// False for lists that only views hold.
  [[nodiscard]] bool can_resize() const { return operations.resize != nullptr; }
  /// Map: key i.
  [[nodiscard]] std::string_view key(const void* at, std::size_t i) const {
    return operations.key(at, i);
  }
  /// Map: address of the key's value, which is there from then on.
  void* emplace(void* at, std::string_view key) const { return operations.emplace(*this, at, key); }

  /// Variant: which alternative it holds.
  [[nodiscard]] std::size_t index(const void* at) const { return operations.index(*this, at); }
  /// Variant: address of the held value.
  [[nodiscard]] void* alternative(void* at) const { return operations.alternative(at); }
  /// Variant: switches, and returns the new value's address.
  void* become(void* at, std::size_t i) const { return operations.become(*this, at, i); }
};

/// The description of T. Its address is the type's identity within one library; across libraries
/// compare shape hashes instead (two plugins may each have an `Offer`).
template <class T>
constexpr const Type& type_of();

}  // namespace agon
