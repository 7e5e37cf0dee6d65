#include <agon/conversion.hpp>
#include <agon/number_text.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "llm/answer/read_answer.hpp"
#include "llm/answer/words.hpp"

namespace agon::llm {
namespace {

using Text = std::string_view;

// Words are looked for as whole words of ASCII, in lower case; what is not ASCII as it stands.

/// Words that say nothing of an answer.
constexpr Text kFillers[] = {
    "sure", "thing", "okay",    "ok",    "well", "so",           "certainly",    "therefore",
    "thus", "hence", "alright", "great", "of",   "course",       "now",          "then",
    "and",  "gerne", "also",    "daher", "donc", "\u597d\u7684", "\u6240\u4ee5", "\u56e0\u6b64"};

/// What an answer is called: alone, these words are a heading.
constexpr Text kNames[] = {
    "answer",       "bid",          "bidding",      "offer",        "counteroffer", "proposal",
    "move",         "decision",     "action",       "choice",       "reply",        "response",
    "result",       "output",       "json",         "final",        "object",       "guess",
    "belief",       "beliefs",      "solution",     "submission",   "submitting",   "message",
    "tool",         "call",         "function",     "antwort",      "gebot",        "angebot",
    "r\u00e9ponse", "offre",        "respuesta",    "oferta",       "\u56de\u7b54", "\u7b54\u6848",
    "\u51fa\u4ef7", "\u7ed3\u679c", "\u6700\u7ec8", "\u9009\u62e9", "\u62a5\u4ef7", "\u51b3\u5b9a",
    "\u8f93\u51fa"};

/// How a sentence begins that gives one's own answer.
constexpr Text kOwn[] = {"i",     "i'll",   "i'd",       "i'm",    "we",           "we'll", "my",
                         "our",   "the",    "here",      "here's", "this",         "ich",   "mein",
                         "meine", "meinen", "hier",      "je",     "mon",          "ma",    "voici",
                         "yo",    "mi",     "aqu\u00ed", "\u6211", "\u4ee5\u4e0b", "\u8fd9"};

/// What else may stand in it.
constexpr Text kGives[] = {
    "say",   "is",       "choose",  "decide",  "submit",     "give",    "send",   "play",
    "pick",  "select",   "propose", "go",      "make",       "respond", "place",  "put",
    "take",  "pay",      "buy",     "sell",    "will",       "am",      "going",  "to",
    "as",    "in",       "with",    "for",     "at",         "a",       "be",     "round",
    "game",  "valid",    "best",    "optimal", "following",  "follows", "below",  "dollars",
    "euros", "antworte", "biete",   "sage",    "w\u00e4hle", "ist",     "lautet", "est",
    "es",    "\u7684",   "\u662f",  "\u4e3a"};

/// With what a sentence gives a reason before its answer: "Given that, my answer is".
constexpr Text kReasons[] = {"given",       "since", "because", "as",  "with",
                             "considering", "based", "da",      "weil"};

/// What makes a reason a mere supposition.
constexpr Text kSupposed[] = {"if", "had", "were", "would", "suppose", "wenn", "falls"};

/// What makes it an example.
constexpr Text kExample[] = {"example",
                             "examples",
                             "e.g",
                             "instance",
                             "sample",
                             "template",
                             "placeholder",
                             "illustrate",
                             "illustration",
                             "illustrative",
                             "hypothetical",
                             "demonstration",
                             "like",
                             "such",
                             "syntax",
                             "demo",
                             "dummy",
                             "naive",
                             "format:",
                             "format is",
                             "format would",
                             "format example",
                             "schema is",
                             "would look",
                             "looks like",
                             "beispiel",
                             "beispielsweise",
                             "beispielhaft",
                             "z.b",
                             "z. b",
                             "exemple",
                             "ejemplo",
                             "\u4f8b\u5982",
                             "\u6bd4\u5982",
                             "\u793a\u4f8b",
                             "\u4f8b\u5b50",
                             "\u683c\u5f0f\u793a\u4f8b"};

/// What takes an answer back after it was given, or says that it was none.
constexpr Text kTakenBack[] = {
    "wait",         "actually",     "scratch",      "correction",    "correct that",
    "instead",      "rather",       "on second",    "oops",          "sorry",
    "mistake",      "hmm",          "hm",           "kidding",       "joking",
    "joke",         "ignore",       "never mind",   "nevermind",     "i mean",
    "i meant",      "not my",       "isn't my",     "not what",      "don't",
    "do not",       "i pass",       "pass",         "decline",       "refuse",
    "withdraw",     "i quit",       "i fold",       "change my",     "changed my",
    "forget",       "draft",        "i will not",   "i am not",      "i'm not",
    "please",       "let me know",  "tell me",      "fill in",       "replace",
    "cancel",       "disregard",    "discard",      "wrong",         "too low",
    "too high",     "better:",      "would be",     "would say",     "would bid",
    "would answer", "would play",   "would do",     "would give",    "would have",
    "illegal",      "invalid",      "if you",       "schema",        "format",
    "is what",      "that's what",  "was",          "were",          "last",
    "previous",     "previously",   "earlier",      "no,",           "no.",
    "no!",          "nope",         "nah",          "not an answer", "not the answer",
    "can't",        "cannot",       "won't",        "not able",      "unable",
    "as an ai",     "never",        "edit:",        "update:",       "revised",
    "revise",       "reconsider",   "retract",      "alternatively", "unless",
    "or else",      "opponent",     "they",         "his",           "her",
    "nein",         "moment",       "falsch",       "sondern",       "stattdessen",
    "nicht meine",  "doch",         "non",          "\u4e0d",        "\u9519",
    "\u7b49\u7b49", "\u5176\u5b9e", "\u800c\u662f", "\u4e0a\u6b21",  "\u53d6\u6d88"};

/// How those begin who go on to explain.
constexpr Text kExplains[] = {"this",
                              "these",
                              "i",
                              "i'm",
                              "i've",
                              "my",
                              "reason",
                              "reasons",
                              "reasoning",
                              "explanation",
                              "explained",
                              "rationale",
                              "because",
                              "since",
                              "the",
                              "it",
                              "it's",
                              "note",
                              "notes",
                              "here",
                              "here's",
                              "as",
                              "with",
                              "given",
                              "by",
                              "so",
                              "good",
                              "thanks",
                              "thank",
                              "let me explain",
                              "bidding",
                              "to",
                              "we",
                              "our",
                              "in",
                              "justification",
                              "summary",
                              "thought",
                              "why",
                              "that",
                              "looking",
                              "dies",
                              "diese",
                              "das",
                              "weil",
                              "begr\u00fcndung",
                              "ich",
                              "mein",
                              "ce",
                              "cette",
                              "parce",
                              "esta",
                              "porque",
                              "done",
                              "end",
                              "\u7406\u7531",
                              "\u56e0\u4e3a",
                              "\u6211",
                              "\u8fd9",
                              "\u8bf4\u660e"};

/// What concludes: only what comes after it speaks of the answer.
constexpr Text kConclusions[] = {" so ",          " therefore ", " thus ",    " hence ",
                                 " accordingly ", " daher ",     " deshalb ", " donc ",
                                 "\u6240\u4ee5",  "\u56e0\u6b64"};

/// Numbers in words, which may be another value as well as digits.
constexpr Text kNumbers[] = {"two",      "three",   "four",    "five",      "six",      "seven",
                             "eight",    "nine",    "ten",     "eleven",    "twelve",   "thirteen",
                             "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
                             "twenty",   "thirty",  "forty",   "fifty",     "sixty",    "seventy",
                             "eighty",   "ninety",  "hundred", "thousand",  "zero"};

bool is_ascii_word(char c) {
  return is_alphanumeric(c) || c == '\'';
}

bool begins_number(char c) {
  return c >= '0' && c <= '9';
}

/// Whether the word stands in it: words of ASCII whole, others anywhere.
bool has_word(Text text, Text word) {
  if (word.empty()) return false;
  const bool whole = is_ascii_word(word.front());
  const bool ends = is_ascii_word(word.back());
  for (std::size_t at = text.find(word); at != Text::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (whole && at > 0 && is_ascii_word(text[at - 1])) continue;
    if (ends && end < text.size() && is_ascii_word(text[end])) continue;
    return true;
  }
  return false;
}

bool has_any(Text text, std::span<const Text> words) {
  return std::any_of(words.begin(), words.end(), [&](Text w) { return has_word(text, w); });
}

bool is_one_of(Text word, std::span<const Text> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Names of fences and tags around an answer. Any other name is a word, as it may say that what is
/// inside is none: <draft>.
constexpr Text kFences[] = {"",       "json",   "json5",    "jsonc",     "javascript",
                            "js",     "python", "text",     "txt",       "plaintext",
                            "answer", "output", "response", "tool_call", "tool_code"};
constexpr Text kTags[] = {"answer",
                          "final_answer",
                          "final",
                          "output",
                          "response",
                          "json",
                          "result",
                          "solution",
                          "s",
                          "eos",
                          "bos",
                          "end_of_turn",
                          "start_of_turn",
                          "tool_call",
                          "tool_calls",
                          "function",
                          "function_call",
                          "code",
                          "b",
                          "strong",
                          "p",
                          "br",
                          "pre"};

/// The length of what is markup at this place and no word: tags, tokens, fences, emphasis. `breaks`
/// for what parts sentences.
std::size_t markup_at(Text text, std::size_t at, bool& breaks) {
  constexpr std::size_t kLongest = 60;
  breaks = true;
  const Text rest = text.substr(at);
  if (rest.starts_with("```") || rest.starts_with("~~~")) {
    std::size_t end = 3;
    while (end < rest.size() && end < 24 && (is_ascii_word(rest[end]) || rest[end] == '_')) ++end;
    return is_one_of(lower_case(rest.substr(3, end - 3)), kFences) ? end : 3;
  }
  for (const Text mark : {Text("[TOOL_CALLS]"), Text("[/TOOL_CALLS]"), Text("[TOOL_CALL]"),
                          Text("[ARGS]"), Text("\\boxed{"), Text("\\["), Text("\\]")})
    if (rest.starts_with(mark)) return mark.size();
  if (rest[0] == '<') {
    const std::size_t end = rest.substr(0, kLongest).find('>');
    const Text inside = rest.substr(1, end == Text::npos ? 0 : end - 1);
    const Text name = inside.substr(inside.starts_with('/') ? 1 : 0);
    const bool is_token = inside.starts_with('|') || inside.starts_with('\xef');
    if (is_token ? inside.find_first_of("<\n") == Text::npos
                 : is_one_of(lower_case(name.substr(0, name.find_first_of(" ="))), kTags))
      return end + 1;
  }
  breaks = false;
  if (Text("*_`#$[]{}\"").find(rest[0]) != Text::npos) return 1;
  for (const Text quote : {Text("\u201c"), Text("\u201d"), Text("\u300c"), Text("\u300d")})
    if (rest.starts_with(quote)) return quote.size();
  return 0;
}

/// The end of the object that begins here; npos if it is a brace of prose.
std::size_t end_of_data(Text text, std::size_t at, int& false_starts) {
  constexpr int kMost = 50;
  const std::size_t inside = std::min(text.find_first_not_of(kBlanks, at + 1), text.size());
  const Text begin = text.substr(inside);
  const bool is_object = begin.starts_with('"') || begin.starts_with('\'') ||
                         begin.starts_with("\xe2\x80") || begin.starts_with('}');
  if (!is_object || false_starts > kMost) return Text::npos;
  const std::size_t end = end_of_object(text, at);
  if (end == Text::npos) ++false_starts;
  return end;
}

/// Words without markup, lines that quote and JSON, in lower case; what was there parts sentences.
std::string words_of(Text text) {
  std::string out;
  int false_starts = 0;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    if (begins_line && is_quoted(text, at)) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    bool breaks = false;
    if (text[at] == '{')
      if (const std::size_t end = end_of_data(text, at, false_starts); end != Text::npos) {
        out += '\n';
        at = end;
        continue;
      }
    if (const std::size_t size = markup_at(text, at, breaks); size > 0) {
      out += breaks ? '\n' : ' ';
      at += size;
    } else if (text.substr(at).starts_with("\u2019")) {
      out += '\'';
      at += Text("\u2019").size();
    } else {
      out += text[at++];
    }
  }
  return lower_case(out);
}

/// The offsets at which sentences end. A line ends one too, unless it goes on.
std::vector<std::size_t> sentence_ends(Text text) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const Text rest = text.substr(at);
    const bool last = at + 1 == text.size();
    const bool blank = !last && kBlanks.find(text[at + 1]) != Text::npos;
    const bool initial = at >= 2 && text[at] == '.' && text[at - 2] == '.';  // "e.g."
    if (Text(".!?;").find(text[at]) != Text::npos && (last || blank) && !initial)
      ends.push_back(at + 1);
    for (const Text stop : {Text("\u3002"), Text("\uff01"), Text("\uff1f"), Text("\uff1b")})
      if (rest.starts_with(stop)) ends.push_back(at + stop.size());
    if (text[at] != '\n') continue;
    const Text before = trimmed(text.substr(0, at));
    const bool goes_on = before.ends_with(':') || before.ends_with(',') ||
                         before.ends_with("\uff1a") || before.empty();
    if (!goes_on) ends.push_back(at + 1);
  }
  return ends;
}

