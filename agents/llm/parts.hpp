#pragma once

#include <agon/model/model_parts.hpp>
#include <array>

namespace agon::llm {

/// The parts of one agent.
struct Parts {
  std::shared_ptr<const Persona> persona;
  std::shared_ptr<const Memory> memory;
  std::shared_ptr<const Learning> learning;
  std::shared_ptr<const Planning> planning;
  std::shared_ptr<const Beliefs> beliefs;
  std::shared_ptr<const Reasoning> reasoning;
  std::shared_ptr<const AnswerForm> form;
  std::shared_ptr<const Tools> tools;

  [[nodiscard]] std::array<const Part*, 8> all() const {
    return {persona.get(), memory.get(),    learning.get(), planning.get(),
            beliefs.get(), reasoning.get(), form.get(),     tools.get()};
  }
};

}  // namespace agon::llm
