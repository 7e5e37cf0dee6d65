#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "drift/models.hpp"
#include "drift/result.hpp"
#include "run/run_ledger.hpp"

namespace agon {

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
  drift::Questions questions_;
  std::vector<drift::SuiteModel> models_;
};

}  // namespace agon
