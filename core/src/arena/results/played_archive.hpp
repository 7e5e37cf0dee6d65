#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "archive/archive.hpp"
#include "results/participant.hpp"

namespace agon::report {

/// The finished matches of one game, or of two, in an archive, for tables of papers. Matches are
/// read as they are asked for; nothing of them is kept but who played. For one thread.
class AGON_API PlayedArchive final : public PlayedMatches {
 public:
  /// Which matches, and how their agents are called.
  struct MatchSelection {
    std::int64_t shares = 1;  ///< every k-th block of each scenario, from the first one on
    bool recorded = false;    ///< only those that were played with a record
    AgentsApart apart{};
    std::int64_t last = 0;  ///< no match of a higher number; 0: all
  };

  /// `archive` must outlive this. `records`: matches have entries(). `also`: a second game.
  PlayedArchive(const archive::Archive& archive, std::string game, bool records, double level,
                std::string also = {})
      : archive_(archive),
        game_(std::move(game)),
        also_(std::move(also)),
        records_(records),
        level_(level) {}
  void choose(MatchSelection choice) { choice_ = std::move(choice); }

  void each(const std::function<void(const PlayedMatch&)>& each) const override;
  [[nodiscard]] double level() const override { return level_; }

  /// How many matches the longest each() so far handed out.
  [[nodiscard]] std::int64_t handed_out() const { return handed_out_; }
  /// The agents in them, by number of their rows: how many seats they had.
  [[nodiscard]] const std::map<std::int64_t, std::int64_t>& seats() const { return seats_; }

 private:
  const archive::Archive& archive_;
  std::string game_;
  std::string also_;
  bool records_;
  double level_;
  MatchSelection choice_{};
  mutable std::int64_t handed_out_ = 0;
  mutable std::map<std::int64_t, std::int64_t> seats_;
};

}  // namespace agon::report
