#include "deal-or-no-deal/import_json.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>

#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"

namespace deal_or_no_deal {
namespace {

namespace json = agon::json;
using boost::json::value;

constexpr std::string_view format_name = "agon.deal-or-no-deal.instances";
constexpr int format_version = 1;

void append_amounts(std::string& out, const Amounts& amounts) {
  out += '[';
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (i > 0) out += ", ";
    json::append_number(out, amounts[i]);
  }
  out += ']';
}

void append_pair(std::string& out, const std::array<Amounts, 2>& pair) {
  out += '[';
  append_amounts(out, pair[0]);
  out += ", ";
  append_amounts(out, pair[1]);
  out += ']';
}

void append_row(std::string& out, const Row& row) {
  out += "{\"id\": ";
  json::append_string(out, row.instance.id);
  if (row.instance.line > 0) {
    out += ", \"line\": ";
    json::append_number(out, row.instance.line);
  }
  out += ", \"counts\": ";
  append_amounts(out, row.instance.counts);
  out += ", \"values\": ";
  append_pair(out, row.instance.values);
  if (row.human) {
    out += ", \"human\": {\"ending\": ";
    json::append_string(out, name(row.human->ending));
    out += ", \"messages\": ";
    json::append_number(out, row.human->messages);
    if (row.human->split) {
      out += ", \"split\": ";
      append_pair(out, row.human->split->parts);
    }
    out += '}';
  }
  out += '}';
}

/// Reads members and says where one is wrong.
class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  [[noreturn]] void fail(const json::Path& path, std::string problem, std::string mend) const {
    throw agon::Error(agon::ErrorKind::invalid, std::move(problem), json::place(file_, text_, path),
                      std::move(mend));
  }

  /// The value as an object that has no members but these.
  const boost::json::object& object(const value& value, const json::Path& path,
                                    std::initializer_list<std::string_view> names) const {
    if (!value.is_object()) fail(path, "this is not an object", "write {...}");
    for (const auto& member : value.get_object()) {
      const std::string_view key(member.key().data(), member.key().size());
      if (std::find(names.begin(), names.end(), key) == names.end()) {
        fail(path / key, fmt::format("\"{}\" is not known here", key),
             fmt::format("use only {}", fmt::join(names, ", ")));
      }
    }
    return value.get_object();
  }

  const value& member(const boost::json::object& object, const json::Path& path,
                      std::string_view name) const {
    const value* found = object.if_contains({name.data(), name.size()});
    if (found == nullptr) {
      fail(path, fmt::format("\"{}\" is missing", name), fmt::format("add \"{}\"", name));
    }
    return *found;
  }

  const boost::json::array& array(const value& value, const json::Path& path) const {
    if (!value.is_array()) fail(path, "this is not a list", "write [...]");
    return value.get_array();
  }

  std::string string(const value& value, const json::Path& path) const {
    if (!value.is_string()) fail(path, "this is not a text", "write it in quotes");
    return {value.get_string().data(), value.get_string().size()};
  }

  std::string optional_string(const boost::json::object& object, const json::Path& path,
                              std::string_view name) const {
    const value* found = object.if_contains({name.data(), name.size()});
    return found == nullptr ? std::string() : string(*found, path / name);
  }

  int number(const value& value, const json::Path& path) const {
    constexpr int highest = std::numeric_limits<int>::max();
    if (!value.is_int64() || value.get_int64() < 0 || value.get_int64() > highest) {
      fail(path, "this is not a whole number from 0", fmt::format("write 0 to {}", highest));
    }
    return static_cast<int>(value.get_int64());
  }

  Amounts amounts(const value& value, const json::Path& path) const {
    const auto& list = array(value, path);
    if (list.size() > max_types) {
      fail(path, fmt::format("there are more than {} item types", max_types), "use fewer types");
    }
    Amounts result;
    for (std::size_t i = 0; i < list.size(); ++i) result.push_back(number(list[i], path[i]));
    return result;
  }

  std::array<Amounts, 2> pair(const value& value, const json::Path& path) const {
    const auto& list = array(value, path);
    if (list.size() != 2) fail(path, "this is not a list for two sides", "write [[...], [...]]");
    std::array<Amounts, 2> result;
    for (std::size_t side = 0; side < 2; ++side) result[side] = amounts(list[side], path[side]);
    return result;
  }

 private:
  std::string_view text_;
  std::string_view file_;
};

