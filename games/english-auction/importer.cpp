#include <fmt/format.h>

#include <agon/data_file.hpp>
#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include "english-auction/game.hpp"
#include "english-auction/settings.hpp"
#include "shared/published_draws.hpp"

namespace english_auction {

namespace {

constexpr agon::DataFormat kFileFormat{"agon.english-auction.items", 1};

/// Why a line is bad. Never leaves this file.
struct Refusal {
  std::string reason;
};

agon::Money amount(const agon::JsonNode& row, std::string_view member) {
  const auto found = row.find(member);
  if (!found || found->kind() != agon::JsonNode::Kind::number)
    throw Refusal{fmt::format("it has no number \"{}\"", member)};
  const double cents = found->number() * 100;
  if (!(cents >= 0 && cents <= kMostCents))
    throw Refusal{fmt::format("\"{}\" is not between 0 and {} dollars", member, kMostCents / 100)};
  const double whole = std::round(cents);
  if (std::abs(cents - whole) > 1e-4)
    throw Refusal{fmt::format("\"{}\" has more than two decimals", member)};
  return {static_cast<std::int64_t>(whole)};
}

/// The line as JSON, or why it is none.
std::unique_ptr<agon::JsonDocument> read(std::string_view line) {
  try {
    return std::make_unique<agon::JsonDocument>(std::string(line), "");
  } catch (const agon::Error& error) {
    throw Refusal{fmt::format("it is not JSON: {}", error.problem())};
  }
}

Item item_of(std::string_view line) {
  const auto document = read(line);
  const agon::JsonNode row = document->root();
  if (row.kind() != agon::JsonNode::Kind::object) throw Refusal{"it is not a JSON object"};
  const auto name = row.find("name");
  if (!name || name->kind() != agon::JsonNode::Kind::text || name->text().empty())
    throw Refusal{"it has no text \"name\""};
  Item item;
  item.name = name->text();
  if (item.name.size() > 60) throw Refusal{"its name is longer than 60 bytes"};
  item.price = amount(row, "price");
  item.value = amount(row, "true_value");
  if (item.price.cents == 0) throw Refusal{"its price is 0"};
  return item;
}

std::string row_of(const Item& item) {
  const auto dollars = [](agon::Money m) {
    return m.cents % 100 == 0 ? fmt::format("{}", m.cents / 100)
                              : fmt::format("{}.{:02}", m.cents / 100, m.cents % 100);
  };
  std::string name;
  agon::append_json_text(name, item.name);
  return fmt::format(R"({{"name": {}, "price": {}, "value": {}}})", name, dollars(item.price),
                     dollars(item.value));
}

}  // namespace

agon::Imported import_items(std::span<const agon::InputFile> files) {
  agon::Imported result;
  std::vector<Item> items;
  std::set<std::string> names;
  for (const agon::InputFile& file : files) {
    std::size_t number = 0;
    for (std::size_t at = 0; at < file.bytes.size();) {
      const std::size_t end = std::min(file.bytes.find('\n', at), file.bytes.size());
      const std::string_view line = std::string_view(file.bytes).substr(at, end - at);
      at = end + 1;
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      try {
        Item item = item_of(line);
        if (!names.insert(item.name).second)
          throw Refusal{fmt::format("\"{}\" is the name of an item before it", item.name)};
        items.push_back(std::move(item));
      } catch (const Refusal& refusal) {
        result.bad_rows.push_back({file.name, number, refusal.reason});
      }
    }
  }
  const std::string where = files.empty() ? std::string{} : files.front().name;
  if (items.empty())
    throw agon::Error(agon::ErrorKind::invalid, "there is no item in it", where,
                      "each line must be a JSON object with name, price and true_value");
  if (items.size() > kMaxItems)
    throw agon::Error(agon::ErrorKind::invalid,
                      fmt::format("{} items are more than one auction holds", items.size()), where,
                      fmt::format("leave at most {}", kMaxItems));
  agon::DataSource source;
  for (const agon::InputFile& file : files)
    source.name += (source.name.empty() ? "" : ", ") + file.name;
  source.format = "AucArena's item list";
  std::vector<std::string> rows;
  for (const Item& item : items) rows.push_back(row_of(item));
  result.json = agon::write_data_file(kFileFormat, source, rows);
  result.summary = fmt::format("{} items, {} bad rows", items.size(), result.bad_rows.size());
  return result;
}

agon::Importer items_importer() {
  return {.id = "auction-items",
          .doc =
              "AucArena's item list (JSON Lines: name, price, true_value) as an item list for "
              "the setting `items` of english-auction",
          .extension = ".jsonl",
          .read = &import_items};
}

namespace {

using agon::JsonNode;

constexpr const char* kMend =
    "give the memos as AucArena's program writes them: memo-0.json, memo-1.json, ...";

/// What one bidder did in a round; no bid: it withdrew.
struct LoggedMove {
  std::size_t seat = 0;
  std::optional<std::int64_t> bid;
};

/// An item and the bidding for it.
struct LoggedLot {
  std::string name;
  std::int64_t price = 0;
  std::vector<std::vector<LoggedMove>> rounds;
  std::optional<std::size_t> winner;
  std::int64_t paid = 0;
  std::int64_t value = 0;
};

struct LoggedBidder {
  std::string name;
  std::string model;
  std::int64_t budget = 0;
  std::string profit;
};

/// Goes through the lines of a log.
class LogText {
 public:
  LogText(const JsonNode& node, const std::vector<LoggedBidder>& bidders)
      : node_(node), bidders_(bidders), rest_(node.text()) {}

