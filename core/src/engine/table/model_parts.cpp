#include <agon/model/model_parts.hpp>

namespace agon {

ModelTurn::~ModelTurn() = default;
Part::~Part() = default;

std::vector<PromptUse> Part::prompts() const {
  return {};
}

std::string Memory::notes(ModelTurn&) const {
  return {};
}

bool Reasoning::answers_probe(const OwnedQuestion&) const {
  return false;
}

}  // namespace agon
