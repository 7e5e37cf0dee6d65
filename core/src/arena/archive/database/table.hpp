#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "archive/database/sqlite.hpp"

/// Tables as C++ structs. The columns of a table are described once, as a tuple of `column(...)`;
/// how it is made, and how its rows are written and read, follows from that:
///
///     struct PersonTable {
///       using Row = PersonRow;
///       static constexpr std::string_view name = "person";
///       static constexpr std::tuple columns{column("session", &PersonRow::session).also("unique"),
///                                           column("started", &PersonRow::started)};
///     };
namespace agon::archive {

/// Whole numbers that a column may hold. A row with another one is damaged.
struct ColumnLimits {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] constexpr bool any() const {
    return low == std::numeric_limits<std::int64_t>::min() &&
           high == std::numeric_limits<std::int64_t>::max();
  }
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Values as SQLite keeps them: whole numbers (unsigned ones of 64 bits with the same bits), finite
/// numbers and NaN (NULL), texts, ids and digests (bytes); NULL where there is none.
struct Plain {
  template <class T>
  static constexpr std::string_view declared() {
    if constexpr (is_optional<T>) {
      constexpr std::string_view whole = declared<typename T::value_type>();
      return whole.substr(0, whole.find(' '));
    } else if constexpr (std::integral<T>) {
      return "integer not null";
    } else if constexpr (std::same_as<T, double>) {
      return "real not null";
    } else if constexpr (std::same_as<T, std::string>) {
      return "text not null";
    } else {
      return "blob not null";
    }
  }

  template <class T>
  static void bind(Statement& to, const T& value) {
    if constexpr (is_optional<T>) {
      value ? bind(to, *value) : static_cast<void>(to.bind_null());
    } else if constexpr (std::same_as<T, bool>) {
      to.bind(value ? 1 : 0);
    } else if constexpr (std::same_as<T, std::uint64_t>) {
      to.bind(std::bit_cast<std::int64_t>(value));
    } else if constexpr (requires { value.bytes; }) {
      to.bind(std::span(value.bytes));
    } else if constexpr (requires { to.bind(value); }) {
      to.bind(value);
    } else {
      to.bind(std::span(value));
    }
  }

  template <class T>
  static void read(Statement& from, T& value, ColumnLimits limits) {
    if constexpr (is_optional<T>) {
      if (from.null()) {
        from.skip();
        value.reset();
      } else {
        read(from, value.emplace(), limits);
      }
    } else if constexpr (std::same_as<T, bool>) {
      value = from.integer(0, 1) != 0;
    } else if constexpr (std::same_as<T, std::uint64_t>) {
      value = std::bit_cast<std::uint64_t>(from.integer());
    } else if constexpr (std::integral<T>) {
      const auto low = std::max<std::int64_t>(limits.low, std::numeric_limits<T>::min());
      const auto high = std::min<std::int64_t>(limits.high, std::numeric_limits<T>::max());
      value = static_cast<T>(limits.any() && sizeof(T) == sizeof low ? from.integer()
                                                                     : from.integer(low, high));
    } else if constexpr (std::same_as<T, double>) {
      value = from.number();
    } else if constexpr (std::same_as<T, std::string>) {
      value = from.text();
    } else if constexpr (requires { value.bytes; }) {
      std::ranges::copy(from.bytes(value.bytes.size()), value.bytes.begin());
    } else {
      std::ranges::copy(from.bytes(value.size()), value.begin());
    }
  }
};

/// A column: its name, where its value is in a row, and how that is kept.
template <class Get, class Form = Plain>
struct DatabaseColumn {
  std::string_view name;
  Get get;
  ColumnLimits limits{};
  std::string_view declared{};  ///< empty: by the form and the type of the value
  std::string_view clause{};    ///< what its declaration says else

  [[nodiscard]] constexpr DatabaseColumn between(std::int64_t low, std::int64_t high) const {
    return {name, get, {low, high}, declared, clause};
  }
  [[nodiscard]] constexpr DatabaseColumn as(std::string_view declaration) const {
    return {name, get, limits, declaration, clause};
  }
  [[nodiscard]] constexpr DatabaseColumn also(std::string_view more) const {
    return {name, get, limits, declared, more};
  }
  /// Kept in another form, which has the three functions of Plain.
  template <class Other>
  [[nodiscard]] constexpr DatabaseColumn<Get, Other> by(Other /*form*/) const {
    return {name, get, limits, declared, clause};
  }

  template <class Row>
  [[nodiscard]] std::string declaration() const {
    using Value = std::remove_cvref_t<decltype(get(std::declval<Row&>()))>;
    std::string text(name);
    text.append(1, ' ').append(declared.empty() ? Form::template declared<Value>() : declared);
    if (!clause.empty()) text.append(1, ' ').append(clause);
    return text;
  }
  void bind(Statement& to, const auto& row) const { Form::bind(to, get(row)); }
  void read(Statement& from, auto& row) const { Form::read(from, get(row), limits); }
};

template <class Get>
constexpr DatabaseColumn<Get> column(std::string_view name, Get get) {
  return {name, get};
}
/// Of a member, or a member of a member.
template <class Row, class Member, class... Members>
constexpr auto column(std::string_view name, Member Row::*member, Members... members) {
  return column(
      name, [=](auto& row) -> auto& { return ((row.*member).*....*members); });
}

/// Calls `each` with every column, in order.
template <class Table>
void each_column(const auto& each) {
  std::apply([&](const auto&... all) { (each(all), ...); }, Table::columns);
}

/// "name, unit, ...", each with the prefix.
template <class Table>
std::string names_of(std::string_view prefix = "") {
  std::string names;
  each_column<Table>([&](const auto& at) {
    names.append(names.empty() ? "" : ", ").append(prefix).append(at.name);
  });
  return names;
}

/// The statement that makes the table; `first` and `last`: what else it declares, before and after
/// the columns.
template <class Table>
std::string create_table(std::initializer_list<std::string_view> first, std::string_view last = "",
                         std::string_view storage = " strict") {
  std::string text;
  const auto add = [&](std::string_view part) {
    text.append(text.empty() ? "\n  " : ",\n  ").append(part);
  };
  for (const std::string_view part : first) add(part);
  each_column<Table>([&](const auto& at) { add(at.template declaration<typename Table::Row>()); });
  if (!last.empty()) add(last);
  return std::string("create table ").append(Table::name) + " (" + text + "\n)" +
         std::string(storage) + ";\n";
}

/// The statement that writes a row: parameters for the columns `first`, then for the table's.
template <class Table>
std::string insert_into(std::initializer_list<std::string_view> first = {},
                        std::string_view verb = "insert") {
  std::string names, marks;
  const auto add = [&](std::string_view name) {
    names.append(names.empty() ? "" : ", ").append(name);
    marks += marks.empty() ? "?" : ", ?";
  };
  for (const std::string_view name : first) add(name);
  each_column<Table>([&](const auto& at) { add(at.name); });
  return std::string(verb).append(" into ").append(Table::name) + " (" + names + ") values (" +
         marks + ") ";
}

/// Binds the columns of a row to the next parameters, in order.
template <class Table>
Statement& bind_row(Statement& to, const typename Table::Row& row) {
  each_column<Table>([&](const auto& at) { at.bind(to, row); });
  return to;
}

/// Reads the columns of a row, in order. Throws Error for a damaged archive.
template <class Table>
void read_row(Statement& from, typename Table::Row& row) {
  each_column<Table>([&](const auto& at) { at.read(from, row); });
}

}  // namespace agon::archive
