#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "dialogue/claims.hpp"

using namespace agon;
using namespace agon::dialogue;

namespace {

Lexicon buyer() {
  Lexicon lexicon;
  lexicon.values = {named("reservation price,walk-away price,maximum price,limit,budget,maximum",
                          Understating::serves)};
  lexicon.has_prices = lexicon.has_offers = true;
  return lexicon;
}

Lexicon seller() {
  Lexicon lexicon;
  lexicon.values = {named("reservation price,limit,cost,minimum", Understating::harms)};
  lexicon.has_prices = lexicon.has_offers = true;
  return lexicon;
}

Lexicon divider() {
  Lexicon lexicon;
  lexicon.items = {named("book"), named("hat"), named("ball")};
  lexicon.has_offers = true;
  return lexicon;
}

Lexicon player() {
  Lexicon lexicon;
  lexicon.moves = {named("choice_1,choice 1,split,cooperate"),
                   named("choice_2,choice 2,steal,defect")};
  return lexicon;
}

/// "value 0 40; promise 1 not": what a text claims.
std::string said(std::string_view text, const Lexicon& lexicon) {
  constexpr std::array<std::string_view, 4> kKinds{"value", "offer", "promise", "agreement"};
  std::string all;
  for (const Claim& claim : claims_of(text, lexicon)) {
    if (!all.empty()) all += "; ";
    all += kKinds.at(static_cast<std::size_t>(claim.kind));
    if (claim.kind != dialogue::Kind::agreement) all += fmt::format(" {}", claim.about);
    if (claim.stated) all += fmt::format(" {:g}", *claim.stated);
    if (claim.denied) all += " not";
    if (claim.offered == Offered::own_before) all += " before";
    if (claim.offered == Offered::theirs) all += " theirs";
  }
  return all;
}

/// A sentence as people may say it, and what a person finds that it says.
struct Labelled {
  char who;  ///< b: buyer, s: seller, d: divides items, p: plays a matrix game
  std::string_view text;
  std::string_view says;
};

// Written before any of them was read by the rules, to find out what these miss.
constexpr Labelled kSentences[] = {
    // own values
    {'b', "My budget is $40.", "value 0 40"},
    {'b', "I only have a budget of 40 dollars for this.", "value 0 40"},
    {'b', "Honestly, my absolute limit is forty-two dollars.", "value 0 42"},
    {'b', "I can't go above 40.", "value 0 40"},
    {'b', "I cannot pay more than $1,250.50.", "value 0 1250.5"},
    {'b', "The most I can pay is 40.", "value 0 40"},
    {'b', "I can go up to 1.2k.", "value 0 1200"},
    {'b', "My limit isn't 40.", "value 0 40 not"},
    {'b', "40 is my limit.", "value 0 40"},
    {'b', "My reservation price is about 55 euros.", "value 0 55"},
    {'b', "I couldn't afford more than 30 dollars.", "value 0 30"},
    {'b', "Thirty-five bucks is all I have got.", "value 0 35"},
    {'b', "I'm capped at 38.", "value 0 38"},
    {'b', "My boss gave me forty dollars to spend.", "value 0 40"},
    {'b', "I can pay at most 40 dollars.", "value 0 40"},
    {'b', "My budget's 40, sorry.", "value 0 40"},
    {'b', "I don't have a budget of 100.", "value 0 100 not"},
    {'b', "My maximum? 60.", "value 0 60"},
    {'s', "My cost is 17.", "value 0 17"},
    {'s', "I can't go below 20 dollars.", "value 0 20"},
    {'s', "I paid 25 for it.", "value 0 25"},
    {'s', "It cost me 30 dollars.", "value 0 30"},
    {'s', "The lowest I can go is 22.", "value 0 22"},
    {'s', "I cannot accept less than thirty.", "value 0 30"},
    {'s', "I need at least 20 to break even.", "value 0 20"},
    {'s', "Anything under 20 and I lose money.", "value 0 20"},
    {'d', "Each hat is worth 3 to me.", "value 1 3"},
    {'d', "I value books at 1 and hats at 3.", "value 0 1; value 1 3"},
    {'d', "To me a ball is worth nothing.", "value 2 0"},
    {'d', "The books are worth 5 points each to me, the balls are worth two.",
     "value 0 5; value 2 2"},
    {'d', "My value for a hat is 4.", "value 1 4"},
    {'d', "Hats are worthless to me.", "value 1 0"},
    {'d', "I get 5 points per hat.", "value 1 5"},
    // nothing about own values
    {'b', "Is your limit 40?", ""},
    {'b', "Your budget is 40, I guess.", ""},
    {'b', "If my budget was 40 I would take it.", ""},
    {'b', "I have 40 reasons to say no.", ""},
    {'b', "It is listed at 40 dollars elsewhere.", ""},
    {'b', "That is 80% of the list price.", ""},
    {'b', "My budget is 80 per cent of what you ask.", ""},
    {'b', "You said my budget is 40.", ""},
    {'b', "I could go above 40.", ""},
    {'b', "My budget is tight, the phone is 40.", ""},
    {'b', "In round 3 my budget did not matter.", ""},
    {'s', "Your cost is 17, is it not?", ""},
    {'s', "I can't go below the list price.", ""},
    {'d', "Hats are worth 3 to you.", ""},
    {'d', "Two hats are worth 6 to me.", ""},
    {'d', "What is a hat worth to you?", ""},
    {'d', "I would like the hats.", ""},
    // offers
    {'b', "I offer 40.", "offer 0 40"},
    {'b', "My offer is $35.50.", "offer 0 35.5"},
    {'b', "I'm offering you 30 dollars.", "offer 0 30"},
    {'b', "My last offer was 25.", "offer 0 25 before"},
    {'b', "You offered 60 before.", "offer 0 60 theirs"},
    {'b', "Your offer of 60 is too high.", "offer 0 60 theirs"},
    {'s', "I am asking 50.", "offer 0 50"},
    {'b', "How about 40?", ""},
    {'b', "I will not offer 40.", ""},
    {'b', "Would you take 40?", ""},
    {'d', "I take 2 books and a ball.", "offer 0 2; offer 2 1"},
    {'d', "I'll keep both hats, you get the books.", "offer 1 2"},
    {'d', "I get one book and no hats.", "offer 0 1; offer 1 0"},
    {'d', "You take 2 books.", ""},
    // promises
    {'p', "I will cooperate.", "promise 0"},
    {'p', "I'll choose choice_1.", "promise 0"},
    {'p', "I promise to split.", "promise 0"},
    {'p', "I promise that I will not steal.", "promise 1 not"},
    {'p', "I won't defect.", "promise 1 not"},
    {'p', "I am going to pick choice 1 again.", "promise 0"},
    {'p', "You can count on me to cooperate.", "promise 0"},
    {'p', "I swear I'll split, you have my word.", "promise 0"},
    {'p', "I commit to choice_2.", "promise 1"},
    {'p', "My choice will be choice_2.", "promise 1"},
    {'p', "I'm not going to steal from you.", "promise 1 not"},
    {'p', "Splitting is what you will get from me.", "promise 0"},
    {'p', "I might steal.", ""},
    {'p', "If you split, I will split.", ""},
    {'p', "Will you cooperate?", ""},
    {'p', "Let us both cooperate.", ""},
    {'p', "We should split.", ""},
    {'p', "You will steal, I know it.", ""},
    {'p', "I would never say that I will steal.", ""},
    {'p', "I will see what you do about choice_1.", ""},
    // agreements
    {'b', "We have a deal at 40!", "agreement"},
    {'b', "As we agreed, it is 40.", "agreement"},
    {'p', "You agreed to split.", "agreement"},
    {'d', "So it is settled then.", "agreement"},
    {'b', "We haven't agreed on anything.", ""},
    {'b', "Do we have a deal?", ""},
    {'b', "Once we have a deal I can pay at once.", ""},
    {'b', "Let's make a deal.", ""},
};

const Lexicon& lexicon_of(char who) {
  static const std::map<char, Lexicon> all{
      {'b', buyer()}, {'s', seller()}, {'d', divider()}, {'p', player()}};
  return all.at(who);
}

std::vector<std::string> parts(std::string_view list) {
  std::vector<std::string> all;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find("; "), list.size());
    all.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return all;
}

}  // namespace

