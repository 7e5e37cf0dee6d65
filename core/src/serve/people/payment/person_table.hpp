#pragma once

#include <agon/export.hpp>
#include <string>
#include <vector>

#include "archive/export/cell.hpp"
#include "people/store.hpp"
#include "suite/people/people_stages.hpp"

namespace agon::serve {

/// A column of the table of people, as the codebook has it.
struct PersonColumn {
  std::string name;
  std::string meaning;
  std::string unit;
  std::string values;  ///< what they may be, and what each means; empty: any
};

/// One row per person who took part and agreed, by pseudonym: no label, no name, no id of a panel.
struct PersonTable {
  std::vector<PersonColumn> columns;
  std::vector<std::vector<archive::ExportCell>> rows;
};

/// What the table says of the questions of these stages.
[[nodiscard]] AGON_API AskedQuestions asked_questions(const std::vector<PeopleStage>& stages);
[[nodiscard]] AGON_API PersonTable person_table(const KeptPeople& people);
/// What its columns mean, as such a table.
[[nodiscard]] AGON_API PersonTable codebook(const PersonTable& table);

/// CSV (RFC 4180) with a header line.
[[nodiscard]] AGON_API std::string csv_of(const PersonTable& table, archive::CsvAudience reader);
/// JSON Lines.
[[nodiscard]] AGON_API std::string jsonl_of(const PersonTable& table);

}  // namespace agon::serve