/// The sentence that is not at its end yet, and the one before it.
struct Lead {
  Text last;
  Text before;
};

Lead lead_of(Text words) {
  std::vector<std::size_t> ends = sentence_ends(words);
  std::erase_if(ends, [&](std::size_t end) { return trimmed(words.substr(0, end)).empty(); });
  const std::size_t begin = ends.empty() ? 0 : ends.back();
  std::size_t earlier = 0;
  for (const std::size_t end : ends)
    if (!trimmed(words.substr(end, begin - end)).empty()) earlier = end;
  return {trimmed(words.substr(begin)), trimmed(words.substr(earlier, begin - earlier))};
}

/// What comes after the last of some words.
Text after_last(Text text, std::span<const Text> words) {
  std::size_t from = 0;
  for (const Text w : words)
    if (const std::size_t at = text.rfind(w); at != Text::npos)
      from = std::max(from, at + w.size());
  return text.substr(from);
}

/// Whether words in the format's own terms are left after these are taken out.
std::string without_phrases(Text text) {
  std::string out(text);
  for (const Text phrase :
       {Text("requested format"), Text("required format"), Text("correct format"),
        Text("right format"), Text("specified format"), Text("given format"), Text("proper format"),
        Text("requested json format"), Text("json format"), Text("as requested"), Text("as asked"),
        Text("no doubt"), Text("no more than"), Text("would like to"), Text("as i said"),
        Text("i think"), Text("let me"), Text("let us"), Text("functions.answer:0")})
    for (std::size_t at = out.find(phrase); at != std::string::npos; at = out.find(phrase))
      out.replace(at, phrase.size(), " ");
  return out;
}

