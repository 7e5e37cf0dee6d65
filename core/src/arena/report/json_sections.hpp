#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>

#include "report/report.hpp"

namespace agon::report {

/// Parts of the report as JSON.
[[nodiscard]] boost::json::array factors_json(const Report& report);
[[nodiscard]] boost::json::array learning_json(const Report& report);
[[nodiscard]] boost::json::array rates_json(const Report& report);
[[nodiscard]] boost::json::object fit_json(const stats::ModelFit& fit);
[[nodiscard]] boost::json::array anytime_json(const Report& report);

/// Values that all parts are made of.
namespace json_values {

/// The number, or null.
template <class Number>
boost::json::value optional(const std::optional<Number>& number) {
  return number ? boost::json::value(*number) : boost::json::value(nullptr);
}

/// A list of texts.
template <class List>
boost::json::array strings(const List& list) {
  boost::json::array out;
  for (const auto& text : list) out.emplace_back(text);
  return out;
}

/// [low, high], or null.
[[nodiscard]] boost::json::value of(const std::optional<stats::Interval>& interval);
[[nodiscard]] boost::json::object of(const stats::Estimate& estimate);

}  // namespace json_values
}  // namespace agon::report
