#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/model_spec.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class WholeMemory final : public WithParams<Memory> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::size_t from(const ModelTurn&) const override { return 0; }
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn& turn) const override {
    return turn.history().dialogue(0, turn.history().news_from());
  }
};

class NoMemory final : public WithParams<Memory> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn&) const override { return {}; }
};

}  // namespace

struct WindowParams {
  int n = 0;
  int phases = 0;
};
AGON_DESCRIBE(WindowParams,
              (n, "messages of the dialogue that are kept, questions and answers alike; 0: all",
               agon::range(0, 100000), agon::unit("messages")),
              (phases, "phases that are kept, the running one included; 0: all",
               agon::range(0, 1000), agon::unit("phases")))

namespace {

class WindowMemory final : public WithParams<Memory, WindowParams> {
 public:
  explicit WindowMemory(const Params& params) : WithParams(params) {
    if (params.n == 0 && params.phases == 0)
      throw Error(ErrorKind::invalid, "a window needs its size", "",
                  "write window:n=20 or window:phases=1");
  }
  [[nodiscard]] std::size_t from(const ModelTurn& turn) const override {
    const TurnHistory& history = turn.history();
    const std::size_t to = history.news_from();
    std::size_t from = 0;
    if (params_.phases > 0) {
      from = history.phase_from(turn.question().history.size());
      for (int i = 1; i < params_.phases && from > 0; ++i) from = history.phase_from(from - 1);
    }
    if (params_.n > 0)
      from = std::max(from, history.last_messages(static_cast<std::size_t>(params_.n), to));
    return std::min(from, to);
  }
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn& turn) const override {
    return turn.history().dialogue(from(turn), turn.history().news_from());
  }
};

}  // namespace

struct NotebookParams {
  int words = 200;
};
AGON_DESCRIBE(NotebookParams,
              (words, "how long the notes may be", agon::range(10, 5000), agon::unit("words")))

namespace {

constexpr std::string_view kNotes = "notebook";
constexpr std::string_view kNotesCover = "notebook-covers";
constexpr std::string_view kMissed = "notebook-missed";
constexpr std::string_view kNotebookNames[] = {"old", "events", "words"};
constexpr std::string_view kNotebookPurposes[] = {"notebook"};

class Notebook final : public WithParams<Memory, NotebookParams> {
 public:
  using WithParams::WithParams;

  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-notebook", kNotebookNames}};
  }
  [[nodiscard]] std::size_t from(const ModelTurn& turn) const override {
    return std::min(covered(turn), turn.history().news_from());
  }
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn& turn) const override {
    return turn.history().dialogue(from(turn), turn.history().news_from());
  }
  [[nodiscard]] std::string notes(ModelTurn& turn) const override {
    const std::size_t size = turn.question().history.size();
    const std::size_t phase = turn.history().phase_from(size);
    const std::size_t from = covered(turn);
    if (phase > from) rewrite(turn, from, phase);
    return turn.headed(ModelLine("Your notes"), held(turn));
  }

 private:
  static std::size_t covered(const ModelTurn& turn) {
    return std::max(
        turn.history().phase_from(0),
        static_cast<std::size_t>(std::strtoull(turn.note(kNotesCover).c_str(), nullptr, 10)));
  }

  static OwnText held(const ModelTurn& turn) {
    return {turn.note(kNotes), covered(turn), !turn.note(kMissed).empty()};
  }

  /// Notes for everything up to the end of the last phase.
  void rewrite(ModelTurn& turn, std::size_t from, std::size_t to) const {
    const PromptName names[] = {{"old", turn.headed(ModelLine("Your notes so far"), held(turn))},
                                {"events", turn.history().account(from, to)},
                                {"words", std::to_string(params_.words)}};
    ModelRequest request;
    request.purpose = "notebook";
    request.messages = {{"system", turn.render("system")},
                        {"user", turn.render("part-notebook", names)}};
    // What came back empty or was refused is no notebook: the old one stays, and so does the span
    // that the next try has to cover.
    const std::string text = write_words(turn, std::move(request));
    turn.write_note(kMissed, text.empty() ? "yes" : "");
    if (text.empty()) return;
    turn.write_note(kNotes, bounded(text, *turn.question().language));
    turn.write_note(kNotesCover, std::to_string(to));
  }

  /// Notes that are too long end with the last whole sentence within the limit.
  [[nodiscard]] std::string bounded(std::string_view text, const Language& language) const {
    const std::string_view kept = first_words(text, static_cast<std::size_t>(params_.words));
    if (kept.size() == text.size()) return std::string(text);
    return std::string(whole_sentences(kept)) + "\n" +
           language.say(ModelLine("[the rest was over {n} words, and is left out]"),
                        {{"n", std::to_string(params_.words)}});
  }
};

bool is_letter_or_digit(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 0x80U && c < 0xE0U);
}

std::vector<std::string> words_of(std::string_view text) {
  const std::string low = lower_case(text);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < low.size();) {
    std::size_t end = at;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(low[i]); };
    if (byte(at) >= 0xE0U) {
      // Three bytes and more: Chinese and the like, each sign a word.
      for (++end; end < low.size() && (byte(end) & 0xC0U) == 0x80U;) ++end;
    } else {
      while (end < low.size() && is_letter_or_digit(byte(end))) ++end;
    }
    if (end > at)
      words.push_back(low.substr(at, end - at));
    else
      ++end;
    at = end;
  }
  return words;
}

}  // namespace