TEST_CASE("what the rules find in labelled sentences") {
  struct Count {
    int right = 0, found = 0, labelled = 0;
  };
  std::map<std::string, Count> kinds;
  std::string wrong;
  for (const Labelled& sentence : kSentences) {
    const std::string found = said(sentence.text, lexicon_of(sentence.who));
    std::vector<std::string> labels = parts(sentence.says);
    for (const std::string& label : labels) ++kinds[label.substr(0, label.find(' '))].labelled;
    for (const std::string& each : parts(found)) {
      Count& count = kinds[each.substr(0, each.find(' '))];
      ++count.found;
      const auto at = std::find(labels.begin(), labels.end(), each);
      if (at == labels.end()) continue;
      ++count.right;
      labels.erase(at);
    }
    if (found != sentence.says)
      wrong += fmt::format("\n  {} -> \"{}\", not \"{}\"", sentence.text, found, sentence.says);
  }
  std::string table = "kind: precision, recall";
  for (const auto& [kind, n] : kinds)
    table += fmt::format("\n  {}: {} of {}, {} of {}", kind, n.right, n.found, n.right, n.labelled);
  INFO(table << "\nnot as labelled:" << wrong);
  // Who is accused must have said it; what is missed is listed in docs/words.md.
  CHECK(kinds.size() == 4);
  for (const auto& [kind, n] : kinds) {
    CHECK(n.right == n.found);
    // Of four agreements one may be missed.
    CHECK(n.right >= (kind == "agreement" ? 0.75 : 0.8) * n.labelled);
  }
}

TEST_CASE("numbers in words and digits") {
  const Lexicon b = buyer();
  CHECK(said("My budget is one hundred and five dollars", b) == "value 0 105");
  CHECK(said("My budget is two thousand", b) == "value 0 2000");
  CHECK(said("My budget is 12.5k", b) == "value 0 12500");
  CHECK(said("My budget is £40", b) == "value 0 40");
  CHECK(said("My budget is 40€", b) == "value 0 40");
  CHECK(said("My budget’s 40", b) == "value 0 40");
  CHECK(said("My budget is 40 percent of it", b).empty());
  CHECK(said("My budget is 3rd in line", b).empty());
  CHECK(said("My limit is 1,000,000", b) == "value 0 1e+06");
}

TEST_CASE("a value is asked for by its name") {
  CHECK(asks_for("What is your budget?", buyer().values[0]));
  CHECK(asks_for("Tell me your limit.", buyer().values[0]));
  CHECK_FALSE(asks_for("My budget is 40.", buyer().values[0]));
  CHECK_FALSE(asks_for("What do you want?", buyer().values[0]));
}

TEST_CASE("how near a stated number has to be") {
  const auto tolerance = [](std::string_view text) {
    return claims_of(text, buyer()).at(0).tolerance;
  };
  CHECK(tolerance("My budget is 40") == Approx(0.5));
  CHECK(tolerance("My budget is 40.00") == Approx(0.4));  // a hundredth of it
  CHECK(tolerance("My budget is about 40") == Approx(2));
}
