#pragma once

#include "llm/llm_agent.hpp"
#include "llm/model_spec.hpp"
#include "plugin/catalogue.hpp"

namespace llm_tests {

/// The shipped providers and parts.
inline const agon::Catalogue& shipped() {
  static const agon::Catalogue& made = *[] {
    auto* catalogue = new agon::Catalogue;
    agon::llm::enter(*catalogue);
    return catalogue;
  }();
  return made;
}

inline const agon::ProviderCard& provider_card(const std::string& id) {
  return shipped().provider(id);
}

inline agon::llm::Endpoint resolve(const agon::llm::ModelSpec& spec) {
  return agon::llm::resolve(spec, provider_card(spec.provider));
}

inline std::vector<agon::Access> accesses(const agon::llm::ModelSpec& spec) {
  return agon::llm::accesses(spec, provider_card(spec.provider));
}

}  // namespace llm_tests
