#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "archive/archive.hpp"
#include "record/transcript.hpp"
#include "run/match_identity.hpp"

namespace agon {

class Catalogue;

/// Where a replay first parts from its record.
struct Divergence {
  std::string problem;   ///< in a sentence
  std::string recorded;  ///< the entry as the archive has it; empty: it has no more
  std::string replayed;  ///< the entry as the game now makes it; empty: it makes no more
};

/// Plays recorded matches again, every answer from the record and no agent asked. One for a thread.
class Replayer {
 public:
  Replayer(const archive::Archive& archive, const Catalogue& catalogue);
  ~Replayer();

  /// Nothing if the match comes out byte for byte the same. Throws Error if the game is missing or
  /// the archive damaged.
  std::optional<Divergence> replay(const archive::MatchRow& match);
  /// The game's own types, as far as it used them in the matches replayed so far: what a record
  /// does not know, such as units.
  [[nodiscard]] std::vector<const Type*> types(const hash::Digest& shape) const {
    return shapes_->types(shape);
  }

 private:
  struct Stage;
  const Stage& stage_of(std::int64_t scenario);

  const archive::Archive& archive_;
  const Catalogue& catalogue_;
  std::map<std::int64_t, archive::GameRow> games_;
  std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  std::map<std::int64_t, std::unique_ptr<Stage>> stages_;
  std::shared_ptr<record::Shapes> shapes_ = std::make_shared<record::Shapes>();
};

}  // namespace agon