  std::vector<LoggedLot> lots() {
    std::vector<LoggedLot> lots;
    bool hammer = false;
    for (;;) {
      const std::optional<std::string_view> line = next();
      if (!line) break;
      if (line->starts_with("## ") || line->empty()) continue;
      if (line->starts_with("### ")) {
        lots.push_back(heading(line->substr(4)));
        hammer = false;
      } else if (lots.empty()) {
        fail(fmt::format("\"{}\" stands before the first item", *line));
      } else if (line->starts_with("#### ")) {
        hammer = line->find("Hammer price") != std::string_view::npos;
        if (!hammer) lots.back().rounds.emplace_back();
      } else if (hammer) {
        sale(*line, lots.back());
      } else if (!lots.back().rounds.empty()) {
        lots.back().rounds.back().push_back(move(*line));
      } else {
        fail(fmt::format("\"{}\" stands before the first round", *line));
      }
    }
    return lots;
  }

 private:
  [[noreturn]] void fail(std::string problem) const { node_.fail(std::move(problem), kMend); }

  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }

  std::int64_t amount(std::string_view text, std::string_view before) const {
    const std::size_t at = text.find(before);
    std::int64_t value = 0;
    if (at != std::string_view::npos) {
      text.remove_prefix(at + before.size());
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (code == std::errc()) return value;
    }
    fail(fmt::format("there is no amount behind \"{}\" in \"{}\"", before, text));
  }

  /// "1. Equipment E, starting at $5000."
  LoggedLot heading(std::string_view line) const {
    const std::size_t start = line.find(". "), end = line.find(", starting at $");
    if (start == std::string_view::npos || end == std::string_view::npos)
      fail(fmt::format("\"{}\" names no item with its start price", line));
    LoggedLot lot;
    lot.name = line.substr(start + 2, end - start - 2);
    lot.price = amount(line, ", starting at $");
    return lot;
  }

  /// "* Bidder 1: $5500", "* Bidder 2 (gpt-4): Withdrew": who, and what stands behind the colon.
  std::pair<std::size_t, std::string_view> said(std::string_view line) const {
    const std::size_t colon = line.rfind(": ");
    if (line.starts_with("* ") && colon != std::string_view::npos) {
      const std::string_view who = line.substr(2, colon - 2);
      for (std::size_t i = 0; i < bidders_.size(); ++i)
        if (who == bidders_[i].name || who.starts_with(bidders_[i].name + " ("))
          return {i, line.substr(colon + 2)};
    }
    fail(fmt::format("\"{}\" is no move of a bidder", line));
  }

