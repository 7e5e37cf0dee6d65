#pragma once

#include <agon/inline_list.hpp>
#include <optional>
#include <span>

#include "bargaining/events.hpp"
#include "bargaining/settings.hpp"

namespace bargaining {

/// Are two prices the same offer? (Published evaluation; see Tolerance.)
[[nodiscard]] bool same_price(agon::Money a, agon::Money b, Tolerance tolerance);

/// Prices in words, each once.
[[nodiscard]] std::string prices_text(std::span<const agon::Money> prices);

/// All that has been said in a match, and the offers in it. Held in place.
class Session {
 public:
  /// Adds a message. A side makes offers only of its own kind: a BUY of the seller or a SELL of the
  /// buyer is kept as said, but it is no offer.
  void add(int turn, Side side, const Message& message);

  [[nodiscard]] std::span<const Utterance> history() const {
    return {history_.data(), history_.size()};
  }
  /// The prices that a side has offered, oldest first. A REJECT takes none of them back.
  [[nodiscard]] std::span<const agon::Money> offers(Side side) const {
    const auto& list = side == Side::buyer ? buys_ : sells_;
    return {list.data(), list.size()};
  }
  /// Does a DEAL of this side at this price take up any earlier offer of the other side?
  [[nodiscard]] bool takes_offer(Side side, agon::Money price, Tolerance tolerance) const;

 private:
  agon::InlineList<Utterance, 2 * kMaxTurnsLimit> history_;
  agon::InlineList<agon::Money, kMaxTurnsLimit> buys_;
  agon::InlineList<agon::Money, kMaxTurnsLimit> sells_;
};

/// Why a DEAL takes up no offer; empty if it does.
[[nodiscard]] std::string why_no_deal(const Session& session, Side side, const Message& message,
                                      Tolerance tolerance);

/// The end that a message of this side brings, judged before it is added to the session; nothing
/// while talk goes on.
[[nodiscard]] std::optional<End> end_after(const Session& session, Side side, const Action& action,
                                           Tolerance tolerance);

}  // namespace bargaining
