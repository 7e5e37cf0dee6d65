#include "form/form.hpp"

#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <bit>
#include <utility>

#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {

Dialogue::~Dialogue() = default;

bool Dialogue::command(std::string_view) {
  return false;
}

std::string printable(std::string_view text, bool lines) {
  return text::printable(text, lines ? text::Breaks::keep : text::Breaks::escape);
}

namespace {

using form::AnswerPart;
using form::Choice;

/// Longest list that a person is asked for.
constexpr std::size_t kLongestList = 10000;

/// How asking for a part came out.
enum class AskResult : std::uint8_t {
  done,
  left,   ///< the person has gone
  again,  ///< from the start
  whole,  ///< the whole answer was given as JSON
};

/// What a line turned out to be.
enum class LineResult : std::uint8_t { entry, left, again, whole };

bool is_text(const Type& type) {
  return type.kind == Kind::text || (type.kind == Kind::optional && is_text(*type.element));
}

/// What the entries of a sum have come to so far.
struct Tally {
  const LimitData* sum;
  const Type* number;
  std::int64_t whole = 0;
  double real = 0;

  [[nodiscard]] std::int64_t left(std::int64_t bound) const {
    std::int64_t left = 0;
    if (__builtin_sub_overflow(bound, whole, &left)) return bound;
    return left;
  }
  [[nodiscard]] double left(double bound) const { return bound - real; }
  /// "7 left"; empty where nothing bounds it from above.
  [[nodiscard]] std::string left_in_words() const {
    const std::string most = sum_bounds(*sum, *number).hi;
    if (most.empty()) return {};
    return (number->kind == Kind::number ? figure_text(left(*text::number_in<double>(most)))
                                         : integer_text(*number, left(sum->hi))) +
           " left";
  }
};

class Filler {
 public:
  Filler(const Type& root, std::span<const LimitData> limits, Dialogue& dialogue)
      : root_(root), limits_(limits), dialogue_(dialogue) {
    for (const LimitData& limit : limits)
      if (limit.kind == LimitKind::sum)
        if (const Type* number = holder_of(limit, root).number; number != nullptr)
          tallies_.push_back({&limit, number});
  }

  AskResult fill() {
    AskResult step = part({&root_, nullptr, 0, limits_}, "");
    // An answer without members is still given by a person, not by the form.
    if (step == AskResult::done && fresh_) {
      std::string line;
      step = to_step(ask("press Enter to go on", false, line));
    }
    return step;
  }

  std::string json;

 private:
  static AskResult to_step(LineResult line) {
    return line == LineResult::left    ? AskResult::left
           : line == LineResult::again ? AskResult::again
           : line == LineResult::whole ? AskResult::whole
                                       : AskResult::done;
  }

  /// One line that is meant as an entry.
  LineResult ask(const std::string& prompt, bool as_text, std::string& line) {
    for (;;) {
      const bool first = fresh_;
      auto typed = dialogue_.ask(prompt);
      if (!typed) return LineResult::left;
      fresh_ = false;
      const std::string_view all = *typed;
      const std::string_view word = form::trim(all);
      if (word.starts_with('{') && (first || !as_text)) {
        const Value parsed(root_);
        const auto problem =
            read_json(root_, const_cast<void*>(parsed.get()), word, limits_, Missing::is_wrong);
        if (!problem) {
          json = word;
          return LineResult::whole;
        }
        say("That does not fit: " + problem->text());
        fresh_ = first;
        continue;
      }
      if (word.starts_with('/')) {
        if (word.starts_with("//")) {
          line = all.substr(all.find('/') + 1);
          return LineResult::entry;
        }
        if (word == "/again") return LineResult::again;
        if (!dialogue_.command(word.substr(1))) say("There is no command " + std::string(word));
        fresh_ = first;
        continue;
      }
      line = all;
      return LineResult::entry;
    }
  }

  /// True if a word that fits no entry was a command; `again` is the form's own.
  bool obeys(std::string_view line, bool& again) {
    const std::string_view word = form::trim(line);
    again = word == "again";
    return again || (!word.empty() && dialogue_.command(word));
  }

  void say(const std::string& text) { dialogue_.show(text::printable(text) + "\n"); }

