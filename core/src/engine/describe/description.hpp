#pragma once

#include <agon/export.hpp>
#include <agon/type.hpp>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agon {

class Value;

/// A description that was made at run time, together with all that it consists of. Copies share it.
/// Keep the description as long as a pointer to the type or a value of it.
class AGON_API OwnedType {
 public:
  [[nodiscard]] const Type& get() const { return *type_; }

 private:
  friend class TypeBuilder;
  explicit OwnedType(std::shared_ptr<const Type> type) : type_(std::move(type)) {}
  std::shared_ptr<const Type> type_;
};

/// The capacity of a list of any length.
inline constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();

/// Makes descriptions at run time, from the inside out. What it returns is its own. It throws Error
/// (invalid) without a place for types with more places than limits can name, and for those whose
/// values would be huge from the beginning.
/// Values of these types are held in lists of values rather than in structs, which nothing that
/// goes by the description can tell.
class TypeBuilder {
 public:
  TypeBuilder();
  TypeBuilder(const TypeBuilder&) = delete;
  TypeBuilder& operator=(const TypeBuilder&) = delete;
  ~TypeBuilder();

  [[nodiscard]] const Type& boolean() const;
  [[nodiscard]] const Type& number() const;
  [[nodiscard]] const Type& money() const;
  [[nodiscard]] const Type& text() const;
  [[nodiscard]] const Type& any_json() const;
  const Type& integer(std::int64_t low, std::int64_t high);
  /// Enumerators by name and meaning; their values are their numbers.
  const Type& enumeration(std::string name, std::vector<std::pair<std::string, std::string>> names);
  const Type& optional(const Type& element);
  /// At most `capacity` elements; with `fixed` just as many.
  const Type& list(const Type& element, std::size_t capacity, bool fixed);
  const Type& map(const Type& element);
  /// The texts in `fields` are copied.
  const Type& structure(std::string name, std::vector<Field> fields);
  /// At least one of `alternatives`; all are structures, unless `forms` (Type::forms).
  const Type& variant(std::vector<const Type*> alternatives, bool forms);

  /// The default value of a structure made before; without one its members have the defaults of
  /// their types.
  void set_default(const Type& structure, Value value);
  /// `type`, made before, and all that was made.
  [[nodiscard]] OwnedType take(const Type& type) &&;

 private:
  struct Impl;
  std::shared_ptr<Impl> parts_;
};

/// Columns of the widest name that a card may have, of a member, a stage, a seat: tables and
/// messages have it in one line.
inline constexpr std::size_t kWidestName = 100;

/// All that a description says, as JSON, for another process: names, meanings, units, bounds,
/// defaults. `read_description` makes a type of it again that reads, writes, checks, draws, shows
/// and records values as this one does. What only tells how a value lies in memory is left out.
[[nodiscard]] AGON_API std::string write_description(const Type& type);

/// The type that such JSON describes. Throws Error (invalid) that says where it is wrong;
/// `source`: what is read, for the message.
[[nodiscard]] AGON_API OwnedType read_description(std::string_view json, std::string_view source);

}  // namespace agon
