#include <algorithm>

#include "llm/lines.hpp"
#include "llm/model_spec.hpp"
#include "llm/parts/bm25.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {

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

class Retrieval final : public Memory {
 public:
  using Params = RetrievalParams;
  explicit Retrieval(const Params& params) : params_(params) {}
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn&) const override { return {}; }
  [[nodiscard]] std::string notes(ModelTurn& turn) const override {
    std::string text;
    std::string date;  // of the lines before
    for (const PastEvent& event : most_relevant(turn)) {
      const std::string when = turn.date(event.at);
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
    std::vector<PastEvent> all;
    const std::vector<OwnMove> moves = turn.own_moves();
    auto move = moves.begin();
    const std::size_t to = turn.news_from();
    std::size_t last_move = to;
    for (std::size_t i = turn.phase_from(0); i < to; ++i) {
      if (move != moves.end() && move->at == i) {
        all.push_back({i, "- you: " + (move++)->answer});
        last_move = i;
        continue;
      }
      std::string told = turn.events(i, i + 1);
      const bool is_echo = last_move < i && turn.account(last_move, i + 1).size() ==
                                                turn.account(last_move, i).size();
      if (!told.empty() && !is_echo) all.push_back({i, std::move(told)});
    }
    return all;
  }

  /// What is asked, and what has happened since the last answer.
  static std::string query(const ModelTurn& turn) {
    const OwnedQuestion& q = turn.question();
    return q.stage_doc + "\n" + (q.view_told.empty() ? q.view_json : q.view_told) + "\n" +
           turn.events(turn.news_from(), q.history.size());
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

  Params params_;
};

}  // namespace

PartCard retrieval_card() {
  return part<Retrieval>(
      {.id = "retrieval",
       .doc = "The past events and own moves that have most to do with the question, as far as "
              "there is room for them, in their order and with when they were. What has most to do "
              "with it is found by words that both share (BM25), without a call.",
       .source = "Lewis et al. 2020, retrieval-augmented generation; Robertson and Zaragoza 2009, "
                 "BM25"});
}

}  // namespace agon::llm
