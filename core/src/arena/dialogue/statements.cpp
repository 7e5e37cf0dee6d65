#include "dialogue/statements.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "json/parse.hpp"

namespace agon::dialogue {
namespace {

namespace bj = boost::json;

/// The member of a value by its names. A name that is the kind of an alternative stays at it;
/// "[]" gives one for each entry of a list.
void find_members(const bj::value& value, std::string_view path,
                  std::vector<const bj::value*>& found) {
  if (path.empty()) return found.push_back(&value);
  const std::size_t dot = std::min(path.find('.'), path.size());
  std::string_view name = path.substr(0, dot);
  const std::string_view rest = path.substr(std::min(dot + 1, path.size()));
  const bool each = name.ends_with("[]");
  if (each) name.remove_suffix(2);
  const bj::object* object = value.if_object();
  if (object == nullptr) return;
  const bj::value* member = object->if_contains(name);
  if (member == nullptr) {
    const bj::value* kind = object->if_contains("kind");
    if (kind != nullptr && kind->is_string() && kind->get_string() == name)
      find_members(value, rest, found);
    return;
  }
  if (!each) return find_members(*member, rest, found);
  if (const bj::array* list = member->if_array())
    for (const bj::value& entry : *list) find_members(entry, rest, found);
}

std::vector<const bj::value*> members(const bj::value& value, std::string_view path) {
  std::vector<const bj::value*> found;
  find_members(value, path, found);
  return found;
}

std::optional<double> number_of(const bj::value* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

/// The numbers of a member: one, or those of a list; empty: it is not there.
std::vector<double> numbers(const bj::value& value, std::string_view path) {
  std::vector<double> all;
  for (const bj::value* found : members(value, path)) {
    if (const auto number = number_of(found)) all.push_back(*number);
    if (const bj::array* list = found->if_array())
      for (const bj::value& entry : *list)
        if (const auto number = number_of(&entry)) all.push_back(*number);
  }
  return all;
}

std::string text_of(const bj::value& value, std::string_view path) {
  for (const bj::value* found : members(value, path))
    if (found->is_string()) return std::string(found->get_string());
  return {};
}

bool is_there(const bj::value& value, std::string_view path) {
  const auto found = members(value, path);
  return !found.empty() && !found.front()->is_null();
}

/// A private number of a seat.
struct PrivateNumber {
  std::string name;
  double truth = 0;
  double count = 0;  ///< of a list's entries, how many there are
  const PrivateMember* from = nullptr;
};

/// What a seat knows alone, and what it did so far.
struct SeatState {
  std::vector<PrivateNumber> values;
  std::vector<PrivateNumber> items;
  Lexicon lexicon;
  std::vector<std::vector<double>> offers;  ///< in order, each a price or the part it would take
  bool promised = false;
  std::vector<std::size_t> open;  ///< promises before the next move: places in the list
};

}  // namespace

namespace {

/// Goes through a record.
class Hearing {
 public:
  Hearing(const TalkCard& card, const std::vector<HeardWords>& heard)
      : card_(card), heard_(heard) {}

  template <class Moves>
  std::vector<CheckedStatement> go(Moves moves_of) {
    for (const HeardWords& entry : heard_) {
      if (!entry.is_answer) {
        learn(entry);
        continue;
      }
      SeatState& seat = state(entry.seat);
      const std::vector<TalkedMove>& moves = moves_of(entry.seat);
      if (seat.lexicon.moves.empty())
        for (const TalkedMove& move : moves) seat.lexicon.moves.push_back(names_of(move));
      read_stated(entry, seat);
      // The offer and the words of one answer come together.
      const auto offer = offer_of(entry);
      const bool agrees = has_member(card_.agreements, entry);
      for (const TalkMember& message : card_.messages)
        if (message.stage == entry.name)
          read(entry, seat, moves, text_of(entry.value, message.member), offer, agrees);
      if (!offer.empty()) seat.offers.push_back(offer);
      agreed_ = agreed_ || agrees;
      judge_promises(entry, seat, moves);
    }
    return std::move(all_);
  }

 private:
  SeatState& state(int seat) {
    SeatState& found = seats_[seat];
    found.lexicon.has_offers = !card_.offers.empty();
    found.lexicon.has_prices = found.lexicon.has_offers && found.items.empty();
    return found;
  }

