#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {

/// How one deals with the others.
enum class Stance : std::uint8_t {
  honest,
  deceptive,
  trusting,
  wary,
  cooperative,
  competitive,
};
AGON_DESCRIBE_ENUM(Stance, (honest, "says only what is true"),
                   (deceptive, "says what is false where it helps"),
                   (trusting, "believes what others say"),
                   (wary, "believes nothing that it cannot check"),
                   (cooperative, "wants all to do well"),
                   (competitive, "wants to do better than the others"))

struct StanceParams {
  Stance is = Stance::honest;
};
AGON_DESCRIBE(StanceParams, (is, "the stance"))

namespace {

ModelLine words_of(Stance stance) {
  switch (stance) {
    case Stance::honest:
      return ModelLine(
          "Whatever you say to the others is true, also where it costs you something.");
    case Stance::deceptive:
      return ModelLine(
          "You mislead the others where that helps you: what you tell them of yourself, of what "
          "you want and of what you mean to do may be false, as long as they may believe it.");
    case Stance::trusting:
      return ModelLine(
          "You take the others at their word, unless what they do shows that it is false.");
    case Stance::wary:
      return ModelLine(
          "You believe nothing that the others say unless you can check it, and you keep to "
          "yourself what they could use against you.");
    case Stance::cooperative:
      return ModelLine(
          "You want everybody to do well, and you give up something of your own for what does "
          "all of you more good.");
    case Stance::competitive:
      break;
  }
  return ModelLine("You want to do better than the others: what they gain is your loss.");
}

class StancePersona final : public Persona {
 public:
  using Params = StanceParams;
  explicit StancePersona(const Params& params) : words_(words_of(params.is)) {}
  [[nodiscard]] std::string text(const OwnedQuestion& question) const override {
    return question.language->say(words_);
  }

 private:
  ModelLine words_;
};

}  // namespace

PartCard stance_card() {
  return part<StancePersona>(
      {.id = "stance",
       .doc = "A sentence on how to deal with the others, in any game: stance:is=deceptive."});
}

}  // namespace agon::llm
