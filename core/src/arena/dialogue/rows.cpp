#include "dialogue/rows.hpp"

#include <agon/plugin.hpp>
#include <memory>

#include "plugin/catalogue.hpp"
#include "replay/replay.hpp"

namespace agon::dialogue {
namespace {

archive::ExportCell cell(const std::optional<double>& number) {
  return number ? archive::ExportCell(*number) : archive::ExportCell(archive::Absent{});
}

archive::StatementRow row_of(const CheckedStatement& s) {
  archive::StatementRow row{s.seat, s.question, {}};
  row.cells = {{"kind", std::string(name_of(s.kind))},
               {"about", s.about},
               {"check", std::string(name_of(s.check))},
               {"denied", std::int64_t{s.denied}},
               {"stated", cell(s.stated)},
               {"truth", cell(s.truth)},
               {"difference", cell(s.difference())},
               {"unit", s.unit},
               {"serves", s.serves ? archive::ExportCell(std::int64_t{*s.serves})
                                   : archive::ExportCell(archive::Absent{})},
               {"leaked", std::int64_t{s.leaked}},
               {"words", s.words}};
  return row;
}

}  // namespace

std::vector<CheckedStatement> StatementReading::statements(const std::string& game,
                                                           const hash::Digest& settings,
                                                           std::string_view record) {
  const auto [at, is_new] = known_.try_emplace({game, settings});
  std::optional<TalkListener>& listener = at->second;
  if (is_new)
    for (const Game* each : catalogue_.all<Game>())
      if (each->id == game && each->card.talk != nullptr)
        listener.emplace(*each, archive::stored_settings(archive_, settings));
  if (!listener) return {};
  std::vector<HeardWords> all;
  record::each_entry(record, [&](const record::Entry& entry) {
    if (auto one = heard(entry, recorded_)) all.push_back(std::move(*one));
    return true;
  });
  return listener->statements(all);
}

archive::StatementReader statement_reader(const archive::Archive& archive,
                                          const Catalogue& catalogue,
                                          const record::RecordedTypes& recorded) {
  const auto reading = std::make_shared<StatementReading>(archive, catalogue, recorded);
  return [reading](const std::string& game, const hash::Digest& settings, std::string_view record) {
    std::vector<archive::StatementRow> rows;
    if (record.empty()) return rows.push_back(row_of({})), rows;
    for (const CheckedStatement& statement : reading->statements(game, settings, record))
      rows.push_back(row_of(statement));
    return rows;
  };
}

}  // namespace agon::dialogue