  void introduce(const AnswerPart& place, const std::string& label, const std::string& more) {
    std::string text = label;
    if (place.field != nullptr && !place.field->doc.empty())
      text += (text.empty() ? "" : ": ") + form::doc_for_people(*place.field);
    for (const Tally& tally : tallies_)
      if (const SumHolder holder = holder_of(*tally.sum, root_);
          holder.type == place.type && holder.slot == place.slot)
        text += (text.empty() ? "" : "; ") + sum_in_words(*tally.sum, holder, Language::english());
    if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
    if (!text.empty()) say(text);
  }

  [[nodiscard]] bool holds_sum(const AnswerPart& place) const {
    for (const Tally& tally : tallies_)
      if (const SumHolder holder = holder_of(*tally.sum, root_);
          holder.type == place.type && holder.slot == place.slot)
        return true;
    return false;
  }

  void list_choices(const std::vector<Choice>& choices) {
    if (choices.empty()) return;
    text::TextTable table({{"", text::Align::right}, {""}, {""}});
    for (std::size_t i = 0; i < choices.size(); ++i)
      table.add({std::to_string(i + 1), choices[i].name, choices[i].doc});
    dialogue_.show(table.str(2));
  }

  AskResult part(const AnswerPart& place, const std::string& label) {
    const Type& type = *place.type;
    if (form::fits_a_line(type)) {
      introduce(place, label, "");
      const auto choices = form::choices_at(place);
      if (!choices.empty()) list_choices(choices);
      return entry(place, label);
    }
    switch (type.kind) {
      case Kind::structure:
        return members(place, label, true);
      case Kind::variant:
        return variant(place, label);
      case Kind::list:
        return list(place, label);
      case Kind::map:
        return map(place, label);
      default:
        return optional(place, label);
    }
  }

  AskResult entry(const AnswerPart& open, const std::string& label) {
    std::vector<LimitData> narrowed;
    const AnswerPart place = within_sums(open, narrowed);
    std::string line;
    for (;;) {
      const LineResult got = ask(prompt(place, label), is_text(*place.type), line);
      if (got != LineResult::entry) return to_step(got);
      const form::Typed typed = form::read_entry(place, line);
      if (typed.problem.empty()) {
        json += typed.json;
        count(place, typed.json);
        return AskResult::done;
      }
      bool again = false;
      if (!obeys(line, again)) say("That does not fit: " + typed.problem);
      if (again) return AskResult::again;
    }
  }

  /// The number of a place that fits a line.
  static AnswerPart number_of(const AnswerPart& place) {
    return place.type->kind == Kind::optional ? form::inside(place) : place;
  }

  /// A place whose number may be no more than its sums leave, and the last of a sum no less.
  /// `narrowed` holds the limits, and must outlive it.
  AnswerPart within_sums(const AnswerPart& place, std::vector<LimitData>& narrowed) const {
    const AnswerPart number = number_of(place);
    for (const Tally& tally : tallies_) {
      if (!counts(*tally.sum, number.slot)) continue;
      const LimitData& sum = *tally.sum;
      const bool is_last = more_to_come_ == 0 &&
                           number.slot - sum.slot + 1 == static_cast<int>(std::bit_width(sum.n));
      LimitData own{.slot = number.slot};
      if (tally.number->kind == Kind::number) {
        const NumberBounds b = number_bounds(place.field, number.slot, place.limits);
        const double lo = tally.left(std::bit_cast<double>(sum.lo));
        own.lo = std::bit_cast<std::int64_t>(is_last ? std::max(b.lo, lo - 1e-9) : b.lo);
        own.hi = std::bit_cast<std::int64_t>(
            std::min(b.hi, tally.left(std::bit_cast<double>(sum.hi)) + 1e-9));
      } else {
        const IntegerBounds b =
            integer_bounds(*number.type, place.field, number.slot, place.limits);
        own.lo = is_last ? std::max(b.lo, tally.left(sum.lo)) : b.lo;
        own.hi = std::min(b.hi, tally.left(sum.hi));
      }
      narrowed.insert(narrowed.begin(), own);
    }
    if (narrowed.empty()) return place;
    narrowed.insert(narrowed.end(), place.limits.begin(), place.limits.end());
    return {place.type, place.field, place.slot, narrowed};
  }

