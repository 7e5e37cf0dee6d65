#pragma once

#include <agon/export.hpp>
#include <boost/json/array.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace agon::drift {

/// When a model was asked.
enum class Phase : std::uint8_t { before, after };

/// What one model said to the questions at one time.
struct Asked {
  std::int64_t run = 0;
  Phase phase = Phase::before;
  std::int64_t answered = 0;                ///< questions; the others came to nothing
  std::int64_t right = 0;                   ///< of those that have a right answer
  std::vector<std::string> served{};        ///< names under which the model was served, in order
  std::vector<std::string> fingerprints{};  ///< of the systems behind it
};

/// The answers of two times, side by side.
struct Comparison {
  Asked from;
  Asked to;
  std::int64_t compared = 0;  ///< questions answered both times
  std::int64_t same = 0;      ///< of these, with the same text, byte by byte
  double distance = 0;        ///< mean of drift::distance over these; 0 without any
  [[nodiscard]] bool other_name() const { return from.served != to.served; }
  [[nodiscard]] bool other_system() const { return from.fingerprints != to.fingerprints; }
};

/// One model in one run with a drift check.
struct Row {
  std::int64_t run = 0;
  std::string model;     ///< "openai/MODEL"; empty if it never answered
  std::string endpoint;  ///< base URL; empty in process
  std::string spec;      ///< digest of how it is set
  std::vector<std::string> agents;
  std::int64_t questions = 0;
  std::int64_t checkable = 0;  ///< of these, with a right answer
  std::vector<Asked> asked;    ///< before, after: those that were done
  /// Before and after this run; then with the last earlier run that asked the same model the same
  /// questions, and with the first one if that is another. Those compare the last answers of the
  /// earlier run with the first ones of this.
  std::vector<Comparison> comparisons;
};

/// What the archive knows of drift: by run and model. Throws Error for a damaged archive.
[[nodiscard]] std::vector<Row> read(const archive::Archive& archive);

/// "drift of openai/m (llm): before and after the run 10 of 10 answers the same, distance 0.000;
/// since run 1 ..." without a line break; texts of providers in it are not made printable.
[[nodiscard]] AGON_API std::string describe(const Row& row);
/// "run 1" or "run 1 to 2": which answers a comparison is of, in a table.
[[nodiscard]] std::string describe_times(const Comparison& comparison);
/// "served as b instead of a"; empty if names and fingerprints are the same.
[[nodiscard]] std::string describe_change(const Comparison& comparison);

/// The rows as the manifest, the report and `agon run --json` give them.
[[nodiscard]] AGON_API boost::json::array to_json(const std::vector<Row>& rows);

}  // namespace agon::drift
