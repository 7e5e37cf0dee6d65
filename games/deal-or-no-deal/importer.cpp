#include "deal-or-no-deal/importer.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/importer.hpp>

#include "deal-or-no-deal/import_json.hpp"

namespace deal_or_no_deal {
namespace {

agon::Imported read(std::span<const agon::InputFile> files) {
  InstanceFile file;
  agon::Imported result;
  for (const agon::InputFile& input : files) {
    Imported found = import_text(input.bytes, input.name);
    for (const BadRow& row : found.bad) {
      result.bad_rows.push_back({row.file, static_cast<std::size_t>(row.line), row.reason});
    }
    if (!file.source.name.empty()) file.source.name += ", ";
    file.source.name += input.name;
    file.source.format = name(found.format);
    for (Row& row : found.rows) file.rows.push_back(std::move(row));
  }
  if (file.rows.empty()) {
    throw agon::Error(agon::ErrorKind::invalid, "there is no readable instance in the input", {},
                      "give one of the published text files");
  }
  std::size_t with_outcome = 0;
  for (const Row& row : file.rows) with_outcome += row.human ? 1 : 0;
  result.json = write_instances(file);
  result.summary = fmt::format("{} instances, {} of them with what people made of it",
                               file.rows.size(), with_outcome);
  return result;
}

}  // namespace

agon::Importer importer() {
  return {.id = "deal-or-no-deal",
          .doc =
              "reads the published Deal or No Deal dialogues (test.txt, val.txt, data.txt), "
              "scenario lists (selfplay.txt) and OpenSpiel's bargaining instances, and makes a "
              "file of instances",
          .extension = ".txt",
          .read = &read};
}

}  // namespace deal_or_no_deal
