#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace agon::drift {

/// When a model was asked.
enum class Phase : std::uint8_t { before, after };
AGON_DESCRIBE_ENUM(Phase, (before, "the matches"), (after, "the matches"))

/// What one model said to the questions at one time.
struct Replies {
  std::int64_t run = 0;
  Phase when = Phase::before;
  std::int64_t answered = 0;
  std::int64_t right = 0;
  std::vector<std::string> served_as{};
  std::vector<std::string> fingerprints{};
};
AGON_DESCRIBE(Replies, (run, "number of the run"), (when, "before or after the matches"),
              (answered, "questions; the others came to nothing"),
              (right, "of those that have a right answer"),
              (served_as, "names under which the model was served, in order"),
              (fingerprints, "of the systems behind it"))

/// The answers of two times, side by side.
struct Comparison {
  Replies from;
  Replies to;
  std::int64_t compared = 0;
  std::int64_t same = 0;
  std::optional<double> same_rate;
  std::optional<double> distance;
  bool served_as_changed = false;
  bool fingerprint_changed = false;
};
AGON_DESCRIBE(Comparison, (from, "the earlier time"), (to, "the later time"),
              (compared, "questions answered both times"),
              (same, "of these, with the same text, byte by byte"),
              (same_rate, "same of compared; null without any"),
              (distance, "mean distance of the texts (0 the same, 1 nothing in common)"),
              (served_as_changed, "it went by other names"),
              (fingerprint_changed, "another system was behind it"))

/// One model in one run with a drift check.
struct ModelDrift {
  std::int64_t run = 0;
  std::string model;
  std::string endpoint;
  std::string spec;
  std::vector<std::string> agents;
  std::int64_t questions = 0;
  std::int64_t with_right_answer = 0;
  std::vector<Replies> asked;
  /// Before and after this run; then with the last earlier run that asked the same model the same
  /// questions, and with the first one if that is another. Those compare the last answers of the
  /// earlier run with the first ones of this.
  std::vector<Comparison> comparisons;
};
AGON_DESCRIBE(ModelDrift, (run, "number of the run"),
              (model, "provider and model; empty if it never answered"),
              (endpoint, "base URL; empty in process"), (spec, "digest of how it is set"),
              (agents, "that it plays as"), (questions, "of the check"),
              (with_right_answer, "of the questions"), (asked, "before, after: what was done"),
              (comparisons, "within the run, and with earlier ones"))

/// What the archive knows of drift: by run and model. Throws Error for a damaged archive.
[[nodiscard]] std::vector<ModelDrift> read(const archive::Archive& archive);

/// "drift of openai/m (llm): before and after the run 10 of 10 answers the same, distance 0.000;
/// since run 1 ..." without a line break; texts of providers in it are not made printable.
[[nodiscard]] AGON_API std::string describe(const ModelDrift& row);
/// "run 1" or "run 1 to 2": which answers a comparison is of, in a table.
[[nodiscard]] std::string describe_times(const Comparison& comparison);
/// "served as b instead of a"; empty if names and fingerprints are the same.
[[nodiscard]] std::string describe_change(const Comparison& comparison);

/// What the manifest of a run says of its drift check.
struct DriftManifest {
  struct CheckedModel {
    std::string spec;
    std::vector<std::string> agents;
  };
  std::string questions;
  std::vector<CheckedModel> models;
  std::optional<std::vector<ModelDrift>> results;
};
AGON_DESCRIBE(DriftManifest::CheckedModel, (spec, "SHA-256 of how it is set"),
              (agents, "that it plays as"))
AGON_DESCRIBE(DriftManifest, (questions, "SHA-256 of their file, in `content`"),
              (models, "that are asked, in the order of their calls' seats"),
              (results, "in the end: what they said", left_out))

/// Of a manifest, what tells of the check. Results are worked out from the calls.
struct CheckOfRun {
  std::optional<DriftManifest> drift;
};
AGON_DESCRIBE(CheckOfRun, (drift, "absent: the run had none"))

}  // namespace agon::drift