/// The words of a text; a sign that is none and parts no words is one of its own.
std::vector<Text> tokens_of(Text text) {
  constexpr Text kSigns = " \t\r\n.,:;!-*()";
  const auto is_letter = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return is_ascii_word(c) || c == '_' || (byte >= 0x80U && byte < 0xE0U);
  };
  std::vector<Text> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const Text rest = text.substr(at);
    std::size_t size = 1;
    if (kSigns.find(rest[0]) != Text::npos) {
      at += 1;
      continue;
    }
    if (rest.starts_with("\xe2\x80") || rest.starts_with("\xef\xbc")) {
      at += std::min<std::size_t>(3, rest.size());
      continue;
    }
    if (static_cast<unsigned char>(rest[0]) >= 0xE0U) {
      // Chinese has no blanks between its words.
      size = std::min<std::size_t>(3, rest.size());
      for (const std::span<const Text> words :
           {std::span<const Text>(kFillers), std::span<const Text>(kNames),
            std::span<const Text>(kOwn), std::span<const Text>(kGives)})
        for (const Text word : words)
          if (word.size() > size && rest.starts_with(word)) size = word.size();
    } else if (is_letter(rest[0])) {
      while (size < rest.size() &&
             (is_letter(rest[size]) || (rest[size] == '.' && begins_number(rest[size - 1]) &&
                                        size + 1 < rest.size() && begins_number(rest[size + 1]))))
        ++size;
    }
    tokens.push_back(rest.substr(0, size));
    at += size;
  }
  return tokens;
}

