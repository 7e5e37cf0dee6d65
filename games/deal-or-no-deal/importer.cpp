#include "deal-or-no-deal/importer.hpp"

#include <fmt/ranges.h>

#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {
namespace {

constexpr agon::DataFormat kFileFormat{"agon.deal-or-no-deal.instances", 1};

void append_amounts(std::string& out, const Amounts& amounts) {
  out += fmt::format("[{}]", fmt::join(amounts, ", "));
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

}  // namespace

std::string write_instances(const InstanceFile& file) {
  std::vector<std::string> rows;
  for (const Row& row : file.rows) rows.push_back(row_text(row));
  return agon::write_data_file(kFileFormat, file.source, rows);
}

namespace {

std::size_t favourite(const Amounts& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

}  // namespace

int value_distance(const Instance& instance) {
  int distance = 0;
  for (std::size_t i = 0; i < instance.counts.size(); ++i) {
    const int difference = instance.values[0][i] - instance.values[1][i];
    distance += difference < 0 ? -difference : difference;
  }
  return distance;
}

bool covered(const Instance& instance) {
  const std::size_t first = favourite(instance.values[0]);
  if (first != favourite(instance.values[1])) return false;
  return std::all_of(instance.values.begin(), instance.values.end(), [&](const Amounts& values) {
    const auto others =
        worth(instance.counts, values) - std::int64_t{instance.counts[first]} * values[first];
    return values[first] <= others;
  });
}

bool halvable(const Instance& instance) {
  return std::all_of(instance.counts.begin(), instance.counts.end(),
                     [](int count) { return count % 2 == 0; });
}

Selection select_points(std::span<const Row> rows) {
  Selection selection;
  std::set<std::tuple<Amounts, Amounts, Amounts>> games;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].instance.line % 2 == 0) continue;
    const Instance& instance = rows[i].instance;
    ++selection.looked_at;
    const std::tuple game(instance.counts, instance.values[0], instance.values[1]);
    if (games.contains(game)) {
      ++selection.repeated;
    } else if (halvable(instance)) {
      ++selection.halvable;
    } else if (covered(instance)) {
      ++selection.covered;
    } else {
      games.insert(game);
      selection.kept.push_back(i);
    }
  }
  return selection;
}

std::vector<std::size_t> hard_points(std::span<const Row> rows, const Selection& selection,
                                     int distance, std::size_t how_many) {
  std::vector<std::size_t> points;
  for (const std::size_t position : selection.kept) {
    if (points.size() == how_many) break;
    if (value_distance(rows[position].instance) <= distance) points.push_back(position);
  }
  return points;
}

HumanSummary summarise_humans(std::span<const Row> rows, std::span<const std::size_t> positions) {
  HumanSummary summary;
  for (const std::size_t position : positions) {
    const Row& row = rows[position];
    if (!row.human) continue;
    ++summary.points;
    summary.messages += static_cast<std::size_t>(row.human->messages);
    if (!row.human->split) continue;
    const Split& split = *row.human->split;
    const bool fair_to_both = envy_free(row.instance, split);
    const bool optimal = pareto_optimal(row.instance, split);
    const auto both = scores(row.instance, split);
    ++summary.agreed;
    if (fair_to_both) ++summary.envy_free;
    if (optimal) ++summary.pareto_optimal;
    if (fair_to_both && optimal) ++summary.fair;
    for (std::size_t side = 0; side < 2; ++side) summary.scores[side] += both[side];
  }
  return summary;
}

namespace {

/// A dialogue as a match has it: seat 0 is who spoke first.
struct Seated {
  explicit Seated(const Row& row) : first(row.dialogue->second_begins ? 1 : 0) {
    instance.counts = row.instance.counts;
    instance.values = {row.instance.values[first], row.instance.values[1 - first]};
  }
  std::size_t first;  ///< the side on seat 0
  Instance instance;
};

std::string message_json(std::string_view text, bool last) {
  std::string json = R"({"text": )";
  agon::append_json_text(json, text);
  json += fmt::format(R"(, "proposal": null, "halt": {}}})", last);
  return json;
}

std::string take_json(const Row& row, std::size_t side) {
  // What they selected in vain is not published.
  if (!row.human->split) return R"({"choice": {"kind": "no_deal"}})";
  return fmt::format(R"({{"choice": {{"kind": "take", "items": [{}]}}}})",
                     text(row.human->split->parts[side]));
}

agon::PublishedMatch match_of(const agon::InputFile& file, const Row& row, const Seated& seated) {
  agon::PublishedMatch match{file.name, static_cast<std::size_t>(row.instance.line)};
  const std::vector<std::string>& messages = row.dialogue->messages;
  const std::size_t rounds = std::max<std::size_t>(1, (messages.size() + 1) / 2);
  for (std::size_t seat = 0; seat < 2; ++seat) {
    agon::PublishedSeat& published = match.seats.emplace_back();
    published.agent = "people";
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::size_t at = 2 * round + seat;
      published.answers["message"].push_back(
          {message_json(at < messages.size() ? messages[at] : "", round + 1 == rounds)});
    }
    const std::size_t side = seat == 0 ? seated.first : 1 - seated.first;
    published.answers["take"].push_back({take_json(row, side)});
    // Of selections that do not fit together the log has the reward that was hoped for.
    if (side == 0 && row.dialogue->reward && row.human->split)
      match.figures.push_back({"reward", "", 0, fmt::format("/seats/{}/score", seat),
                               fmt::format("{}", *row.dialogue->reward), match.line});
  }
  match.figures.push_back(
      {"deal", "presented", 0, "/deal", row.human->split ? "true" : "false", match.line});
  return match;
}

