#include "archive/encode.hpp"

#include <boost/json/value.hpp>
#include <exception>
#include <stdexcept>

#include "archive/sqlite.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::archive {
namespace {

// Where in the text it breaks, or how Boost says it, helps nobody.
template <class Read>
auto read_shape(std::string_view text, const Column& column, Read read) {
  try {
    return read(json::parse(text, ""));
  } catch (const std::exception&) {
    throw damaged(column.file,
                  "'" + std::string(column.name) + "' of a row is not as Agon writes it");
  }
}

}  // namespace

std::string write_metric_cards(const std::vector<Metric>& metrics) {
  boost::json::array cards;
  for (const Metric& metric : metrics) {
    boost::json::object& card = cards.emplace_back(boost::json::object{}).get_object();
    card["name"] = metric.name;
    card["unit"] = metric.unit;
    card["better"] = metric.better;
    card["decimals"] = metric.decimals;
    if (metric.min) card["min"] = *metric.min;
    if (metric.max) card["max"] = *metric.max;
  }
  return json::write(cards);
}

std::vector<Metric> read_metric_cards(std::string_view text, const Column& column) {
  return read_shape(text, column, [](const boost::json::value& value) {
    std::vector<Metric> metrics;
    for (const boost::json::value& card : value.as_array()) {
      const boost::json::object& members = card.as_object();
      metrics.push_back({std::string(members.at("name").as_string()),
                         std::string(members.at("unit").as_string()),
                         std::string(members.at("better").as_string()),
                         static_cast<int>(members.at("decimals").as_int64())});
      Metric& metric = metrics.back();
      if (metric.decimals < 0 || metric.decimals > kMostDecimals)
        throw std::out_of_range("decimals");
      const auto bound = [&](const char* name) -> std::optional<double> {
        const boost::json::value* number = members.if_contains(name);
        if (number == nullptr) return std::nullopt;
        return number->to_number<double>();
      };
      metric.min = bound("min");
      metric.max = bound("max");
      if (metric.min && metric.max && *metric.min > *metric.max) throw std::out_of_range("bounds");
    }
    return metrics;
  });
}

std::string write_numbers(const std::vector<std::int64_t>& numbers) {
  std::string out = "[";
  for (const std::int64_t number : numbers) {
    if (out.size() > 1) out += ',';
    json::append_number(out, number);
  }
  return out + "]";
}

std::vector<std::int64_t> read_numbers(std::string_view text, const Column& column) {
  return read_shape(text, column, [](const boost::json::value& value) {
    std::vector<std::int64_t> numbers;
    for (const boost::json::value& number : value.as_array()) numbers.push_back(number.as_int64());
    return numbers;
  });
}

}  // namespace agon::archive
