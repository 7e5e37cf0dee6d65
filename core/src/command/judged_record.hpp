#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "judge/blind.hpp"
#include "judge/identity.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "run/replay.hpp"

namespace agon::command {

/// Tells a match to a judge as one seat lived through it: the rules and the identity that a model
/// was given, what the seat was told, what it thought in private, and what it did. Names of agents
/// and models are taken out; seats keep theirs.
class JudgedRecord {
 public:
  /// Both must outlive this.
  JudgedRecord(const archive::Archive& archive, const Catalogue& catalogue);

  /// `match` with its record.
  std::string operator()(const archive::MatchRow& match, int seat);

  /// Whether the seat was given an identity.
  bool has_identity(const archive::MatchRow& match, int seat) { return identities_(match, seat); }

  /// Of each game of the records told so far that is not at hand: which plugin brought it.
  [[nodiscard]] const std::set<std::string>& missing() const { return identities_.missing(); }
  /// In how many of the records told so far an ordinary word stands that is the name of an agent.
  [[nodiscard]] const std::map<std::string, std::size_t>& names_left() const { return names_left_; }

 private:
  /// What a seat's model was given and what it said to itself.
  struct Private {
    std::string given;                                          ///< its first system message
    std::map<std::int64_t, std::vector<std::string>> thoughts;  ///< by question
  };
  [[nodiscard]] Private private_of(const archive::MatchRow& match, int seat) const;

  const archive::Archive& archive_;
  std::map<std::int64_t, archive::GameRow> games_;
  std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  Replayer replayer_;
  judge::Blindfold blindfold_;
  judge::Identities identities_;
  std::map<std::string, std::size_t> names_left_;
};

}  // namespace agon::command
