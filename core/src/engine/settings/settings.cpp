#include "settings/settings.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <optional>
#include <set>

#include "describe/description.hpp"
#include "describe/file_text.hpp"
#include "describe/read.hpp"
#include "describe/schema.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "security/trust.hpp"
#include "text/hash.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
namespace fs = std::filesystem;

/// How to find out what a game's settings are.
std::string see_description(const Game& game, std::string_view named) {
  return "see 'agon describe " + std::string(named.empty() ? game.id : named) + "'";
}

}  // namespace

const Preset* find_preset(const Game& game, std::string_view name, const ErrorPlace& where,
                          std::string_view named) {
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
              where.str(), see_description(game, named));
}

namespace {

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

/// The data files that settings took their values from: the place of a mistake in them is there.
class DataFiles {
 public:
  DataFiles(const Game& game, const DataFolders& folders) : game_(game), folders_(folders) {}

  /// Puts the rows of data files in the place of their names. The setting whose file may not be
  /// read, else empty.
  std::string load(bj::object& members, const ErrorPlace& where) {
    for (const Field& field : game_.settings->fields) {
      if (field.data.empty()) continue;
      const auto found = members.find(field.name);
      if (found == members.end() || !found->value().is_string()) continue;
      const std::string name(found->value().get_string());
      const std::string place = (where / field.name).str();
      const FileText* file = open(field, name, place);
      if (file == nullptr) return std::string(field.name);
      file->check(file->read<DataFrame>());
      const bj::value& rows = file->document().at("rows");
      ErrorPlace inside(*file, json::Path() / "rows");
      if (field.type->kind == Kind::structure) {
        // A setting that holds one thing takes the one row of its file.
        if (rows.get_array().size() != 1)
          throw Error(ErrorKind::invalid,
                      "the data file '" + name + "' must have one row, not " +
                          std::to_string(rows.get_array().size()),
                      place);
        inside = inside / json::Path()[0];
      }
      found->value() = field.type->kind == Kind::structure ? rows.get_array().front() : rows;
      rows_.insert_or_assign(std::string(field.name), std::move(inside));
    }
    return {};
  }

  /// Where `path` ("$.game.payoffs[1]") stands in the file that it came from; nothing if it came
  /// from none.
  [[nodiscard]] std::optional<std::string> place(const json::Path& path) const {
    if (path.steps().empty()) return std::nullopt;
    const auto* name = std::get_if<std::string>(&path.steps().front());
    const auto found = name == nullptr ? rows_.end() : rows_.find(*name);
    if (found == rows_.end()) return std::nullopt;
    return (found->second / path.rest()).str();
  }
  /// The same, else below `where`.
  [[nodiscard]] std::string place(const json::Path& path, const ErrorPlace& where) const {
    const auto in_file = place(path);
    return in_file ? *in_file : (where / path).str();
  }

 private:
  /// A data file in the wanted format, given as name or path. Null if it may not be read.
  const FileText* open(const Field& field, std::string_view name, const std::string& where) {
    std::vector<fs::path> tried;
    const auto add = [&](fs::path path) {
      tried.push_back(path);
      if (path.extension() != ".json") tried.push_back(path += ".json");
    };
    const fs::path given{name};
    add(given.is_absolute() ? given : fs::path(folders_.beside) / given);
    if (!given.is_absolute())
      for (const std::string& root : folders_.shipped) add(fs::path(root) / game_.id / given);
    const DataFormat format = format_of(field);
    const auto require = [&](const FileText& file) {
      file.require_format(format.name, format.version,
                          "a data file of format " + std::string(format.name));
    };
    std::unique_ptr<FileText> other;
    for (const fs::path& path : tried) {
      std::error_code none;
      if (!fs::is_regular_file(path, none)) continue;
      if (folders_.accesses != nullptr && !folders_.accesses->may_read(path, where)) return nullptr;
      auto file = std::make_unique<FileText>(
          json::read_file(path), path.string(),
          "the files that ship with the game show the format; 'agon list importers' lists the data "
          "sets that can be turned into it");
      // A name without ".json" may stand for something else here, such as the suite itself.
      if (path != tried.front() && !file->is_of(format.name)) {
        if (!other) other = std::move(file);
        continue;
      }
      require(*file);
      return files_.emplace_back(std::move(file)).get();
    }
    if (other) require(*other);
    std::string places;
    for (const fs::path& path : tried) places += (places.empty() ? "" : ", ") + path.string();
    throw Error(ErrorKind::not_found,
                "there is no data file '" + std::string(name) + "'" +
                    text::did_you_mean(name, shipped_names(game_, folders_)),
                where, "looked for " + places);
  }

