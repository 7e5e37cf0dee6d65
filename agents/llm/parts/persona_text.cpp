#include <agon/error.hpp>

#include "llm/parts/parts.hpp"

namespace agon::llm {

struct TextPersonaParams {
  std::string words;
};
AGON_DESCRIBE(TextPersonaParams,
              (words, "who the model is to be, in its own form of address: \"You are ...\"",
               agon::length(0, 4000)))

namespace {

class TextPersona final : public Persona {
 public:
  using Params = TextPersonaParams;
  explicit TextPersona(const Params& params) : words_(params.words) {
    if (words_.empty())
      throw Error(ErrorKind::invalid, "the persona 'text' has no words", "",
                  "write text:words=\"You are ...\"");
  }
  [[nodiscard]] std::string text(const OwnedQuestion&) const override { return words_; }

 private:
  std::string words_;
};

}  // namespace

PartCard text_persona_card() {
  return part<TextPersona>({.id = "text", .doc = "Whoever the words say."});
}

}  // namespace agon::llm