std::vector<std::int64_t> relevance(const std::vector<std::string>& documents,
                                    std::string_view query) {
  constexpr double kSaturation = 1.2;  // k1
  constexpr double kByLength = 0.75;   // b
  const std::vector<std::string> asked = words_of(query);
  const std::set<std::string> wanted(asked.begin(), asked.end());
  std::vector<std::map<std::string, int>> counts(documents.size());
  std::vector<double> lengths(documents.size());
  std::map<std::string, int> holders;  // documents that hold a word
  double mean_length = 0;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::vector<std::string> words = words_of(documents[i]);
    lengths[i] = static_cast<double>(words.size());
    mean_length += lengths[i] / static_cast<double>(documents.size());
    for (const std::string& word : words)
      if (wanted.contains(word) && ++counts[i][word] == 1) ++holders[word];
  }
  std::vector<std::int64_t> scores(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    double score = 0;
    for (const auto& [word, count] : counts[i]) {
      const double rarity =
          std::log(1 + (static_cast<double>(documents.size()) - holders[word] + 0.5) /
                           (holders[word] + 0.5));
      score += rarity * count * (kSaturation + 1) /
               (count + kSaturation * (1 - kByLength + kByLength * lengths[i] / mean_length));
    }
    scores[i] = std::llround(score * 1e6);
  }
  return scores;
}

struct RetrievalParams {
  int tokens = 400;
};
AGON_DESCRIBE(RetrievalParams, (tokens, "of past events that it is reminded of at most, estimated",
                                agon::range(20, 100000), agon::unit("tokens")))

namespace {

/// An event, or a move of the seat's own.
struct PastEvent {
  std::size_t at;
  std::string text;
};

class Retrieval final : public WithParams<Memory, RetrievalParams> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn&) const override { return {}; }
  [[nodiscard]] std::string notes(ModelTurn& turn) const override {
    std::string text;
    std::string date;  // of the lines before
    for (const PastEvent& event : most_relevant(turn)) {
      const std::string when = turn.history().date(event.at);
      if (when != date) text += (text.empty() ? "" : "\n") + when + ":";
      date = when;
      text += "\n" + event.text;
    }
    if (text.empty()) return text;
    return turn.question().language->say(
               ModelLine("What happened before that may matter now, in its order:")) +
           "\n" + text;
  }

 private:
  /// All that was told before the news, and the seat's moves; what says no more than a move of its
  /// own is left out.
  static std::vector<PastEvent> past(const ModelTurn& turn) {
    const TurnHistory& history = turn.history();
    std::vector<PastEvent> all;
    const std::vector<OwnMove> moves = history.own_moves();
    auto move = moves.begin();
    const std::size_t to = history.news_from();
    std::size_t last_move = to;
    for (std::size_t i = history.phase_from(0); i < to; ++i) {
      if (move != moves.end() && move->at == i) {
        all.push_back({i, "- you: " + (move++)->answer});
        last_move = i;
        continue;
      }
      std::string told = history.events(i, i + 1);
      const bool is_echo =
          last_move < i && history.account(last_move, i + 1) == history.account(last_move, i);
      if (!told.empty() && !is_echo) all.push_back({i, std::move(told)});
    }
    return all;
  }

  /// What is asked, and what has happened since the last answer.
  static std::string query(const ModelTurn& turn) {
    const OwnedQuestion& q = turn.question();
    return q.stage_doc + "\n" + (q.view_told.empty() ? q.view_json : q.view_told) + "\n" +
           turn.history().events(turn.history().news_from(), q.history.size());
  }

  /// The best that there is room for, in order; of two alike the later.
  [[nodiscard]] std::vector<PastEvent> most_relevant(const ModelTurn& turn) const {
    const std::vector<PastEvent> all = past(turn);
    std::vector<std::string> texts;
    for (const PastEvent& event : all) texts.push_back(event.text);
    const std::vector<std::int64_t> scores = relevance(texts, query(turn));
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : a > b;
    });
    std::vector<std::size_t> kept;
    std::int64_t room = params_.tokens;
    for (const std::size_t i : order) {
      const std::int64_t takes = estimate_tokens(texts[i]);
      if (scores[i] == 0 || takes > room) continue;
      room -= takes;
      kept.push_back(i);
    }
    std::sort(kept.begin(), kept.end());
    std::vector<PastEvent> shown;
    for (const std::size_t i : kept) shown.push_back(all[i]);
    return shown;
  }
};

}  // namespace

void add_memories(Registry& registry) {
  registry.add(part<WholeMemory>(
      {.id = "whole",
       .doc = "Everything that was told, asked and answered in this match, as a dialogue."}));
  registry.add(part<WindowMemory>(
      {.id = "window",
       .doc = "The last messages of the dialogue (window:n=20), or those of the last phases, such "
              "as the item under the hammer (window:phases=1). What is older is forgotten.",
       .source = "phases=1 is what AucArena's bidders are shown when they bid"}));
  registry.add(part<Notebook>(
      {.id = "notebook",
       .doc =
           "Notes of its own, rewritten by the model after each phase, in place of all that "
           "happened before. What is over the limit of words is left out. One call more a phase.",
       .purposes = kNotebookPurposes}));
  registry.add(part<NoMemory>(
      {.id = "none", .doc = "Nothing but the question and what has happened since the last one."}));
  registry.add(part<Retrieval>(
      {.id = "retrieval",
       .doc = "The past events and own moves that have most to do with the question, as far as "
              "there is room for them, in their order and with when they were. What has most to do "
              "with it is found by words that both share (BM25), without a call.",
       .source = "Lewis et al. 2020, retrieval-augmented generation; Robertson and Zaragoza 2009, "
                 "BM25"}));
}

}  // namespace agon::llm
