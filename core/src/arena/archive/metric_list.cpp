#include "archive/metric_list.hpp"

#include <charconv>
#include <limits>

#include "json/write.hpp"

namespace agon::archive {

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
