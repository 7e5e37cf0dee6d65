#pragma once

#include <agon/describe.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "report/meta_question.hpp"
#include "results/scope.hpp"

namespace agon::report {

/// How often data were drawn anew for intervals.
struct Resamples {
  std::int64_t scores = 0;
  std::int64_t metrics = 0;
  std::int64_t strengths = 0;
  std::int64_t trueskill = 0;
  std::int64_t seed = 0;
};
AGON_DESCRIBE(Resamples, (scores, "of scores and differences"),
              (metrics, "of every other metric, of pairs, and of ranks"), (strengths, "refits"),
              (trueskill, "refits, at most"), (seed, "picks the resamples"))

/// The table of a paper that a document has.
struct PaperTableName {
  std::string id;
  std::string source;
  std::string game;
};
AGON_DESCRIBE(PaperTableName, (id, "as --table takes it"), (source, "paper, and where in it"),
              (game, "whose matches it is made from"))

/// What a document was made from, and how.
struct Made {
  double level = 0.95;
  Scope scope{};
  std::optional<std::string> policy{};
  std::optional<std::string> aggregate{};
  std::optional<std::vector<std::string>> without{};
  std::optional<std::string> reference{};
  std::optional<std::int64_t> matches{};
  std::optional<Resamples> resamples{};
  std::optional<MetaQuestion> meta{};
  std::optional<PaperTableName> table{};
};
AGON_DESCRIBE(Made, (level, "of intervals, but where a figure has its own", range(0, 1)),
              (scope, "which matches of the archive"),
              (policy, "how forced answers are counted: as-played, forfeit or exclude", left_out),
              (aggregate, "what is over all games is of: mean, winsorised or ranks", left_out),
              (without, "games that were left out, as --without asked", left_out),
              (reference, "the agent that the others are compared with; empty: nothing was played",
               left_out),
              (matches, "finished ones that it is made from", left_out),
              (resamples, "of the bootstrap, by what they are for", left_out),
              (meta, "of a report with --meta or --meta-agents: what was asked", left_out),
              (table, "of a report with --table: which", left_out))

}  // namespace agon::report
