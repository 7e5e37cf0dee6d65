#include "dialogue/tokens.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace agon::dialogue {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::array<std::pair<std::string_view, double>, 29> kSmall{{
    {"zero", 0},     {"two", 2},        {"three", 3},     {"four", 4},      {"five", 5},
    {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},      {"ten", 10},
    {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15},
    {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19}, {"twenty", 20},
    {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},    {"seventy", 70},
    {"eighty", 80},  {"ninety", 90},    {"one", 1},       {"nought", 0},
}};

std::optional<double> small_number(std::string_view word) {
  for (const auto& [name, value] : kSmall)
    if (name == word) return value;
  return std::nullopt;
}

std::optional<double> scale_of(std::string_view word) {
  if (word == "hundred") return 100;
  if (word == "thousand" || word == "grand" || word == "k") return 1000;
  if (word == "million" || word == "m") return 1e6;
  return std::nullopt;
}

bool is_currency(std::string_view word) {
  constexpr std::array<std::string_view, 14> kNames{"$",       "€",      "£",     "¥",    "dollar",
                                                    "dollars", "usd",    "bucks", "euro", "euros",
                                                    "eur",     "pounds", "gbp",   "cents"};
  return std::ranges::find(kNames, word) != kNames.end();
}

/// Marks that other programs' quotes and dashes stand for.
std::string plain(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMarks{{{"\u2019", "'"},
                                                                                 {"\u2018", "'"},
                                                                                 {"\u201c", "\""},
                                                                                 {"\u201d", "\""},
                                                                                 {"\u2013", "-"},
                                                                                 {"\u2014", "; "},
                                                                                 {"\u2212", "-"}}};
  std::string out;
  while (!text.empty()) {
    bool replaced = false;
    for (const auto& [mark, with] : kMarks)
      if (text.starts_with(mark)) {
        out += with;
        text.remove_prefix(mark.size());
        replaced = true;
        break;
      }
    if (replaced) continue;
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

/// Reads a text from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] char here(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip() { ++at_; }

  /// Digits with commas and a point: "1,250.50", and "12.5k".
  Token number() {
    Token token;
    std::string digits;
    bool point = false;
    for (;; ++at_) {
      const char c = here();
      if (is_digit(c)) {
        digits += c;
      } else if (c == ',' && is_digit(here(1)) && is_digit(here(2)) && is_digit(here(3)) &&
                 !is_digit(here(4)) && !point) {
        continue;
      } else if (c == '.' && is_digit(here(1)) && !point) {
        point = true;
        digits += c;
      } else {
        break;
      }
    }
    token.word = digits;
    token.number = std::strtod(digits.c_str(), nullptr);
    const std::size_t dot = digits.find('.');
    token.precision =
        dot == std::string::npos ? 1 : std::pow(10, -static_cast<double>(digits.size() - dot - 1));
    read_suffix(token);
    return token;
  }

  Token word() {
    Token token;
    while (is_letter(here()) || is_digit(here()) ||
           (here() == '\'' && is_letter(here(1)) && !token.word.empty()))
      token.word += lower(text_[at_++]);
    return token;
  }

 private:
  static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

  /// What is glued to digits: "k" and "m" scale, "%" is a share, and anything else makes a name or
  /// an ordinal of it, which is no amount.
  void read_suffix(Token& token) {
    if (here() == '%') {
      token.percent = true;
      ++at_;
      return;
    }
    if (!is_letter(here()) || static_cast<unsigned char>(here()) >= 0x80) return;
    const Token suffix = word();
    if (const auto scale = scale_of(suffix.word)) {
      *token.number *= *scale;
      token.precision *= *scale;
      return;
    }
    token.word += suffix.word;
    token.number.reset();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Numbers in words become one token: "one hundred and five", "forty-two", "5 thousand".
class Joined {
 public:
  explicit Joined(const std::vector<Token>& from) : from_(from) {}

  std::vector<Token> go() {
    while (at_ < from_.size())
      if (!number()) out_.push_back(from_[at_++]);
    mark_units();
    return std::move(out_);
  }

 private:
  [[nodiscard]] const std::string& word(std::size_t i) const {
    static const std::string kNone;
    return i < from_.size() ? from_[i].word : kNone;
  }

  bool number() {
    std::size_t i = at_;
    Token token = from_[i];
    if (!token.number) {
      const bool scaled = (token.word == "a" || token.word == "one") && scale_of(word(i + 1));
      const auto small = small_number(token.word);
      // "One" alone is mostly no number: "the red one".
      if (!scaled && (!small || token.word == "one")) return false;
      token.number = scaled ? 1 : *small;
      token.precision = 1;
      if (*token.number >= 20 && word(i + 1) == "-" && small_number(word(i + 2)))
        token.number = *token.number + *small_number(word(i += 2));
      else if (const auto unit = small_number(word(i + 1));
               *token.number >= 20 && unit && *unit > 0 && *unit < 10)
        token.number = *token.number + *small_number(word(++i));
    }
    while (const auto scale = scale_of(word(i + 1))) {
      token.number = *token.number * *scale;
      token.precision *= *scale;
      const std::size_t next = word(++i + 1) == "and" ? i + 2 : i + 1;
      if (const auto more = small_number(word(next)); more && !token.percent && *scale == 100) {
        token.number = *token.number + *more;
        token.precision = 1;
        i = next;
      }
    }
    at_ = i + 1;
    out_.push_back(std::move(token));
    return true;
  }

  /// Takes currencies and shares into the numbers that they belong to.
  void mark_units() {
    std::vector<Token> kept;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      Token& token = out_[i];
      const bool number_before = !kept.empty() && kept.back().number.has_value();
      const auto& next = i + 1 < out_.size() ? out_[i + 1] : Token{};
      if (is_currency(token.word) && (number_before || next.number)) {
        if (next.number && !number_before)
          out_[i + 1].currency = true;
        else if (token.word != "cents")
          kept.back().currency = true;
        else
          kept.push_back(std::move(token));
        continue;
      }
      if (number_before && (token.word == "percent" || token.word == "pct")) {
        kept.back().percent = true;
        continue;
      }
      if (number_before && token.word == "per" && next.word == "cent") {
        kept.back().percent = true;
        ++i;
        continue;
      }
      kept.push_back(std::move(token));
    }
    out_ = std::move(kept);
  }

  const std::vector<Token>& from_;
  std::vector<Token> out_;
  std::size_t at_ = 0;
};

std::string trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

std::vector<Clause> clauses_of(std::string_view said) {
  const std::string text = plain(said);
  std::vector<Clause> clauses;
  std::vector<Token> open;
  Reader reader(text);
  std::size_t begin = 0;
  const auto close = [&](std::size_t end, bool question) {
    if (!open.empty())
      clauses.push_back({trimmed(std::string_view(text).substr(begin, end - begin)),
                         Joined(open).go(), question});
    open.clear();
    begin = end;
  };
  while (!reader.at_end()) {
    const char c = reader.here();
    if (is_digit(c) || (c == '.' && is_digit(reader.here(1)))) {
      open.push_back(reader.number());
    } else if (static_cast<unsigned char>(c) >= 0x80 &&
               (text.compare(reader.at(), 3, "€") == 0 || text.compare(reader.at(), 2, "£") == 0 ||
                text.compare(reader.at(), 2, "¥") == 0)) {
      open.push_back({.word = text.substr(reader.at(), text[reader.at()] == '\xE2' ? 3 : 2)});
      for (std::size_t n = open.back().word.size(); n > 0; --n) reader.skip();
    } else if (is_letter(c)) {
      const std::size_t before = reader.at();
      Token token = reader.word();
      if (token.word == "but" || token.word == "however" || token.word == "although")
        close(before, false);
      else
        open.push_back(std::move(token));
    } else {
      if (c == '.' || c == '!' || c == '?' || c == '\n' || c == ';') {
        reader.skip();
        close(reader.at(), c == '?');
        continue;
      }
      if (std::string_view(",:=$-()").find(c) != std::string_view::npos)
        open.push_back({.word = std::string(1, c)});
      reader.skip();
    }
  }
  close(text.size(), false);
  return clauses;
}

}  // namespace agon::dialogue
