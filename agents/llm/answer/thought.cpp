#include "llm/answer/thought.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "llm/answer/read_answer.hpp"
#include "llm/answer/words.hpp"

namespace agon::llm {
namespace {

using Text = std::string_view;

/// What opens and closes a thought, in lower case.
struct Delimiter {
  Text open;
  Text close;
};

/// In the order in which they are looked for: no one begins like a later one.
constexpr Delimiter kDelimiters[] = {
    {"<thinking>", "</thinking>"},
    {"<thoughts>", "</thoughts>"},
    {"<thought>", "</thought>"},
    {"<think>", "</think>"},
    {"<reasoning>", "</reasoning>"},
    {"<reason>", "</reason>"},
    {"<analysis>", "</analysis>"},
    {"<reflection>", "</reflection>"},
    {"<scratchpad>", "</scratchpad>"},
    {"<inner_monologue>", "</inner_monologue>"},
    {"<plan>", "</plan>"},
    {"<draft>", "</draft>"},
    {"<cot>", "</cot>"},
    {"<details>", "</details>"},
    {"<seed:think>", "</seed:think>"},
    {"[thinking]", "[/thinking]"},
    {"[think]", "[/think]"},
    {"[reasoning]", "[/reasoning]"},
    {"\u25c1think\u25b7", "\u25c1/think\u25b7"},
    {"<|begin_of_thought|>", "<|end_of_thought|>"},
    {"<|start_thinking|>", "<|end_thinking|>"},
    {"<|begin_thinking|>", "<|end_thinking|>"},
    {"<|thinking|>", "<|/thinking|>"},
    {"<|think|>", "<|/think|>"},
    {"<|inner_prefix|>", "<|inner_suffix|>"},
    {"<|channel>thought", "<channel|>"},
    {"<unused94>", "<unused95>"},
    {"here is my thought process:", "here is my response:"},
    {"```thinking", "```"},
    {"```think", "```"},
    {"```thoughts", "```"},
    {"```thought", "```"},
    {"```reasoning", "```"},
    {"```analysis", "```"},
    {"```scratchpad", "```"},
    {"~~~thinking", "~~~"},
    {"~~~thought", "~~~"},
    {"~~~reasoning", "~~~"},
};

/// <think> and <thinking> close each other: models mix them.
constexpr Delimiter kMixed[] = {{"<think>", "</thinking>"}, {"<thinking>", "</think>"}};

constexpr Text kTag = "<answer>", kEndTag = "</answer>";
constexpr Text kChannel = "<|channel|>", kMessage = "<|message|>";

/// Tokens that end what the model says.
constexpr Text kTurnEnds[] = {"<|im_end|>",
                              "<|im_start|>",
                              "<|eot_id|>",
                              "<|eom_id|>",
                              "<|start_header_id|>",
                              "<|endoftext|>",
                              "<|end_of_text|>",
                              "<|return|>",
                              "<|end_of_turn|>",
                              "<|end_of_turn_token|>",
                              "<|user|>",
                              "<end_of_turn>",
                              "<start_of_turn>",
                              "<\uff5cend\u2581of\u2581sentence\uff5c>",
                              "<\uff5cuser\uff5c>",
                              "[inst]",
                              "[/inst]",
                              "</s>",
                              "<|end|>",
                              "<eos>"};

bool is_fence(Text mark) {
  return mark[0] == '`' || mark[0] == '~';
}

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

/// Whether a delimiter opens here: the word of a fence ends its line.
bool opens(Text low, std::size_t at, Text open) {
  if (low[at] != open[0] || !low.substr(at).starts_with(open)) return false;
  const std::size_t end = at + open.size();
  return !is_fence(open) || end >= low.size() || !(is_letter(low[end]) || low[end] == '_');
}

/// Whether one closes here, other than as a fence.
std::size_t closes(Text low, std::size_t at) {
  for (const Delimiter& d : kDelimiters)
    if (low[at] == d.close[0] && !is_fence(d.close) && d.close[0] != 'h' &&
        low.substr(at).starts_with(d.close))
      return d.close.size();
  return 0;
}

/// Finds marks in a text from ever later places on. What was looked for in vain, or found farther
/// on, is not looked for again: else many beginnings would take the square of the text's length.
class Marks {
 public:
  explicit Marks(const std::string& low) : low_(low) {}
  std::size_t find(Text mark, std::size_t from) {
    const auto known = next_.find(mark);
    if (known != next_.end() && (known->second == Text::npos || known->second >= from))
      return known->second;
    return next_[mark] = low_.find(mark, from);
  }

