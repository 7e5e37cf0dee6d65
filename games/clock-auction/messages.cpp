#include "clock-auction/messages.hpp"

#include <fmt/format.h>

namespace clock_auction {

namespace {

std::string_view currency(const agon::Scene& scene) {
  return auction_values::currency_name(scene.settings<Settings>().currency);
}

/// "1 dollar", "5 dollars".
std::string amount(int n, const agon::Scene& scene) {
  return auction_values::amount_text(n, scene.settings<Settings>().currency);
}

std::string names(std::span<const std::string_view> bidders) {
  return agon::listed(std::vector<std::string>(bidders.begin(), bidders.end()));
}

/// The calls of a round that are over: only those at which somebody left are worth a word.
std::string calls_text(std::span<const Called> calls, const agon::Scene& scene) {
  if (calls.empty()) return {};
  if (calls.size() == 1)
    return fmt::format(
        "At the first call of this round, at {}, {} left.", amount(calls.front().price, scene),
        calls.front().left == 0 ? "nobody"
                                : agon::counted(calls.front().left, "bidder", "bidders"));
  std::vector<std::string> left;
  for (const Called& c : calls)
    if (c.left > 0)
      left.push_back(fmt::format("{} left at {}", agon::counted(c.left, "bidder", "bidders"),
                                 amount(c.price, scene)));
  return fmt::format("At the calls of this round, from {} to {}, {}.",
                     agon::with_thousands(calls.front().price), amount(calls.back().price, scene),
                     left.empty() ? "nobody left" : agon::listed(left));
}

/// Where money is named once, above the table.
std::string rounds_text(std::span<const PastRound> history, const agon::Scene& scene) {
  // Nobody leaves a falling clock.
  const bool leaves = scene.settings<Settings>().clock != Clock::dutch;
  std::vector<std::string_view> headings{"round", "your value"};
  if (leaves) headings.emplace_back("you left at");
  headings.insert(headings.end(), {"you got it", "sold for", "your profit"});
  std::vector<std::vector<std::string>> rows;
  for (const PastRound& p : history) {
    std::vector<std::string> row{std::to_string(p.round), agon::with_thousands(p.value)};
    if (leaves) row.push_back(p.exit ? agon::with_thousands(*p.exit) : "-");
    row.insert(row.end(),
               {p.won ? "yes" : "no", p.price ? agon::with_thousands(*p.price) : "unsold",
                agon::with_thousands(p.profit)});
    rows.push_back(std::move(row));
  }
  return agon::small_table(headings, rows);
}

/// What a bidder reads first at every call.
std::string call_text(int round, int rounds, std::span<const std::string_view> opponents, int value,
                      const agon::Scene& scene) {
  const Settings& settings = scene.settings<Settings>();
  std::string text;
  if (settings.history && rounds > 1)
    text += fmt::format("This is round {} of {}. ", round, rounds);
  if (settings.opponents == Named::remaining)
    text += fmt::format("Still in against you: {}. ", names(opponents));
  return text + fmt::format("The item is worth {} to you.", amount(value, scene));
}

}  // namespace

std::string tell(const PastRound& p, const agon::Scene& scene) {
  const Settings& settings = scene.settings<Settings>();
  std::string text =
      fmt::format("Round {}: the item was worth {} to you. ", p.round, amount(p.value, scene));
  // Those who would have stayed at the last price are out with it as well.
  const bool to_the_end = p.exit == ceiling(settings);
  if (to_the_end)
    text += fmt::format("You were in up to {}, where the clock stopped. ", amount(*p.exit, scene));
  else if (p.exit)
    text += fmt::format("You left at {}{}. ", amount(*p.exit, scene),
                        p.won ? ", as did all who were still in" : "");
  if (p.won)
    text += fmt::format("{} the item for {} and {}.", p.exit ? "By a draw you got" : "You got",
                        amount(*p.price, scene),
                        auction_values::gain_text(p.profit, settings.currency));
  else if (p.price)
    text += fmt::format("It was sold to another bidder for {}.", amount(*p.price, scene));
  else
    text += "It was not sold.";
  if (settings.rounds > 1 && settings.history)
    text += fmt::format(" Your profit of all rounds so far is {}.", amount(p.total, scene));
  return text;
}

std::string tell(const ValuesDrawn& drawn, const agon::Scene& scene) {
  std::string text =
      fmt::format("Round {}: the item is worth, in {}: {}.", drawn.round, currency(scene),
                  auction_values::by_bidder(scene.seats(), drawn.values));
  if (drawn.common)
    text += fmt::format(" The part that all share is {}.", amount(*drawn.common, scene));
  return text;
}

std::string tell(const CallOver& call, const agon::Scene& scene) {
  return fmt::format("Round {}: at {} {} left.", call.round, amount(call.price, scene),
                     call.left == 0 ? "nobody" : agon::counted(call.left, "bidder", "bidders"));
}

std::string tell(const Sold& sold, const agon::Scene& scene) {
  std::string text = sold.winner ? fmt::format("Round {}: {} gets the item for {}.", sold.round,
                                               *sold.winner, amount(*sold.price, scene))
                                 : fmt::format("Round {}: the item is not sold.", sold.round);
  if (sold.tied > 1) text += fmt::format(" One of {} was drawn.", sold.tied);
  std::vector<std::string> exits;
  for (std::size_t i = 0; i < sold.exits.size(); ++i)
    if (sold.exits[i])
      exits.push_back(
          fmt::format("{} at {}", scene.seats()[i], agon::with_thousands(*sold.exits[i])));
  if (!exits.empty()) text += " Left: " + agon::listed(exits) + ".";
  return text;
}

std::string tell(const StayView& v, const agon::Scene& scene) {
  std::string text = call_text(v.round, v.rounds, v.opponents, v.value, scene);
  if (const std::string calls = calls_text(v.transcript, scene); !calls.empty())
    text += "\n" + calls;
  text += fmt::format("\nThe price is {} now; ", amount(v.price, scene));
  return text + (v.next_price > v.price
                     ? fmt::format("at the next call it will be {}.", amount(v.next_price, scene))
                     : std::string("this is the last call."));
}

std::string tell(const TakeView& v, const agon::Scene& scene) {
  std::string text = call_text(v.round, v.rounds, v.opponents, v.value, scene);
  text += v.price == v.start_price
              ? fmt::format("\nThe price begins at {}.", amount(v.price, scene))
              : fmt::format(
                    "\nThe price began at {}. It is {} now, and nobody has taken the "
                    "item yet.",
                    amount(v.start_price, scene), amount(v.price, scene));
  return text + (v.next_price
                     ? fmt::format(" At the next call it will be {}.", amount(*v.next_price, scene))
                     : std::string(" This is the last call."));
}

std::string tell(const PlanView& v, const agon::Scene& scene) {
  std::string text;
  if (!v.history.empty())
    text = fmt::format("The rounds before, in {}:\n{}\nYour profit so far is {}.\n",
                       currency(scene), rounds_text(v.history, scene), amount(v.total, scene));
  if (v.rounds > 1) text += fmt::format("Round {} of {} is about to begin. ", v.round, v.rounds);
  return text + "You will learn what the item is worth to you only after you have made your plan.";
}

std::string tell(const ReflectView& v, const agon::Scene& scene) {
  std::string text = tell(v.last, scene);
  if (const std::string calls = calls_text(v.transcript, scene); !calls.empty())
    text += "\n" + calls;
  return text;
}

}  // namespace clock_auction
