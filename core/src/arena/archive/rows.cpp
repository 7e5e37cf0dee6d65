#include "archive/rows.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <limits>

#include "archive/database/sqlite.hpp"
#include "describe/read.hpp"
#include "design/lineups.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::archive {

MatchNumbers::MatchNumbers(std::vector<NumberRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const NumberRange& a, const NumberRange& b) { return a.first < b.first; });
  for (const NumberRange& range : ranges) {
    if (!ranges_.empty() && range.first <= ranges_.back().last + 1)
      ranges_.back().last = std::max(ranges_.back().last, range.last);
    else
      ranges_.push_back(range);
  }
}

bool MatchNumbers::has(std::int64_t number) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), number,
                       [](std::int64_t n, const NumberRange& range) { return n < range.first; });
  return after != ranges_.begin() && number <= std::prev(after)->last;
}

std::string same_draws_in(std::string_view settings, const std::filesystem::path& archive) {
  constexpr std::string_view key = "same_draws_as";
  // Most say nothing of it, and may be long.
  if (settings.find(key) == std::string_view::npos) return {};
  std::string draws;
  try {
    const boost::json::value document = json::parse(settings, "");
    const boost::json::object* members = document.if_object();
    const boost::json::value* said = members == nullptr ? nullptr : members->if_contains(key);
    if (said != nullptr && said->is_string()) draws = said->get_string();
  } catch (const Error&) {
    return {};  // those who need the settings say that they are damaged
  }
  if (draws.size() > kLongestScenarioName)
    throw damaged(archive, "the name of a scenario is longer than any");
  return draws;
}

std::string write_metrics(std::span<const double> metrics) {
  std::string out = "[";
  for (const double metric : metrics) {
    if (out.size() > 1) out += ',';
    json::append_number(out, metric);
  }
  out += ']';
  return out;
}

bool read_metrics(std::string_view text, std::vector<double>& out) {
  out.clear();
  if (text == "[]") return true;
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return false;
  text = text.substr(1, text.size() - 2);
  for (;;) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (text.starts_with("null")) {
      text.remove_prefix(4);
    } else {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc()) return false;
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    out.push_back(value);
    if (text.empty()) return true;
    if (text.front() != ',') return false;
    text.remove_prefix(1);
  }
}

}  // namespace agon::archive