/// Numbers and names that an answer may hold.
class Values {
 public:
  Values(const Asked& asked, Text value) : asked_(asked), said_(value) {
    walk(asked.type, 0, nullptr);
  }

  /// Whether another value than the one that was read stands among these words (`low`: the same in
  /// lower case).
  [[nodiscard]] bool has_other(Text words, Text low) const {
    if (!ranges_.empty() && has_other_number(low)) return true;
    return std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
      // One letter is an article, unless it is a capital.
      return name.size() == 1 ? has_word(words, name) && (name[0] < 'a' || name[0] > 'z')
                              : has_word(low, name);
    });
  }

  /// Whether a word is a number, a name or a member of the answer that was read.
  [[nodiscard]] bool is_own(Text word) const {
    return begins_number(word[0]) ? is_said(std::strtod(std::string(word).c_str(), nullptr))
                                  : said_.find('"' + std::string(word) + '"') != Text::npos;
  }

  /// Whether a word is another choice.
  [[nodiscard]] bool is_other_name(Text word) const {
    return std::find(names_.begin(), names_.end(), word) != names_.end();
  }

 private:
  struct Range {
    double lo;
    double hi;
    bool whole;
  };

  void add(Text name) {
    if (said_.find('"' + std::string(name) + '"') != Text::npos) return;
    std::string plain(name.size() == 1 ? std::string(name) : lower_case(name));
    std::replace(plain.begin(), plain.end(), '_', ' ');
    names_.push_back(std::move(plain));
  }

  void walk(const Type& type, std::uint16_t slot, const Field* field) {
    if (type.kind == Kind::integer || type.kind == Kind::number) {
      double scale = 1;
      for (int i = 0; i < type.decimals; ++i) scale *= 10;
      Range range{field == nullptr ? -HUGE_VAL : field->min,
                  field == nullptr ? HUGE_VAL : field->max,
                  type.kind == Kind::integer && type.decimals == 0};
      for (const LimitData& limit : asked_.limits) {
        if (limit.slot != slot || limit.kind != LimitKind::range) continue;
        const bool is_double = type.kind == Kind::number;
        const auto bound = [&](std::int64_t b) {
          return is_double ? std::bit_cast<double>(b) : static_cast<double>(b) / scale;
        };
        range.lo = std::max(range.lo, bound(limit.lo));
        range.hi = std::min(range.hi, bound(limit.hi));
      }
      ranges_.push_back(range);
    }
    for (const Enumerator& e : type.enumerators) add(e.name);
    // Those of amounts are numbers.
    if (type.kind == Kind::text || type.kind == Kind::map)
      for (const LimitData& limit : asked_.limits)
        if (limit.slot == slot && limit.kind == LimitKind::names)
          for (std::uint32_t i = 0; i < limit.n; ++i) add(limit.names[i]);
    if (type.kind == Kind::boolean && said_.find("true") == Text::npos) names_.emplace_back("true");
    if (type.kind == Kind::boolean && said_.find("false") == Text::npos)
      names_.emplace_back("false");
    if (type.element != nullptr) walk(*type.element, static_cast<std::uint16_t>(slot + 1), field);
    for (const Field& f : type.fields) {
      walk(*f.type, slot, &f);
      slot = static_cast<std::uint16_t>(slot + f.type->slots);
    }
    auto at = static_cast<std::uint16_t>(slot + 1);
    for (const Type* alternative : type.alternatives) {
      add(kind_of(*alternative));
      walk(*alternative, at, nullptr);
      at = static_cast<std::uint16_t>(at + alternative->slots);
    }
  }

  [[nodiscard]] bool is_possible(double n) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& r) {
      return n >= r.lo && n <= r.hi && (!r.whole || n == std::floor(n));
    });
  }

  /// Whether the answer has this number.
  [[nodiscard]] bool is_said(double n) const {
    for (std::size_t at = said_.find_first_of("-0123456789"); at != Text::npos;
         at = said_.find_first_of("-0123456789", at)) {
      const std::size_t end =
          std::min(said_.find_first_not_of("-+.eE0123456789", at), said_.size());
      if (std::strtod(std::string(said_.substr(at, end - at)).c_str(), nullptr) == n) return true;
      at = end;
    }
    return false;
  }

  [[nodiscard]] bool has_other_number(Text low) const {
    if (has_any(low, kNumbers)) return true;
    constexpr Text kDigits = "0123456789";
    for (std::size_t at = low.find_first_of(kDigits); at != Text::npos;
         at = low.find_first_of(kDigits, at)) {
      std::size_t end = std::min(low.find_first_not_of("0123456789.,'", at), low.size());
      while (end > at && kDigits.find(low[end - 1]) == Text::npos) --end;
      const Text token = low.substr(at, end - at);
      const std::size_t begin = at;
      at = end;
      // "1." and "2)" at the beginning of a line count its points.
      const std::size_t line = low.substr(0, begin).find_last_not_of(" \t");
      const bool begins = line == Text::npos || low[line] == '\n';
      if (begins && end < low.size() && (low[end] == '.' || low[end] == ')') && token.size() < 3)
        continue;
      if (end < low.size() && low[end] == '%') continue;
      const NumberText number = read_number_text(token, "");
      const std::string& json = number.json.empty() ? number.meant : number.json;
      const double n = std::strtod(json.c_str(), nullptr);
      if (json.empty() || (is_possible(n) && !is_said(n))) return true;
    }
    // Digits of full width are nobody's way to count.
    return low.find("\uff10") != Text::npos || low.find("\uff15") != Text::npos;
  }

  const Asked& asked_;
  Text said_;
  std::vector<Range> ranges_;
  std::vector<std::string> names_;
};

