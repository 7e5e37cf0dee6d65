#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "shared/published.hpp"

namespace water_allocation {

/// A table of published.json.
[[nodiscard]] const shared::PublishedTable& published(std::string_view id);

/// Adds the tables of Alympics: who survives; the lowest winning bids; days; what personas change.
void add_tables(agon::Registry& registry);

/// The lowest winning bid of each day, over games.
[[nodiscard]] agon::PaperTable daily_prices(const agon::PlayedMatches& matches);
/// The mean over days of its median.
[[nodiscard]] agon::PaperTable mean_of_medians(const agon::PlayedMatches& matches);
/// Each resident's bids, health and money by day.
[[nodiscard]] agon::PaperTable daily_bids(const agon::PlayedMatches& matches);
[[nodiscard]] agon::PaperTable daily_health(const agon::PlayedMatches& matches);
[[nodiscard]] agon::PaperTable daily_balance(const agon::PlayedMatches& matches);
/// Expected supply (the paper's RSR) and the drawn one over the needs of those alive, by day.
[[nodiscard]] agon::PaperTable supply_ratio(const agon::PlayedMatches& matches);
/// Adds those of its judges, who play, rate agents and rate their own play: table 3, figures 5, 10.
void add_judges_tables(agon::Registry& registry);

/// What judges gave agents and their own play: means.
[[nodiscard]] agon::PaperTable judges_ratings(const agon::PlayedMatches& matches);
/// The same as box plots.
[[nodiscard]] agon::PaperTable ratings_spread(const agon::PlayedMatches& matches);
/// The games of people, person by person.
[[nodiscard]] agon::PaperTable people_games(const agon::PlayedMatches& matches);
/// Their bids by day.
[[nodiscard]] agon::PaperTable people_bids(const agon::PlayedMatches& matches);
/// Games with personas minus games without, in pairs of the same supply.
[[nodiscard]] agon::PaperTable persona_contrast(const agon::PlayedMatches& matches);

/// Players and settings of the paper.
inline constexpr std::array<const char*, 5> kPaperPlayers{"Alex", "Bob", "Cindy", "David", "Eric"};
inline constexpr std::size_t kPlayers = kPaperPlayers.size();
inline constexpr int kPaperSettings = 6;
/// The model whose numbers the paper prints, as scenarios name its agent.
inline constexpr const char* kPaperModel = "gpt-4-32k";

/// What the paper's settings 1 to 6 are: low, medium or high supply, without persona, then with.
struct PaperSetting {
  const char* words;
  std::array<int, 2> supply;
  bool persona;
  double rsr_start;
};
extern const std::array<PaperSetting, kPaperSettings> kPaperSettingList;

/// Which of the paper's settings a match was played under, from 0; none if it was another: other
/// residents, days, health or supplies.
[[nodiscard]] std::optional<int> paper_setting(const agon::PlayedMatch& match);

/// What tables of the paper's settings throw if there is none.
inline constexpr const char* kNoPaperSetting =
    "matches under one of the paper's settings (five residents, 20 days, a supply of 10 to 20, 15 "
    "to 25 or 20 to 30)";

/// "setting 2 (medium supply, no persona)", with the team where it is not the paper's model.
[[nodiscard]] std::string setting_label(int setting, const std::string& team);

/// What the paper prints stands beside its published runs, whether or not anybody else played: an
/// empty entry for its model under each setting that was imported. `All` is a map by setting and
/// team.
template <class All>
void add_printed(All& all) {
  for (int s = 0; s < kPaperSettings; ++s)
    if (all.contains({s, std::string("published: ") + kPaperModel}))
      all.try_emplace({s, kPaperModel});
}

}  // namespace water_allocation
