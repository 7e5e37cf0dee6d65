#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <map>

#include "deal-or-no-deal/import_json.hpp"
#include "deal-or-no-deal/importer.hpp"

namespace deal_or_no_deal {
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

}  // namespace deal_or_no_deal