/// Instances in the order in which they first come, each once.
class Instances {
 public:
  std::int64_t place(const Instance& instance) {
    const auto [at, is_new] =
        places_.emplace(std::pair(instance.counts, instance.values), places_.size());
    if (is_new) {
      Row row{instance, std::nullopt};
      row.instance.id = fmt::format("dialogue-{}", places_.size());
      rows_.push_back(std::move(row));
    }
    return static_cast<std::int64_t>(at->second);
  }
  /// As settings name them.
  [[nodiscard]] std::string json() const {
    std::string list;
    for (const Row& row : rows_) {
      const Instance& i = row.instance;
      list += fmt::format(R"({}{{"id": "{}", "counts": [{}], "values": [[{}], [{}]]}})",
                          list.empty() ? "" : ", ", i.id, text(i.counts), text(i.values[0]),
                          text(i.values[1]));
    }
    return list;
  }

 private:
  std::map<std::pair<Amounts, std::array<Amounts, 2>>, std::size_t> places_;
  std::vector<Row> rows_;
};

agon::Imported read_dialogues(std::span<const agon::InputFile> files) {
  Instances instances;
  std::size_t lines = 0;
  const auto read_file = [&](const agon::InputFile& file, agon::Imported& result) {
    // Most dialogues stand in a file twice, as each side saw them.
    std::map<std::string, int> seen;
    const Imported found = import_text(file.bytes, file.name);
    for (const BadRow& row : found.bad)
      result.bad_rows.push_back({row.file, static_cast<std::size_t>(row.line), row.reason});
    for (const Row& row : found.rows) {
      if (!row.dialogue)
        throw agon::Error(agon::ErrorKind::invalid,
                          "these are instances and no dialogues: nobody played them", file.name,
                          "'agon import deal-or-no-deal' makes a file of instances of them");
      ++lines;
      const Seated seated(row);
      std::string key =
          fmt::format("{};{};{}", text(seated.instance.counts), text(seated.instance.values[0]),
                      text(seated.instance.values[1]));
      for (const std::string& message : row.dialogue->messages) key += '\n' + message;
      int& views = seen[key];  // bit s: as side s of the match saw it
      const int view = 1 << seated.first;
      if ((views & view) == 0 && views != 0) {
        views = 0;
        continue;
      }
      views |= view;
      agon::PublishedMatch match = match_of(file, row, seated);
      match.draws.push_back({"instance", {}, {instances.place(seated.instance)}});
      result.matches.push_back(std::move(match));
    }
  };
  agon::Imported result = agon::read_each(files, read_file);
  result.scenarios.push_back(
      {"dialogues of people", "deal-or-no-deal",
       fmt::format(R"({{"preset": "original", "swap_sides": "off", "max_rounds": 100,)"
                   R"( "instances": [{}]}})",
                   instances.json())});
  result.summary = fmt::format("{} dialogues of {} lines", result.matches.size(), lines);
  return result;
}

}  // namespace

agon::Importer dialogue_importer() {
  return {.id = "deal-or-no-deal-dialogues",
          .doc =
              "reads the published Deal or No Deal dialogues of people (test.txt, val.txt, "
              "data.txt), each once, as matches of deal-or-no-deal",
          .extension = ".txt",
          .read = &read_dialogues,
          .imports = agon::Imports::matches,
          .source =
              "github.com/facebookresearch/end-to-end-negotiator, src/data/negotiate (Lewis "
              "et al. 2017)",
          .licence = "CC BY-NC 4.0: no commercial use"};
}

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
