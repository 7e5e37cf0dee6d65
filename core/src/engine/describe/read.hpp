#pragma once

#include <agon/conversion.hpp>
#include <agon/export.hpp>
#include <boost/json/fwd.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "describe/value.hpp"
#include "json/path.hpp"

namespace agon {

/// Whether members that the description does not have are turned down.
enum class Unknown : std::uint8_t { is_wrong, passed_over };

/// Holds the texts and lists that a value borrows.
class AGON_API BorrowedParts {
 public:
  std::string_view add_text(std::string_view text) { return texts_.emplace_back(text); }
  /// The first of `n` new elements.
  void* add_list(const Type& element, std::size_t n);

  BorrowedParts() = default;
  BorrowedParts(BorrowedParts&&) = default;
  BorrowedParts& operator=(BorrowedParts&&) = default;

 private:
  std::deque<std::string> texts_;
  std::deque<std::shared_ptr<void>> lists_;
};

/// A member that a value has under its former name.
struct FormerName {
  json::Path path;        ///< of the member, as the value has it
  std::string_view name;  ///< of the member now
};

/// Reads a JSON value into an object, form only: types, members, tags. Bounds and limits are
/// find_problem's business. `parts`: takes what the object borrows; null: it must borrow nothing.
/// `former`: takes the members with former names.
AGON_API std::optional<Problem> read_value(const Type& type, void* object,
                                           const boost::json::value& value, Missing missing,
                                           Unknown unknown = Unknown::is_wrong,
                                           BorrowedParts* parts = nullptr,
                                           std::vector<FormerName>* former = nullptr);

/// A value with all that it borrows.
struct ReadValue {
  Value value;
  BorrowedParts parts{};
};

/// What an archive holds, written by this version or another one: what the description lacks is
/// passed over, what it wants and the text lacks is not. False if it is no such thing; `object`
/// then holds some mixture.
[[nodiscard]] AGON_API bool read_recorded(const Type& type, void* object, std::string_view json);
template <class T>
[[nodiscard]] std::optional<T> read_recorded(std::string_view json) {
  std::optional<T> object(std::in_place);
  if (!read_recorded(type_of<T>(), &*object, json)) object.reset();
  return object;
}

}  // namespace agon
