#include "llm/parts/write_aside.hpp"

#include <boost/json/parse.hpp>

#include "llm/answer/refusal.hpp"
#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/parts/sentences.hpp"

namespace agon::llm {
namespace {

/// True for JSON, and for what stands in a fence from beginning to end.
bool is_code(std::string_view text) {
  if (text.starts_with("```") && text.size() > 3 && text.ends_with("```")) return true;
  if (!text.starts_with('{') && !text.starts_with('[')) return false;
  boost::system::error_code code;
  const boost::json::value value =
      boost::json::parse(boost::json::string_view(text.data(), text.size()), code);
  return !code && (value.is_object() || value.is_array());
}

}  // namespace

std::string kept_words(const ModelCall& call) {
  const std::string_view text = trimmed(call.text);
  if ((call.fault != Fault::ok && call.fault != Fault::truncated) || is_refusal(text)) return {};
  return std::string(call.fault == Fault::ok ? text : whole_sentences(text));
}

std::string write_words(ModelTurn& turn, ModelRequest request) {
  const ModelCall call = turn.call(request);
  std::string text = kept_words(call);
  if (!is_code(text)) return text;
  const PromptName names[] = {
      {"complaint", turn.question().language->say(
                        ModelLine("Write it in plain sentences, not as JSON or code."))},
      {"left", ""}};
  request.messages.push_back({"assistant", text});
  request.append_user(turn.render("part-again", names));
  text = kept_words(turn.call(request));
  return is_code(text) ? std::string() : text;
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
  request.may_use_tools = true;
  return write_words(turn, std::move(request));
}

}  // namespace agon::llm