  LoggedMove move(std::string_view line) const {
    const auto [seat, what] = said(line);
    LoggedMove move{seat, std::nullopt};
    if (what != "Withdrew") move.bid = amount(what, "$");
    return move;
  }

  void sale(std::string_view line, LoggedLot& lot) const {
    if (line == "* None bid") return;
    const auto [seat, what] = said(line);
    lot.winner = seat;
    lot.paid = amount(what, "$");
    lot.value = amount(what, "($");
  }

  JsonNode node_;
  const std::vector<LoggedBidder>& bidders_;
  std::string_view rest_;
};

/// The money that a bidder's report says it started with.
std::int64_t budget_of(const JsonNode& reports, const std::string& name) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const std::string_view text = reports[i].text();
    const std::string start = name + ", starting with $";
    const std::size_t at = text.find(start);
    if (at == std::string_view::npos) continue;
    const std::string_view digits = text.substr(at + start.size());
    std::int64_t budget = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), budget);
    if (code == std::errc()) return budget;
  }
  reports.fail(fmt::format("no report says what money {} started with", name), kMend);
}

std::vector<LoggedBidder> bidders_of(const JsonNode& root) {
  const JsonNode models = root["model_info"], profits = root["profit"];
  std::vector<LoggedBidder> bidders;
  for (std::size_t i = 0; i < models.member_count(); ++i) {
    LoggedBidder b;
    b.name = models.name(i);
    b.model = models.member(i).text();
    b.budget = budget_of(root["memo_text"], b.name);
    b.profit = profits[b.name].number_text();
    bidders.push_back(std::move(b));
  }
  return bidders;
}

/// Who leads after a tie: it is the only one of the tied who is not asked next.
std::size_t leader_of(const LoggedLot& lot, std::size_t round,
                      const std::vector<std::size_t>& tied) {
  if (round + 1 == lot.rounds.size()) return lot.winner.value_or(tied.front());
  for (const std::size_t seat : tied) {
    const auto& next = lot.rounds[round + 1];
    if (std::none_of(next.begin(), next.end(), [&](const LoggedMove& m) { return m.seat == seat; }))
      return seat;
  }
  return tied.front();
}

void add_ties(const LoggedLot& lot, std::int64_t item, std::size_t seats,
              agon::PublishedMatch& match) {
  for (std::size_t round = 0; round < lot.rounds.size(); ++round) {
    std::int64_t most = -1;
    std::vector<std::size_t> tied;
    for (const LoggedMove& move : lot.rounds[round]) {
      if (!move.bid || *move.bid < most) continue;
      if (*move.bid > most) tied.clear();
      most = *move.bid;
      tied.push_back(move.seat);
    }
    if (tied.size() < 2) continue;
    match.draws.push_back({"tie",
                           {item, static_cast<std::int64_t>(round)},
                           shared::draws_of(leader_of(lot, round, tied), seats)});
  }
}

std::string json_text(std::string_view text) {
  std::string json;
  agon::append_json_text(json, text);
  return json;
}

/// Items by name, so that auctions of the same items in other orders are of one scenario. Of what
/// nobody bought the log does not tell the value: in AucArena it is twice the start price.
std::string settings_of(const std::vector<const LoggedLot*>& items,
                        const std::vector<LoggedBidder>& bidders) {
  std::string sold, seats;
  for (const LoggedLot* lot : items)
    sold +=
        fmt::format(R"({}{{"name": {}, "price": {}, "value": {}}})", sold.empty() ? "" : ", ",
                    json_text(lot->name), lot->price, lot->winner ? lot->value : 2 * lot->price);
  for (const LoggedBidder& b : bidders)
    seats += fmt::format(R"({}{{"name": {}, "budget": {}}})", seats.empty() ? "" : ", ",
                         json_text(b.name), b.budget);
  return fmt::format(R"({{"preset": "paper", "items": [{}], "bidders": [{}]}})", sold, seats);
}

