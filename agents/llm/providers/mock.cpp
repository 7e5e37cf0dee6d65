#include "llm/providers/providers.hpp"

namespace agon::llm {

const ProviderCard& mock_card() {
  static constexpr ProviderCard card{
      .id = "mock",
      .doc = "Answers of the right form from a seed; no network, no key, no money.",
      .is_mock = true,
      .needs_key = KeyNeed::never};
  return card;
}

}  // namespace agon::llm