 private:
  const std::string& low_;
  std::map<Text, std::size_t> next_;
};

/// Where what `d` opened ends, with the size of its end; npos: nowhere.
std::size_t end_of(Marks& marks, std::size_t from, const Delimiter& d, std::size_t& size) {
  std::size_t end = marks.find(d.close, from);
  size = d.close.size();
  for (const Delimiter& mixed : kMixed)
    if (mixed.open == d.open)
      if (const std::size_t other = marks.find(mixed.close, from); other < end)
        end = other, size = mixed.close.size();
  return end;
}

/// What may begin something of interest here.
bool is_sign(char c) {
  return c == '<' || c == '[' || c == '{' || c == '`' || c == '~' || c == 'h' || c == '\xe2';
}

class Parting {
 public:
  explicit Parting(Text text) : text_(text), low_(lower_case(text)) { part(); }

  std::string said;     ///< the rest
  std::string thought;  ///< all thoughts
  bool is_parted = false;
  std::size_t open = Text::npos;  ///< in `said`: where a thought begins that has no end

 private:
  void add_thought(Text part) {
    if (!thought.empty() && !part.empty()) thought += '\n';
    thought += part;
    is_parted = true;
  }

  void skip_blanks() {
    if (!trimmed(said).empty()) return;
    said.clear();
    at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
  }

  /// JSON or a tagged answer that begins here is data.
  bool take_data() {
    std::size_t end = Text::npos;
    if (Text(low_).substr(at_).starts_with(kTag)) {
      end = marks_.find(kEndTag, at_);
      if (end != Text::npos) end += kEndTag.size();
    } else if (text_[at_] == '{' || text_[at_] == '[') {
      const std::size_t next = std::min(text_.find_first_not_of(kBlanks, at_ + 1), text_.size());
      const Text begin = text_.substr(next);
      const bool is_json = begin.starts_with('"') || begin.starts_with('\'') ||
                           (text_[at_] == '[' && begin.starts_with('{'));
      if (is_json && false_starts_ < 200) end = end_of_object(text_, at_);
      if (is_json && end == Text::npos) ++false_starts_;
    }
    if (end == Text::npos) return false;
    said += text_.substr(at_, end - at_);
    at_ = end;
    return true;
  }

  bool take_thought() {
    // Where a text begins so; in its middle it is a sentence.
    for (const Delimiter& d : kDelimiters) {
      if (!opens(low_, at_, d.open) || (d.open[0] == 'h' && !trimmed(said).empty())) continue;
      const std::size_t from = at_ + d.open.size();
      std::size_t size = 0;
      const std::size_t end = end_of(marks_, from, d, size);
      if (end == Text::npos) {
        if (d.open[0] == 'h') return false;
        open = said.size();
        said += text_.substr(at_);
        at_ = text_.size();
        return true;
      }
      add_thought(text_.substr(from, end - from));
      at_ = end + size;
      skip_blanks();
      return true;
    }
    // The template had written the opening one.
    if (const std::size_t size = closes(low_, at_); size > 0) {
      add_thought(said);
      said.clear();
      at_ += size;
      skip_blanks();
      return true;
    }
    return false;
  }

  void part() {
    while (at_ < text_.size()) {
      if (is_sign(low_[at_]) && (take_thought() || take_data())) continue;
      const std::size_t from = at_++;
      while (at_ < text_.size() && !is_sign(low_[at_])) ++at_;
      said += text_.substr(from, at_ - from);
    }
  }

