#include "archive/export/cell.hpp"

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <charconv>
#include <chrono>
#include <cmath>

#include "json/write.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::archive {
namespace {

std::string shortest(double number) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), end};
}

/// What it begins with makes a spreadsheet work out, or even fetch, what stands behind it; in some
/// countries the wide forms do too.
bool is_formula(std::string_view text) {
  constexpr std::u32string_view beginnings = U"=+-@\t\n\uff1d\uff0b\uff0d\uff20";
  return !text.empty() &&
         beginnings.find(text::decode(text, 0).value) != std::u32string_view::npos &&
         !text::number_in<double>(text);
}

void append_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

void append_json(std::string& out, const ExportCell& cell) {
  std::visit(Overloaded{[&](Absent) { out += "null"; },
                        [&](std::int64_t number) { json::append_number(out, number); },
                        [&](double number) { json::append_number(out, number); },
                        [&](const std::string& text) { json::append_string(out, text); },
                        [&](const ExportJson& value) { out += value.text; }},
             cell);
}

void append_csv(std::string& out, const ExportCell& cell, CsvAudience reader) {
  const auto field = [&](const std::string& text) {
    if (reader == CsvAudience::data) return append_field(out, text);
    const std::string shown = text::printable(text, text::Breaks::keep);
    append_field(out, is_formula(shown) ? "'" + shown : shown);
  };
  std::visit(
      Overloaded{[&](Absent) {}, [&](std::int64_t number) { json::append_number(out, number); },
                 [&](double number) {
                   if (std::isfinite(number)) out += shortest(number);
                 },
                 [&](const std::string& text) { field(text); },
                 [&](const ExportJson& value) { field(value.text); }},
      cell);
}

ExportCell decimal(double minor_units, int decimals) {
  constexpr double most_exact = 9007199254740992.0;  // 2^53
  if (decimals <= 0 || !std::isfinite(minor_units)) return minor_units;
  if (minor_units != std::trunc(minor_units) || std::abs(minor_units) > most_exact)
    return shortest(minor_units / std::pow(10.0, decimals));  // a mean, say: no amount of money
  const auto amount = static_cast<std::int64_t>(minor_units);
  std::string digits = std::to_string(amount < 0 ? -amount : amount);
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, 1, '.');
  return (amount < 0 ? "-" : "") + digits;
}

std::string dollars(std::int64_t billionths) {
  const bool negative = billionths < 0;
  const auto amount = negative ? 0 - static_cast<std::uint64_t>(billionths)
                               : static_cast<std::uint64_t>(billionths);
  std::string text = fmt::format("{}{}.{:09}", negative ? "-" : "", amount / 1'000'000'000,
                                 amount % 1'000'000'000);
  const std::size_t cents = text.size() - 7;
  while (text.size() > cents && text.back() == '0') text.pop_back();
  return text;
}

ExportCell cell_if_known(std::int64_t value) {
  return value < 0 ? ExportCell(Absent{}) : ExportCell(value);
}

ExportCell money_cell(const std::optional<std::int64_t>& billionths) {
  return billionths && *billionths >= 0 ? ExportCell(dollars(*billionths)) : ExportCell(Absent{});
}

std::string utc(std::int64_t milliseconds) {
  using namespace std::chrono;
  const sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(milliseconds)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

}  // namespace agon::archive