HumanOutcome read_human(const Reader& reader, const value& from, const json::Path& path,
                        const Amounts& counts) {
  const auto& object = reader.object(from, path, {"ending", "messages", "split"});
  HumanOutcome human;
  const auto ending_name = reader.string(reader.member(object, path, "ending"), path / "ending");
  const auto ending = ending_of(ending_name);
  if (!ending) {
    reader.fail(path / "ending", fmt::format("there is no ending \"{}\"", ending_name),
                "use agreed, disagreed, no-agreement or disconnected");
  }
  human.ending = *ending;
  human.messages = reader.number(reader.member(object, path, "messages"), path / "messages");
  const value* split = object.if_contains("split");
  if ((split != nullptr) != (human.ending == Ending::agreed)) {
    reader.fail(path, "an agreement has a split, and no other ending has one",
                "add or remove \"split\", or change \"ending\"");
  }
  if (split != nullptr) {
    human.split = Split{reader.pair(*split, path / "split")};
    if (!is_full(counts, *human.split)) {
      reader.fail(path / "split", "the two parts do not add up to the counts",
                  "give every item to one side");
    }
  }
  return human;
}

Row read_row(const Reader& reader, const value& from, const json::Path& path) {
  const auto& object = reader.object(from, path, {"id", "line", "counts", "values", "human"});
  Row row;
  Instance& instance = row.instance;
  instance.id = reader.string(reader.member(object, path, "id"), path / "id");
  if (instance.id.empty()) reader.fail(path / "id", "the id is empty", "give it a name");
  if (const value* line = object.if_contains("line")) {
    instance.line = reader.number(*line, path / "line");
  }
  instance.counts = reader.amounts(reader.member(object, path, "counts"), path / "counts");
  instance.values = reader.pair(reader.member(object, path, "values"), path / "values");
  const auto found = problems(instance);
  if (!found.empty()) {
    reader.fail(path, fmt::format("{}", fmt::join(found, ", ")), "correct the counts and values");
  }
  if (const value* human = object.if_contains("human")) {
    row.human = read_human(reader, *human, path / "human", instance.counts);
  }
  return row;
}

}  // namespace

std::string write_instances(const InstanceFile& file) {
  std::string out = "{\n  \"format\": ";
  json::append_string(out, format_name);
  out += ",\n  \"version\": ";
  json::append_number(out, format_version);
  out += ",\n  \"source\": {\"name\": ";
  json::append_string(out, file.source.name);
  out += ", \"format\": ";
  json::append_string(out, file.source.format);
  out += ", \"licence\": ";
  json::append_string(out, file.source.licence);
  out += ", \"note\": ";
  json::append_string(out, file.source.note);
  out += "},\n  \"rows\": [";
  for (std::size_t i = 0; i < file.rows.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    append_row(out, file.rows[i]);
  }
  out += "\n  ]\n}\n";
  return out;
}

InstanceFile read_instances(std::string_view text, std::string_view file) {
  const value root = json::parse(text, file);
  const Reader reader(text, file);
  const json::Path top;
  const auto& object = reader.object(root, top, {"format", "version", "source", "rows"});
  if (reader.string(reader.member(object, top, "format"), top / "format") != format_name) {
    reader.fail(top / "format", "this is not a file of Deal or No Deal instances",
                fmt::format("the format is \"{}\"", format_name));
  }
  if (reader.number(reader.member(object, top, "version"), top / "version") != format_version) {
    reader.fail(top / "version", "this version of the format is not known",
                fmt::format("use version {}", format_version));
  }
  InstanceFile result;
  if (const value* source = object.if_contains("source")) {
    const auto path = top / "source";
    const auto& members = reader.object(*source, path, {"name", "format", "licence", "note"});
    result.source.name = reader.optional_string(members, path, "name");
    result.source.format = reader.optional_string(members, path, "format");
    result.source.licence = reader.optional_string(members, path, "licence");
    result.source.note = reader.optional_string(members, path, "note");
  }
  const auto rows_path = top / "rows";
  const auto& rows = reader.array(reader.member(object, top, "rows"), rows_path);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.rows.push_back(read_row(reader, rows[i], rows_path[i]));
    const std::string& id = result.rows.back().instance.id;
    if (!ids.insert(id).second) {
      reader.fail(rows_path[i] / "id", fmt::format("there is another instance \"{}\"", id),
                  "give it another id");
    }
  }
  return result;
}

}  // namespace deal_or_no_deal
