#include "classic/advice.hpp"

#include <array>

namespace classic {

std::string_view advice_text(int number) {
  static constexpr std::array<std::string_view, 7> texts{
      "",
      "Please go through what the others said, ask yourself whether it can be trusted, and then "
      "decide on your action.",
      "Please go through what the others said, and then decide on your action.",
      "Look at what the others said and at whether they can be relied on. Then choose.",
      "You can choose your action whatever was said in the negotiation.",
      "You should choose your action whatever was said in the negotiation.",
      "You must choose your action whatever was said in the negotiation."};
  return texts.at(static_cast<std::size_t>(number));
}

}  // namespace classic
