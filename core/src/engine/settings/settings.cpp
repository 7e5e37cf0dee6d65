#include "settings/settings.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <optional>
#include <set>

#include "describe/read.hpp"
#include "hash/sha256.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/nearest.hpp"
#include "trust/accesses.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
namespace fs = std::filesystem;

/// Joins `where` with a JSON path: "suite.json $.scenarios[0].set" and "$.factor" give
/// "...set.factor".
std::string join_path(std::string_view where, std::string_view path) {
  std::string out(where);
  if (path.starts_with("$")) path.remove_prefix(1);
  if (out.find('$') == std::string::npos) out += " $";
  out += path;
  return out;
}

}  // namespace

const Preset* find_preset(const Game& game, std::string_view name, std::string_view where) {
  static constexpr Preset kOnly{"agon", "the game's defaults", "{}", 3};
  if (game.card.presets.empty()) {
    if (name.empty() || name == kOnly.name) return &kOnly;
  } else if (name.empty()) {
    return &game.card.presets.front();
  }
  std::vector<std::string> known;
  for (const Preset& preset : game.card.presets) {
    if (preset.name == name) return &preset;
    known.emplace_back(preset.name);
  }
  throw Error(ErrorKind::invalid,
              "game '" + std::string(game.id) + "' has no preset '" + std::string(name) + "'" +
                  text::did_you_mean(name, known),
              std::string(where), "see 'agon describe " + std::string(game.id) + "'");
}

namespace {

Error not_of_format(std::string_view format, const fs::path& path) {
  return {ErrorKind::invalid, "this is not a data file of format " + std::string(format),
          path.string(),
          "the files that ship with the game show it; 'agon list importers' lists the data sets "
          "that can be turned into it"};
}

/// Names of the data files that ship with a game, without ".json".
std::vector<std::string> shipped_names(const Game& game, const DataFolders& folders) {
  std::set<std::string> names;
  for (const std::string& root : folders.shipped) {
    std::error_code none;
    for (fs::directory_iterator file(fs::path(root) / game.id, none), end; !none && file != end;
         file.increment(none))
      if (file->path().extension() == ".json") names.insert(file->path().stem().string());
  }
  return {names.begin(), names.end()};
}

/// The rows of a data file in the wanted format, given as name or path, and which file it is.
/// Nothing if it may not be read.
std::optional<std::pair<bj::value, std::string>> load_rows(const Game& game, const Field& field,
                                                           std::string_view name,
                                                           const std::string& where,
                                                           const DataFolders& folders) {
  std::vector<fs::path> tried;
  const auto add = [&](fs::path path) {
    tried.push_back(path);
    if (path.extension() != ".json") tried.push_back(path += ".json");
  };
  const fs::path given{name};
  add(given.is_absolute() ? given : fs::path(folders.beside) / given);
  if (!given.is_absolute())
    for (const std::string& root : folders.shipped) add(fs::path(root) / game.id / given);
  std::optional<fs::path> other;
  for (const fs::path& path : tried) {
    std::error_code none;
    if (!fs::is_regular_file(path, none)) continue;
    if (folders.accesses != nullptr && !folders.accesses->may_read(path, where))
      return std::nullopt;
    bj::value document = json::parse_file(path);
    const std::size_t slash = field.data.rfind('/');
    const std::string_view format = field.data.substr(0, slash);
    const std::string_view version = field.data.substr(slash + 1);
    const bj::object* object = document.if_object();
    const bj::value* its_format = object == nullptr ? nullptr : object->if_contains("format");
    if (its_format == nullptr || !its_format->is_string() ||
        std::string_view(its_format->get_string()) != format) {
      // A name without ".json" may stand for something else here, such as the suite itself.
      if (path != tried.front()) {
        if (!other) other = path;
        continue;
      }
      throw not_of_format(format, path);
    }
    const bj::value* its_version = object->if_contains("version");
    if (its_version == nullptr || !its_version->is_int64() ||
        std::to_string(its_version->get_int64()) != version)
      throw Error(ErrorKind::invalid,
                  "the data file is of another version than " + std::string(version), path.string(),
                  "import the original data again with this version of agon");
    const bj::value* rows = object->if_contains("rows");
    if (rows == nullptr || !rows->is_array())
      throw Error(ErrorKind::invalid, "the data file has no list 'rows'", path.string());
    return std::pair(*rows, path.string());
  }
  if (other) throw not_of_format(field.data.substr(0, field.data.rfind('/')), *other);
  std::string places;
  for (const fs::path& path : tried) places += (places.empty() ? "" : ", ") + path.string();
  throw Error(ErrorKind::not_found,
              "there is no data file '" + std::string(name) + "'" +
                  text::did_you_mean(name, shipped_names(game, folders)),
              where, "looked for " + places);
}

/// Which settings came out of data files: the place of a mistake in them is there.
class DataPlaces {
 public:
  /// `rows` is the place of what the setting holds: "game.json $.rows".
  void add(std::string_view setting, std::string rows) { rows_[std::string(setting)] = rows; }

