#include "llm/answer/words.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace agon::llm {

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kBlanks);
  return from == std::string_view::npos
             ? std::string_view()
             : text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

namespace {

bool is_inside_a_sign(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

std::string_view first_bytes(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && is_inside_a_sign(text[end])) --end;
  return text.substr(0, end);
}

std::string_view last_bytes(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t from = text.size() - longest;
  while (from < text.size() && is_inside_a_sign(text[from])) ++from;
  return text.substr(from);
}

std::string beginning(std::string_view text, std::size_t longest) {
  const std::string_view kept = first_bytes(text, longest);
  return std::string(kept) + (kept.size() < text.size() ? "..." : "");
}

namespace {

/// Longer runs without a blank are several words.
constexpr std::size_t kLongestWord = 24;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Where a sentence or line that ends at `at` ends; 0: none does.
std::size_t end_at(std::string_view text, std::size_t at) {
  if (text[at] == '\n') return at;
  static constexpr std::array<std::string_view, 3> kWideMarks{"\u3002", "\uff01", "\uff1f"};
  for (const std::string_view mark : kWideMarks)
    if (text.substr(at, mark.size()) == mark) return at + mark.size();
  const bool is_mark = text[at] == '.' || text[at] == '!' || text[at] == '?';
  return is_mark && (at + 1 == text.size() || is_blank(text[at + 1])) ? at + 1 : 0;
}

}  // namespace

std::string_view whole_sentences(std::string_view text) {
  for (std::size_t at = text.size(); at > 0; --at)
    if (const std::size_t end = end_at(text, at - 1); end > 0) return text.substr(0, end);
  return text;
}

std::string_view first_words(std::string_view text, std::size_t words) {
  std::size_t run = 0;  // bytes of the word so far
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_blank(text[at])) {
      run = 0;
      continue;
    }
    const bool begins = run == 0 || (run >= kLongestWord && !is_inside_a_sign(text[at]));
    if (begins && words-- == 0) return text.substr(0, at);
    run = begins ? 1 : run + 1;
  }
  return text;
}

