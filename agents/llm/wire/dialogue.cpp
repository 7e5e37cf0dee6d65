#include "llm/wire/dialogue.hpp"

#include <agon/model/tool.hpp>

namespace agon::llm::wire {

Dialogue dialogue_of(std::span<const ChatMessage> messages, std::size_t stable) {
  const Said begin{"user", {{"text", "Begin."}}};
  Dialogue d;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& m = messages[i];
    if (m.role == "system" && d.turns.empty()) {
      d.system += (d.system.empty() ? "" : "\n\n") + m.text;
      d.keeps_system = i < stable;
      continue;
    }
    const bool is_text = m.role != kToolCalls && m.role != kToolResult;
    const std::string role = m.role == "assistant" || m.role == kToolCalls ? "assistant" : "user";
    const ChatMessage block{is_text ? "text" : m.role, m.text};
    if (d.turns.empty() && role == "assistant") d.turns.push_back(begin);
    if (!d.turns.empty() && d.turns.back().role == role) {
      std::vector<ChatMessage>& blocks = d.turns.back().blocks;
      if (is_text && blocks.back().role == block.role)
        blocks.back().text += "\n\n" + m.text;
      else
        blocks.push_back(block);
      // What was stable up to its middle is not stable at its end.
      if (i >= stable && d.stable_turns == d.turns.size()) --d.stable_turns;
    } else {
      d.turns.push_back({role, {block}});
    }
    if (i < stable) d.stable_turns = d.turns.size();
  }
  if (d.turns.empty()) d.turns.push_back(begin);
  return d;
}

}  // namespace agon::llm::wire
