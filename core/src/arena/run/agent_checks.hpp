#pragma once

#include <agon/export.hpp>
#include <agon/model/preflight.hpp>
#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drift/questions.hpp"
#include "drift/result.hpp"
#include "run/costs.hpp"
#include "suite/suite.hpp"

namespace agon {

/// What the agents of a suite found when they looked at what they need.
struct AGON_API Preflight {
  /// A finding, and which agents met it.
  struct FindingRow {
    Finding finding;
    std::vector<std::string> agents;
  };
  std::vector<FindingRow> rows;  ///< in order of the suite, each finding once

  [[nodiscard]] bool fine() const;
};

/// Asks every agent that takes part, once a game and spec; `longest_prompt`: in tokens, 0: unknown.
/// Ends early once `stop` is true.
[[nodiscard]] AGON_API Preflight preflight(const Suite& suite, std::int64_t longest_prompt = 0,
                                           const std::atomic<bool>* stop = nullptr);

struct Suite;

/// Answers that an agent was given for a stage of a game, and that no match asked it for: mostly
/// the preset has no such stage.
struct UnaskedStage {
  std::string agent;
  std::string game;
  std::string stage;
};

/// Looks for them in the matches of a run.
class UnaskedStages {
 public:
  explicit UnaskedStages(const Suite& suite);
  /// True if an agent of the suite has answers by stage.
  [[nodiscard]] bool is_needed() const { return !left_.empty(); }
  /// Notes a match that has ended, whose seat the agent played. One without a record tells nothing.
  void note(const std::string& agent, std::string_view game, std::string_view record, int seat);
  [[nodiscard]] std::vector<UnaskedStage> all() const;

 private:
  /// What was not asked yet.
  struct Left {
    std::set<std::string, std::less<>> stages;
    bool has_played = false;
  };
  std::map<std::pair<std::string, std::string>, Left> left_;  ///< by agent and game
};

/// The drift check of a run: fixed questions to every model of the suite, before and after the
/// matches.
class DriftCheck {
 public:
  /// `file`: the questions. Throws Error where it cannot be read.
  DriftCheck(const std::string& file, const Suite& suite);

  /// The file, for the archive.
  [[nodiscard]] const std::string& text() const { return questions_.text; }
  /// How many different models there are.
  [[nodiscard]] std::size_t models() const { return models_.size(); }
  /// What the manifest says of the check before anything was asked.
  [[nodiscard]] drift::Manifest manifest() const { return drift::manifest_of(questions_, models_); }

  /// Puts the questions to one model, one after the other, until `stop` says so or the model does
  /// not answer any more. Returns the reply after which no call can succeed, if there was one.
  /// The calls belong to no match: their seat is the model, the question the question, the attempt
  /// the phase.
  std::optional<Reply> ask(std::size_t model, drift::Phase phase, MatchLedger& calls,
                           const std::function<bool()>& stop) const;

 private:
  drift::DriftQuestions questions_;
  std::vector<drift::SuiteModel> models_;
};

}  // namespace agon