  Text text_;
  std::string low_;
  Marks marks_{low_};
  std::size_t at_ = 0;
  int false_starts_ = 0;
};

/// A reply in harmony's channels.
struct Harmony {
  std::string thought;
  std::string final;
  bool has_final = false;
};

/// Of harmony, nothing for any other text. Tokens that a server dropped leave their words:
/// "analysisWe need...assistantfinal{...}".
std::optional<Harmony> harmony_in(Text text) {
  constexpr Text kDropped = "assistantfinal", kAnalysis = "analysis", kFinal = "final";
  constexpr Text kEnds[] = {"<|end|>", "<|return|>", "<|call|>", "<|start|>", kChannel};
  Harmony out;
  constexpr Text kRole = "assistant";
  Text whole = trimmed(text);
  if (whole.starts_with(kRole) && whole.substr(kRole.size()).starts_with(kAnalysis))
    whole.remove_prefix(kRole.size());
  if (const std::size_t at = whole.rfind(kDropped);
      at != Text::npos && whole.starts_with(kAnalysis) && whole.find(kMessage) == Text::npos) {
    out.thought = whole.substr(kAnalysis.size(), at - kAnalysis.size());
    out.final = whole.substr(at + kDropped.size());
    out.has_final = true;
    return out;
  }
  if (whole.starts_with(kAnalysis) && whole.size() > kAnalysis.size() &&
      whole[kAnalysis.size()] >= 'A' && whole[kAnalysis.size()] <= 'Z')
    return out;
  const bool has_channel = text.find(kChannel) != Text::npos;
  if (!has_channel && text.find(kMessage) == Text::npos) return {};
  std::string call;  // of a tool
  std::size_t done = 0;
  int left = 1000;  // more messages are no reply of a model
  for (std::size_t at = text.find(kMessage); at != Text::npos && left-- > 0;
       at = text.find(kMessage, done)) {
    std::size_t begin = done;
    for (const Text mark : {Text("<|start|>"), kChannel})
      if (const std::size_t found = text.substr(0, at).rfind(mark);
          found != Text::npos && found + mark.size() > begin)
        begin = found + mark.size();
    Text header = text.substr(begin, at - begin);
    header = trimmed(header.substr(0, header.find("<|constrain|>")));
    const std::size_t from = at + kMessage.size();
    std::size_t end = text.size();
    for (const Text mark : kEnds) end = std::min(end, text.find(mark, from));
    const Text body = text.substr(from, end - from);
    const bool is_final = header.starts_with(kFinal) || header.ends_with(kFinal);
    if (begin > done) out.thought += text.substr(done, begin - done);
    if (is_final) {
      if (!header.starts_with(kFinal))
        out.thought += header.substr(0, header.size() - kFinal.size());
      out.final += (out.has_final ? "\n" : "") + std::string(body);
      out.has_final = true;
    } else if (header.find("to=") != Text::npos) {
      call += (call.empty() ? "" : "\n") + std::string(body);
    } else {
      out.thought += body;
    }
    done = end;
  }
  out.thought += text.substr(done);
  if (!out.has_final && !call.empty()) out.final = std::move(call), out.has_final = true;
  // A channel that was named, and its message never begun.
  if (const std::size_t at = text.rfind(kChannel);
      !out.has_final && done == 0 && at != Text::npos &&
      trimmed(text.substr(at + kChannel.size())).starts_with(kFinal)) {
    out.final = trimmed(text.substr(at + kChannel.size())).substr(kFinal.size());
    out.thought = text.substr(0, at);
    out.has_final = true;
  }
  return out;
}

}  // namespace

void split_thought(std::string& text, std::string& reasoning) {
  const auto think = [&](Text thought) {
    if (!reasoning.empty() && !thought.empty()) reasoning += '\n';
    reasoning += thought;
  };
  if (std::optional<Harmony> harmony = harmony_in(text)) {
    if (!harmony->has_final) return;
    think(harmony->thought);
    text = std::move(harmony->final);
  }
  Parting parted(text);
  if (!parted.is_parted) return;
  think(parted.thought);
  text = std::move(parted.said);
}

std::size_t open_thought(std::string_view text) {
  if (const std::optional<Harmony> harmony = harmony_in(text); harmony && !harmony->has_final)
    return 0;
  const Parting parted(text);
  return parted.is_parted ? Text::npos : parted.open;
}

bool is_open_thought(std::string_view text) {
  const std::size_t at = open_thought(text);
  return at != Text::npos && trimmed(text.substr(0, at)).empty();
}

std::string_view first_turn(std::string_view text) {
  const std::string low = lower_case(text);
  std::size_t from = 0;
  for (std::size_t at = low.find_first_of("<["); at != Text::npos;
       at = low.find_first_of("<[", at + 1))
    for (const Text token : kTurnEnds) {
      if (!Text(low).substr(at).starts_with(token)) continue;
      if (!trimmed(text.substr(from, at - from)).empty()) return text.substr(from, at - from);
      from = at + token.size();
      break;
    }
  return text.substr(from);
}

}  // namespace agon::llm
