#include "dialogue/claims.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace agon::dialogue {
namespace {

using Words = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Words list) {
  return std::ranges::find(list, word) != list.end();
}

/// A clause as rules look at it.
class ClaimReading {
 public:
  explicit ClaimReading(const Clause& clause) : clause_(clause), tokens_(clause.tokens) {}

  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  [[nodiscard]] const Token& at(std::size_t i) const { return tokens_[i]; }
  [[nodiscard]] std::string_view word(std::size_t i) const {
    return i < size() ? std::string_view(tokens_[i].word) : std::string_view();
  }
  [[nodiscard]] bool has(Words list) const { return find(list) < size(); }
  [[nodiscard]] std::size_t find(Words list, std::size_t from = 0) const {
    while (from < size() && !is_one_of(word(from), list)) ++from;
    return from;
  }
  /// Whether these words stand at this place one after the other.
  [[nodiscard]] bool stands(std::size_t i, Words words) const {
    for (const std::string_view each : words)
      if (word(i++) != each) return false;
    return true;
  }
  /// Whether they stand one after the other anywhere.
  [[nodiscard]] bool has_phrase(Words words) const {
    for (std::size_t i = 0; i < size(); ++i)
      if (stands(i, words)) return true;
    return false;
  }
  /// How many tokens a name takes that begins here; 0: none does. Plurals count.
  [[nodiscard]] std::size_t name_at(std::size_t i, const SpokenNames& named) const {
    for (const std::vector<std::string>& name : named.names) {
      bool all = !name.empty();
      for (std::size_t k = 0; all && k < name.size(); ++k) {
        const std::string_view said = word(i + k);
        const bool last = k + 1 == name.size();
        all = said == name[k] ||
              (last && (said == name[k] + "s" || said == name[k] + "'s" || said == name[k] + "es"));
      }
      if (all) return name.size();
    }
    return 0;
  }
  /// What is supposed, quoted, asked or reported of others is no statement of the speaker's own.
  [[nodiscard]] bool states() const {
    return !clause_.is_question &&
           !has({"if", "unless", "suppose", "imagine", "wish", "whether", "assume", "pretend"}) &&
           !is_one_of(word(0), {"would", "could", "is", "are", "do", "does"}) &&
           !(word(0) == "you" && is_one_of(word(1), {"said", "say", "think", "claim", "believe",
                                                     "told", "claimed", "thought", "assume"}));
  }
  [[nodiscard]] bool in_first_person() const {
    return has({"i", "i'm", "i'll", "i've", "i'd", "my", "me", "mine", "myself", "our", "we"});
  }
  [[nodiscard]] const std::string& text() const { return clause_.text; }

 private:
  const Clause& clause_;
  const std::vector<Token>& tokens_;
};

/// Words between what is named and its number that leave the sentence what it is.
bool connects(std::string_view word) {
  return is_one_of(word, {"is",      "was",   "are",    "of",      "at",        "'s",
                          ":",       "=",     "only",   "just",    "exactly",   "actually",
                          "really",  "about", "around", "roughly", "precisely", "approximately",
                          "a",       "the",   "to",     "for",     "me",        "strictly",
                          "firmly",  "set",   "fixed",  "stands",  "on",        "this",
                          "item",    "it",    "each",   "worth",   "value",     "valued",
                          "i",       "have",  "here",   "true",    "honestly",  "-",
                          "one",     ",",     "(",      "per",     "points",    "still",
                          "remains", "in",    "total",  "not",     "isn't",     "wasn't",
                          "aren't",  "and"});
}
bool approximates(std::string_view word) {
  return is_one_of(word, {"about", "around", "roughly", "approximately", "nearly", "almost"});
}
bool negates(std::string_view word) {
  return is_one_of(word, {"not", "isn't", "wasn't", "aren't", "never", "no", "won't", "don't",
                          "can't", "cannot", "couldn't", "wouldn't", "haven't", "didn't"});
}

/// A number that is an amount: no share, and no number of a round or a choice.
bool is_amount(const ClaimReading& r, std::size_t i) {
  if (i >= r.size() || !r.at(i).number || r.at(i).percent) return false;
  return i == 0 || !is_one_of(r.word(i - 1), {"round", "turn", "day", "step", "option", "choice",
                                              "action", "period", "game", "number", "item", "lot"});
}

