#include "deal-or-no-deal/import_json.hpp"

#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <limits>
#include <set>
#include <utility>

namespace deal_or_no_deal {
namespace {

using agon::JsonNode;

constexpr agon::DataFormat file_format{"agon.deal-or-no-deal.instances", 1,
                                       "Deal or No Deal instances"};

void append_amounts(std::string& out, const Amounts& amounts) {
  out += '[';
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (i > 0) out += ", ";
    agon::append_json_number(out, amounts[i]);
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

std::string row_text(const Row& row) {
  std::string out = "{\"id\": ";
  agon::append_json_text(out, row.instance.id);
  if (row.instance.line > 0) {
    out += ", \"line\": ";
    agon::append_json_number(out, row.instance.line);
  }
  out += ", \"counts\": ";
  append_amounts(out, row.instance.counts);
  out += ", \"values\": ";
  append_pair(out, row.instance.values);
  if (row.human) {
    out += ", \"human\": {\"ending\": ";
    agon::append_json_text(out, name(row.human->ending));
    out += ", \"messages\": ";
    agon::append_json_number(out, row.human->messages);
    if (row.human->split) {
      out += ", \"split\": ";
      append_pair(out, row.human->split->parts);
    }
    out += '}';
  }
  out += '}';
  return out;
}

int read_number(const JsonNode& from) {
  return static_cast<int>(from.whole(0, std::numeric_limits<int>::max()));
}

Amounts read_amounts(const JsonNode& from) {
  if (from.size() > max_types) {
    from.fail(fmt::format("there are more than {} item types", max_types), "use fewer types");
  }
  Amounts result;
  for (std::size_t i = 0; i < from.size(); ++i) result.push_back(read_number(from[i]));
  return result;
}

std::array<Amounts, 2> read_pair(const JsonNode& from) {
  if (from.size() != 2) from.fail("this is not a list for two sides", "write [[...], [...]]");
  std::array<Amounts, 2> result;
  for (std::size_t side = 0; side < 2; ++side) result[side] = read_amounts(from[side]);
  return result;
}

HumanOutcome read_human(const JsonNode& from, const Amounts& counts) {
  from.allow_only({"ending", "messages", "split"});
  HumanOutcome human;
  const auto ending_name = from["ending"].text();
  const auto ending = ending_of(ending_name);
  if (!ending) {
    from["ending"].fail(fmt::format("there is no ending \"{}\"", ending_name),
                        "use agreed, disagreed, no-agreement or disconnected");
  }
  human.ending = *ending;
  human.messages = read_number(from["messages"]);
  const auto split = from.find("split");
  if (split.has_value() != (human.ending == Ending::agreed)) {
    from.fail("an agreement has a split, and no other ending has one",
              "add or remove \"split\", or change \"ending\"");
  }
  if (split) {
    human.split = Split{read_pair(*split)};
    if (!is_full(counts, *human.split)) {
      split->fail("the two parts do not add up to the counts", "give every item to one side");
    }
  }
  return human;
}

Row read_row(const JsonNode& from) {
  from.allow_only({"id", "line", "counts", "values", "human"});
  Row row;
  Instance& instance = row.instance;
  instance.id = from["id"].text();
  if (instance.id.empty()) from["id"].fail("the id is empty", "give it a name");
  if (const auto line = from.find("line")) instance.line = read_number(*line);
  instance.counts = read_amounts(from["counts"]);
  instance.values = read_pair(from["values"]);
  const auto found = problems(instance);
  if (!found.empty()) {
    from.fail(fmt::format("{}", fmt::join(found, ", ")), "correct the counts and values");
  }
  if (const auto human = from.find("human")) row.human = read_human(*human, instance.counts);
  return row;
}

}  // namespace

std::string write_instances(const InstanceFile& file) {
  std::vector<std::string> rows;
  for (const Row& row : file.rows) rows.push_back(row_text(row));
  return agon::write_data_file(file_format, file.source, rows);
}

InstanceFile read_instances(std::string_view text, std::string_view file) {
  const agon::JsonDocument document{std::string(text), std::string(file)};
  auto [source, rows] = agon::read_data_file(file_format, document);
  InstanceFile result;
  result.source = std::move(source);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.rows.push_back(read_row(rows[i]));
    const std::string& id = result.rows.back().instance.id;
    if (!ids.insert(id).second) {
      rows[i]["id"].fail(fmt::format("there is another instance \"{}\"", id), "give it another id");
    }
  }
  return result;
}

}  // namespace deal_or_no_deal
