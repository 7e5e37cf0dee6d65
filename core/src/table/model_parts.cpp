#include <agon/model_parts.hpp>

namespace agon {

ModelTurn::~ModelTurn() = default;
Persona::~Persona() = default;
Memory::~Memory() = default;
Planning::~Planning() = default;
Beliefs::~Beliefs() = default;
Reasoning::~Reasoning() = default;
AnswerForm::~AnswerForm() = default;

std::string Memory::notes(ModelTurn&) const {
  return {};
}

}  // namespace agon