/// What is said of a number: half of its last digit is left open, more where it is "about" that.
double tolerance_of(const Token& token, bool about) {
  const double said = std::abs(*token.number);
  return std::max(token.precision / 2, about ? said / 20 : said / 100);
}

/// The number that a name leads to from `from` on; nothing where other words come between.
struct Led {
  std::size_t at = 0;
  bool about = false;
  bool denied = false;
};
std::optional<Led> number_after(const ClaimReading& r, std::size_t from) {
  constexpr std::size_t kFar = 8;
  Led led;
  for (led.at = from; led.at < std::min(r.size(), from + kFar); ++led.at) {
    if (is_amount(r, led.at)) return led;
    const std::string_view word = r.word(led.at);
    if (!connects(word) && !approximates(word)) return std::nullopt;
    led.about = led.about || approximates(word);
    led.denied = led.denied || negates(word);
  }
  return std::nullopt;
}

Claim number_claim(Kind kind, const ClaimReading& r, std::size_t about, const Led& led) {
  const Token& token = r.at(led.at);
  return {.kind = kind,
          .text = r.text(),
          .about = about,
          .stated = token.number,
          .tolerance = tolerance_of(token, led.about),
          .denied = led.denied};
}

/// "My budget is 40", "I have a budget of 40", "40 is my limit".
void add_named_values(const ClaimReading& r, const Lexicon& lexicon, std::vector<Claim>& claims) {
  if (!r.in_first_person()) return;
  for (std::size_t v = 0; v < lexicon.values.size(); ++v)
    for (std::size_t i = 0; i < r.size(); ++i) {
      const std::size_t length = r.name_at(i, lexicon.values[v]);
      if (length == 0) continue;
      std::size_t owner = i;
      while (owner > 0 && i - owner < 3 &&
             !is_one_of(r.word(owner), {"my", "mine", "your", "his", "her", "their", "our"}))
        --owner;
      if (is_one_of(r.word(owner), {"your", "his", "her", "their"})) continue;
      const bool own = is_one_of(r.word(owner), {"my", "our"}) || r.has({"i", "i've", "mine"});
      if (!own) continue;
      const std::size_t after = i + length;
      const bool less = is_one_of(r.word(after), {"is"}) || r.word(i + length - 1).ends_with("'s");
      if (auto led = number_after(r, after)) {
        led->denied =
            led->denied || r.has_phrase({"don't", "have"}) || r.has_phrase({"do", "not", "have"});
        claims.push_back(number_claim(Kind::value, r, v, *led));
        return;
      }
      // "40 is my limit": the number stands before.
      if (!less && owner >= 2 && is_one_of(r.word(owner - 1), {"is", "was", "isn't"}) &&
          is_amount(r, owner - 2)) {
        claims.push_back(
            number_claim(Kind::value, r, v, {owner - 2, false, r.word(owner - 1) == "isn't"}));
        return;
      }
    }
}

/// Where a bound begins that is a limit: "at most", "no more than", "can't go above".
std::optional<std::size_t> bound_at(const ClaimReading& r, Understating side) {
  const bool upper = side == Understating::serves;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const std::string_view word = r.word(i);
    const bool over = upper ? is_one_of(word, {"above", "over", "beyond", "past"})
                            : is_one_of(word, {"below", "under", "beneath"});
    const bool than =
        r.word(i + 1) == "than" && (upper ? is_one_of(word, {"more", "higher"})
                                          : is_one_of(word, {"less", "lower", "cheaper"}));
    if (over || than) {
      // Only what cannot be is a limit: "I could go above 40" is none.
      for (std::size_t k = 0; k < i; ++k)
        if (is_one_of(r.word(k), {"can't", "cannot", "couldn't", "unable", "no"}) ||
            (r.word(k) == "can" && r.word(k + 1) == "not"))
          return i + (than ? 2 : 1);
    }
    if (r.stands(i, {"up", "to"}) && upper && r.has({"can", "afford"})) return i + 2;
    if (r.stands(i, {"at", upper ? "most" : "least"}) && r.has({"can", "need"})) return i + 2;
    // "The most I can pay is 40."
    if (is_one_of(word, {upper ? "most" : "least", upper ? "highest" : "lowest"}) &&
        r.has({"can", "afford"})) {
      const std::size_t is = r.find({"is", "would"}, i);
      if (is < r.size()) return is + (r.word(is + 1) == "be" ? 2 : 1);
    }
  }
  return std::nullopt;
}