  void count(const AnswerPart& place, std::string_view entered) {
    const AnswerPart number = number_of(place);
    for (Tally& tally : tallies_) {
      if (!counts(*tally.sum, number.slot) || entered == "null") continue;
      const Value value(*number.type);
      if (read_json(*number.type, const_cast<void*>(value.get()), entered)) continue;
      if (tally.number->kind == Kind::number)
        tally.real += *static_cast<const double*>(value.get());
      else
        tally.whole += number.type->get(value.get());
    }
  }

  std::string prompt(const AnswerPart& place, const std::string& label) const {
    std::string hint = form::hint_at(place);
    for (const Tally& tally : tallies_)
      if (counts(*tally.sum, number_of(place).slot))
        if (const std::string left = tally.left_in_words(); !left.empty())
          hint += (hint.empty() ? "" : "; ") + left;
    return hint.empty() ? label : label + (label.empty() ? "(" : " (") + hint + ")";
  }

  AskResult members(const AnswerPart& place, const std::string& label, bool braces) {
    if (braces) json += '{';
    if (braces && (label.empty() ? holds_sum(place) : place.field != nullptr))
      introduce(place, label, "");
    bool first = braces;
    std::uint16_t slot = place.slot;
    for (const Field& f : place.type->fields) {
      if (!first) json += ',';
      first = false;
      json::append_string(json, f.name);
      json += ':';
      const AskResult step = part({f.type, &f, slot, place.limits}, form::name_for_people(f.name));
      if (step != AskResult::done) return step;
      slot = static_cast<std::uint16_t>(slot + f.type->slots);
    }
    if (braces) json += '}';
    return AskResult::done;
  }

  AskResult variant(const AnswerPart& place, const std::string& label) {
    const Type& type = *place.type;
    const std::vector<Choice> choices = form::choices_at(place);
    std::string kind;
    if (choices.size() == 1 && !choices[0].doc.empty()) {
      kind = choices[0].name;
      introduce(place, label, kind + " is all that is possible now");
    } else {
      introduce(place, label, "one of these");
      list_choices(choices);
      while (kind.empty()) {
        std::string line;
        const LineResult got =
            ask((label.empty() ? "which one" : label) + " (a name or its number)", false, line);
        if (got != LineResult::entry) return to_step(got);
        const std::string_view word = form::trim(line);
        if (const auto i = form::pick(choices, word)) {
          kind = choices[*i].name;
        } else {
          bool again = false;
          if (!obeys(word, again))
            say("That does not fit: " + form::read_choice(choices, word).problem);
          if (again) return AskResult::again;
        }
      }
    }
    std::size_t i = 0;
    while (kind_of(*type.alternatives[i]) != kind) ++i;
    const Type& chosen = *type.alternatives[i];
    json += "{\"kind\":\"" + kind + '"';
    const AskResult step = members(
        {&chosen, nullptr, alternative_slot(type, place.slot, i), place.limits}, label, false);
    json += '}';
    return step;
  }

  AskResult optional(const AnswerPart& place, const std::string& label) {
    const unsigned may = allowed_presence(place.slot, place.limits);
    bool present = (may & 2U) != 0;
    if (may == 3) {
      introduce(place, label, "");
      const auto yes = question((label.empty() ? "" : label + ": ") +
                                "is there one? (yes or no; leave empty for no)");
      if (yes.first != AskResult::done) return yes.first;
      present = yes.second;
    }
    if (!present) {
      json += "null";
      return AskResult::done;
    }
    return part(inside(place), label);
  }

  std::pair<AskResult, bool> question(const std::string& prompt) {
    for (;;) {
      std::string line;
      const LineResult got = ask(prompt, false, line);
      if (got != LineResult::entry) return {to_step(got), false};
      if (form::trim(line).empty()) return {AskResult::done, false};
      if (const auto yes = form::yes_or_no(form::trim(line))) return {AskResult::done, *yes};
      bool again = false;
      if (!obeys(line, again)) say("That does not fit: please say yes or no");
      if (again) return {AskResult::again, false};
    }
  }

