#include "shared/auction-values/tables.hpp"

#include <array>
#include <cmath>
#include <map>

#include "clock-auction/game.hpp"
#include "clock-auction/play.hpp"
#include "shared/published.hpp"
#include "shared/tables.hpp"

// The clock with and without word of exits, against the sealed second price, all with affiliated
// values: who leaves or bids at the value, and how far from it those do who do not win.

namespace clock_auction {

/// A table of published.json.
const shared::PublishedTable& published(std::string_view id);

namespace {

using agon::kNothing;

constexpr std::size_t kFormats = 3;
constexpr std::array<const char*, kFormats> kFormatNames{"AC", "AC-B", "SPSB"};

/// What one agent did in one format.
struct Behaviour {
  agon::Sample truthful;
  agon::Sample within_one;
  agon::Sample difference;
  auction_values::Moments errors;
  double n = 0;
};
using Behaviours = std::map<std::string, std::array<Behaviour, kFormats>>;

/// The column of a match; none for what the paper's table is not about.
std::optional<std::size_t> column_of(const agon::PlayedMatch& match) {
  const auto format = auction_values::format_of(match);
  if (!format || format->values != "affiliated") return std::nullopt;
  for (std::size_t f = 0; f < kFormats; ++f)
    if (format->name == kFormatNames[f]) return f;
  return std::nullopt;
}

void add_match(const agon::PlayedMatch& match, std::size_t format, Behaviour& into) {
  const std::string block = shared::block_of(match);
  for (const agon::PlayedSeat& seat : match.seats()) {
    const auto metric = [&](const char* name) { return match.metric(seat, name); };
    into.n += metric("rounds");
    if (format < 2) {
      const double exits = metric("exits");
      if (exits == 0) continue;
      into.truthful.add(block, metric("near_exits"), exits);
      into.within_one.add(block, metric("near_exits"), exits);
      into.difference.add(block, metric("error_sum"), exits);
      into.errors.add(exits, metric("error_sum"), metric("error_squares"));
      continue;
    }
    into.truthful.add(block, metric("exact_bids"), metric("rounds"));
    into.within_one.add(block, metric("near_bids"), metric("rounds"));
    const double lost = metric("lost");
    if (lost == 0) continue;
    into.difference.add(block, metric("lost_error_sum"), lost);
    into.errors.add(lost, metric("lost_error_sum"), metric("lost_error_squares"));
  }
}

Behaviours collect(const agon::PlayedMatches& matches) {
  Behaviours all;
  matches.each([&](const agon::PlayedMatch& match) {
    if (const auto format = column_of(match))
      add_match(match, *format, all[auction_values::bidders_of(match)][*format]);
  });
  if (all.empty())
    throw agon::LacksData{
        "matches of three bidders with affiliated values, with a rising clock or several rounds of "
        "the second price"};
  // Published models come even if nobody plays them here.
  for (const std::string& model : published("llm-auctions/table-1").agents()) all[model];
  return all;
}

/// Three cells, each made by `make(format)`.
template <class Make>
agon::TableRow row(std::string label, std::string unit, bool is_plotted, Make make) {
  agon::TableRow made{
      .label = std::move(label), .cells = {}, .unit = std::move(unit), .plotted = is_plotted};
  for (std::size_t f = 0; f < kFormats; ++f) made.cells.push_back(make(f));
  return made;
}

/// What the paper prints of an agent in a format.
double printed(const std::string& agent, const std::string& what, std::size_t format) {
  return published("llm-auctions/table-1").at(agent + ": " + what, kFormatNames[format]);
}

/// The differences of one format against those of the others after it: t and p as the paper has
/// them, and draw by draw, as all formats have the same values.
void add_tests(agon::PaperTable& table, const std::string& agent,
               const std::array<Behaviour, kFormats>& by_format, std::size_t base, double level) {
  const auto test = [&](std::size_t f) {
    return f > base ? auction_values::welch(by_format[base].errors, by_format[f].errors)
                    : agon::TTest{};
  };
  const std::string against = kFormatNames[base];
  table.rows.push_back(row("  t, " + against + " minus this", "t", false, [&](std::size_t f) {
    return shared::number(test(f).t, 2, printed(agent, "t against " + against, f));
  }));
  table.rows.push_back(row("  p", "p", false, [&](std::size_t f) {
    return shared::number(test(f).p, 3, printed(agent, "p against " + against, f));
  }));
  table.rows.push_back(
      row("  " + against + " minus this, same values", "currency", false, [&](std::size_t f) {
        if (f <= base) return agon::TableCell{};
        return shared::cell(by_format[base].difference.minus(by_format[f].difference, level), 2);
      }));
}

agon::PaperTable table_1(const agon::PlayedMatches& matches) {
  const Behaviours all = collect(matches);
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns.assign(kFormatNames.begin(), kFormatNames.end());
  for (const auto& entry : all) {
    const std::string& agent = entry.first;
    const std::array<Behaviour, kFormats>& by_format = entry.second;
    table.rows.push_back(row(agent + ": truthful (%)", "percent", true, [&](std::size_t f) {
      return shared::percent(by_format[f].truthful.share(level), 1,
                             printed(agent, "truthful (%)", f));
    }));
    table.rows.push_back(row("  within 1 (%)", "percent", true, [&](std::size_t f) {
      return shared::percent(by_format[f].within_one.share(level), 1,
                             printed(agent, "within 1 (%)", f));
    }));
    table.rows.push_back(row("  mean difference", "currency", true, [&](std::size_t f) {
      return shared::cell(by_format[f].difference.mean(level), 2,
                          printed(agent, "mean difference", f));
    }));
    table.rows.push_back(row("  its standard error", "currency", false, [&](std::size_t f) {
      const auction_values::Moments& errors = by_format[f].errors;
      return shared::number(std::sqrt(errors.variance() / errors.n), 2,
                            printed(agent, "its standard error", f));
    }));
    table.rows.push_back(row("  n, winners too", "bids", false, [&](std::size_t f) {
      return shared::number(by_format[f].n > 0 ? by_format[f].n : kNothing, 0,
                            printed(agent, "n, winners too", f));
    }));
    add_tests(table, agent, by_format, 0, level);
    add_tests(table, agent, by_format, 1, level);
  }
  table.notes = {
      "Truthful: with a clock the share of those who do not win and leave within 1 of their value; "
      "with sealed bids the share of all who bid exactly their value. Difference: |bid or exit - "
      "value| of those who do not win. n counts winners as well, as in print.",
      "Printed as GPT-4o, but the published logs behind the print are those of gpt-4-0613, so they "
      "stand there. One of the three logs behind AC and AC-B is of sealed bids; without it the "
      "clock has 92.5% and 0.70 for AC, 100% and 0.28 for AC-B (40 exits each).",
      "The numbers beside gpt-4o are worked out from the larger set of published logs (100 rounds "
      "each of AC and AC-B), not printed anywhere.",
      "Standard errors and t (Welch's test of the differences) take every bid by itself, as in "
      "print; the interval of the mean does not. By the printed "
      "means and errors the t of SPSB is -5.77 against AC and -6.27 against AC-B: the two printed "
      "ones have changed places.",
      "Same values: the mean over draws of the difference of the means of the two formats, where "
      "both had the same values (same_draws_as); n: draws. It is not in the paper, whose formats "
      "had values of their own.",
  };
  return table;
}

/// At which price bidders leave a rising clock, by what the item is worth to them: the game's own
/// table.
agon::PaperTable exits_by_value(const agon::PlayedMatches& matches) {
  shared::ValueCurves curves;
  shared::KnownSettings<Settings> known;
  matches.each([&](const agon::PlayedMatch& match) {
    const Settings* settings = known.of(match);
    if (settings == nullptr || settings->clock == Clock::dutch) return;
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    auction_values::PerBidder values;
    agon::each_said<kValues, kSold>(
        match, agon::Overloaded{[&](const ValuesDrawn& drawn) { values = drawn.values; },
                                [&](const Sold& sold) {
                                  const std::size_t bidders = std::min(
                                      {sold.exits.size(), values.size(), match.seats().size()});
                                  for (std::size_t s = 0; s < bidders; ++s) {
                                    const agon::PlayedSeat& seat = match.seats()[s];
                                    if (sold.exits[s] && sold.winner != seat.name)
                                      curves.add(heading, std::string(seat.agent), block, values[s],
                                                 *sold.exits[s], values[s]);
                                  }
                                }});
  });
  return curves.table(
      {.x = "value", .y = "price at which the bidder left", .unit = "currency"}, 1, matches.level(),
      "at the value itself", "recorded rounds with a rising clock in which somebody left",
      {"Mean price at which bidders left who did not win, by their value; of winners it is not "
       "known how far they would have gone. To leave at one's value is dominant. n: exits."});
}

}  // namespace

void add_tables(agon::Registry& registry) {
  shared::add_paper_tables(
      registry, "clock-auction",
      {{"llm-auctions/table-1", "truthful play with clocks and with the sealed second price",
        "Shah et al., arXiv:2507.09083, Table 1", "papers/llm-auctions/table-1.json", &table_1,
        false, "sealed-bid"}});
  registry.add(shared::own_table("clock-auction/exits", "where bidders leave the clock, by value",
                                 "clock-auction", &exits_by_value));
}

}  // namespace clock_auction