/// "I can't go above 40", "the most I can pay is 40": a limit without its name.
void add_bounds(const ClaimReading& r, const Lexicon& lexicon, std::vector<Claim>& claims) {
  if (!r.has({"i", "i'm", "i've", "me"})) return;
  for (std::size_t v = 0; v < lexicon.values.size(); ++v) {
    const Understating side = lexicon.values[v].understating;
    if (side == Understating::neither) continue;
    if (std::ranges::any_of(claims, [&](const Claim& c) { return c.about == v; })) continue;
    if (const auto from = bound_at(r, side))
      if (auto led = number_after(r, *from)) {
        led->denied = false;
        claims.push_back(number_claim(Kind::value, r, v, *led));
        continue;
      }
    // "It cost me 17", "I paid 17 for it".
    if (side != Understating::harms) continue;
    for (std::size_t i = 0; i < r.size(); ++i) {
      const bool paid =
          r.stands(i, {"i", "paid"}) || r.stands(i, {"cost", "me"}) || r.stands(i, {"costs", "me"});
      if (!paid || r.has({"can", "could", "would"})) continue;
      if (const auto led = number_after(r, i + 2)) {
        claims.push_back(number_claim(Kind::value, r, v, *led));
        break;
      }
    }
  }
}

/// "Each hat is worth 3 to me", "I value books at 1 and hats at 3".
void add_items(const ClaimReading& r, const Lexicon& lexicon, std::vector<Claim>& claims) {
  if (lexicon.items.empty() || !r.in_first_person()) return;
  if (!r.has({"worth", "value", "values", "valued", "worthless"})) return;
  if (r.has({"you", "your", "yours"}) && !r.has({"me", "i", "my"})) return;
  for (std::size_t v = 0; v < lexicon.items.size(); ++v)
    for (std::size_t i = 0; i < r.size(); ++i) {
      const std::size_t length = r.name_at(i, lexicon.items[v]);
      if (length == 0) continue;
      // "Two hats are worth 6" is about both together.
      if (i > 0 && ((r.at(i - 1).number && *r.at(i - 1).number != 1) ||
                    is_one_of(r.word(i - 1), {"both", "all"})))
        break;
      const std::size_t after = i + length;
      if (const auto led = number_after(r, after); led && !r.stands(led->at + 1, {"to", "you"})) {
        claims.push_back(number_claim(Kind::value, r, v, *led));
        claims.back().item = true;
      } else if (const std::size_t no = r.find({"nothing", "worthless"}, after);
                 no < r.size() && no < after + 4 && r.word(no + 2) != "you") {
        Claim& claim = claims.emplace_back(
            Claim{.kind = Kind::value, .text = r.text(), .about = v, .stated = 0});
        claim.tolerance = 0.5;
        claim.item = true;
      }
      break;
    }
}

/// "I offer 40", "my last offer of 40", "you offered 40".
void add_prices(const ClaimReading& r, const Lexicon& lexicon, std::vector<Claim>& claims) {
  if (!lexicon.has_prices || negates(r.word(0))) return;
  for (std::size_t i = 0; i < r.size(); ++i) {
    Offered whose = Offered::now;
    std::size_t after = i + 1;
    const bool noun = is_one_of(r.word(i), {"offer", "bid", "ask", "proposal", "price"});
    std::size_t owner = i;
    while (noun && owner > 0 && i - owner < 3 && !is_one_of(r.word(owner), {"my", "your"})) --owner;
    if (noun && r.word(owner) == "my") {
      const bool past = r.has({"last", "previous", "earlier", "was"});
      whose = past ? Offered::own_before : Offered::now;
    } else if (noun && r.word(owner) == "your") {
      whose = Offered::theirs;
    } else if (r.word(i) == "you" &&
               is_one_of(r.word(i + 1), {"offered", "asked", "bid", "proposed"})) {
      whose = Offered::theirs;
      after = i + 2;
    } else if (is_one_of(r.word(i), {"i", "i'll", "i'm", "i've"})) {
      std::size_t verb = i + 1;
      if (is_one_of(r.word(verb), {"can", "will", "am", "now", "hereby"})) ++verb;
      const bool past = is_one_of(r.word(verb), {"offered", "proposed"});
      if (!past && !is_one_of(r.word(verb), {"offer", "offering", "bid", "bidding", "propose",
                                             "proposing", "ask", "asking"}))
        continue;
      whose = past ? Offered::own_before : Offered::now;
      after = verb + (r.word(verb + 1) == "you" || r.word(verb + 1) == "for" ? 2 : 1);
    } else {
      continue;
    }
    const auto led = number_after(r, after);
    if (!led || led->denied) continue;
    Claim claim = number_claim(Kind::offer, r, 0, *led);
    claim.offered = whose;
    claims.push_back(std::move(claim));
    return;
  }
}

