#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

/// A file handed to an importer: core reads it, plugins open none.
struct InputFile {
  std::string name;   ///< as the person gave it, for messages
  std::string bytes;  ///< all that is in it
};

/// A row that an importer could not take, and why.
struct BadRow {
  std::string file;      ///< its name, as InputFile has it
  std::size_t line = 0;  ///< 1-based line or entry
  std::string reason;    ///< what is wrong with it
};

/// What an importer makes of its files.
struct Imported {
  std::string json;              ///< one of Agon's own data files
  std::string summary;           ///< a sentence with the counts
  std::vector<BadRow> bad_rows;  ///< in the order of the files
};

/// Turns a data set in its published format into one of Agon's own data files.
struct Importer {
  std::string_view id;           ///< unique: "aucarena-items"
  std::string_view doc;          ///< what it reads and what it makes
  std::string_view extension{};  ///< of the files taken from a directory: ".json"; empty: one file
  /// Reads the files; throws Error for what cannot be taken as a whole.
  Imported (*read)(std::span<const InputFile> files) = nullptr;
};

}  // namespace agon
