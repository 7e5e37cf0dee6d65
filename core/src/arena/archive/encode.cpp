#include "archive/encode.hpp"

#include <agon/conversion.hpp>

#include "archive/sqlite.hpp"
#include "describe/read.hpp"

namespace agon::archive {
namespace {

[[noreturn]] void throw_damaged(const Column& column) {
  // Where in the text it breaks helps nobody.
  throw damaged(column.file,
                "'" + std::string(column.name) + "' of a row is not as Agon writes it");
}

template <class T>
std::vector<T> read_list(std::string_view text, const Column& column) {
  auto list = read_recorded<std::vector<T>>(text);
  if (!list || find_problem(type_of<std::vector<T>>(), &*list)) throw_damaged(column);
  return *std::move(list);
}

}  // namespace

std::string write_metric_cards(const std::vector<Metric>& metrics) {
  return write_json(metrics);
}

std::vector<Metric> read_metric_cards(std::string_view text, const Column& column) {
  auto metrics = read_list<Metric>(text, column);
  for (const Metric& metric : metrics)
    if (metric.min && metric.max && *metric.min > *metric.max) throw_damaged(column);
  return metrics;
}

std::string write_numbers(const std::vector<std::int64_t>& numbers) {
  return write_json(numbers);
}

std::vector<std::int64_t> read_numbers(std::string_view text, const Column& column) {
  return read_list<std::int64_t>(text, column);
}

}  // namespace agon::archive
