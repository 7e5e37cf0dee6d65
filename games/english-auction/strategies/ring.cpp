#include "english-auction/strategies/ring.hpp"

#include <algorithm>
#include <cctype>

namespace english_auction {

namespace {

constexpr std::string_view kOffer =
    "Let us take turns: in the order in which we say so, each of us has an item, and the others "
    "leave it alone.";

/// A remark is an offer if it has these words, whoever chose them.
bool offers_turns(std::string_view text) {
  constexpr std::string_view kWords = "take turns";
  return std::search(text.begin(), text.end(), kWords.begin(), kWords.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         }) != text.end();
}

}  // namespace

std::vector<std::string_view> Ring::members(std::span<const Remark> talk) {
  std::vector<std::string_view> all;
  for (const Remark& remark : talk)
    if (offers_turns(remark.text) && std::find(all.begin(), all.end(), remark.bidder) == all.end())
      all.push_back(remark.bidder);
  return all;
}

std::string_view Ring::turn(std::span<const Remark> talk, int number) {
  const std::vector<std::string_view> all = members(talk);
  if (all.size() < 2) return {};
  return all[static_cast<std::size_t>(number - 1) % all.size()];
}

void Ring::answer(agon::Question& question) const {
  if (Message* message = question.answer<Message>()) {
    const TalkView* view = question.view<TalkView>();
    if (view == nullptr) return question.decline();
    const std::vector<std::string_view> all = members(view->talk);
    const auto& limits = question.limits();
    const bool fits = std::all_of(limits.begin(), limits.end(), [](const agon::LimitData& limit) {
      return static_cast<std::int64_t>(kOffer.size()) <= limit.hi;
    });
    const bool said = std::find(all.begin(), all.end(), view->me) != all.end();
    message->text = said || view->desire == Desire::shill ? "" : fits ? kOffer : "Take turns.";
    return;
  }
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return buyer_.answer(question);
  const std::vector<std::string_view> all = members(view->talk);
  const bool is_in = std::find(all.begin(), all.end(), view->me) != all.end();
  const std::string_view whose = turn(view->talk, view->number);
  if (keeps_ && is_in && !whose.empty() && whose != view->me)
    bid->move = Withdraw{};
  else
    buyer_.answer(question);
}

agon::AgentCard ring_card() {
  return agon::agent<Ring>(
      {.id = "ring",
       .game = "english-auction",
       .doc =
           "Offers to take turns where bidders may talk. With all who have said so too it leaves "
           "each item to one of them, in turn; on its own items, without talk, and with nobody "
           "to take turns with it bids as value-cap does. Whoever says \"take turns\", a model or "
           "a person too, is taken at its word.",
       .source = "bid rotation, as in the economics of bidding rings; the scheme is our own"});
}

}  // namespace english_auction
