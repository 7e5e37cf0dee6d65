#include "shared/tables.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

namespace shared {

std::string block_of(const agon::PlayedMatch& match) {
  return fmt::format("{}/{}", match.scenario(), match.block());
}

std::string agents_of(const agon::PlayedMatch& match) {
  std::set<std::string_view> names;
  for (const agon::PlayedSeat& seat : match.seats()) names.insert(seat.agent);
  return fmt::format("{}", fmt::join(names, " + "));
}

agon::TableCard own_table(std::string_view id, std::string_view title, std::string_view game,
                          agon::PaperTable (*make)(const agon::PlayedMatches&),
                          bool reads_records) {
  return {.id = id,
          .title = title,
          .source = {},
          .scenario = {},
          .game = game,
          .reads_records = reads_records,
          .make = make,
          .in_report = true};
}

agon::TableCell cell(const agon::Figure& ours, int decimals, double published) {
  agon::TableCell made{.ours = ours, .published = published, .decimals = decimals};
  // Nothing out of nothing is no news.
  if (!(ours.n > 0)) made.ours.n = agon::kNothing;
  return made;
}

agon::TableCell percent(agon::Figure share, int decimals, double published) {
  for (double* number : {&share.value, &share.low, &share.high}) *number *= 100;
  return cell(share, decimals, published);
}

agon::TableCell number(double value, int decimals, double published) {
  return cell({.value = value}, decimals, published);
}

}  // namespace shared
