#include "llm/parts/kept_text.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>

#include "llm/answer/words.hpp"
#include "llm/lines.hpp"

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

OwnText kept_text(ModelTurn& turn, const KeptText& kept, Upkeep when) {
  const std::string mark = std::string(kept.note) + "-covers";
  const std::string missed = std::string(kept.note) + "-missed";
  const std::string covers = turn.note(mark);
  OwnText held{turn.note(kept.note),
               static_cast<std::size_t>(std::strtoull(covers.c_str(), nullptr, 10)),
               !turn.note(missed).empty()};
  if (turn.question().probe) return held;
  const std::size_t phase = turn.phase_from(turn.question().history.size());
  const bool is_first = covers.empty();
  // A play that knows nothing of the one before begins with no phase behind it.
  const bool phase_ended = phase > std::max(turn.phase_from(0), held.at);
  const bool due = when == Upkeep::once          ? is_first
                   : when == Upkeep::every_phase ? is_first || phase_ended
                                                 : phase_ended;
  if (!due) return held;
  // As before a move, with the text as it is: what still holds is kept.
  const PromptName names[] = {{kept.note, turn.headed(kept.title, held)}};
  const std::string& stage = turn.question().stage;
  const std::string text =
      write_aside(turn, kept.note,
                  turn.render(turn.has_prompt(stage) ? stage : "task", names) + "\n\n" +
                      turn.render(held.text.empty() ? kept.first : kept.again));
  turn.write_note(missed, text.empty() ? "yes" : "");
  if (text.empty()) {
    held.was_missed = true;
    return held;
  }
  turn.write_note(kept.note, text);
  turn.write_note(mark, std::to_string(phase));
  return {text, phase};
}

}  // namespace agon::llm