  AskResult list(const AnswerPart& place, const std::string& label) {
    const Type& type = *place.type;
    const LengthBounds b = length_bounds(type, place.field, place.slot, place.limits);
    std::size_t n = b.lo;
    if (b.lo != b.hi) {
      introduce(place, label, "");
      const AskResult step = length((label.empty() ? "" : label + ": ") + "how many?", b, n);
      if (step != AskResult::done) return step;
    } else {
      introduce(place, label, std::to_string(n) + (n == 1 ? " value" : " values"));
    }
    // Numbers and choices of a list may stand on one line.
    const bool short_elements = form::fits_a_line(*type.element) && !is_text(*type.element);
    const bool on_one_line = short_elements && n > 1;
    if (on_one_line) dialogue_.show("(one by one, or all of them on one line)\n");
    if (form::fits_a_line(*type.element)) list_choices(form::choices_at(form::inside(place)));
    json += '[';
    for (std::size_t i = 0; i < n; ++i) {
      if (i != 0) json += ',';
      const MoreToCome more(more_to_come_, i + 1 < n);
      std::vector<LimitData> narrowed;
      const AnswerPart element = form::element_at(place, i, narrowed);
      const std::string name =
          (label.empty() ? "" : label + " ") + std::to_string(i + 1) + " of " + std::to_string(n);
      AskResult step = AskResult::done;
      if (!form::fits_a_line(*type.element)) {
        dialogue_.show(text::printable(name) + "\n");
        step = part({element.type, nullptr, element.slot, element.limits},
                    label.empty() ? "" : label + " " + std::to_string(i + 1));
      } else if (i == 0 && on_one_line) {
        bool all = false;
        step = first_or_all(place, element, name, n, all);
        if (all && step == AskResult::done) break;
      } else {
        step = entry(element, name);
      }
      if (step != AskResult::done) return step;
    }
    json += ']';
    return AskResult::done;
  }

  AskResult length(const std::string& prompt, const LengthBounds& b, std::size_t& n) {
    Field bounds;
    bounds.min = static_cast<double>(b.lo);
    bounds.max = static_cast<double>(std::min(b.hi, kLongestList));
    const AnswerPart place{&type_of<std::uint32_t>(), &bounds, 0, {}};
    const std::string lo = std::to_string(b.lo);
    const std::string hint =
        b.hi > kLongestList ? lo + " or more" : lo + " to " + std::to_string(b.hi);
    for (;;) {
      std::string line;
      const LineResult got = ask(prompt + " (" + hint + ")", false, line);
      if (got != LineResult::entry) return to_step(got);
      const form::Typed typed = form::read_entry(place, line);
      if (typed.problem.empty()) {
        std::uint32_t number = 0;
        if (!read_json(number, typed.json, Missing::is_wrong)) n = number;
        return AskResult::done;
      }
      bool again = false;
      if (!obeys(line, again)) say("That does not fit: " + typed.problem);
      if (again) return AskResult::again;
    }
  }

  AskResult first_or_all(const AnswerPart& list, const AnswerPart& open, const std::string& label,
                         std::size_t n, bool& all) {
    std::vector<LimitData> in_sums;
    const AnswerPart element = within_sums(open, in_sums);
    const std::vector<Tally> before = tallies_;
    for (;;) {
      tallies_ = before;
      std::string line;
      const LineResult got = ask(prompt(element, label), false, line);
      if (got != LineResult::entry) return to_step(got);
      const std::vector<std::string> words = split(line);
      std::string problem;
      std::string text;
      if (words.size() != n && words.size() > 1) {
        problem = std::to_string(n) + " values are needed, not " + std::to_string(words.size());
      }
      for (std::size_t i = 0; i < std::max<std::size_t>(1, words.size()) && problem.empty(); ++i) {
        std::vector<LimitData> narrowed, summed;
        const int more_before = std::exchange(more_to_come_, i + 1 < n ? 1 : 0);
        const AnswerPart place = within_sums(form::element_at(list, i, narrowed), summed);
        more_to_come_ = more_before;
        const form::Typed typed = form::read_entry(place, words.empty() ? "" : words[i]);
        if (typed.problem.empty()) count(place, typed.json);
        if (!typed.problem.empty() && words.size() > 1)
          problem = "value " + std::to_string(i + 1) + ": " + typed.problem;
        else
          problem = typed.problem;
        text += (i == 0 ? "" : ",") + typed.json;
      }
      if (problem.empty()) {
        all = words.size() == n;
        json += text;
        return AskResult::done;
      }
      bool again = false;
      if (!obeys(line, again)) say("That does not fit: " + problem);
      if (again) return AskResult::again;
    }
  }

