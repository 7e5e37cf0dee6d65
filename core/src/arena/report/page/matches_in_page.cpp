#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <algorithm>
#include <tuple>
#include <vector>

#include "archive/archive.hpp"
#include "json/write.hpp"
#include "replay/told_match.hpp"
#include "report/render/render.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// The numbers of all matches of other games, in the order in which a page takes them: the first
/// block of every scenario, then the second of each.
std::vector<std::int64_t> in_turns(const archive::Archive& archive,
                                   const std::vector<std::string>& without) {
  using PageOrder = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::string,
                               std::int64_t, archive::MatchId>;
  const auto scenarios = archive.scenarios();
  const auto games = archive.games();
  const auto is_left_out = [&](const archive::ScenarioRow& scenario) {
    return std::ranges::find(without, archive.row(games, scenario.game).name) != without.end();
  };
  std::vector<std::pair<PageOrder, std::int64_t>> all;
  archive.matches({.seats = false, .in_order = false},
                  [&](std::int64_t number, const archive::MatchRow& match) {
                    const archive::MatchKey& key = match.key;
                    if (is_left_out(archive.row(scenarios, key.scenario))) return true;
                    all.emplace_back(PageOrder(key.block, key.repeat, key.position,
                                               archive.row(scenarios, key.scenario).place,
                                               key.line_up, key.assignment, key.id),
                                     number);
                    return true;
                  });
  std::ranges::sort(all);
  std::vector<std::int64_t> numbers;
  for (const auto& [place, number] : all) numbers.push_back(number);
  return numbers;
}

}  // namespace

MatchesInPage matches_in_page(const archive::Archive& archive, const Catalogue& catalogue,
                              const PageBudget& budget, const AgentsApart& apart) {
  MatchesInPage page;
  MatchTeller teller(archive, catalogue, apart);
  SharedTexts texts;
  std::vector<std::pair<std::int64_t, std::string>> told;
  std::size_t bytes = 0;
  const std::vector<std::int64_t> numbers = in_turns(archive, budget.without);
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
  std::ranges::sort(told);
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
                "{} of {} matches: of every scenario the first blocks. 'agon show' shows "
                "any.",
                told.size(), numbers.size());
  return page;
}

}  // namespace agon::report