  /// Where `path` ("$.game.payoffs[1]") stands in the file that it came from, else below `where`.
  [[nodiscard]] std::string place(std::string_view where, std::string_view path) const {
    const std::size_t name_end = path.find_first_of(".[", 2);
    if (path.starts_with("$."))
      if (const auto found = rows_.find(path.substr(2, name_end - 2)); found != rows_.end())
        return found->second +
               std::string(name_end == std::string_view::npos ? "" : path.substr(name_end));
    return join_path(where, path);
  }

 private:
  std::map<std::string, std::string, std::less<>> rows_;
};

/// The error of a game's own check. A reason may begin with a place: "game.payoffs[1]: why".
Error error_of_check(const Game& game, std::string_view reason, std::string_view where,
                     const DataPlaces& places) {
  std::string place(where);
  const std::size_t name_end = std::min(reason.find_first_of(".[: "), reason.size());
  for (const Field& field : game.settings->fields) {
    if (reason.substr(0, name_end) != field.name) continue;
    const std::size_t path_end = std::min(reason.find_first_of(": "), reason.size());
    const std::string path = "$." + std::string(reason.substr(0, path_end));
    if (reason.substr(path_end).starts_with(": ")) {
      place = places.place(where, path);
      reason.remove_prefix(path_end + 2);
    } else if (std::string in_file = places.place("", path); !in_file.starts_with(" $")) {
      place = std::move(in_file);
    }
    break;
  }
  return {ErrorKind::invalid, std::string(reason), place,
          "see 'agon describe " + std::string(game.id) + "'"};
}

/// Puts the rows of data files in the place of their names. The setting whose file may not be read,
/// else empty.
std::string load_data(const Game& game, bj::object& members, const std::string& where,
                      const DataFolders& folders, DataPlaces& places) {
  for (const Field& field : game.settings->fields) {
    if (field.data.empty()) continue;
    const auto found = members.find(field.name);
    if (found == members.end() || !found->value().is_string()) continue;
    const std::string name(found->value().get_string());
    const std::string place = join_path(where, "$." + std::string(field.name));
    auto loaded = load_rows(game, field, name, place, folders);
    if (!loaded) return std::string(field.name);
    auto& [rows, file] = *loaded;
    places.add(field.name, file + (field.type->kind == Kind::structure ? " $.rows[0]" : " $.rows"));
    if (field.type->kind == Kind::structure) {
      // A setting that holds one thing takes the one row of its file.
      if (rows.get_array().size() != 1)
        throw Error(ErrorKind::invalid,
                    "the data file '" + name + "' must have one row, not " +
                        std::to_string(rows.get_array().size()),
                    place);
      rows = bj::value(std::move(rows.get_array().front()));
    }
    found->value() = std::move(rows);
  }
  return {};
}

/// Leaves out the data files that `above` replaces: they need not even exist.
void leave_out_data(const Game& game, bj::object& members, const bj::object& above) {
  for (const Field& field : game.settings->fields)
    if (!field.data.empty() && above.contains(field.name)) members.erase(field.name);
}

std::map<std::string, std::string> placeholder_values(const Type& type, const void* settings) {
  std::map<std::string, std::string> values;
  for (const Field& f : type.fields) {
    void* at = f.at(const_cast<void*>(settings));
    std::string text =
        f.type->kind == Kind::text ? std::string(f.type->text(at)) : write_json(*f.type, at);
    values.emplace(f.name, std::move(text));
    if (f.type->kind == Kind::structure)
      for (auto& [name, value] : placeholder_values(*f.type, at))
        values.emplace(std::string(f.name) + "." + name, value);
  }
  return values;
}

}  // namespace

std::string fill_placeholders(std::string_view text,
                              const std::map<std::string, std::string>& values,
                              bool all_must_be_used) {
  std::string out;
  std::set<std::string> used;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open + 2);
    const std::size_t close = text.find("}}");
    if (close == std::string_view::npos)
      throw Error(ErrorKind::invalid, "a placeholder is opened with {{ and never closed");
    const std::string name(text.substr(0, close));
    const auto found = values.find(name);
    if (found == values.end()) {
      std::vector<std::string> known;
      for (const auto& entry : values) known.push_back(entry.first);
      throw Error(ErrorKind::invalid, "there is nothing for the placeholder {{" + name + "}}" +
                                          text::did_you_mean(name, known));
    }
    out += found->second;
    used.insert(name);
    text.remove_prefix(close + 2);
  }
  if (all_must_be_used)
    for (const auto& entry : values)
      if (!used.contains(entry.first))
        throw Error(ErrorKind::invalid, "the text never uses {{" + entry.first + "}}");
  return out;
}

Settings::Settings(const Game& game) : value_(*game.settings) {}