namespace {

/// A refusal is said at once, and who says much says something else too.
constexpr std::size_t kBegin = 400;
constexpr std::size_t kLongest = 2000;

using Words = std::string_view;

/// What comes before a refusal and says nothing.
constexpr Words kLead[] = {"i'm sorry",
                           "i am sorry",
                           "sorry",
                           "i apologize",
                           "i apologise",
                           "unfortunately",
                           "as an ai language model",
                           "as an ai assistant",
                           "as an ai model",
                           "as an ai",
                           "as a language model",
                           "but",
                           "es tut mir leid",
                           "tut mir leid",
                           "leider",
                           "als ki-modell",
                           "als ki",
                           "aber"};

/// Refusals where nothing else is said: "I refuse your offer." is a move.
constexpr Words kAlone[] = {"i refuse",
                            "i must refuse",
                            "i have to refuse",
                            "i must decline",
                            "i have to decline",
                            "i won't do that",
                            "i will not do that",
                            "i can't do that",
                            "i cannot do that",
                            "i won't do this",
                            "i will not do this",
                            "i can't do this",
                            "i cannot do this",
                            "ich weigere mich",
                            "ich muss ablehnen",
                            "das kann ich nicht",
                            "das mache ich nicht",
                            "i can't",
                            "i cannot",
                            "i won't"};

/// "I can't ..." with what the model would have to do: "I won't bid more" is a move in prose.
constexpr Words kWill[] = {
    "i can't ",          "i cannot ",           "i can not ",           "i won't ",
    "i will not ",       "i'm unable to ",      "i am unable to ",      "i'm not able to ",
    "i am not able to ", "i must decline to ",  "i refuse to ",         "i decline to ",
    "i'd rather not ",   "i would rather not ", "i don't want to ",     "i do not want to ",
    "i'm not going to ", "i am not going to ",  "i have to decline to "};
constexpr Words kWhat[] = {"assist",
                           "help with",
                           "help you",
                           "comply",
                           "fulfil",
                           "answer",
                           "respond",
                           "engage in",
                           "engage with",
                           "participate",
                           "take part",
                           "be part of",
                           "be a part of",
                           "provide that",
                           "provide this",
                           "provide a response",
                           "provide an answer",
                           "provide assistance",
                           "play this game",
                           "play along",
                           "continue with this",
                           "proceed with this",
                           "gamble",
                           "place bets",
                           "simulate",
                           "role-play",
                           "roleplay"};

/// The same in other languages, as whole phrases.
constexpr Words kPhrases[] = {"i must decline this request",
                              "dabei kann ich nicht helfen",
                              "dabei kann ich ihnen nicht helfen",
                              "dabei kann ich dir nicht helfen",
                              "ich kann dabei nicht helfen",
                              "ich kann ihnen dabei nicht helfen",
                              "ich kann dir dabei nicht helfen",
                              "ich kann damit nicht helfen",
                              "ich kann daran nicht teilnehmen",
                              "ich kann nicht daran teilnehmen",
                              "daran kann ich nicht teilnehmen",
                              "ich werde nicht teilnehmen",
                              "ich werde daran nicht teilnehmen",
                              "ich weigere mich zu antworten",
                              "ich weigere mich, zu antworten",
                              "diese anfrage kann ich nicht",
                              "ich kann diese anfrage nicht",
                              "je ne peux pas vous aider",
                              "je ne peux pas participer",
                              "je ne peux pas répondre",
                              "je refuse de participer",
                              "je refuse de répondre",
                              "no puedo ayudar",
                              "no puedo participar",
                              "no puedo responder",
                              "me niego a participar",
                              "me niego a responder",
                              "无法协助",
                              "不能协助",
                              "无法提供帮助",
                              "不能提供帮助",
                              "无法参与",
                              "不能参与",
                              "无法参加",
                              "不能参加",
                              "无法回答",
                              "不能回答",
                              "拒绝参与",
                              "拒绝回答",
                              "无法满足"};

/// Words of somebody who plays after all.
constexpr Words kMove[] = {"price",       "discount",   " deal",     "your offer", "dein angebot",
                           "ihr angebot", "my bid",     "my offer",  "i bid",      "i'd bid",
                           "i'll bid",    "i offer",    "i'd offer", "i'll offer", "i accept",
                           "i'll accept", "i'll take",  "i'd take",  "i'll pay",   "i'd pay",
                           "my answer",   "mein gebot", "ich biete"};

bool has_any(Words said, auto&& words) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](Words w) { return said.find(w) != Words::npos; });
}

/// In lower case, on one line, with straight apostrophes.
std::string levelled(Words text) {
  constexpr Words kApostrophe = "\u2019";
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text.substr(at).starts_with(kApostrophe))
      out += '\'', at += kApostrophe.size() - 1;
    else
      out += text[at] == '\n' ? ' ' : text[at];
  return lower_case(out);
}

/// Whether it says one thing, with nothing but an apology before it.
bool is_alone(Words said) {
  constexpr Words kBetween = " ,.!;:-\r\t";
  for (bool again = true; again;) {
    said.remove_prefix(std::min(said.find_first_not_of(kBetween), said.size()));
    again = false;
    for (const Words lead : kLead)
      if (said.starts_with(lead)) {
        said.remove_prefix(lead.size());
        again = true;
        break;
      }
  }
  said = said.substr(0, said.find_last_not_of(kBetween) + 1);
  return std::find(std::begin(kAlone), std::end(kAlone), said) != std::end(kAlone);
}

/// "I can't" with what the model would have to do, or a phrase that says the same.
bool declines(Words said) {
  for (const Words will : kWill)
    for (std::size_t at = said.find(will); at != Words::npos; at = said.find(will, at + 1))
      for (const Words what : kWhat)
        if (said.substr(at + will.size()).starts_with(what)) return true;
  return has_any(said, kPhrases);
}

}  // namespace

bool is_refusal(std::string_view text) {
  text = trimmed(text);
  // A number is one of a move.
  if (text.size() > kLongest || text.find_first_of("0123456789") != std::string_view::npos)
    return false;
  const std::string said = levelled(text);
  if (has_any(said, kMove)) return false;
  return is_alone(said) || declines(Words(said).substr(0, kBegin));
}

bool has_refusal(std::string_view words) {
  const std::string said = levelled(words);
  return is_alone(said) || declines(said);
}

}  // namespace agon::llm
