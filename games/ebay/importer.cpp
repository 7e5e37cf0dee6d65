#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "ebay/game.hpp"
#include "ebay/settings.hpp"
#include "shared/published_draws.hpp"

namespace ebay {
namespace {

using agon::JsonNode;

constexpr const char* kMend =
    "give the raw logs of eBay auctions as they are published: raw_output__....jsonl";

[[noreturn]] void refuse(const agon::InputFile& file, std::size_t line, std::string problem) {
  throw agon::Error(agon::ErrorKind::invalid, std::move(problem),
                    fmt::format("{}:{}", file.name, line), kMend);
}

/// What stands between two marks; nothing if they do not.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  std::size_t at = text.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + before.size());
  at = text.find(after);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(0, at);
}

std::optional<double> number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '$')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

/// One call of the log: who was asked what, and what it said.
struct Call {
  std::size_t line = 0;
  std::string model;
  std::string bidder;  ///< as our seats are called
  int value = 0;
  int days = 0;  ///< as things stood
  int day = 0;   ///< from 0
  bool soft_close = false;
  std::vector<double> prices;  ///< after the turns before
  std::optional<double> bid;
  std::string said;
};

/// The bid that an answer makes; nothing: it holds.
std::optional<double> bid_of(const agon::InputFile& file, std::size_t line, std::string_view said) {
  const auto action = between(said, "<ACTION>", "<");
  if (!action) refuse(file, line, "the answer has no <ACTION>");
  if (action->find("BID") == std::string_view::npos) return std::nullopt;
  const auto amount = between(said, "<AMOUNT>", "<");
  const auto bid = amount ? number(*amount) : std::nullopt;
  if (!bid) refuse(file, line, "the answer bids and has no number in <AMOUNT>");
  return bid;
}

Call call_of(const agon::InputFile& file, std::size_t line, std::string_view text) {
  const agon::JsonDocument document(std::string(text), fmt::format("{}:{}", file.name, line));
  const JsonNode root = document.root();
  if (root.kind() != JsonNode::Kind::object || root.member_count() != 1)
    refuse(file, line, "this is no call of a model");
  const JsonNode entry = root.member(0);
  const std::string prompt(entry["user_prompt"].text());
  Call call;
  call.line = line;
  call.model = entry["model"].text();
  const auto want = [&](std::string_view before, std::string_view after) {
    const auto found = between(prompt, before, after);
    if (!found)
      refuse(file, line, fmt::format("the prompt lacks \"{}\": this is no eBay auction", before));
    return std::string(*found);
  };
  const auto whole = [&](std::string_view before, std::string_view after) {
    const auto found = number(want(before, after));
    if (!found) refuse(file, line, fmt::format("there is no number behind \"{}\"", before));
    return static_cast<int>(*found);
  };
  if (prompt.find("submit a bid privately") != prompt.npos)
    refuse(file, line,
           "this is a raw log of sealed bids: it holds the bidders' plans, and no value and no bid "
           "that could be played");
  call.bidder = want("You are Bidder ", ".");
  call.value = whole("private value for this item is $", ".");
  call.days = whole("There are in total ", " days");
  call.day = whole("this is day ", ".");
  call.soft_close = prompt.find("closing rule") != std::string::npos;
  if (prompt.find("reserve price") != std::string::npos)
    refuse(file, line, "the auction has a hidden reserve, which the log does not tell");
  std::string_view history = prompt;
  while (const auto price = between(history, "the price became ", " \n")) {
    const auto value = number(*price);
    if (!value) refuse(file, line, fmt::format("'{}' is no price", *price));
    call.prices.push_back(*value);
    history.remove_prefix(static_cast<std::size_t>(price->data() - history.data()) + price->size());
  }
  const agon::JsonDocument reply(std::string(entry["output"].text()),
                                 fmt::format("{}:{} (output)", file.name, line));
  call.said = reply.root()["choices"][0]["message"]["content"].text();
  call.bid = bid_of(file, line, call.said);
  return call;
}

/// An auction that is put together of its calls. Several run at once in a log, and a call tells the
/// prices of all turns before it: so auctions are put together from their ends.
struct Auction {
  std::vector<Call> turns;  ///< the last one first
  std::map<std::string, int> values;

  enum class Fit : std::uint8_t { none, weak, strong };
  /// How well a call fits before the turns that are known; it is strong if the bidder's value is
  /// known from a later turn.
  [[nodiscard]] Fit fit(const Call& call) const {
    const Call& next = turns.back();
    if (next.prices.size() != call.prices.size() + 1 || next.model != call.model ||
        next.soft_close != call.soft_close ||
        !std::equal(call.prices.begin(), call.prices.end(), next.prices.begin()))
      return Fit::none;
    // Each bidder has one turn a day.
    if (std::any_of(turns.begin(), turns.end(), [&](const Call& turn) {
          return turn.day == call.day && turn.bidder == call.bidder;
        }))
      return Fit::none;
    const auto known = values.find(call.bidder);
    if (known == values.end()) return Fit::weak;
    return known->second == call.value ? Fit::strong : Fit::none;
  }
  void add(Call call) {
    values[call.bidder] = call.value;
    turns.push_back(std::move(call));
  }
};