Settings Settings::read(const Game& game, std::string_view json, std::string_view file,
                        const DataFolders& folders) {
  bj::value document = json::parse(json, file);
  if (!document.is_object())
    throw Error(ErrorKind::invalid, "settings are a JSON object", std::string(file));
  bj::object& members = document.get_object();
  std::string preset;
  if (const bj::value* named = members.if_contains("preset")) {
    if (!named->is_string())
      throw Error(ErrorKind::invalid, "must be a text", std::string(file) + " $.preset");
    preset = named->get_string();
    members.erase("preset");
  }
  return read(game, preset, members, file, folders);
}

Settings Settings::read(const Game& game, std::string_view preset, const bj::object& overrides,
                        std::string_view where, const DataFolders& folders) {
  Settings s(game);
  const Preset* chosen = find_preset(game, preset, where);
  s.preset_ = chosen->name;
  s.reasks_ = chosen->reasks;
  DataPlaces places;
  const auto apply = [&](bj::object members, const std::string& place) {
    if (std::string unread = load_data(game, members, place, folders, places); !unread.empty())
      return unread;
    if (const auto problem = read_value(*game.settings, s.value_.get(),
                                        bj::value(std::move(members)), Missing::keeps))
      throw Error(ErrorKind::invalid, problem->what, places.place(place, problem->path),
                  "see 'agon describe " + std::string(game.id) + "'");
    return std::string();
  };
  const std::string preset_place =
      "preset '" + std::string(chosen->name) + "' of game '" + std::string(game.id) + "'";
  // Data that a game plays with by default is named in its first preset, so that defaults stay
  // plain.
  bj::object above = json::parse(chosen->settings, preset_place).as_object();
  if (!game.card.presets.empty() && chosen != &game.card.presets.front()) {
    bj::object first = json::parse(game.card.presets.front().settings, preset_place).as_object();
    leave_out_data(game, first, above);
    leave_out_data(game, first, overrides);
    apply(std::move(first), preset_place);
  }
  leave_out_data(game, above, overrides);
  apply(std::move(above), preset_place);
  if (const std::string unread = apply(overrides, std::string(where)); !unread.empty()) {
    bj::object others = overrides;  // as if it had not been set
    others.erase(unread);
    return read(game, preset, others, where, folders);
  }
  if (const auto problem = find_problem(*game.settings, s.value_.get()))
    throw Error(ErrorKind::invalid, problem->what, places.place(where, problem->path),
                "see 'agon describe " + std::string(game.id) + "'");
  if (game.card.check != nullptr) {
    const std::string reason = game.card.check(s.value_.get());
    if (!reason.empty()) throw error_of_check(game, reason, where, places);
  }

  s.json_ = write_json(*game.settings, s.value_.get());
  bj::object brief;
  for (const Field& f : game.settings->fields) {
    const std::string member = write_json(*f.type, f.at(s.value_.get()));
    // One thing rather than rows of them is what tables know a match by: it stays, unless it is
    // huge.
    const std::size_t most = f.type->kind == Kind::structure ? 20'000 : 200;
    if (!f.data.empty() && member.size() > most) {
      const std::string digest = hash::hex(hash::sha256(member));
      s.data_.emplace(digest, member);
      brief[f.name] = bj::object{{"data", bj::string(f.data)}, {"sha256", digest}};
    } else {
      brief[f.name] = json::parse(member, "settings");
    }
  }
  s.brief_ = json::write(bj::value(std::move(brief)));

  if (game.card.seating != nullptr) {
    s.seating_ = game.card.seating(s.value_.get());
  } else {
    for (int i = 0; i < game.card.seats.min; ++i)
      s.seating_.push_back({"seat " + std::to_string(i), ""});
  }
  const int n = static_cast<int>(s.seating_.size());
  if (n < game.card.seats.min || n > game.card.seats.max || n > static_cast<int>(kMaxSeats))
    throw Error(ErrorKind::invalid,
                "these settings make " + std::to_string(n) + " seats; the game has " +
                    std::to_string(game.card.seats.min) + " to " +
                    std::to_string(game.card.seats.max),
                std::string(where));
  std::set<std::string_view> names;
  for (const SeatCard& seat : s.seating_)
    if (seat.name.empty() || !names.insert(seat.name).second)
      throw Error(ErrorKind::invalid,
                  seat.name.empty() ? "these settings make a seat without a name"
                                    : "these settings make two seats named '" + seat.name + "'",
                  std::string(where), "the game's .seating gives each seat a name of its own");
  s.rules_ = game.card.rules_for != nullptr
                 ? game.card.rules_for(s.value_.get())
                 : fill_placeholders(game.card.rules,
                                     placeholder_values(*game.settings, s.value_.get()), false);
  if (game.card.facts != nullptr && game.card.facts_for != nullptr)
    s.facts_ = game.card.facts_for(s.value_.get());
  if (game.prepare != nullptr) s.prepared_ = {game.prepare(s.value_.get()), game.release};
  return s;
}

}  // namespace agon
