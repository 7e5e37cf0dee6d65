#include "llm/parts/write_aside.hpp"

#include "llm/answer/refusal.hpp"
#include "llm/answer/words.hpp"
#include "llm/parts/sentences.hpp"

namespace agon::llm {

std::string kept_words(const ModelCall& call) {
  const std::string_view text = trimmed(call.text);
  if ((call.fault != Fault::ok && call.fault != Fault::truncated) || is_refusal(text)) return {};
  return std::string(call.fault == Fault::ok ? text : whole_sentences(text));
}

std::string under(const ModelTurn& turn, std::string_view heading, const std::string& text) {
  if (text.empty()) return {};
  return "\n\n" + turn.question().language->say(heading) + "\n" + text;
}

std::string write_aside(ModelTurn& turn, std::string_view purpose, std::string_view asked) {
  ModelRequest request;
  request.purpose = purpose;
  request.messages = turn.opening();
  request.append_user(asked);
  return kept_words(turn.call(request));
}

}  // namespace agon::llm