/// Whether another seat is named: by its whole name, or by the last word of it.
bool names_another(Text low, const Asked& asked) {
  return std::any_of(asked.others.begin(), asked.others.end(), [&](const std::string& name) {
    const std::string plain = lower_case(name);
    const Text last = Text(plain).substr(plain.find_last_of(' ') + 1);
    return has_word(low, plain) ||
           (last.size() > 2 && !begins_number(last[0]) && has_word(low, last));
  });
}

/// Whether a sentence is one that leads to one's own answer: nothing but words for that are in it,
/// after a reason for it.
bool is_lead(Text sentence, const Asked& asked, const Values& values) {
  const std::string words = without_phrases(sentence);
  Text own = after_last(words, kConclusions);
  if (own.size() == words.size())
    for (const Text reason : kReasons)
      if (own.starts_with(std::string(reason) + ' ')) own = own.substr(own.rfind(',') + 1);
  if (has_any(Text(words).substr(0, words.size() - own.size()), kSupposed)) return false;
  if (names_another(own, asked)) return false;
  std::vector<Text> tokens = tokens_of(own);
  std::size_t first = 0;
  while (first < tokens.size() && is_one_of(tokens[first], kFillers)) ++first;
  const bool is_sentence = first < tokens.size() && is_one_of(tokens[first], kOwn);
  return std::all_of(
      tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.end(), [&](Text t) {
        return is_one_of(t, kNames) || values.is_own(t) ||
               (is_sentence &&
                (is_one_of(t, kOwn) || is_one_of(t, kGives) || is_one_of(t, kFillers)));
      });
}