/// "I take 2 books and a ball": what the speaker would take with this message.
void add_parts(const ClaimReading& r, const Lexicon& lexicon, std::vector<Claim>& claims) {
  if (lexicon.has_prices || !lexicon.has_offers || lexicon.items.empty()) return;
  const std::size_t verb = r.find({"take", "keep", "get", "taking", "keeping"});
  if (verb == 0 || verb >= r.size() ||
      r.has({"worth", "value", "not", "don't", "won't", "you'll"}) ||
      !is_one_of(r.word(verb - 1), {"i", "i'll", "i'd", "will", "am", "i'm", "me"}) ||
      (r.word(verb - 1) == "will" && r.word(verb - 2) != "i"))
    return;
  const std::size_t end = r.find({"you", "your", "yours"}, verb);
  for (std::size_t v = 0; v < lexicon.items.size(); ++v)
    for (std::size_t i = verb + 1; i < end; ++i) {
      if (r.name_at(i, lexicon.items[v]) == 0) continue;
      std::size_t before = i - 1;
      if (is_one_of(r.word(before), {"the", "of"}) && before > verb) --before;
      std::optional<double> amount = r.at(before).number;
      if (is_one_of(r.word(before), {"a", "an", "one"})) amount = 1;
      if (r.word(before) == "both") amount = 2;
      if (r.word(before) == "no") amount = 0;
      if (amount)
        claims.push_back({.kind = Kind::offer,
                          .text = r.text(),
                          .about = v,
                          .stated = amount,
                          .tolerance = 0.5});
      break;
    }
}

/// Where the speaker begins to say what it will do; nothing where it is only possible.
std::optional<std::size_t> intent_at(const ClaimReading& r, std::size_t i, bool& denied) {
  denied = false;
  if (is_one_of(r.word(i), {"i'll"})) return i + 1;
  if (r.stands(i, {"count", "on", "me", "to"})) return i + 4;
  if (r.stands(i, {"my", "choice", "will", "be"}) || r.stands(i, {"my", "move", "will", "be"}))
    return i + 4;
  const bool am = r.word(i) == "i'm" || r.stands(i, {"i", "am"});
  if (am) {
    std::size_t next = i + (r.word(i) == "i'm" ? 1 : 2);
    if (r.word(next) == "not") denied = true, ++next;
    if (r.stands(next, {"going", "to"})) return next + 2;
    return std::nullopt;
  }
  if (r.word(i) != "i") return std::nullopt;
  if (r.word(i + 1) == "won't" || r.stands(i + 1, {"will", "not"}) ||
      r.stands(i + 1, {"will", "never"})) {
    denied = true;
    return i + (r.word(i + 1) == "won't" ? 2 : 3);
  }
  if (r.word(i + 1) == "will") return i + 2;
  const std::size_t verb = is_one_of(r.word(i + 1), {"do", "hereby", "fully", "solemnly"}) ? 2 : 1;
  if (!is_one_of(r.word(i + verb), {"promise", "commit", "intend", "plan", "pledge", "swear"}))
    return std::nullopt;
  std::size_t next = i + verb + 1;
  if (r.word(next) == "you") ++next;
  if (r.word(next) == "not") denied = true, ++next;
  if (r.word(next) == "to") return next + 1;
  if (r.word(next) == "that") ++next;
  return intent_at(r, next, denied);
}

