#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include "deal-or-no-deal/importer.hpp"

namespace deal_or_no_deal {
namespace {

constexpr std::array<std::string_view, 4> kFormatNames{"tagged-dialogues", "flat-dialogues",
                                                       "paired-contexts", "pools"};
constexpr std::array<std::string_view, 4> kEndingNames{"agreed", "disagreed", "no-agreement",
                                                       "disconnected"};

/// The published data always has a book, a hat and a ball.
constexpr std::size_t kItemTypes = 3;
constexpr std::size_t kContextSize = 2 * kItemTypes;

using Words = std::vector<std::string_view>;
using WordSpan = std::span<const std::string_view>;

/// Why a line is bad. Never leaves this file.
struct Refusal {
  std::string reason;
};

[[noreturn]] void refuse(std::string reason) {
  throw Refusal{std::move(reason)};
}

Words split_at(std::string_view line, std::string_view separators) {
  Words words;
  std::size_t at = line.find_first_not_of(separators);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(separators, end);
  }
  return words;
}

Words words_of(std::string_view line) {
  return split_at(line, " \t\r");
}

std::optional<int> number(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

bool all_numbers(WordSpan words) {
  return std::all_of(words.begin(), words.end(),
                     [](auto word) { return number(word).has_value(); });
}

int number_or_refuse(std::string_view word) {
  const auto value = number(word);
  if (!value) refuse(fmt::format("\"{}\" is not a whole number", word));
  return *value;
}

/// One side's six numbers: count and value of each item.
struct Context {
  Amounts counts;
  Amounts values;
};

Context context_of(WordSpan words) {
  if (words.size() != kContextSize) {
    refuse(fmt::format("a context has {} numbers instead of {}", words.size(), kContextSize));
  }
  Context context;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    context.counts.push_back(number_or_refuse(words[i]));
    context.values.push_back(number_or_refuse(words[i + 1]));
  }
  return context;
}

Instance instance_of(WordSpan first_words, WordSpan second_words) {
  const Context first = context_of(first_words);
  const Context second = context_of(second_words);
  if (first.counts != second.counts) {
    refuse(fmt::format("the two contexts count {} and {} items", text(first.counts),
                       text(second.counts)));
  }
  return Instance{{}, 0, first.counts, {first.values, second.values}};
}

/// The tokens `item0=a item1=b item2=c`.
Amounts selection_of(WordSpan words) {
  Amounts selection;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string prefix = fmt::format("item{}=", i);
    if (!words[i].starts_with(prefix)) {
      refuse(fmt::format("the selection has \"{}\" where {} belongs", words[i], prefix));
    }
    selection.push_back(number_or_refuse(words[i].substr(prefix.size())));
  }
  return selection;
}

Split agreed_split(const Amounts& counts, const Split& split) {
  if (!is_full(counts, split)) {
    refuse(fmt::format("the agreed selections {} and {} do not add up to {}", text(split.parts[0]),
                       text(split.parts[1]), text(counts)));
  }
  return split;
}

bool is_speaker(std::string_view word) {
  return word == "YOU:" || word == "THEM:";
}

/// The messages of a talk. Each begins with its speaker, and the speakers take turns; the one that
/// only announces the selection is none.
Dialogue dialogue_of(WordSpan talk) {
  if (talk.empty() || !is_speaker(talk.front()))
    refuse("the dialogue does not begin with a speaker");
  Dialogue dialogue;
  dialogue.second_begins = talk.front() == "THEM:";
  for (std::size_t i = 0; i < talk.size();) {
    const std::string_view next =
        (dialogue.messages.size() % 2 == 0) == dialogue.second_begins ? "THEM:" : "YOU:";
    if (talk[i] != next) refuse(fmt::format("\"{}\" stands where {} should speak", talk[i], next));
    const WordSpan rest = talk.subspan(i + 1);
    const auto said =
        static_cast<std::size_t>(std::find(rest.begin(), rest.end(), "<eos>") - rest.begin());
    const WordSpan words = rest.first(said);
    if (!words.empty() && words.front() == "<selection>") break;
    dialogue.messages.push_back(fmt::format("{}", fmt::join(words, " ")));
    i += said + 2;
  }
  return dialogue;
}