  const Game& game_;
  const DataFolders& folders_;
  std::vector<std::unique_ptr<const FileText>> files_;
  std::map<std::string, ErrorPlace, std::less<>> rows_;  // by setting
};

/// The error of a game's own check. A reason may begin with a place: "game.payoffs[1]: why".
Error error_of_check(const Game& game, std::string_view reason, const ErrorPlace& where,
                     const DataFiles& files, std::string_view named) {
  std::string place = where.str();
  const std::size_t end = std::min(reason.find_first_of(": "), reason.size());
  const auto path = json::Path::read("$." + std::string(reason.substr(0, end)));
  const auto is_setting = [&](const Field& field) {
    return path && !path->steps().empty() &&
           path->steps().front() == json::Path::Step(std::string(field.name));
  };
  if (std::any_of(game.settings->fields.begin(), game.settings->fields.end(), is_setting)) {
    if (reason.substr(end).starts_with(": ")) {
      place = files.place(*path, where);
      reason.remove_prefix(end + 2);
    } else if (const auto in_file = files.place(*path)) {
      place = *in_file;
    }
  }
  return {ErrorKind::invalid, std::string(reason), place, see_description(game, named)};
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

/// As many seats as the game has, each with a short name of its own and a short role.
void require_seats(const Seats& seats, const std::vector<SeatCard>& seating,
                   const ErrorPlace& where) {
  const int n = static_cast<int>(seating.size());
  if (n < seats.min || n > seats.max || n > static_cast<int>(kMaxSeats))
    throw Error(ErrorKind::invalid,
                "these settings make " + std::to_string(n) + " seats; the game has " +
                    std::to_string(seats.min) + " to " + std::to_string(seats.max),
                where.str());
  std::set<std::string_view> names;
  for (const SeatCard& seat : seating)
    if (seat.name.empty() || !names.insert(seat.name).second)
      throw Error(ErrorKind::invalid,
                  seat.name.empty() ? "these settings make a seat without a name"
                                    : "these settings make two seats named '" + seat.name + "'",
                  where.str(), "the game's .seating gives each seat a name of its own");
  for (const SeatCard& seat : seating)
    for (const auto& [what, name] : {std::pair{"name", &seat.name}, {"role", &seat.role}})
      if (text::width(*name) > kWidestName)
        throw Error(ErrorKind::invalid,
                    std::string("these settings make a seat whose ") + what + " has more than " +
                        std::to_string(kWidestName) + " characters",
                    where.str(),
                    std::string("the game's .seating gives each seat a short ") + what);
}

}  // namespace

std::string rules_in(const Game& game, const void* settings, const Language& language) {
  if (game.card.rules_for != nullptr) return game.card.rules_for(settings, language);
  return fill_placeholders(language.text(game.card.rules),
                           placeholder_values(*game.settings, settings), false);
}

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
      throw Error(ErrorKind::invalid, "there is nothing for the placeholder {{" +
                                          text::shorten(name, kWidestName) + "}}" +
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

void Settings::write_texts(const Game& game) {
  json_ = write_json(*game.settings, value_.get());
  bj::object brief;
  for (const Field& f : game.settings->fields) {
    if (is_left_out(f, f.at(value_.get()))) continue;
    const std::string member = write_json(*f.type, f.at(value_.get()));
    // One thing rather than rows of them is what tables know a match by: it stays, unless it is
    // huge.
    const std::size_t most = f.type->kind == Kind::structure ? 20'000 : 200;
    if (!f.data.empty() && member.size() > most) {
      const std::string digest = hash::hex(hash::sha256(member));
      data_.emplace(digest, member);
      brief[f.name] = bj::object{{"data", bj::string(f.data)}, {"sha256", digest}};
    } else {
      brief[f.name] = json::parse(member, "settings");
    }
  }
  brief_ = json::write(bj::value(std::move(brief)));
}

Settings Settings::read(const Game& game, std::string_view preset, const bj::object& overrides,
                        const ErrorPlace& where, const DataFolders& folders,
                        std::string_view named) {
  Settings s(game);
  const Preset* chosen = find_preset(game, preset, where, named);
  s.preset_ = chosen->name;
  s.reasks_ = chosen->reasks;
  DataFiles files(game, folders);
  const auto apply = [&](bj::object members, const ErrorPlace& place) {
    if (std::string unread = files.load(members, place); !unread.empty()) return unread;
    if (const auto problem = read_value(*game.settings, s.value_.get(),
                                        bj::value(std::move(members)), Missing::keeps))
      throw Error(ErrorKind::invalid, problem->what,
                  files.place(*json::Path::read(problem->path), place),
                  see_description(game, named));
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
  if (const std::string unread = apply(overrides, where); !unread.empty()) {
    bj::object others = overrides;  // as if it had not been set
    others.erase(unread);
    return read(game, preset, others, where, folders, named);
  }
  if (const auto problem = find_problem(*game.settings, s.value_.get()))
    throw Error(ErrorKind::invalid, problem->what,
                files.place(*json::Path::read(problem->path), where), see_description(game, named));
  if (game.card.check != nullptr) {
    const std::string reason = game.card.check(s.value_.get());
    if (!reason.empty()) throw error_of_check(game, reason, where, files, named);
  }

  s.write_texts(game);
  if (game.card.seating != nullptr) {
    s.seating_ = game.card.seating(s.value_.get());
  } else {
    for (int i = 0; i < game.card.seats.min; ++i)
      s.seating_.push_back({"seat " + std::to_string(i), ""});
  }
  require_seats(game.card.seats, s.seating_, where);
  s.rules_ = rules_in(game, s.value_.get(), Language::english());
  if (game.card.facts != nullptr && game.card.facts_for != nullptr)
    s.facts_ = game.card.facts_for(s.value_.get(), Language::english());
  if (game.prepare != nullptr) s.prepared_ = {game.prepare(s.value_.get()), game.release};
  return s;
}

std::string data_schema(const Field& setting) {
  const DataFormat format = format_of(setting);
  boost::json::object schema = file_schema(type_of<DataFrame>());
  require_format(schema, format.name, format.version);
  const bool one = setting.type->kind == Kind::structure;
  boost::json::object& rows = schema.at("properties").at("rows").as_object();
  rows["items"] = file_schema(one ? *setting.type : *setting.type->element);
  if (one) rows["maxItems"] = 1;
  return schema_document(format.name.substr(format.name.find('.') + 1), setting.doc,
                         std::move(schema));
}

}  // namespace agon
