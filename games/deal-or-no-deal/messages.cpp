#include "deal-or-no-deal/messages.hpp"

#include <fmt/format.h>

#include <array>

#include "deal-or-no-deal/rules.hpp"

namespace deal_or_no_deal {

namespace {

/// "1 book", "3 hats"; names that are plurals or numbered are counted as "3 x item 4".
std::string items_of(int n, std::string_view name) {
  const char last = name.empty() ? '0' : name.back();
  const bool letter = (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z');
  if (!letter || last == 's') return fmt::format("{} x {}", n, name);
  return agon::counted(n, name, {});
}

std::string part_text(const ItemCounts& part, const agon::Scene& scene) {
  return items_text({part.begin(), part.size()}, item_names(scene.settings<Settings>()));
}

std::string piles_text(const Piles& piles) {
  std::vector<std::vector<std::string>> rows;
  for (const Pile& p : piles)
    rows.push_back({std::string(p.item), std::to_string(p.count), std::to_string(p.value)});
  constexpr std::array<std::string_view, 3> headings{"item", "how many", "points each to you"};
  return "The items:\n" + agon::small_table(headings, rows);
}

std::string share(double value) {
  return fmt::format("{:.2g}", value);
}

}  // namespace

std::string items_text(std::span<const int> part, std::span<const std::string> names) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < part.size(); ++i) words.push_back(items_of(part[i], names[i]));
  return agon::listed(words);
}

std::string tell(const PrivateValues&, const agon::Scene&) {
  return {};  // it stands in every view
}

std::string tell(const Claimed& c, const agon::Scene& scene) {
  if (!c.values)
    return scene.does(c.seat, "states", "state") + " nothing of what the items are worth to " +
           (scene.is_reader(c.seat) ? "you." : "it.");
  const std::vector<std::string> names = item_names(scene.settings<Settings>());
  std::vector<std::string> words;
  for (std::size_t i = 0; i < c.values->size(); ++i)
    words.push_back(fmt::format("a {} {}", names[i], (*c.values)[i]));
  return fmt::format("{} what the items are worth to {}: {}, in points each.",
                     scene.does(c.seat, "states", "state"), scene.is_reader(c.seat) ? "you" : "it",
                     agon::listed(words));
}

std::string tell(const ClaimView& v, const agon::Scene&) {
  return piles_text(v.items);
}

std::string tell(const OfferMade& o, const agon::Scene& scene) {
  const bool own = scene.is_reader(o.seat);
  std::string text =
      fmt::format("Offer {}: {} {} and leave the rest", o.turn,
                  scene.does(o.seat, "would keep", "would keep"), part_text(o.keep, scene));
  if (o.text.empty()) return text + ".";
  return text + (own ? ", and say: " : ", and says: ") + agon::speech(o.text);
}

std::string tell(const Agreed& a, const agon::Scene& scene) {
  std::string text = scene.does(a.seat, "agrees", "agree");
  if (!a.text.empty())
    text += (scene.is_reader(a.seat) ? " and say: " : " and says: ") + agon::speech(a.text);
  if (!text.ends_with('"')) text += ".";
  for (const int seat : {0, 1})
    text += fmt::format(" {} {}.", scene.does(seat, "gets", "get"),
                        part_text(a.parts[static_cast<std::size_t>(seat)], scene));
  if (a.factor != 1) text += fmt::format(" {:.4g} of their worth counts.", a.factor);
  return text;
}

std::string tell(const BrokenDown& broken, const agon::Scene&) {
  return fmt::format("The talks broke down by chance after offer {}: no deal.", broken.turn);
}

std::string tell(const OutOfTurns&, const agon::Scene&) {
  return "That was the last offer: no deal.";
}

