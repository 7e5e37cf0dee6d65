#pragma once

#include <agon/importer.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/splits.hpp"

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

}  // namespace deal_or_no_deal
