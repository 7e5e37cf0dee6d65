#include "report/play_sections.hpp"

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <algorithm>

#include "plugin/catalogue.hpp"
#include "report/table_document.hpp"
#include "results/names.hpp"
#include "results/played_archive.hpp"
#include "text/counted.hpp"

namespace agon::report {
namespace {

/// Which matches it is of.
std::string made_from(std::int64_t read, std::int64_t all, std::int64_t shares,
                      const std::string& game) {
  if (shares == 1)
    return fmt::format("From {} of {}.", text::counted(read, "match", "matches"), game);
  return fmt::format(
      "From {} of {} matches of {}: of every scenario one block in {}, from the "
      "first one on.",
      read, all, game, shares);
}

}  // namespace

std::vector<const TableCard*> play_tables_of(const Catalogue& catalogue) {
  std::vector<const TableCard*> cards;
  for (const TableCard* card : catalogue.tables())
    if (card->in_report) cards.push_back(card);
  return cards;
}

std::vector<Section> play_sections(const archive::Archive& archive, const Results& results,
                                   const std::vector<const TableCard*>& cards, double level) {
  std::vector<Section> sections;
  PlayedArchive::Choice choice;
  choice.apart = agents_apart(archive);
  for (const TableCard* card : cards) {
    const auto game = std::find_if(results.games.begin(), results.games.end(),
                                   [&](const GameResults& g) { return g.name == card->game; });
    if (game == results.games.end()) continue;
    choice.shares = std::max<std::int64_t>(1, (game->matches + kMostRead - 1) / kMostRead);
    choice.recorded = card->reads_records;
    PlayedArchive matches(archive, std::string(card->game), card->reads_records, level);
    matches.choose(choice);
    try {
      const PaperTable table = checked_table(*card, matches);
      sections.push_back(paper_section(
          *card, table,
          made_from(matches.handed_out(), game->matches, choice.shares, std::string(card->game)),
          level));
    } catch (const LacksData&) {
      continue;  // nothing was played that it could be made of
    }
  }
  return sections;
}

}  // namespace agon::report
