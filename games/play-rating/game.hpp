#pragma once

#include <agon/analysis/judging.hpp>
#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <agon/table.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// One judge rates how somebody played: a record of a match, or the judge's own play.
namespace play_rating {

/// Settings of a match.
struct Settings {
  std::vector<agon::judging::RecordToRate> records;
};
AGON_DESCRIBE(Settings,
              (records,
               "what is judged: each block has the next one; none: judges rate their own play in "
               "the matches before",
               agon::data_file(agon::judging::kRecordsFormat), agon::length(0, 100'000)))

/// Why the settings make no sense together; empty if they do.
[[nodiscard]] std::string check(const Settings& settings);

/// The rules as judges are told them.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// What a judge is shown.
struct RecordView {
  std::string_view record;
  bool identity = false;
  std::string_view text;
};
AGON_DESCRIBE(RecordView, (record, "which record it is; own: your own play"),
              (identity, "the player was given an identity"),
              (text, "the match as the player lived through it; empty for your own play"))

/// In words, for people and models.
[[nodiscard]] std::string tell(const RecordView& view, const agon::Scene& scene);

inline constexpr agon::Stage<"rate", agon::judging::Ratings, RecordView> kRate{
    "Rate the play from 1 to 5 in each dimension.", "the judge", &tell};
using agon::judging::kRated;

using Table = agon::Table<kRate, kRated>;

/// What is measured of the match as a whole.
struct MatchMetrics {
  std::optional<int> record;
};
AGON_DESCRIBE(MatchMetrics,
              (record,
               "0-based position of the record: ratings of the same one cluster; undefined for own "
               "play",
               agon::at_least(0)))

/// Plays one match: one question.
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings);

/// The game.
[[nodiscard]] agon::Game game();

/// Adds it.
void enter(agon::Registry& registry);

}  // namespace play_rating
