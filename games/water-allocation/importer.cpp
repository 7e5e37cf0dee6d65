#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "water-allocation/game.hpp"
#include "water-allocation/settings.hpp"
#include "water-allocation/tables/tables.hpp"

namespace water_allocation {
namespace {

constexpr const char* kMend =
    "give the records as Alympics publishes them: WAC_nopersona_10_20_1.json, ...";

[[noreturn]] void refuse(const agon::JsonNode& at, const std::string& problem) {
  at.fail(problem, kMend);
}

/// Reads a line of the log from left to right.
class Words {
 public:
  Words(const agon::JsonNode& node, std::string_view text) : node_(node), rest_(text) {}

  /// Goes behind the next place of `mark`, and returns what was before it.
  std::string_view up_to(std::string_view mark) {
    const std::size_t at = rest_.find(mark);
    if (at == std::string_view::npos)
      refuse(node_, fmt::format("what is said of a day lacks \"{}\"", mark));
    const std::string_view before = rest_.substr(0, at);
    rest_.remove_prefix(at + mark.size());
    return before;
  }
  /// True, and behind it, if the mark comes next.
  bool takes(std::string_view mark) {
    if (!rest_.starts_with(mark)) return false;
    rest_.remove_prefix(mark.size());
    return true;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  double number() {
    double value = 0;
    const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (code != std::errc())
      refuse(node_, fmt::format("there is no number at \"{}\"", rest_.substr(0, 20)));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  int whole() {
    int value = 0;
    const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (code != std::errc())
      refuse(node_, fmt::format("there is no whole number at \"{}\"", rest_.substr(0, 20)));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

 private:
  agon::JsonNode node_;
  std::string_view rest_;
};

/// How a resident came through a day.
struct Evening {
  std::string name;
  double balance = 0;
  int hp = 0;
  int no_drink = 0;
};

/// A day as it was announced in the evening.
struct LoggedDay {
  int supply = 0;
  std::map<std::string, double, std::less<>> bids;
  std::vector<std::string> winners;
  std::vector<Evening> evenings;
};

/// "Alex bid 40, Bob bid 50", "Alex, Cindy": what stands between the commas.
std::vector<std::string_view> listed(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(", ", at), text.size());
    items.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  return items;
}

LoggedDay day_of(const agon::JsonNode& node, Words words) {
  LoggedDay day;
  words.up_to("In this round, ");
  for (const std::string_view item : listed(words.up_to(".\nTotal water resource supply is "))) {
    Words bid(node, item);
    const std::string name(bid.up_to(" bid "));
    // What nobody could read is logged as a bid below 0.
    day.bids[name] = bid.number();
  }
  day.supply = words.whole();
  words.up_to("tied, ");
  for (const std::string_view name : listed(words.up_to(" won this auction")))
    if (name != "no one") day.winners.emplace_back(name);
  words.up_to("as follows: ");
  while (words.takes("NAME:")) {
    Evening& e = day.evenings.emplace_back();
    e.name = words.up_to("\tBALANCE:");
    e.balance = words.number();
    words.up_to("\tHEALTH POINT:");
    e.hp = words.whole();
    words.up_to("\tNO_DRINK:");
    e.no_drink = words.whole();
    words.takes("\n");
  }
  return day;
}

/// All that the residents' records of one game say.
struct LoggedGame {
  std::array<int, 2> supply{};
  bool persona = false;
  std::map<int, LoggedDay> days;
  /// What residents said for their bids, by name and day.
  std::map<std::pair<std::string, int>, std::string> reasons;
};

void read_resident(const agon::JsonNode& record, LoggedGame& game) {
  std::string name;
  int day = 0;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const agon::JsonNode content = record[i]["content"];
    Words words(content, content.text());
    if (record[i]["role"].text() == "assistant") {
      game.reasons[{name, day}] = content.text();
    } else if (words.takes("Hello, ")) {
      name = words.up_to("!");
      words.up_to("Today is the Day ");
      day = words.whole();
    } else if (words.takes("Thank you all for participating in Round ")) {
      const int number = words.whole();
      if (!game.days.contains(number)) game.days[number] = day_of(content, words);
    } else if (i == 0) {
      game.persona = words.rest().find("Your Profession:") != std::string_view::npos;
      words.up_to("total daily water supply will vary between ");
      game.supply[0] = words.whole();
      words.up_to(" and ");
      game.supply[1] = words.whole();
    }
  }
}

void add_figures(const LoggedDay& day, int number, agon::PublishedMatch& match) {
  for (std::size_t i = 0; i < day.evenings.size(); ++i) {
    const Evening& e = day.evenings[i];
    const bool won = std::find(day.winners.begin(), day.winners.end(), e.name) != day.winners.end();
    const auto add = [&](std::string_view what, std::string_view member, std::string value) {
      match.figures.push_back({fmt::format("day {}: {} of {}", number, what, e.name), "day",
                               static_cast<std::size_t>(number) - 1,
                               fmt::format("/residents/{}/{}", i, member), std::move(value)});
    };
    add("water", "won", won ? "true" : "false");
    add("balance", "balance", fmt::format("{}", e.balance));
    add("health", "hp", fmt::format("{}", e.hp));
    add("no-drink days", "no_drink", fmt::format("{}", e.no_drink));
  }
}

agon::PublishedScenario scenario_of(const LoggedGame& game) {
  return {fmt::format("supply {} to {}, {}", game.supply[0], game.supply[1],
                      game.persona ? "persona" : "no persona"),
          "water-allocation",
          fmt::format(R"({{"preset": "paper", "supply": [{}, {}], "persona": {}}})", game.supply[0],
                      game.supply[1], game.persona)};
}

agon::PublishedMatch match_of(const agon::InputFile& file, const agon::JsonNode& root,
                              const LoggedGame& game) {
  const Settings paper;
  agon::PublishedMatch match{file.name, 1};
  match.goes_on = true;
  for (const Resident& r : paper.residents) {
    std::vector<agon::PublishedAnswer> bids;
    for (const auto& [number, day] : game.days) {
      const auto bid = day.bids.find(r.name);
      if (bid == day.bids.end()) continue;
      const auto reason = game.reasons.find({r.name, number});
      bids.push_back(
          {bid->second < 0 ? R"({"bid": null})" : fmt::format(R"({{"bid": {}}})", bid->second),
           reason == game.reasons.end() ? "" : reason->second});
    }
    if (bids.empty()) refuse(root, r.name + " bids on no day");
    match.seats.push_back({kPaperModel, {}, {{"bid", std::move(bids)}}});
  }
  int expected = 1;
  for (const auto& [number, day] : game.days) {
    if (number != expected++)
      refuse(root, fmt::format("day {} is missing: the log is cut", expected - 1));
    match.draws.push_back({"supply", {number}, {day.supply}});
    add_figures(day, number, match);
  }
  const LoggedDay& last = game.days.rbegin()->second;
  const auto living = std::count_if(last.evenings.begin(), last.evenings.end(),
                                    [](const Evening& e) { return e.hp > 0; });
  if (game.days.size() < static_cast<std::size_t>(paper.days) && living > 0)
    refuse(root, fmt::format("the log ends after day {} of {}, and {} of the residents live on: "
                             "it is cut",
                             game.days.size(), paper.days, living));
  match.figures.push_back({"survivors", "", 0, "/metrics/survivors", fmt::format("{}", living)});
  return match;
}

void read_game(const agon::InputFile& file, agon::Imported& result) {
  const agon::JsonDocument document(file.bytes, file.name);
  const agon::JsonNode root = document.root();
  if (root.kind() != agon::JsonNode::Kind::object || !root.find("A"))
    refuse(root,
           "this is no record of the water game: the residents' records, A to E, are not "
           "there");
  LoggedGame game;
  for (std::size_t i = 0; i < root.member_count(); ++i) read_resident(root.member(i), game);
  if (game.days.empty()) refuse(root, "there is no day in the log");
  agon::PublishedMatch match = match_of(file, root, game);
  match.scenario = result.place(scenario_of(game));
  result.matches.push_back(std::move(match));
}

agon::Imported read(std::span<const agon::InputFile> files) {
  agon::Imported result = agon::read_each(files, &read_game);
  std::size_t days = 0;
  for (const agon::PublishedMatch& m : result.matches) days += m.draws.size();
  result.summary = fmt::format("{} games with {} days of water", result.matches.size(), days);
  return result;
}

}  // namespace

agon::Importer alympics_importer() {
  return {.id = "alympics-water",
          .doc =
              "reads the records of Alympics' water games (WAC_*.json, one game each), as "
              "matches of water-allocation",
          .extension = ".json",
          .read = &read,
          .imports = agon::Imports::matches,
          .source = "github.com/microsoft/Alympics, exp/WAC/records.zip (Mao et al. 2023)",
          .licence = "MIT"};
}

}  // namespace water_allocation
