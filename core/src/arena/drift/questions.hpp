#pragma once

#include <agon/agent.hpp>
#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/model/call_ledger.hpp>
#include <agon/model/model_agent.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "describe/value.hpp"
#include "drift/result.hpp"
#include "suite/suite.hpp"
#include "text/hash.hpp"

/// The questions of a drift check as their file says them.
namespace agon::drift::questions_file {

inline constexpr std::string_view kFormat = "agon.drift";
inline constexpr int kVersion = 1;

struct QuestionEntry {
  std::string name;
  std::string ask;
  std::optional<InOrder<JsonText>> schema;
  std::optional<JsonText> answer;
};
AGON_DESCRIBE(QuestionEntry, (name, "for people", length(1, 1000)),
              (ask, "what the model is asked", length(1, 100'000)),
              (schema, "JSON Schema of the answer; without one it is a text", left_out),
              (answer, "what is right, a text or JSON; without one nothing is right or wrong",
               left_out))

struct Questions {
  std::string format;
  int version = 0;
  std::vector<QuestionEntry> questions;
};
AGON_DESCRIBE(Questions, (format, "agon.drift", length(1, 100)),
              (version, "of the format", range(1, 1)),
              (questions, "asked before and after the matches", length(1, 10'000)))

}  // namespace agon::drift::questions_file

namespace agon::drift {

/// One question of the drift check.
struct DriftQuestion {
  std::string name;
  ModelProbe probe;
  std::string answer{};  ///< what is right; empty: nothing is right or wrong
};

/// The questions that show whether a model still is what it was.
struct AGON_API DriftQuestions {
  std::string text;       ///< of the file
  hash::Digest digest{};  ///< of that
  std::vector<DriftQuestion> all;

  /// Reads a file of format "agon.drift". Throws Error for one that is not there or is none.
  static DriftQuestions read(const std::string& file);
  static DriftQuestions parse(std::string text, const std::string& file);
};

/// The JSON Schema of such files.
[[nodiscard]] AGON_API std::string questions_schema();

/// Case of ASCII letters, white space and a final stop are evened out.
[[nodiscard]] AGON_API std::string evened(std::string_view text);

/// Whether `said` is the right answer: the same text when evened out, or the same JSON value.
[[nodiscard]] AGON_API bool is_right(std::string_view said, std::string_view answer);

/// How far two texts are apart once they are evened out: the least number of bytes to insert, drop
/// or change (Levenshtein, Soviet Physics Doklady 10, 1966), over the length of the longer one. 0:
/// the same, 1: nothing in common. Of very long texts only the first 4000 bytes are looked at.
[[nodiscard]] AGON_API double distance(std::string_view a, std::string_view b);

/// A model of a suite: agents that have it share one line.
struct SuiteModel {
  std::string spec;                    ///< digest of how it is set, in hexadecimal digits
  std::vector<std::string> agents;     ///< names, in the order of the suite
  std::shared_ptr<const Agent> agent;  ///< one that can put probes to it
  std::string purpose{};               ///< ModelProbe::purpose of these
};

/// The different models of the agents that take part in a suite, in its order. Two are the same if
/// they are set alike; how they are called (keys, tries, limits of time) makes no difference.
[[nodiscard]] std::vector<SuiteModel> models_of(const Suite& suite);

/// What the manifest of a run says of its drift check before any model is asked.
[[nodiscard]] DriftManifest manifest_of(const DriftQuestions& questions,
                                        const std::vector<SuiteModel>& models);

/// The drift check of a run: fixed questions to every model of the suite, before and after the
/// matches.
class DriftCheck {
 public:
  /// Makes the ledger of one attempt, as MatchSetup::ledger does.
  using Ledgers =
      std::function<std::shared_ptr<CallLedger>(int seat, std::uint32_t question, int attempt)>;

  /// `file`: the questions. Throws Error where it cannot be read.
  DriftCheck(const std::string& file, const Suite& suite);

  /// The file, for the archive.
  [[nodiscard]] const std::string& text() const { return questions_.text; }
  /// How many different models there are.
  [[nodiscard]] std::size_t models() const { return models_.size(); }
  /// What the manifest says of the check before anything was asked.
  [[nodiscard]] DriftManifest manifest() const { return manifest_of(questions_, models_); }

  /// Puts the questions to one model, one after the other, until `stop` says so or the model does
  /// not answer any more. Returns the reply after which no call can succeed, if there was one.
  /// The calls belong to no match: their seat is the model, the question the question, the attempt
  /// the phase.
  std::optional<Reply> ask(std::size_t model, Phase phase, const Ledgers& ledgers,
                           const std::function<bool()>& stop) const;

 private:
  DriftQuestions questions_;
  std::vector<SuiteModel> models_;
};

}  // namespace agon::drift