/// The words between `<tag>` and `</tag>`.
WordSpan tagged(WordSpan words, std::string_view tag) {
  const auto open = std::find(words.begin(), words.end(), fmt::format("<{}>", tag));
  if (open == words.end()) refuse(fmt::format("there is no <{}>", tag));
  const auto close = std::find(open, words.end(), fmt::format("</{}>", tag));
  if (close == words.end()) refuse(fmt::format("there is no </{}>", tag));
  return {open + 1, close};
}

Row tagged_row(WordSpan words) {
  Row row;
  const WordSpan first = tagged(words, "input");
  const WordSpan second = tagged(words, "partner_input");
  row.instance = instance_of(first, second);
  HumanOutcome human;
  row.dialogue = dialogue_of(tagged(words, "dialogue"));
  human.messages = static_cast<int>(row.dialogue->messages.size());
  const WordSpan output = tagged(words, "output");
  if (output.size() != 2 * kItemTypes) {
    refuse(fmt::format("the output has {} tokens instead of {}", output.size(), 2 * kItemTypes));
  }
  const auto only = [&](std::string_view token) {
    return std::all_of(output.begin(), output.end(), [&](auto word) { return word == token; });
  };
  if (only("<disagree>")) {
    human.ending = Ending::disagreed;
  } else if (only("<no_agreement>")) {
    human.ending = Ending::no_agreement;
  } else if (only("<disconnect>")) {
    human.ending = Ending::disconnected;
  } else {
    human.ending = Ending::agreed;
    const Amounts own = selection_of(output.first(kItemTypes));
    const Amounts other = selection_of(output.subspan(kItemTypes));
    human.split = agreed_split(row.instance.counts, {{own, other}});
  }
  row.human = human;
  return row;
}

Row flat_row(WordSpan words) {
  if (words.size() < 2 * kContextSize) refuse("the line is too short");
  const WordSpan talk = words.subspan(kContextSize, words.size() - 2 * kContextSize);
  Row row;
  row.instance = instance_of(words.first(kContextSize), words.last(kContextSize));
  const auto mark = std::find(talk.begin(), talk.end(), "<selection>");
  if (mark == talk.end()) refuse("there is no <selection>");
  const WordSpan tail{mark + 1, talk.end()};
  HumanOutcome human;
  row.dialogue = dialogue_of({talk.begin(), mark + 1});
  human.messages = static_cast<int>(row.dialogue->messages.size());
  for (const std::string_view word : tail)
    if (word.starts_with("reward=")) row.dialogue->reward = number(word.substr(7));
  if (tail.empty()) refuse("nothing follows the <selection>");
  const bool fits_together = tail.back() == "agree";
  if (!fits_together && tail.back() != "disagree") {
    refuse(fmt::format("\"{}\" stands where agree or disagree belongs", tail.back()));
  }
  if (tail.front() == "disconnect") {
    human.ending = Ending::disconnected;
  } else if (tail.size() >= 2 && tail[0] == "no" && tail[1] == "agreement") {
    // Only one side gave up when the selections are said not to fit.
    human.ending = fits_together ? Ending::no_agreement : Ending::disagreed;
  } else {
    if (tail.size() < kItemTypes) refuse("the selection is too short");
    const Amounts own = selection_of(tail.first(kItemTypes));
    const Split split = full_split(row.instance.counts, own);
    if (!fits(row.instance.counts, split)) {
      refuse(
          fmt::format("the selection {} is not within {}", text(own), text(row.instance.counts)));
    }
    human.ending = fits_together ? Ending::agreed : Ending::disagreed;
    if (fits_together) human.split = split;
  }
  row.human = human;
  return row;
}

Row pool_row(WordSpan words) {
  if (words.size() != 3) refuse(fmt::format("there are {} groups instead of 3", words.size()));
  std::array<Amounts, 3> groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Words entries = split_at(words[i], ",");
    if (entries.size() > kMaxTypes) {
      refuse(fmt::format("there are more than {} item types", kMaxTypes));
    }
    for (const auto entry : entries) groups[i].push_back(number_or_refuse(entry));
  }
  return Row{{{}, 0, groups[0], {groups[1], groups[2]}}, std::nullopt};
}