void add_figures(const std::vector<LoggedLot>& lots, const std::vector<LoggedBidder>& bidders,
                 agon::PublishedMatch& match) {
  for (std::size_t i = 0; i < lots.size(); ++i) {
    const LoggedLot& lot = lots[i];
    match.figures.push_back({fmt::format("{}: winner", lot.name), "hammer", i, "/winner",
                             lot.winner ? json_text(bidders[*lot.winner].name) : "null"});
    if (lot.winner)
      match.figures.push_back(
          {fmt::format("{}: price", lot.name), "hammer", i, "/price", fmt::format("{}", lot.paid)});
  }
  for (std::size_t seat = 0; seat < bidders.size(); ++seat)
    match.figures.push_back({fmt::format("profit of {}", bidders[seat].name), "", 0,
                             fmt::format("/seats/{}/score", seat), bidders[seat].profit});
}

void read_memo(const agon::InputFile& file, agon::Imported& result) {
  const agon::JsonDocument document(file.bytes, file.name);
  const JsonNode root = document.root();
  if (root.kind() != JsonNode::Kind::object || !root.find("auction_log"))
    root.fail("this is no memo of an auction: there is no \"auction_log\"", kMend);
  const std::vector<LoggedBidder> bidders = bidders_of(root);
  const std::vector<LoggedLot> lots = LogText(root["auction_log"], bidders).lots();
  if (lots.empty()) root["auction_log"].fail("the log has no item", kMend);
  std::vector<const LoggedLot*> items;
  for (const LoggedLot& lot : lots) items.push_back(&lot);
  std::sort(items.begin(), items.end(),
            [](const LoggedLot* a, const LoggedLot* b) { return a->name < b->name; });
  for (std::size_t i = 1; i < items.size(); ++i)
    if (items[i]->name == items[i - 1]->name)
      root["auction_log"].fail(
          fmt::format("{} is offered twice: discounts cannot be read from a log", items[i]->name),
          "leave the file out");
  agon::PublishedMatch match{file.name, 1};
  match.scenario = result.place({fmt::format("{} items, {} bidders", lots.size(), bidders.size()),
                                 "english-auction", settings_of(items, bidders)});
  for (const LoggedBidder& b : bidders) match.seats.push_back({b.model});
  std::vector<std::size_t> order;
  for (const LoggedLot& lot : lots) {
    const auto item =
        static_cast<std::size_t>(std::find(items.begin(), items.end(), &lot) - items.begin());
    order.push_back(item);
    add_ties(lot, static_cast<std::int64_t>(item), bidders.size(), match);
    for (const auto& round : lot.rounds)
      for (const LoggedMove& move : round)
        match.seats[move.seat].answers["bid"].push_back(
            {move.bid ? fmt::format(R"({{"move": {{"kind": "raise", "amount": {}}}}})", *move.bid)
                      : R"({"move": {"kind": "withdraw"}})"});
  }
  match.draws.push_back({"order", {}, shared::shuffle_draws(order)});
  add_figures(lots, bidders, match);
  match.goes_on = true;
  result.matches.push_back(std::move(match));
}

agon::Imported read_memos(std::span<const agon::InputFile> files) {
  agon::Imported result = agon::read_each(files, &read_memo);
  result.summary = fmt::format("{} auctions", result.matches.size());
  return result;
}

}  // namespace

agon::Importer memos_importer() {
  return {.id = "aucarena-memos",
          .doc =
              "reads the memos that AucArena's program writes after each auction "
              "(memo-*.json), as matches of english-auction",
          .extension = ".json",
          .read = &read_memos,
          .imports = agon::Imports::matches,
          .source = "written by github.com/jiangjiechen/auction-arena (Chen et al. 2023)",
          .licence = "that of whoever ran the program"};
}

}  // namespace english_auction