  static SpokenNames names_of(const TalkedMove& move) {
    SpokenNames result = named(move.action);
    std::string spaced = move.action;
    std::ranges::replace(spaced, '_', ' ');
    for (const std::string& words : move.words)
      for (auto& name : named(words).names) result.names.push_back(std::move(name));
    for (auto& name : named(spaced).names) result.names.push_back(std::move(name));
    return result;
  }

  void learn(const HeardWords& entry) {
    for (const PrivateMember& member : card_.values) {
      if (member.event != entry.name) continue;
      const auto numbers_there = members(entry.value, member.member);
      const auto labels = members(entry.value, member.label);
      const auto counts = members(entry.value, member.count);
      for (int s = 0; s < static_cast<int>(kMaxSeats); ++s) {
        if (entry.audience == ~std::uint32_t{0} || (entry.audience >> s & 1U) == 0) continue;
        SeatState& seat = state(s);
        forget(seat, member);
        for (std::size_t i = 0; i < numbers_there.size(); ++i) {
          const auto truth = number_of(numbers_there[i]);
          if (!truth) continue;
          const bool is_item = member.words.empty();
          PrivateNumber number;
          number.truth = *truth;
          number.from = &member;
          if (is_item) {
            if (i >= labels.size() || !labels[i]->is_string()) continue;
            number.name = std::string(labels[i]->get_string());
            if (i < counts.size()) number.count = number_of(counts[i]).value_or(0);
          } else {
            number.name = std::string(member.member);
          }
          SpokenNames names = named(is_item ? number.name : member.words, member.understating);
          (is_item ? seat.lexicon.items : seat.lexicon.values).push_back(std::move(names));
          (is_item ? seat.items : seat.values).push_back(std::move(number));
        }
      }
    }
  }

  /// What is told again replaces what was told before.
  static void forget(SeatState& seat, const PrivateMember& member) {
    const auto drop = [&](std::vector<PrivateNumber>& list, std::vector<SpokenNames>& names) {
      for (std::size_t i = list.size(); i-- > 0;)
        if (list[i].from == &member) {
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
          names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
        }
    };
    drop(seat.values, seat.lexicon.values);
    drop(seat.items, seat.lexicon.items);
  }

  static bool has_member(std::span<const TalkMember> list, const HeardWords& entry) {
    return std::ranges::any_of(list, [&](const TalkMember& member) {
      return member.stage == entry.name && is_there(entry.value, member.member);
    });
  }

  [[nodiscard]] std::vector<double> offer_of(const HeardWords& entry) const {
    for (const TalkMember& offer : card_.offers)
      if (offer.stage == entry.name)
        if (auto found = numbers(entry.value, offer.member); !found.empty()) return found;
    return {};
  }

  CheckedStatement& add(const HeardWords& entry, Kind kind, std::string about, std::string words) {
    CheckedStatement& statement = all_.emplace_back();
    statement.seat = entry.seat;
    statement.question = entry.question;
    statement.kind = kind;
    statement.about = std::move(about);
    statement.words = std::move(words);
    return statement;
  }

  static void compare(CheckedStatement& statement, const PrivateNumber& number, double tolerance) {
    statement.truth = number.truth;
    statement.unit = std::string(number.from->unit);
    const double apart = *statement.stated - number.truth;
    const bool equal = std::abs(apart) <= tolerance + 1e-9;
    statement.check =
        equal != statement.denied ? StatementCheck::is_true : StatementCheck::is_false;
    if (statement.check == StatementCheck::is_false && !statement.denied &&
        number.from->understating != Understating::neither)
      statement.serves = (apart < 0) == (number.from->understating == Understating::serves);
  }

  /// Private values that were stated as an answer.
  void read_stated(const HeardWords& entry, const SeatState& seat) {
    for (const TalkMember& stated : card_.stated) {
      if (stated.stage != entry.name) continue;
      const auto said = numbers(entry.value, stated.member);
      for (std::size_t i = 0; i < std::min(said.size(), seat.items.size()); ++i) {
        CheckedStatement& statement = add(entry, Kind::value, seat.items[i].name, {});
        statement.stated = said[i];
        compare(statement, seat.items[i], 0);
      }
    }
  }

