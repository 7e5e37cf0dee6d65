#include <agon/model/model_parts.hpp>

namespace agon {

void ModelRequest::append_user(std::string_view text) {
  if (messages.back().role == "user")
    messages.back().text.append("\n\n").append(text);
  else
    messages.push_back({"user", std::string(text)});
}

ModelTurn::~ModelTurn() = default;
Part::~Part() = default;

std::vector<PromptUse> Part::prompts() const {
  return {};
}

std::size_t Memory::from(const ModelTurn& turn) const {
  return turn.news_from();
}

std::string Memory::notes(ModelTurn&) const {
  return {};
}

std::string AnswerForm::written(std::string_view json) const {
  return std::string(json);
}

bool Reasoning::answers_probe(const OwnedQuestion&) const {
  return false;
}

}  // namespace agon
