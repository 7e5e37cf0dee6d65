#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/game.hpp>
#include <boost/json/fwd.hpp>
#include <charconv>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "describe/file_text.hpp"
#include "describe/value.hpp"

namespace agon {

class Accesses;

/// Where data files that settings name are looked for: in order, the folder of the file that names
/// them, then the game's own data folders (`<folder>/<game>/<name>.json`).
struct DataFolders {
  std::string beside;                ///< folder of the scenario file; empty: the current one
  std::vector<std::string> shipped;  ///< roots that hold a folder a game
  /// Which files may be read; what names another is as if it were not set. Null: all.
  Accesses* accesses = nullptr;
};

/// The preset of this name; empty: the game's first. Throws Error (invalid) at `where` if the game
/// has none of that name. `named`: see Settings::read().
AGON_API const Preset* find_preset(const Game& game, std::string_view name, const ErrorPlace& where,
                                   std::string_view named = {});

/// The settings of one scenario, read, checked, and ready to play: defaults, then the preset, then
/// overrides. Data files are loaded into them; nothing else is read later.
class AGON_API Settings {
 public:
  /// Throws Error (invalid) with the place, the reason and the nearest known name. `where` is the
  /// place of the overrides. `named`: the game as people name it to a command, for messages; empty:
  /// by its id.
  static Settings read(const Game& game, std::string_view preset,
                       const boost::json::object& overrides, const ErrorPlace& where,
                       const DataFolders& folders, std::string_view named = {});

  [[nodiscard]] const void* get() const { return value_.get(); }
  [[nodiscard]] const void* prepared() const { return prepared_.get(); }
  [[nodiscard]] const std::string& preset() const { return preset_; }
  [[nodiscard]] int reasks() const { return reasks_; }
  /// The whole settings as canonical JSON, loaded data included: what a match is identified by.
  [[nodiscard]] const std::string& json() const { return json_; }
  /// The settings as JSON with loaded data replaced by {"data": format, "sha256": ...}.
  [[nodiscard]] const std::string& brief() const { return brief_; }
  /// Contents of loaded data by sha256 (hex).
  [[nodiscard]] const std::map<std::string, std::string>& data() const { return data_; }
  /// Names and roles of the seats.
  [[nodiscard]] const std::vector<SeatCard>& seating() const { return seating_; }
  /// What players are told, with the figures of these settings.
  [[nodiscard]] const std::string& rules() const { return rules_; }
  /// What everybody may know of these settings, as JSON by GameCard::facts; "null" without.
  [[nodiscard]] const std::string& facts() const { return facts_; }

 private:
  explicit Settings(const Game& game);
  void write_texts(const Game& game);

  Value value_;
  std::shared_ptr<const void> prepared_;
  std::string preset_;
  int reasks_ = 3;
  std::string json_;
  std::string brief_;
  std::map<std::string, std::string> data_;
  std::vector<SeatCard> seating_;
  std::string rules_;
  std::string facts_ = "null";
};

/// What players are told of the game under these settings, in their language.
[[nodiscard]] AGON_API std::string rules_in(const Game& game, const void* settings,
                                            const Language& language);

/// Replaces each `{{name}}` in a text. Names that are unknown or never used are errors.
AGON_API std::string fill_placeholders(std::string_view text,
                                       const std::map<std::string, std::string>& values,
                                       bool all_must_be_used);

/// Where the rows of a data file come from. Free text, for people; any of it may be empty.
struct DataSource {
  std::string name;
  std::string format;
  std::string licence;
  std::string note;

  /// Equal in all members.
  friend bool operator==(const DataSource&, const DataSource&) = default;
};
AGON_DESCRIBE(DataSource, (name, "file or collection"),
              (format, "how the rows were written there, or how they were made"),
              (licence, "under which terms they may be used"),
              (note, "anything else: the seed, the filter, a reference"))

/// What a data file is one of.
struct DataFormat {
  std::string_view name;  ///< "agon.bargaining.products"
  int version = 1;        ///< raised where old files cannot be read as new ones
};

/// What is around the rows of a data file, which the setting that takes them describes:
///
///     {"format": "agon.GAME.WHAT", "version": 1,
///      "source": {"name": "...", "format": "...", "licence": "...", "note": "..."},
///      "rows": [
///     ...one row a line...
///     ]}
///
/// `source` and each of its members may be absent. Nothing else may be in it but "$schema", by
/// which an editor finds the JSON Schema that `agon describe GAME.WHAT --schema` prints.
struct DataFrame {
  std::string format;
  int version = 0;
  DataSource source;
  std::vector<JsonText> rows;
};
AGON_DESCRIBE(DataFrame, (format, "of the file", length(1, 1000)),
              (version, "of the format", at_least(1)), (source, "where the rows come from"),
              (rows, "what the setting holds", length(1, 100'000'000)))

/// The format of the data files that a setting takes.
[[nodiscard]] inline DataFormat format_of(const Field& setting) {
  const std::size_t slash = setting.data.rfind('/');
  DataFormat format{setting.data.substr(0, slash)};
  std::from_chars(setting.data.data() + slash + 1, setting.data.data() + setting.data.size(),
                  format.version);
  return format;
}

/// The JSON Schema of the data files that a setting takes by name.
[[nodiscard]] AGON_API std::string data_schema(const Field& setting);

}  // namespace agon
