#include <agon/telling.hpp>
#include <algorithm>
#include <cmath>

#include "text/counted.hpp"
#include "text/table.hpp"
#include "text/utf8.hpp"

namespace agon {

std::string speech(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return text::printable(out + '"');
}

std::string listed(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string counted(std::int64_t n, std::string_view one, std::string_view many) {
  return text::counted(n, one, many);
}

std::string with_thousands(std::int64_t n) {
  std::string text = std::to_string(n);
  const std::size_t sign = n < 0 ? 1 : 0;
  for (std::size_t i = text.size(); i > sign + 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string money_text(Money amount) {
  std::string text = amount.cents < 0 ? "-$" : "$";
  const std::int64_t cents = std::abs(amount.cents);
  text += with_thousands(cents / 100);
  if (const std::int64_t rest = cents % 100; rest != 0)
    text += (rest < 10 ? ".0" : ".") + std::to_string(rest);
  return text;
}

std::string small_table(std::span<const std::string_view> headings,
                        std::span<const std::vector<std::string>> rows) {
  if (rows.empty()) return {};
  const auto is_figure = [](const std::string& cell) {
    return cell.find_first_of("0123456789") != std::string::npos &&
           cell.find_first_not_of("-+$.,0123456789") == std::string::npos;
  };
  std::vector<text::Column> columns;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const bool figures = std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
      return i >= row.size() || is_figure(row[i]) || row[i] == "-" || row[i].empty();
    });
    columns.push_back({"", figures ? text::Align::right : text::Align::left});
  }
  // Without the line below the headings, which says nothing to a model.
  text::Table table(std::move(columns));
  table.add({headings.begin(), headings.end()});
  for (const auto& row : rows) table.add(row);
  std::string text = table.str(2);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace agon
