#include <agon/error.hpp>

#include "llm/parts/parts.hpp"

namespace agon::llm {

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

class WindowMemory final : public Memory {
 public:
  using Params = WindowParams;
  explicit WindowMemory(const Params& params) : params_(params) {
    if (params.n == 0 && params.phases == 0)
      throw Error(ErrorKind::invalid, "a window needs its size", "",
                  "write window:n=20 or window:phases=1");
  }
  [[nodiscard]] std::size_t from(const ModelTurn& turn) const override {
    const std::size_t to = turn.news_from();
    std::size_t from = 0;
    if (params_.phases > 0) {
      from = turn.phase_from(turn.question().history.size());
      for (int i = 1; i < params_.phases && from > 0; ++i) from = turn.phase_from(from - 1);
    }
    if (params_.n > 0)
      from = std::max(from, turn.last_messages(static_cast<std::size_t>(params_.n), to));
    return std::min(from, to);
  }
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn& turn) const override {
    return turn.dialogue(from(turn), turn.news_from());
  }

 private:
  Params params_;
};

}  // namespace

PartCard window_memory_card() {
  return part<WindowMemory>(
      {.id = "window",
       .doc = "The last messages of the dialogue (window:n=20), or those of the last phases, such "
              "as the item under the hammer (window:phases=1). What is older is forgotten.",
       .source = "phases=1 is what AucArena's bidders are shown when they bid"});
}

}  // namespace agon::llm