std::vector<Call> calls_of(const agon::InputFile& file) {
  std::vector<Call> calls;
  std::size_t line = 0;
  for (std::string_view rest = file.bytes; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    ++line;
    if (text.find_first_not_of(" \r\t") != text.npos) calls.push_back(call_of(file, line, text));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return calls;
}

std::vector<Auction> auctions_of(const agon::InputFile& file) {
  std::vector<Call> calls = calls_of(file);
  std::stable_sort(calls.begin(), calls.end(),
                   [](const Call& a, const Call& b) { return a.prices.size() > b.prices.size(); });
  std::vector<Auction> auctions;
  for (auto first = calls.begin(); first != calls.end();) {
    const auto last = std::find_if(first, calls.end(), [&](const Call& call) {
      return call.prices.size() != first->prices.size();
    });
    // Turns of the same place in their auctions, each in one of them.
    const std::size_t known = auctions.size();
    for (const Auction::Fit wanted : {Auction::Fit::strong, Auction::Fit::weak})
      for (std::size_t i = 0; i < known; ++i) {
        const auto found = std::find_if(first, last, [&](const Call& call) {
          return call.line != 0 && auctions[i].fit(call) == wanted;
        });
        if (found == last) continue;
        auctions[i].add(*found);
        found->line = 0;  // taken
      }
    for (; first != last; ++first)
      if (first->line != 0) auctions.emplace_back().add(std::move(*first));
  }
  for (Auction& auction : auctions) std::reverse(auction.turns.begin(), auction.turns.end());
  return auctions;
}

std::size_t seat_of(const agon::InputFile& file, const Call& call,
                    const std::vector<std::string>& bidders) {
  const auto at = std::find_if(bidders.begin(), bidders.end(), [&](const std::string& name) {
    return name.ends_with(call.bidder);
  });
  if (at == bidders.end())
    refuse(file, call.line, fmt::format("there is no bidder '{}' in this game", call.bidder));
  return static_cast<std::size_t>(at - bidders.begin());
}

agon::PublishedMatch match_of(const agon::InputFile& file, const Auction& auction) {
  const Settings rules;
  const Call& first = auction.turns.front();
  if (!first.prices.empty())
    refuse(file, first.line, "the auction's first turns are not in the log: it is cut");
  agon::PublishedMatch match{file.name, first.line};
  match.seats.resize(rules.bidders.size(), {first.model});
  std::map<int, std::vector<std::size_t>> orders;  // by day
  for (const Call& turn : auction.turns) {
    const std::size_t seat = seat_of(file, turn, rules.bidders);
    orders[turn.day].push_back(seat);
    match.seats[seat].answers["bid"].push_back(
        {turn.bid ? fmt::format(R"({{"bid": {}}})", *turn.bid) : R"({"bid": null})", turn.said});
    if (turn.day == 0)
      match.draws.push_back({"value", {static_cast<std::int64_t>(seat)}, {turn.value}});
  }
  for (const auto& [day, order] : orders) {
    if (order.size() != rules.bidders.size())
      refuse(file, auction.turns.back().line,
             fmt::format("on day {} only {} of {} bidders have their turn: the log is cut", day,
                         order.size(), rules.bidders.size()));
    match.draws.push_back({"order", {day + 1}, shared::shuffle_draws(order)});
  }
  if (const Call& last = auction.turns.back(); last.day + 1 < last.days)
    refuse(file, last.line,
           fmt::format("the log ends on day {} of {}: it is cut", last.day, last.days - 1));
  const std::vector<double>& prices = auction.turns.back().prices;
  for (std::size_t i = 0; i < prices.size(); ++i)
    match.figures.push_back({fmt::format("day {}: price after the turn of {}", auction.turns[i].day,
                                         auction.turns[i].bidder),
                             "price", i, "/price", fmt::format("{}", prices[i]),
                             auction.turns[i].line});
  match.goes_on = true;
  return match;
}

void read_log(const agon::InputFile& file, agon::Imported& result) {
  const std::vector<Auction> auctions = auctions_of(file);
  if (auctions.empty()) refuse(file, 1, "there is no call of a model in the log");
  for (const Auction& auction : auctions) {
    const bool soft = auction.turns.front().soft_close;
    try {
      agon::PublishedMatch match = match_of(file, auction);
      match.scenario =
          result.place({soft ? "ebay T2" : "ebay T1", "ebay",
                        fmt::format(R"({{"preset": "published-code", "soft_close": {}}})", soft)});
      result.matches.push_back(std::move(match));
    } catch (const agon::Error& error) {
      result.bad_rows.push_back({file.name, auction.turns.front().line,
                                 fmt::format("{}; {}", error.problem(), error.hint())});
    }
  }
}

agon::Imported read(std::span<const agon::InputFile> files) {
  agon::Imported result = agon::read_each(files, &read_log);
  result.summary = fmt::format("{} auctions from {} logs", result.matches.size(), files.size());
  return result;
}

}  // namespace

agon::Importer llm_auctions_importer() {
  return {.id = "llm-auctions-ebay",
          .doc =
              "reads the raw logs of eBay auctions (raw_output_*.jsonl) of Learning from "
              "Synthetic Labs, as matches of ebay",
          .extension = ".jsonl",
          .read = &read,
          .imports = agon::Imports::matches,
          .source = "github.com/KeHang-Zhu/llm-auction, experiment_logs (Shah et al. 2025)",
          .licence = "MIT"};
}

}  // namespace ebay