std::optional<SourceFormat> format_of(const Words& words) {
  if (words.front() == "<input>") return SourceFormat::tagged_dialogues;
  if (words.size() > kContextSize && is_speaker(words[kContextSize])) {
    return SourceFormat::flat_dialogues;
  }
  if (words.size() == kContextSize && all_numbers(words)) return SourceFormat::paired_contexts;
  const auto is_list = [](std::string_view word) {
    return word.find(',') != word.npos && word.find_first_not_of("0123456789,") == word.npos;
  };
  if (words.size() == 3 && std::all_of(words.begin(), words.end(), is_list)) {
    return SourceFormat::pools;
  }
  return std::nullopt;
}

std::string stem(std::string_view file) {
  const std::size_t slash = file.find_last_of('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  const std::size_t dot = file.find_last_of('.');
  if (dot != std::string_view::npos && dot > 0) file = file.substr(0, dot);
  return std::string(file);
}

/// A line that is not blank.
struct Line {
  int number;
  Words words;
};

std::vector<Line> lines_of(std::string_view bytes) {
  std::vector<Line> lines;
  int number = 0;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    ++number;
    Words words = words_of(bytes.substr(0, end));
    if (!words.empty()) lines.push_back({number, std::move(words)});
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return lines;
}

/// Collects rows and bad rows; everything that is read goes to one of them.
class Reader {
 public:
  Reader(std::string_view file, SourceFormat format, const Constraints* required)
      : file_(file), stem_(stem(file)), required_(required) {
    result_.format = format;
  }

  template <class Read>
  void line(int number, Read&& read) {
    try {
      Row row = read();
      row.instance.id = fmt::format("{}-{}", stem_, number);
      row.instance.line = number;
      auto found = problems(row.instance);
      if (found.empty() && required_ != nullptr) found = breaches(row.instance, *required_);
      if (!found.empty()) refuse(fmt::format("{}", fmt::join(found, ", ")));
      result_.rows.push_back(std::move(row));
    } catch (const Refusal& refusal) {
      result_.bad.push_back({std::string(file_), number, refusal.reason});
    }
  }

  Imported take() { return std::move(result_); }

 private:
  std::string_view file_;
  std::string stem_;
  const Constraints* required_;
  Imported result_;
};

void read_pairs(const std::vector<Line>& lines, Reader& reader) {
  for (std::size_t i = 0; i < lines.size(); i += 2) {
    reader.line(lines[i].number, [&] {
      if (i + 1 == lines.size()) refuse("the second line of the scenario is missing");
      return Row{instance_of(lines[i].words, lines[i + 1].words), std::nullopt};
    });
  }
}

}  // namespace

std::string_view name(SourceFormat format) {
  return kFormatNames[static_cast<std::size_t>(format)];
}

std::string_view name(Ending ending) {
  return kEndingNames[static_cast<std::size_t>(ending)];
}

std::optional<Ending> ending_of(std::string_view name) {
  const auto* const found = std::find(kEndingNames.begin(), kEndingNames.end(), name);
  if (found == kEndingNames.end()) return std::nullopt;
  return static_cast<Ending>(found - kEndingNames.begin());
}

Imported import_text(std::string_view bytes, std::string_view file, const Constraints* required) {
  const std::vector<Line> lines = lines_of(bytes);
  std::optional<SourceFormat> format;
  for (std::size_t i = 0; i < lines.size() && !format; ++i) format = format_of(lines[i].words);
  if (!format) {
    throw agon::Error(agon::ErrorKind::invalid,
                      "no line looks like a Deal or No Deal dialogue or instance",
                      std::string(file),
                      "give tagged or flat dialogues, pairs of six numbers, or pools such as "
                      "\"1,2,3 8,1,0 4,0,2\"");
  }
  Reader reader(file, *format, required);
  if (*format == SourceFormat::paired_contexts) {
    read_pairs(lines, reader);
    return reader.take();
  }
  for (const Line& line : lines) {
    reader.line(line.number, [&]() -> Row {
      if (*format == SourceFormat::tagged_dialogues) return tagged_row(line.words);
      if (*format == SourceFormat::flat_dialogues) return flat_row(line.words);
      return pool_row(line.words);
    });
  }
  return reader.take();
}

}  // namespace deal_or_no_deal
