// An agent of any game: it draws, and remembers how often it was asked. At first it may say
// something else, or break.
#include <agon/agent.hpp>
#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/plugin.hpp>
#include <stdexcept>
#include <string>

namespace stranger {

struct Params {
  bool by_json = false;
  bool throws = false;
};
AGON_DESCRIBE(Params, (by_json, "says its first answer to a question as JSON that does not fit"),
              (throws, "throws instead of its first answer to a question"))

class Stranger final : public agon::Agent {
 public:
  using Params = stranger::Params;
  explicit Stranger(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override {
    const bool sees = question.view_type() != nullptr && question.view() != nullptr;
    question.think(sees ? "I was shown " + std::string(question.view_type()->name) : "blind");
    question.remember(std::string(question.memo()) + "+");
    if (question.is_probe()) return question.decline();
    if (params_.by_json && question.attempt() == 0) return question.answer_json(R"({"none": 1})");
    if (params_.throws && question.attempt() == 0) throw std::runtime_error("it lost its head");
    question.draw();
  }
  [[nodiscard]] bool answers_probes() const override { return true; }

 private:
  Params params_;
};

}  // namespace stranger

AGON_PLUGIN(
    "stranger", "1", +[](agon::Registry& registry) {
      registry.add(agon::agent<stranger::Stranger>(
          {.id = "stranger", .doc = "Draws, and counts how often it was asked."}));
    })
