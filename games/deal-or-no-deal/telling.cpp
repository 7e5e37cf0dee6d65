#include "deal-or-no-deal/telling.hpp"

#include <fmt/format.h>

#include <array>

#include "deal-or-no-deal/cases.hpp"

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
  const std::vector<std::string> names = item_names(scene.settings<Settings>());
  std::vector<std::string> words;
  for (std::size_t i = 0; i < part.size(); ++i) words.push_back(items_of(part[i], names[i]));
  return agon::listed(words);
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

std::string tell(const PrivateValues&, const agon::Scene&) {
  return {};  // it stands in every view
}

std::string tell(const OfferMade& o, const agon::Scene& scene) {
  std::string text = fmt::format("Offer {}: {} would keep {} and leave the rest", o.turn,
                                 scene.name(o.seat), part_text(o.keep, scene));
  return text + (o.text.empty() ? "." : ", and says: " + agon::speech(o.text));
}

std::string tell(const Agreed& a, const agon::Scene& scene) {
  std::string text = fmt::format("{} agrees", scene.name(a.seat));
  text += a.text.empty() ? "." : " and says: " + agon::speech(a.text);
  text += fmt::format(" {} gets {}; {} gets {}.", scene.name(0), part_text(a.parts[0], scene),
                      scene.name(1), part_text(a.parts[1], scene));
  if (a.factor != 1) text += fmt::format(" Both scores are multiplied by {:.4g}.", a.factor);
  return text;
}

std::string tell(const BrokenDown& broken, const agon::Scene&) {
  return fmt::format("The talks broke down by chance after offer {}: no deal.", broken.turn);
}

std::string tell(const OutOfTurns&, const agon::Scene&) {
  return "That was the last offer: no deal.";
}

std::string tell(const MessageSent& m, const agon::Scene& scene) {
  std::vector<std::string> deeds;
  if (!m.text.empty()) deeds.push_back("says: " + agon::speech(m.text));
  if (m.proposal)
    deeds.push_back("proposes to take " + part_text(m.proposal->take, scene) +
                    " (leaving the rest)");
  if (m.halt) deeds.emplace_back("wants to stop talking");
  if (deeds.empty()) deeds.emplace_back("says nothing");
  const bool speech_last = deeds.size() == 1 && !m.text.empty();
  return fmt::format("Round {}: {} {}{}", m.round, scene.name(m.seat), agon::listed(deeds),
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
  for (std::size_t seat = 0; seat < 2; ++seat)
    text += fmt::format(
        "{} {}. ", scene.seats()[seat],
        p.takes[seat] ? "takes " + part_text(*p.takes[seat], scene) : "leaves without a deal");
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
  if (v.you_would_get) {
    text += fmt::format("If you agree now you get {}", part_text(*v.you_would_get, scene));
    if (scene.settings<Settings>().discount < 1)
      text += fmt::format(", and your score is multiplied by {:.4g}", v.factor);
    text += ".";
  } else {
    text += "There is no offer to agree to yet.";
  }
  text += fmt::format(" This is decision {}. ", v.turn);
  return text + (v.offers_left <= 1
                     ? std::string("Another offer would be the last: it ends the game without a "
                                   "deal.")
                     : fmt::format("{} more can be made, yours now included; the last of them ends "
                                   "the game without a deal.",
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