/// Whether a sentence gives another answer, or none: "I bid 58.", "I quit.", "I do not bargain."
bool gives_another(Text sentence, const Values& values) {
  const std::vector<Text> tokens = tokens_of(sentence);
  if (has_word(sentence, "as an ai")) return true;
  const auto at = [&](std::size_t i) { return i < tokens.size() ? tokens[i] : Text(); };
  bool gives = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_one_of(tokens[i], std::array<Text, 2>{"my", "our"}))
      gives = gives || is_one_of(at(i + 1), kNames) || is_one_of(at(i + 2), kNames);
    if (!is_one_of(tokens[i], std::array<Text, 5>{"i", "i'll", "i'd", "we", "we'll"})) continue;
    std::size_t next = i + 1;
    while (is_one_of(at(next), std::array<Text, 8>{"will", "would", "do", "am", "going", "to",
                                                   "now", "therefore"}))
      ++next;
    const Text verb = at(next);
    const bool denies =
        is_one_of(verb, std::array<Text, 5>{"not", "don't", "won't", "can't", "cannot"});
    if (denies && tokens.size() <= next + 3) return true;
    gives =
        gives || is_one_of(verb, kNames) || is_one_of(verb, kGives) || values.is_other_name(verb);
  }
  if (!gives || !values.has_other(sentence, sentence)) return false;
  // Of several the last one counts: "I thought of 12, then of 58."
  const auto value = std::find_if(tokens.rbegin(), tokens.rend(), [&](Text t) {
    return begins_number(t[0]) || values.is_other_name(t) ||
           (!is_one_of(t, kNames) && values.is_own(t));
  });
  return value == tokens.rend() || !values.is_own(*value);
}

