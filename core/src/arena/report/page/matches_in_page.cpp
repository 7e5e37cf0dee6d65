#include "report/page/matches_in_page.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <algorithm>
#include <map>
#include <vector>

#include "json/write.hpp"
#include "run/told_match.hpp"
#include "text/counted.hpp"

namespace agon {
namespace {

/// The numbers of all matches, in the order in which a page takes them: the first of every scenario
/// and line-up, then the second of each.
std::vector<std::int64_t> in_turns(const archive::Archive& archive) {
  std::map<std::pair<std::int64_t, std::string>, std::size_t> met;
  std::vector<std::pair<std::size_t, std::int64_t>> all;  // how many of its kind came before
  archive.matches({}, [&](std::int64_t number, const archive::MatchRow& match) {
    std::string who = match.key.line_up;
    for (const archive::SeatRow& seat : match.seats) who += fmt::format(" {}", seat.agent);
    all.emplace_back(met[{match.key.scenario, who}]++, number);
    return true;
  });
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::int64_t> numbers;
  for (const auto& [turn, number] : all) numbers.push_back(number);
  return numbers;
}

}  // namespace

report::MatchesInPage matches_in_page(const archive::Archive& archive, const Catalogue& catalogue,
                                      const PageBudget& budget) {
  report::MatchesInPage page;
  MatchTeller teller(archive, catalogue);
  SharedTexts texts;
  std::vector<std::pair<std::int64_t, std::string>> told;
  std::size_t bytes = 0;
  const std::vector<std::int64_t> numbers = in_turns(archive);
  for (const std::int64_t number : numbers) {
    if (budget.matches ? static_cast<std::int64_t>(told.size()) >= *budget.matches
                       : bytes + texts.bytes() >= budget.bytes)
      break;
    const ToldMatch match = teller.tell(number, texts);
    for (const ToldSeat& seat : match.seats) page.agents.insert(seat.agent);
    page.games.insert(match.game);
    page.treatments.insert(match.treatment);
    told.emplace_back(number, write_json(match));
    bytes += told.back().second.size();
  }
  std::sort(told.begin(), told.end());
  page.json = "{\"matches\":[";
  for (const auto& [number, json] : told) page.json += (page.json.back() == '[' ? "" : ",") + json;
  page.json += "],\"texts\":[";
  for (const std::string& text : texts.all()) {
    if (page.json.back() != '[') page.json += ',';
    json::append_string(page.json, text);
  }
  page.json += "]}";
  page.words =
      told.size() == numbers.size()
          ? "All " + text::counted(static_cast<std::int64_t>(numbers.size()), "match", "matches") +
                "."
          : fmt::format(
                "{} of {} matches: of every scenario and line-up the first ones. 'agon show' shows "
                "any.",
                told.size(), numbers.size());
  return page;
}

}  // namespace agon