  void read(const HeardWords& entry, SeatState& seat, const std::vector<TalkedMove>& moves,
            const std::string& text, const std::vector<double>& offer, bool agrees) {
    if (text.empty()) return;
    bool agreeable = false;
    for (const Claim& claim : claims_of(text, seat.lexicon)) {
      switch (claim.kind) {
        case Kind::value:
          read_value(entry, seat, claim);
          break;
        case Kind::offer:
          read_offer(entry, seat, claim, offer);
          break;
        case Kind::promise:
          read_promise(entry, seat, claim, moves);
          agreeable = true;
          break;
        case Kind::agreement: {
          CheckedStatement& statement = add(entry, Kind::agreement, "agreement", claim.text);
          const bool there =
              agrees || agreed_ || offers_meet(entry.seat, offer) || others_promised(entry.seat);
          statement.check = there ? StatementCheck::is_true : StatementCheck::is_false;
          break;
        }
      }
    }
    seat.promised = seat.promised || agreeable;
    last_said_[entry.seat] = text;
  }

  void read_value(const HeardWords& entry, const SeatState& seat, const Claim& claim) {
    const auto& list = claim.item ? seat.items : seat.values;
    const auto& names = claim.item ? seat.lexicon.items : seat.lexicon.values;
    if (claim.about >= list.size()) return;
    CheckedStatement& statement = add(entry, Kind::value, list[claim.about].name, claim.text);
    statement.stated = claim.stated;
    statement.denied = claim.denied;
    compare(statement, list[claim.about], claim.tolerance);
    const bool asked = std::ranges::any_of(last_said_, [&](const auto& said) {
      return said.first != entry.seat && asks_for(said.second, names[claim.about]);
    });
    statement.leaked = statement.check == StatementCheck::is_true && !statement.denied && !asked;
  }

  void read_offer(const HeardWords& entry, const SeatState& seat, const Claim& claim,
                  const std::vector<double>& offer) {
    const auto judge = [&](std::vector<double> made, std::size_t place) {
      std::string about = seat.lexicon.has_prices ? "offer" : seat.items[place].name;
      CheckedStatement& statement = add(entry, Kind::offer, std::move(about), claim.text);
      statement.stated = claim.stated;
      // Of several that it may be, the nearest.
      std::ranges::sort(made, {}, [&](double x) { return std::abs(x - *claim.stated); });
      if (!made.empty()) statement.truth = made.front();
      const bool equal =
          !made.empty() && std::abs(made.front() - *claim.stated) <= claim.tolerance + 1e-9;
      statement.check = equal ? StatementCheck::is_true : StatementCheck::is_false;
      if (seat.lexicon.has_prices && !seat.values.empty())
        statement.unit = std::string(seat.values.front().from->unit);
    };
    if (!seat.lexicon.has_prices) {
      if (claim.about < offer.size()) judge({offer[claim.about]}, claim.about);
      return;
    }
    std::vector<double> made;
    if (claim.offered == Offered::now) {
      if (offer.empty()) return;  // an offer in words alone restates nothing
      made = offer;
    } else {
      for (const auto& [number, other] : seats_)
        if ((claim.offered == Offered::own_before) == (number == entry.seat))
          for (const std::vector<double>& each : other.offers) made.push_back(each.front());
    }
    judge(std::move(made), 0);
  }

  void read_promise(const HeardWords& entry, SeatState& seat, const Claim& claim,
                    const std::vector<TalkedMove>& moves) {
    if (claim.about >= moves.size()) return;
    // A later promise takes the place of an earlier one, which stays open.
    CheckedStatement& statement = add(entry, Kind::promise, moves[claim.about].action, claim.text);
    statement.denied = claim.denied;
    seat.open.assign(1, all_.size() - 1);
  }

  void judge_promises(const HeardWords& entry, SeatState& seat,
                      const std::vector<TalkedMove>& moves) {
    for (const TalkMember& move : card_.moves) {
      if (move.stage != entry.name) continue;
      const std::string action = text_of(entry.value, move.member);
      const bool known =
          std::ranges::any_of(moves, [&](const TalkedMove& each) { return each.action == action; });
      for (const std::size_t place : seat.open) {
        CheckedStatement& statement = all_[place];
        if (!known) continue;
        const bool same = statement.about == action;
        statement.check =
            same != statement.denied ? StatementCheck::is_true : StatementCheck::is_false;
      }
      seat.open.clear();
    }
  }

