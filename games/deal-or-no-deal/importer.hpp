#pragma once

#include <agon/data_file.hpp>
#include <agon/importer.hpp>
#include <agon/plugin.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {

/// The published text formats. Each is told by its content, never by its name.
enum class SourceFormat : std::uint8_t {
  tagged_dialogues,  ///< `<input> ... </input> <dialogue> ...`, both selections in `<output>`
  flat_dialogues,    ///< context, talk, own selection, `reward=`, `agree` or `disagree`, context
  paired_contexts,   ///< six numbers a line, two lines a scenario
  pools,             ///< `counts values values`, commas within each
};

/// The name that is written to files, such as "tagged-dialogues".
[[nodiscard]] std::string_view name(SourceFormat format);

/// How a recorded dialogue of two people ended.
enum class Ending : std::uint8_t {
  agreed,        ///< both selections fit together
  disagreed,     ///< both selected, but the selections do not fit together
  no_agreement,  ///< they chose not to agree
  disconnected,  ///< somebody left
};

/// The name that is written to files, such as "no-agreement".
[[nodiscard]] std::string_view name(Ending ending);

/// The ending with that name, if there is one.
[[nodiscard]] std::optional<Ending> ending_of(std::string_view name);

/// What two people said to each other, taking turns.
struct Dialogue {
  bool second_begins = false;            ///< side 1 speaks first
  std::vector<std::string> messages{};   ///< without the private selections at the end
  std::optional<std::int64_t> reward{};  ///< of side 0, where the line says it

  friend bool operator==(const Dialogue&, const Dialogue&) = default;
};

/// What two people made of an instance. Files of instances do not keep their words.
struct HumanOutcome {
  Ending ending = Ending::no_agreement;
  /// Messages of both sides together, without the private selections at the end.
  int messages = 0;
  /// What either side took; only after an agreement.
  std::optional<Split> split;

  friend bool operator==(const HumanOutcome&, const HumanOutcome&) = default;
};

/// An instance and, where it comes from a dialogue, what people made of it. Side 0 is the side
/// whose context comes first on the line, not always the one that spoke first.
struct Row {
  Instance instance;
  std::optional<HumanOutcome> human;
  std::optional<Dialogue> dialogue{};

  friend bool operator==(const Row&, const Row&) = default;
};

/// A line that could not be read, and why.
struct BadRow {
  std::string file;
  /// Counted from 1.
  int line = 0;
  std::string reason;
};

/// Everything a file held: each line that is not blank is in a row (two lines in one row for paired
/// contexts) or in a bad row.
struct Imported {
  SourceFormat format = SourceFormat::pools;
  std::vector<Row> rows;
  std::vector<BadRow> bad;
};

/// Reads a published file. `file` names it in bad rows and, without folder and extension, in the
/// ids of instances: "test-17" for line 17 of test.txt. Endings without an agreement are outcomes,
/// not bad rows. With `required`, rows that break a constraint are bad rows too. Throws agon::Error
/// (invalid) when no line looks like any of the formats.
[[nodiscard]] Imported import_text(std::string_view bytes, std::string_view file,
                                   const Constraints* required = nullptr);

/// Agon's own file of instances: a data file (agon/data_file.hpp) of format
/// "agon.deal-or-no-deal.instances", version 1, with rows like
///
///     {"id": "a-1", "line": 1, "counts": [1, 4, 1], "values": [[4, 1, 2], [2, 2, 0]],
///      "human": {"ending": "agreed", "messages": 5, "split": [[1, 0, 1], [0, 4, 0]]}}
///
/// `line` (of the source), `human` and its `split` may be absent; `ending` is one of agreed,
/// disagreed, no-agreement and disconnected; an agreement has a split, anything else has none.
/// Nothing else may be in one.
struct InstanceFile {
  agon::DataSource source;
  std::vector<Row> rows;
};

/// Writes the file, one row a line, with a line break at the end.
[[nodiscard]] std::string write_instances(const InstanceFile& file);

/// How far the two sides want different things: the sum of the differences between their values of
/// one item of each type. The lower, the harder to agree (Hua et al. 2024, section 5.1).
[[nodiscard]] int value_distance(const Instance& instance);

/// Is it the same type for both that either side values most (the first on a tie), and one item of
/// it worth no more to them than all items of the other types together?
[[nodiscard]] bool covered(const Instance& instance);

/// Are all counts even, so that halving every pile is fair?
[[nodiscard]] bool halvable(const Instance& instance);

/// What became of the rows in select_points().
struct Selection {
  /// Positions (from 0) in the rows, ascending.
  std::vector<std::size_t> kept;
  /// Rows on odd lines, and why the others of them were dropped.
  std::size_t looked_at = 0;
  std::size_t repeated = 0;
  std::size_t halvable = 0;
  std::size_t covered = 0;
};

/// The filter behind the published "hardest" points: of the rows on odd lines (counted from 1; the
/// others mostly show the same dialogues from the other side), in order, drop those that repeat a
/// kept game, then the halvable, then the covered.
[[nodiscard]] Selection select_points(std::span<const Row> rows);

/// The first `how_many` kept points whose value_distance() is at most `distance`: with 50 and 4 the
/// published sample. Positions in `rows`.
[[nodiscard]] std::vector<std::size_t> hard_points(std::span<const Row> rows,
                                                   const Selection& selection, int distance,
                                                   std::size_t how_many);

/// What people achieved on some rows. A dialogue without an agreement counts, as neither.
struct HumanSummary {
  std::size_t points = 0;
  std::size_t agreed = 0;
  std::size_t envy_free = 0;
  std::size_t pareto_optimal = 0;
  /// Both envy-free and Pareto-optimal.
  std::size_t fair = 0;
  /// Sum of scores of either side; 0 without an agreement.
  Scores scores{};
  std::size_t messages = 0;
};

/// Sums up the rows at `positions`. Rows without a human outcome are left out.
[[nodiscard]] HumanSummary summarise_humans(std::span<const Row> rows,
                                            std::span<const std::size_t> positions);

/// Reads the published text files (any of SourceFormat) and writes one file of instances.
[[nodiscard]] agon::Importer importer();

/// Reads the published dialogues of people (the tagged and the flat format) as matches.
[[nodiscard]] agon::Importer dialogue_importer();

}  // namespace deal_or_no_deal
