#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

class JsonDocument;

/// A value inside a JsonDocument, which must outlive it; as cheap to copy as two pointers. What is
/// asked of it is what must be there: anything else throws Error (invalid) that says
/// `file:line:column ($.path)`, what is wrong and how to fix it.
class AGON_API JsonNode {
 public:
  /// What a value is.
  enum class Kind : std::uint8_t { null, truth, number, text, list, object };

  /// What this value is.
  [[nodiscard]] Kind kind() const;

  /// The text.
  [[nodiscard]] std::string_view text() const;
  /// True or false.
  [[nodiscard]] bool truth() const;
  /// The number as the nearest double.
  [[nodiscard]] double number() const;
  /// The number without loss: an integer's digits, a double in the shortest form that reads back as
  /// the same double.
  [[nodiscard]] std::string number_text() const;
  /// The whole number, refused outside lowest..highest. A number with a point or an exponent is
  /// none.
  [[nodiscard]] std::int64_t whole(
      std::int64_t lowest = std::numeric_limits<std::int64_t>::min(),
      std::int64_t highest = std::numeric_limits<std::int64_t>::max()) const;

  /// How many elements a list has.
  [[nodiscard]] std::size_t size() const;
  /// Element `index` of a list, from 0.
  [[nodiscard]] JsonNode operator[](std::size_t index) const;
  /// The member of an object.
  [[nodiscard]] JsonNode operator[](std::string_view name) const;
  /// The member of an object, if there is one. Its value may be null.
  [[nodiscard]] std::optional<JsonNode> find(std::string_view name) const;
  /// How many members an object has.
  [[nodiscard]] std::size_t member_count() const;
  /// The name of an object's member `index`, from 0, in the order of the text.
  [[nodiscard]] std::string_view name(std::size_t index) const;
  /// The value of an object's member `index`.
  [[nodiscard]] JsonNode member(std::size_t index) const;

  /// Refuses anything but an object with no other members than `names`.
  void allow_only(std::initializer_list<std::string_view> names) const;
  /// Throws the Error (invalid) for this place.
  [[noreturn]] void fail(std::string problem, std::string hint) const;

  /// Where the value stands: `$.rows[2].price`.
  [[nodiscard]] std::string path() const;
  /// The line in which it begins (for a member: its name), from 1.
  [[nodiscard]] std::size_t line() const;
  /// The lines in which the elements of a list begin, from 1: all of them with one look at the
  /// text, where line() looks through it each time.
  [[nodiscard]] std::vector<std::size_t> element_lines() const;
  /// The value as JSON on one line without spaces; members keep their order.
  [[nodiscard]] std::string write() const;

 private:
  friend class JsonDocument;
  JsonNode(const JsonDocument& document, const void* value) : document_(&document), value_(value) {}

  const JsonDocument* document_;
  const void* value_;
};

/// A JSON text that was read as a whole. `//` and `/* */` comments and a byte order mark are
/// allowed; nothing is silently changed: doubles are the nearest to the text, integers fit 64 bits,
/// names are unique within their object, and trailing commas, NaN and Infinity are refused.
class AGON_API JsonDocument {
 public:
  /// Throws Error (invalid) with `file:line:column` when `text` is no JSON. `file` names it in
  /// errors and may be empty.
  JsonDocument(std::string text, std::string file);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;
  ~JsonDocument();

  /// The value that the whole text is.
  [[nodiscard]] JsonNode root() const;

 private:
  friend class JsonNode;
  struct Parsed;
  std::unique_ptr<const Parsed> parsed_;
};

}  // namespace agon
