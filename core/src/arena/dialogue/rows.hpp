#pragma once

#include <agon/export.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/export/export.hpp"
#include "dialogue/statements.hpp"

namespace agon {
class Catalogue;
}

namespace agon::dialogue {

/// Reads what was said in an archive's records.
class AGON_API StatementReading {
 public:
  /// All must outlive it.
  StatementReading(const archive::Archive& archive, const Catalogue& catalogue,
                   const record::RecordedTypes& recorded)
      : archive_(archive), catalogue_(catalogue), recorded_(recorded) {}

  /// The statements of a record; none where the game is not at hand or has no card of talk.
  [[nodiscard]] std::vector<CheckedStatement> statements(const std::string& game,
                                                         const hash::Digest& settings,
                                                         std::string_view record);

 private:
  const archive::Archive& archive_;
  const Catalogue& catalogue_;
  const record::RecordedTypes& recorded_;
  std::map<std::pair<std::string, hash::Digest>, std::optional<TalkListener>> known_;
};

/// The same as rows of an export.
[[nodiscard]] AGON_API archive::StatementReader statement_reader(
    const archive::Archive& archive, const Catalogue& catalogue,
    const record::RecordedTypes& recorded);

}  // namespace agon::dialogue
