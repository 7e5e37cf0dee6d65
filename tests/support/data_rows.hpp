#pragma once

#include <agon/conversion.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "describe/file_text.hpp"
#include "plugin/catalogue.hpp"
#include "settings/settings.hpp"

namespace agon::test {

/// What a data file of version 1 of the format says.
inline DataFrame data_frame(std::string_view format, std::string text) {
  const FileText file(std::move(text), "rows.json", "");
  file.require_format(format, 1, "such a file");
  return file.read<DataFrame>();
}

/// Its rows, read as settings read them.
template <class Row>
std::vector<Row> data_rows(std::string_view format, std::string text) {
  const DataFrame frame = data_frame(format, std::move(text));
  std::vector<Row> rows(frame.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto problem = read_json(rows[i], frame.rows[i].text, Missing::keeps);
    INFO((problem ? problem->text() : ""));
    REQUIRE_FALSE(problem);
  }
  return rows;
}

/// What an importer that comes with Agon makes of files.
inline Imported import(std::string_view importer, const std::vector<InputFile>& files) {
  static const auto catalogue = [] {
    auto loaded = std::make_unique<Catalogue>();
    loaded->load_importers();
    return loaded;
  }();
  return catalogue->importer(importer).read(files);
}

}  // namespace agon::test