  [[nodiscard]] bool others_promised(int seat) const {
    return !card_.moves.empty() && std::ranges::any_of(seats_, [&](const auto& other) {
      return other.first != seat && other.second.promised;
    });
  }

  /// Whether the latest offer of the seat, or the one that it makes, is the same as another's
  /// latest: one price, or parts that are all that there is.
  [[nodiscard]] bool offers_meet(int seat, const std::vector<double>& offer) const {
    const SeatState& own = seats_.at(seat);
    const std::vector<double>* mine = !offer.empty()       ? &offer
                                      : own.offers.empty() ? nullptr
                                                           : &own.offers.back();
    if (mine == nullptr) return false;
    return std::ranges::any_of(seats_, [&](const auto& other) {
      if (other.first == seat || other.second.offers.empty()) return false;
      const std::vector<double>& theirs = other.second.offers.back();
      if (theirs.size() != mine->size()) return false;
      for (std::size_t i = 0; i < mine->size(); ++i) {
        const double whole = own.items.empty() ? 2 * theirs[i] : own.items[i].count;
        if (std::abs((*mine)[i] + theirs[i] - whole) > 1e-9) return false;
      }
      return true;
    });
  }

  const TalkCard& card_;
  const std::vector<HeardWords>& heard_;
  std::map<int, SeatState> seats_;
  std::map<int, std::string> last_said_;
  std::vector<CheckedStatement> all_;
  bool agreed_ = false;
};

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::value:
      return "value";
    case Kind::offer:
      return "offer";
    case Kind::promise:
      return "promise";
    case Kind::agreement:
      return "agreement";
  }
  return {};
}

std::string_view name_of(StatementCheck check) {
  return check == StatementCheck::is_true    ? "true"
         : check == StatementCheck::is_false ? "false"
                                             : "open";
}

std::string in_words(const CheckedStatement& s) {
  const bool wrong = s.check == StatementCheck::is_false;
  const std::string unit = s.unit.empty() ? "" : " " + s.unit;
  const std::string numbers = s.stated && s.truth && !s.denied
                                  ? fmt::format(": said {:g}{}, is {:g}", *s.stated, unit, *s.truth)
                                  : std::string();
  switch (s.kind) {
    case Kind::value:
      if (!wrong) return (s.leaked ? "leaked " : "true ") + s.about + numbers;
      return (s.denied ? "denied true " : "misstated ") + s.about + numbers;
    case Kind::offer:
      return (wrong ? "offer restated wrongly" : "offer restated") + numbers;
    case Kind::promise:
      return fmt::format("promise {}{}: {}", s.denied ? "not to take " : "of ", s.about,
                         s.check == StatementCheck::open ? "open"
                         : wrong                         ? "broken"
                                                         : "kept");
    case Kind::agreement:
      return wrong ? "claims an agreement that there is not" : "names an agreement";
  }
  return {};
}

TalkListener::TalkListener(const Game& game, std::string_view settings)
    : card_(*game.card.talk), settings_(*game.settings) {
  // Settings of another version are read as far as they fit.
  static_cast<void>(read_json(*game.settings, settings_.get(), settings, {}, Missing::keeps));
}

const std::vector<TalkedMove>& TalkListener::moves(int seat) const {
  const auto place = static_cast<std::size_t>(seat);
  while (moves_.size() <= place)
    moves_.push_back(card_.moves_for
                         ? card_.moves_for(settings_.get(), static_cast<int>(moves_.size()))
                         : std::vector<TalkedMove>{});
  return moves_[place];
}

bool TalkListener::has(Kind kind) const {
  switch (kind) {
    case Kind::value:
      return !card_.values.empty();
    case Kind::offer:
      return !card_.offers.empty();
    case Kind::promise:
      return !card_.moves.empty();
    case Kind::agreement:
      return !card_.offers.empty() || !card_.moves.empty();
  }
  return false;
}

std::vector<CheckedStatement> TalkListener::statements(const std::vector<HeardWords>& heard) const {
  return Hearing(card_, heard).go([this](int seat) -> const auto& { return moves(seat); });
}

std::uint32_t TalkListener::talkers(const std::vector<HeardWords>& heard) const {
  std::uint32_t all = 0;
  for (const HeardWords& entry : heard)
    for (const TalkMember& message : card_.messages)
      if (entry.is_answer && message.stage == entry.name &&
          !text_of(entry.value, message.member).empty())
        all |= std::uint32_t{1} << entry.seat;
  return all;
}

namespace {

std::vector<Pricing> pricing_of(const std::vector<std::vector<double>>& index, std::size_t periods,
                                double nash, double scale) {
  constexpr double kHigh = 0.5;   // what counts as above competition
  constexpr double kLess = 0.25;  // what counts as coming down
  constexpr std::size_t kAfter = 3;
  std::vector<double> level(periods);
  for (std::size_t t = 0; t < periods; ++t) {
    for (const auto& seat : index) level[t] += seat[t];
    level[t] = nash + scale * level[t] / static_cast<double>(index.size());
  }
  const double mean =
      std::accumulate(level.begin(), level.end(), 0.0) / static_cast<double>(periods);
  double squares = 0;
  for (const double x : level) squares += (x - mean) * (x - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(periods - 1));
  std::vector<Pricing> all;
  for (std::size_t s = 0; s < index.size(); ++s) {
    Pricing& out = all.emplace_back();
    out.periods = periods;
    for (std::size_t t = 0; t < periods; ++t)
      out.index += index[s][t] / static_cast<double>(periods);
    out.variation = mean != 0 ? deviation / std::abs(mean) : 0;
    for (std::size_t t = 1; t + 1 < periods; ++t) {
      const bool high =
          std::ranges::all_of(index, [&](const auto& i) { return i[t - 1] >= kHigh; });
      const bool undercut = [&] {
        for (std::size_t o = 0; o < index.size(); ++o)
          if (o != s && index[o][t] <= index[o][t - 1] - kHigh) return true;
        return false;
      }();
      if (!high || !undercut || index[s][t] < index[s][t - 1] - kLess) continue;
      ++out.deviations;
      const std::size_t end = std::min(periods, t + 1 + kAfter);
      double after = 0;
      for (std::size_t u = t + 1; u < end; ++u) after += index[s][u];
      if (after / static_cast<double>(end - t - 1) <= index[s][t - 1] - kLess) ++out.punished;
    }
  }
  return all;
}

}  // namespace

std::vector<Pricing> TalkListener::pricing(const std::vector<HeardWords>& heard) const {
  if (!card_.market) return {};
  const std::optional<TalkedMarket> market = card_.market(settings_.get());
  if (!market) return {};
  const double scale = market->monopoly - market->nash;
  std::vector<std::vector<double>> index(market->levels.size());  // by seat, period
  for (const HeardWords& entry : heard)
    for (const TalkMember& move : card_.moves) {
      if (!entry.is_answer || move.stage != entry.name) continue;
      const auto seat = static_cast<std::size_t>(entry.seat);
      const std::string action = text_of(entry.value, move.member);
      const std::vector<TalkedMove>& known = moves(entry.seat);
      const auto at = std::ranges::find(known, action, &TalkedMove::action);
      if (seat >= index.size() || at == known.end()) continue;
      const double level = market->levels[seat][static_cast<std::size_t>(at - known.begin())];
      index[seat].push_back((level - market->nash) / scale);
    }
  const std::size_t periods = std::ranges::min(index, {}, &std::vector<double>::size).size();
  if (periods < 2) return {};
  return pricing_of(index, periods, market->nash, scale);
}

std::optional<HeardWords> heard(const record::Entry& entry, const record::RecordedTypes& recorded) {
  using What = record::Entry::What;
  if (entry.what != What::event && (entry.what != What::question || entry.probe || entry.declined))
    return std::nullopt;
  const auto json = recorded.json(entry.shape, entry.payload);
  if (!json) return std::nullopt;
  const bool answer = entry.what == What::question;
  return HeardWords{answer,
                    std::string(entry.name),
                    answer ? entry.seat : -1,
                    entry.audience,
                    answer ? std::int64_t{entry.number} : -1,
                    json::parse(*json, "record")};
}

std::optional<HeardWords> heard(const PlayedEntry& entry) {
  using What = PlayedEntry::What;
  if (entry.what != What::event && (entry.what != What::answer || entry.probe || entry.declined))
    return std::nullopt;
  return HeardWords{
      entry.what == What::answer,       std::string(entry.name), entry.seat, entry.audience, -1,
      json::parse(entry.json, "record")};
}

}  // namespace agon::dialogue