/// Whether the words before an object lead to it as to one's own answer. What was said above it
/// may be anything else that gives no other answer; `is_marked`: so may what was said beside it.
bool leads(Text words, const Asked& asked, const Values& values, bool is_marked) {
  const Lead lead = lead_of(words);
  if (has_any(without_phrases(lead.before), kExample)) return false;
  if (gives_another(lead.before, values)) return false;
  if (!lead.last.empty()) return is_lead(lead.last, asked, values);
  if (is_lead(lead.before, asked, values)) return true;
  const bool is_above = words.find('\n', words.find_last_not_of(kBlanks)) != Text::npos;
  constexpr Text kStops[] = {".", "!", "?", ";", ")", "\u3002", "\uff01", "\uff1f"};
  const bool is_whole = std::any_of(std::begin(kStops), std::end(kStops),
                                    [&](Text stop) { return lead.before.ends_with(stop); });
  const bool goes_on = lead.before.ends_with(':') || lead.before.ends_with("\uff1a");
  return is_marked ? !goes_on : is_above && is_whole;
}

/// Whether the words after an object do no more than explain it.
bool explains(Text words, Text low, const Asked& asked, const Values& values, bool must_explain) {
  if (low.find('?') != Text::npos || low.find("\uff1f") != Text::npos) return false;
  if (takes_back(low) || has_any(low, kExample) || names_another(low, asked)) return false;
  if (values.has_other(words, low)) return false;
  if (!must_explain) return true;
  const Text rest =
      low.substr(std::min(low.find_first_not_of(" \t\r\n.,:;!-1()"), low.size()));  // also "1."
  if (rest.empty()) return true;
  for (const Text word : kExplains) {
    if (!rest.starts_with(word)) continue;
    if (!is_ascii_word(word.back()) || word.size() == rest.size() ||
        !is_ascii_word(rest[word.size()]))
      return true;
  }
  return false;
}

/// Whether there is something to read in these words.
bool are_words(Text low) {
  return low.find_first_not_of(" \t\r\n.,:;!-*()") != Text::npos;
}

}  // namespace

bool is_quoted(std::string_view text, std::size_t at) {
  // A line that is longer is none that somebody quotes, and looking for its beginning would take
  // the square of its length where it has many objects.
  constexpr std::size_t kLongestLine = 4096;
  const std::size_t from = at - std::min(at, kLongestLine);
  text.remove_prefix(from);
  at -= from;
  const std::size_t line = at == 0 ? Text::npos : text.rfind('\n', at - 1);
  if (line == Text::npos && from > 0) return false;
  const std::size_t begin = line == Text::npos ? 0 : line + 1;
  const std::size_t first = text.find_first_not_of(" \t", begin);
  return first != Text::npos && first <= at && text[first] == '>';
}

bool takes_back(std::string_view words) {
  return has_any(lower_case(words), kTakenBack);
}

bool contradicts(std::string_view remark, std::string_view value, const Asked& asked) {
  const std::string low = lower_case(remark);
  return has_any(low, kExample) || has_word(low, "draft") ||
         Values(asked, value).has_other(remark, low);
}

Standing standing_of(std::string_view text, std::size_t at, std::size_t size,
                     std::string_view value, const Asked& asked, bool is_marked) {
  // What is farther away speaks of something else.
  constexpr std::size_t kNear = 16'384;
  const std::string before = words_of(text.substr(at - std::min(at, kNear), std::min(at, kNear)));
  const Text behind = text.substr(at + size, kNear);
  const std::string after = words_of(behind);
  const bool is_before = are_words(before);
  const bool is_after = are_words(after);
  if (!is_before && !is_after) return Standing::alone;
  if (has_refusal(before + "\n" + after)) return Standing::refused;
  const Values values(asked, value);
  if (is_after && !explains(behind, after, asked, values, !is_marked)) return Standing::aside;
  if (is_before && !leads(before, asked, values, is_marked)) return Standing::aside;
  // Between words it is neither first nor last, but for a heading over it.
  constexpr std::size_t kHeading = 60;
  const Text heading = trimmed(before);
  const bool is_heading = heading.size() <= kHeading && is_lead(heading, asked, values);
  if (is_before && is_after && !is_heading && !is_marked) return Standing::aside;
  return Standing::answer;
}

}  // namespace agon::llm