std::string tell(const MessageSent& m, const agon::Scene& scene) {
  const bool own = scene.is_reader(m.seat);
  std::vector<std::string> deeds;
  if (!m.text.empty()) deeds.push_back((own ? "say: " : "says: ") + agon::speech(m.text));
  if (m.proposal)
    deeds.push_back((own ? "propose" : "proposes") +
                    (" to take " + part_text(m.proposal->take, scene)) + " and leave the rest");
  if (m.halt) deeds.emplace_back(own ? "want to stop talking" : "wants to stop talking");
  if (deeds.empty()) deeds.emplace_back(own ? "say nothing" : "says nothing");
  const bool speech_last = deeds.size() == 1 && !m.text.empty();
  const std::string what = agon::listed(deeds);
  return fmt::format("Round {}: {}{}", m.round, scene.does(m.seat, what, what),
                     speech_last ? "" : ".");
}

std::string tell(const TalkEnded& ended, const agon::Scene&) {
  switch (ended.why) {
    case TalkStop::none:
      break;
    case TalkStop::both_halted:
      return "The talks are over: both sides wanted to stop.";
    case TalkStop::settled:
      return "The talks are over: the last proposals are the same split.";
    case TalkStop::out_of_rounds:
      return "The talks are over: that was the last round.";
  }
  return "The talks are over.";
}

std::string tell(const Presented& p, const agon::Scene& scene) {
  std::string text;
  for (const int seat : {0, 1}) {
    const auto& take = p.takes[static_cast<std::size_t>(seat)];
    text += (take ? scene.does(seat, "takes", "take") + " " + part_text(*take, scene)
                  : scene.does(seat, "leaves", "leave") + " without a deal") +
            ". ";
  }
  return text + (p.deal                     ? "That fits together: it is a deal."
                 : p.takes[0] && p.takes[1] ? "That does not fit together: no deal."
                                            : "There is no deal.");
}

std::string tell(const BeliefJudged& j, const agon::Scene& scene) {
  return fmt::format(
      "After round {}, {} holds {} of {} valuations possible, and the true one is {}. Precision "
      "{}, "
      "recall {}, ruled out {}; up to valuations with the same best splits: precision {}, recall "
      "{}.",
      j.round, scene.name(j.seat), j.size, j.prior,
      j.precision > 0 ? "among them" : "not among them", share(j.precision), share(j.recall),
      share(j.reduction), share(j.precision_alike), share(j.recall_alike));
}

std::string tell(const OfferView& v, const agon::Scene& scene) {
  std::string text = piles_text(v.items) + "\n";
  if (!v.you_would_get)
    return text + (v.offers_left <= 1
                       ? "You make the only offer: it ends the game without a deal."
                       : fmt::format("You make the first offer. {} can be made in all, and the "
                                     "last of them ends the game without a deal.",
                                     agon::counted(v.offers_left, "offer", "offers")));
  text += fmt::format("If you agree now you get {}", part_text(*v.you_would_get, scene));
  if (v.factor != 1) text += fmt::format(", and {:.4g} of their worth counts", v.factor);
  return text +
         (v.offers_left <= 1
              ? ". You can agree, or make the last offer, which ends the game without a deal."
              : fmt::format(". You can agree, or make an offer of your own. {} can still be made, "
                            "yours now included; the last of them ends the game without a deal.",
                            agon::counted(v.offers_left, "offer", "offers")));
}

std::string tell(const TalkView& v, const agon::Scene& scene) {
  std::string text = piles_text(v.items);
  if (v.your_proposal)
    text += fmt::format("\nYou would take {} by your latest proposal.",
                        part_text(*v.your_proposal, scene));
  if (v.their_proposal)
    text += fmt::format("\nThe other side would take {} by its latest proposal.",
                        part_text(*v.their_proposal, scene));
  if (v.rounds_left == 0) return text;  // that the talks are over was told
  return text + fmt::format("\nThis is round {} of {}.", v.round, v.round + v.rounds_left - 1);
}

std::string tell(const BeliefView& v, const agon::Scene&) {
  return fmt::format("Round {} is over. {}\nTogether they are worth {} points to the other side.",
                     v.round, piles_text(v.items), v.total_value);
}

}  // namespace deal_or_no_deal