  static std::vector<std::string> split(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : line) {
      if (c != ' ' && c != '\t' && c != ',' && c != ';' && c != '[' && c != ']' && c != '\r') {
        word += c;
      } else if (!word.empty()) {
        words.push_back(std::move(word));
        word.clear();
      }
    }
    if (!word.empty()) words.push_back(std::move(word));
    return words;
  }

  AskResult map(const AnswerPart& place, const std::string& label) {
    const LimitData* names = limit_at(place.limits, place.slot, LimitKind::names);
    std::vector<std::string> keys;
    if (names != nullptr) {
      introduce(place, label, "");
      keys.assign(names->names, names->names + names->n);
    } else {
      const AskResult step = ask_keys(place, label, keys);
      if (step != AskResult::done) return step;
    }
    json += '{';
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i != 0) json += ',';
      const MoreToCome more(more_to_come_, i + 1 < keys.size());
      json::append_string(json, keys[i]);
      json += ':';
      const std::string name = (label.empty() ? "" : label + " of ") + keys[i];
      const AnswerPart element = inside(place);
      const AskResult step =
          form::fits_a_line(*element.type)
              ? entry(element, name)
              : part({element.type, nullptr, element.slot, element.limits}, name);
      if (step != AskResult::done) return step;
    }
    json += '}';
    return AskResult::done;
  }

  AskResult ask_keys(const AnswerPart& place, const std::string& label,
                     std::vector<std::string>& keys) {
    const LengthBounds b = length_bounds(*place.type, place.field, place.slot, place.limits);
    introduce(place, label, "name the entries; an empty line ends the list");
    while (keys.size() < b.hi) {
      std::string line;
      const LineResult got =
          ask((label.empty() ? "" : label + ": ") + "name " + std::to_string(keys.size() + 1), true,
              line);
      if (got != LineResult::entry) return to_step(got);
      const std::string key(form::trim(line));
      if (key.empty()) {
        if (keys.size() >= b.lo) break;
        say("At least " + std::to_string(b.lo) + " are needed");
      } else if (!text::is_utf8(key)) {
        say("That does not fit: this is not valid UTF-8");
      } else if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
        say("That name is there already");
      } else {
        keys.push_back(key);
      }
    }
    return AskResult::done;
  }

  /// Says for its life whether more elements come after the one that is asked for.
  class MoreToCome {
   public:
    MoreToCome(int& counter, bool more) : counter_(counter), more_(more ? 1 : 0) {
      counter_ += more_;
    }
    ~MoreToCome() { counter_ -= more_; }
    MoreToCome(const MoreToCome&) = delete;
    MoreToCome& operator=(const MoreToCome&) = delete;

   private:
    int& counter_;
    int more_;
  };

  const Type& root_;
  std::span<const LimitData> limits_;
  std::vector<Tally> tallies_;
  int more_to_come_ = 0;  ///< lists and maps around the entry that have further elements
  Dialogue& dialogue_;
  bool fresh_ = true;  ///< nothing was entered yet
};

}  // namespace

Form::Form(const Type& type, std::span<const LimitData> limits) : type_(type), limits_(limits) {}

std::optional<std::string> Form::fill(Dialogue& dialogue) const {
  for (;;) {
    Filler filler(type_, limits_, dialogue);
    switch (filler.fill()) {
      case AskResult::left:
        return std::nullopt;
      case AskResult::again:
        dialogue.show("From the start.\n");
        break;
      case AskResult::whole:
        return std::move(filler.json);
      case AskResult::done: {
        Value value(type_);
        const auto problem = read_json(type_, value.get(), filler.json, limits_, Missing::is_wrong);
        if (!problem) return std::move(filler.json);
        dialogue.show("Taken together that does not fit: " + text::printable(problem->text()) +
                      "\nFrom the start.\n");
        break;
      }
    }
  }
}

}  // namespace agon
