#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>

#include "sealed-bid/game.hpp"
#include "sealed-bid/settings.hpp"
#include "shared/auction-values/values.hpp"
#include "shared/published_draws.hpp"

namespace sealed_bid {
namespace {

using agon::JsonNode;

constexpr const char* kMend =
    "give the result files as they are published, in the folders that name their treatments: "
    "private_first_price/result_15_....json";

/// What the folder of a log says.
struct Treatment {
  std::string scenario;
  bool clock = false;
  std::string settings;  ///< members of a JSON object, without braces
  bool has_common = false;
};

struct Named {
  std::string_view folder;
  std::string_view settings;
};

constexpr std::array<Named, 4> kPayments{{{"first_price", R"("payment": "first_price")"},
                                          {"second_price", R"("payment": "second_price")"},
                                          {"third_price", R"("payment": "third_price")"},
                                          {"all_pay", R"("payment": "all_pay")"}}};
constexpr std::array<Named, 7> kInterventions{{{"menu", R"("intervention": "menu")"},
                                               {"proxy_breitmoser", R"("intervention": "proxy")"},
                                               {"nash_deviation", R"("intervention": "nash")"},
                                               {"strat_reveal", R"("intervention": "direct")"},
                                               {"NE_strat_reveal", R"("intervention": "direct")"},
                                               {"wrong_strat_reveal", R"("intervention": "wrong")"},
                                               {"risk_neutrality", R"("intervention": "risk")"}}};
constexpr std::array<Named, 8> kVariants{{{"euro", R"("currency": "euros")"},
                                          {"ruble", R"("currency": "roubles")"},
                                          {"yen", R"("currency": "yen")"},
                                          {"rupee", R"("currency": "rupees")"},
                                          {"chinese", ""},
                                          {"spanish", ""},
                                          {"hindi", ""},
                                          {"russian", ""}}};

/// What stands in the list under that name; null: nothing does.
template <std::size_t N>
const Named* find(const std::array<Named, N>& list, std::string_view name) {
  const auto* at =
      std::find_if(list.begin(), list.end(), [&](const Named& n) { return n.folder == name; });
  return at == list.end() ? nullptr : &*at;
}

std::string_view without(std::string_view text, std::string_view beginning) {
  return text.substr(beginning.size());
}

/// The treatment of a folder; nothing if none is called so.
std::optional<Treatment> treatment_of(std::string_view folder) {
  Treatment t;
  t.scenario = folder;
  const auto sealed = [&](std::string_view settings) {
    t.settings = settings;
    return t;
  };
  if (folder == "affiliated_ac" || folder == "affiliated_ac_closed") {
    // The result files of clocks have the exits alone, without the plans and reflections.
    t.clock = t.has_common = true;
    t.settings = folder == "affiliated_ac" ? R"("clock": "ascending", "written": false)"
                                           : R"("clock": "ascending_blind", "written": false)";
    return t;
  }
  if (folder == "affiliated_spsb") {
    t.has_common = true;
    return sealed(R"("payment": "second_price", "values": "affiliated")");
  }
  if (folder.starts_with("common_spsb_")) {
    t.has_common = true;
    return sealed(R"("payment": "second_price", "values": "common")");
  }
  if (folder.starts_with("private_")) {
    std::string_view payment = without(folder, "private_");
    if (payment.ends_with("_15")) payment.remove_suffix(3);
    if (const Named* named = find(kPayments, payment)) return sealed(named->settings);
  }
  if (folder.starts_with("intervention_"))
    if (const Named* named = find(kInterventions, without(folder, "intervention_")))
      return sealed(fmt::format(R"("payment": "second_price", {})", named->settings));
  for (const auto& [start, payment] : {std::pair("robust_fpsb_", kPayments[0].settings),
                                       std::pair("robust_spsb_", kPayments[1].settings)})
    if (folder.starts_with(start))
      if (const Named* named = find(kVariants, without(folder, start)))
        return sealed(named->settings.empty() ? std::string(payment)
                                              : fmt::format("{}, {}", payment, named->settings));
  return std::nullopt;
}

/// What the place of a file says of it.
struct Place {
  Treatment treatment;
  std::string model = "gpt-4-0613";
};

Place place_of(const agon::InputFile& file) {
  Place place;
  const std::filesystem::path path(file.name);
  const std::string folder = path.parent_path().filename().string();
  const auto treatment = treatment_of(folder);
  if (!treatment)
    throw agon::Error(agon::ErrorKind::invalid,
                      folder.empty()
                          ? "the file lies in no folder that names its treatment"
                          : fmt::format("the folder '{}' names no treatment that is known", folder),
                      file.name, kMend);
  place.treatment = *treatment;
  for (const std::filesystem::path& part : path) {
    if (part == "GPT-4o") place.model = "gpt-4o";
    // The same prompts in an earlier wording.
    if (part == "old_intervention") place.treatment.scenario += " (old)";
  }
  return place;
}

/// A round as it is logged. Amounts as the log has them, in the order of the seats.
struct Round {
  std::vector<std::int64_t> values;
  std::vector<std::string> bids;  ///< JSON numbers
  std::vector<std::string> profits;
  std::vector<std::string> plans;
  std::int64_t common = 0;
  std::size_t winner = 0;
  std::string price;
  std::size_t line = 0;
};

/// 33.0 is logged for 33.
std::string amount(const JsonNode& node) {
  const double value = node.number();
  return fmt::format("{}", value);
}

std::size_t seat_of(const JsonNode& name, std::size_t seats) {
  for (std::size_t i = 0; i < seats; ++i)
    if (auction_values::bidder_name(static_cast<int>(i)) == name.text()) return i;
  name.fail(fmt::format("'{}' is none of the {} bidders", name.text(), seats), kMend);
}

Round round_of(const JsonNode& node) {
  Round r;
  r.line = node.line();
  const JsonNode values = node["value"], history = node["history"]["bidding history"],
                 winner = node["history"]["winner"], profits = node["profit"];
  const std::size_t n = values.size();
  if (history.size() != n || profits.size() != n)
    node.fail(fmt::format("there are {} values, {} bids and {} profits", n, history.size(),
                          profits.size()),
              "restore the round from the publication; the log may be cut");
  for (std::size_t i = 0; i < n; ++i) {
    r.values.push_back(values[i].whole());
    r.profits.push_back(amount(profits[i]));
  }
  r.bids.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    r.bids[seat_of(history[i]["agent"], n)] = amount(history[i]["bid"]);
  for (std::size_t i = 0; i < n; ++i)
    if (r.bids[i].empty())
      node.fail(fmt::format("{} makes no bid", auction_values::bidder_name(static_cast<int>(i))),
                "restore the round from the publication");
  r.common = node["common"].whole();
  r.winner = seat_of(winner["winner"], n);
  r.price = amount(winner["price"]);
  if (const auto plans = node.find("plan"))
    for (std::size_t i = 0; i < plans->size(); ++i) r.plans.emplace_back((*plans)[i].text());
  r.plans.resize(n);
  return r;
}

std::vector<Round> rounds_of(const JsonNode& root) {
  if (root.kind() != JsonNode::Kind::object || !root.find("round_0"))
    root.fail("this is no result file: there is no \"round_0\"", kMend);
  std::vector<Round> rounds;
  for (std::size_t i = 0; i < root.member_count(); ++i) {
    const auto node = root.find(fmt::format("round_{}", i));
    if (!node) root.fail(fmt::format("\"round_{}\" is missing", i), kMend);
    rounds.push_back(round_of(*node));
    if (rounds.back().values.size() != rounds.front().values.size())
      node->fail("the round has another number of bidders than the first", kMend);
  }
  return rounds;
}

/// What a bidder of a clock says until the price stands at `price`: it leaves there, or is the one
/// who stays.
void add_stays(const JsonNode& root, const std::string& price, bool wins,
               std::vector<agon::PublishedAnswer>& answers) {
  int last = 0;
  const auto [end, code] = std::from_chars(price.data(), price.data() + price.size(), last);
  if (code != std::errc() || end != price.data() + price.size() || last < 0)
    root.fail(fmt::format("a clock does not stop at {}", price), kMend);
  for (int p = 0; p < last; ++p) answers.push_back({R"({"stay": true})"});
  answers.push_back({wins ? R"({"stay": true})" : R"({"stay": false})"});
}

void add_plan(const Round& round, std::size_t number, std::size_t seat,
              agon::PublishedSeat& published) {
  std::string json;
  if (!round.plans[seat].empty()) {
    json = R"({"plan": )";
    agon::append_json_text(json, round.plans[seat]);
    json += '}';
  }
  published.answers[number == 0 ? "plan" : "replan"].push_back({json});
}

void add_figures(const Round& round, std::size_t number, bool clock, agon::PublishedMatch& match) {
  const auto add = [&](std::string what, std::string_view event, std::size_t nth,
                       std::string_view place, std::string value) {
    match.figures.push_back({fmt::format("round {}: {}", number + 1, what), std::string(event), nth,
                             std::string(place), std::move(value), round.line});
  };
  std::string winner;
  agon::append_json_text(winner, auction_values::bidder_name(static_cast<int>(round.winner)));
  add("winner", "sold", number, "/winner", winner);
  add("price", "sold", number, "/price", round.price);
  if (clock) return;  // rounds know nothing of each other, so that nobody is told of a profit
  for (std::size_t seat = 0; seat < round.values.size(); ++seat)
    add(fmt::format("profit of {}", auction_values::bidder_name(static_cast<int>(seat))), "outcome",
        number * round.values.size() + seat, "/profit", round.profits[seat]);
}

void read_log(const agon::InputFile& file, agon::Imported& result) {
  Place place = place_of(file);
  Treatment& t = place.treatment;
  const agon::JsonDocument document(file.bytes, file.name);
  const JsonNode root = document.root();
  const std::vector<Round> rounds = rounds_of(root);
  const std::size_t bidders = rounds.front().values.size();
  const bool plans = std::any_of(rounds.begin(), rounds.end(), [](const Round& r) {
    return std::any_of(r.plans.begin(), r.plans.end(), [](const auto& p) { return !p.empty(); });
  });
  // A clock makes no plans: such a file is one of sealed bids in the wrong folder.
  if (t.clock && plans) {
    t.clock = false;
    t.scenario += " (sealed bids)";
    t.settings = R"("payment": "second_price", "values": "affiliated")";
  }
  agon::PublishedMatch match{file.name, 1};
  match.scenario = result.place(
      {t.scenario, t.clock ? "clock-auction" : "sealed-bid",
       fmt::format(R"({{"preset": "published-code", "bidders": {}, "rounds": {}{}, {}}})", bidders,
                   rounds.size(), t.clock || plans ? "" : R"(, "plan": false, "reflect": false)",
                   t.settings)});
  match.seats.resize(bidders, {place.model});
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const Round& round = rounds[i];
    const auto number = static_cast<std::int64_t>(i);
    if (t.has_common) match.draws.push_back({"common", {number}, {round.common}});
    match.draws.push_back({"tie", {number}, shared::draws_of(round.winner, bidders)});
    for (std::size_t seat = 0; seat < bidders; ++seat) {
      match.draws.push_back({"value",
                             {number, static_cast<std::int64_t>(seat)},
                             {round.values[seat] - (t.has_common ? round.common : 0)}});
      agon::PublishedSeat& published = match.seats[seat];
      if (t.clock) {
        add_stays(root, round.bids[seat], seat == round.winner, published.answers["stay"]);
        continue;
      }
      if (plans) add_plan(round, i, seat, published);
      published.answers["bid"].push_back({fmt::format(R"({{"bid": {}}})", round.bids[seat])});
    }
    add_figures(round, i, t.clock, match);
  }
  result.matches.push_back(std::move(match));
}

agon::Imported read(std::span<const agon::InputFile> files) {
  agon::Imported result = agon::read_each(files, &read_log);
  result.summary = fmt::format("{} logs of auctions", result.matches.size());
  return result;
}

}  // namespace

agon::Importer llm_auctions_importer() {
  return {.id = "llm-auctions",
          .doc =
              "reads the result files (result_*.json) of Learning from Synthetic Labs, in their "
              "folders, as matches of sealed-bid and clock-auction",
          .extension = ".json",
          .read = &read,
          .imports = agon::Imports::matches,
          .source = "github.com/KeHang-Zhu/llm-auction, experiment_logs (Shah et al. 2025)",
          .licence = "MIT"};
}

}  // namespace sealed_bid