/// "I will cooperate", "I promise not to steal", "I'm going to choose choice_1".
void add_promises(const ClaimReading& r, const Lexicon& lexicon, std::vector<Claim>& claims) {
  constexpr std::size_t kFar = 6;
  for (std::size_t i = 0; i < r.size(); ++i) {
    bool denied = false;
    const auto from = intent_at(r, i, denied);
    if (!from || r.find({"would", "never", "say", "said", "says"}) < i) continue;
    for (std::size_t k = *from; k < std::min(r.size(), *from + kFar); ++k) {
      if (is_one_of(r.word(k), {"not", "never"})) denied = !denied;
      if (is_one_of(r.word(k), {"you", "and", "see", "consider", "think"})) break;
      for (std::size_t m = 0; m < lexicon.moves.size(); ++m) {
        if (r.name_at(k, lexicon.moves[m]) == 0) continue;
        claims.push_back({.kind = Kind::promise, .text = r.text(), .about = m, .denied = denied});
        return;
      }
    }
  }
}

/// "We have a deal", "as we agreed", "you accepted my offer".
void add_agreements(const ClaimReading& r, const Lexicon& lexicon, std::vector<Claim>& claims) {
  if (!lexicon.has_offers && lexicon.moves.empty()) return;
  for (std::size_t i = 0; i < r.size(); ++i)
    if (negates(r.word(i)) ||
        is_one_of(r.word(i), {"let's", "once", "when", "until", "can", "could", "should", "would",
                              "may", "hope", "like"}))
      return;
  const bool claimed =
      r.has_phrase({"we", "have", "a", "deal"}) || r.has_phrase({"we've", "got", "a", "deal"}) ||
      r.has_phrase({"we", "have", "an", "agreement"}) || r.has_phrase({"we", "are", "agreed"}) ||
      r.has_phrase({"we", "agreed"}) || r.has_phrase({"we've", "agreed"}) ||
      r.has_phrase({"we", "have", "agreed"}) || r.has_phrase({"we", "already", "agreed"}) ||
      r.has_phrase({"as", "agreed"}) || r.has_phrase({"you", "agreed"}) ||
      r.has_phrase({"you", "already", "agreed"}) || r.has_phrase({"you", "accepted"}) ||
      r.has_phrase({"you've", "accepted"}) || r.has_phrase({"our", "agreement"});
  if (claimed) claims.push_back({.kind = Kind::agreement, .text = r.text()});
}

}  // namespace

SpokenNames named(std::string_view words, Understating understating) {
  SpokenNames result;
  result.understating = understating;
  while (!words.empty()) {
    const std::size_t comma = std::min(words.find(','), words.size());
    std::vector<std::string> name;
    for (const Clause& clause : clauses_of(words.substr(0, comma)))
      for (const Token& token : clause.tokens) name.push_back(token.word);
    if (!name.empty()) result.names.push_back(std::move(name));
    words.remove_prefix(std::min(comma + 1, words.size()));
  }
  return result;
}

std::vector<Claim> claims_of(std::string_view text, const Lexicon& lexicon) {
  std::vector<Claim> claims;
  for (const Clause& clause : clauses_of(text)) {
    const ClaimReading r(clause);
    if (!r.states()) continue;
    std::vector<Claim> found;
    add_named_values(r, lexicon, found);
    add_bounds(r, lexicon, found);
    if (found.empty()) add_items(r, lexicon, found);
    if (found.empty()) add_prices(r, lexicon, found);
    if (found.empty()) add_parts(r, lexicon, found);
    add_promises(r, lexicon, found);
    add_agreements(r, lexicon, found);
    std::ranges::move(found, std::back_inserter(claims));
  }
  return claims;
}

bool asks_for(std::string_view text, const SpokenNames& value) {
  for (const Clause& clause : clauses_of(text)) {
    const ClaimReading r(clause);
    if (!clause.is_question && !r.has_phrase({"tell", "me"}) && !r.has_phrase({"what", "is"}))
      continue;
    if (!r.has({"your", "you"})) continue;
    for (std::size_t i = 0; i < r.size(); ++i)
      if (r.name_at(i, value) > 0) return true;
  }
  return false;
}

}  // namespace agon::dialogue
