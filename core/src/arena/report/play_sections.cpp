#include "report/play_sections.hpp"

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <algorithm>
#include <functional>
#include <optional>

#include "plugin/catalogue.hpp"
#include "report/table_document.hpp"
#include "report/tasks.hpp"
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
                                   const std::vector<const TableCard*>& cards, double level,
                                   std::size_t threads) {
  std::vector<std::optional<Section>> made(cards.size());
  std::vector<std::function<void()>> tasks;
  PlayedArchive::Choice all;
  all.apart = results.apart;
  all.last = archive.last_number();
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const TableCard& card = *cards[c];
    const auto game = std::find_if(results.games.begin(), results.games.end(),
                                   [&](const GameResults& g) { return g.name == card.game; });
    if (game == results.games.end()) continue;
    tasks.emplace_back([&, c, game, &card = card] {
      const archive::Archive own = archive.again();
      PlayedArchive::Choice choice = all;
      choice.shares = std::max<std::int64_t>(1, (game->matches + kMostRead - 1) / kMostRead);
      choice.recorded = card.reads_records;
      PlayedArchive matches(own, std::string(card.game), card.reads_records, level);
      matches.choose(choice);
      try {
        const PaperTable table = checked_table(card, matches);
        made[c] = paper_section(
            card, table,
            made_from(matches.handed_out(), game->matches, choice.shares, std::string(card.game)),
            level);
      } catch (const LacksData&) {
        made[c].reset();  // nothing was played that it could be made of
      }
    });
  }
  run_all(tasks, threads);
  std::vector<Section> sections;
  for (std::optional<Section>& section : made)
    if (section) sections.push_back(std::move(*section));
  return sections;
}

}  // namespace agon::report
