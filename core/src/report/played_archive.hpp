#pragma once

#include <agon/paper_table.hpp>
#include <string>

#include "archive/archive.hpp"

namespace agon::report {

/// The finished matches of one game in an archive, for tables of papers. Matches are read as they
/// are asked for; nothing of them is kept.
class PlayedArchive final : public PlayedMatches {
 public:
  /// `archive` must outlive this. `records`: matches have entries().
  PlayedArchive(const archive::Archive& archive, std::string game, bool records, double level)
      : archive_(archive), game_(std::move(game)), records_(records), level_(level) {}

  void each(const std::function<void(const PlayedMatch&)>& each) const override;
  [[nodiscard]] double level() const override { return level_; }

 private:
  const archive::Archive& archive_;
  std::string game_;
  bool records_;
  double level_;
};

}  // namespace agon::report
