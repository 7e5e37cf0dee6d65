#pragma once

namespace command_test {

/// Two components in Python without a fault: a planning and a reasoning, which each call the model.
inline constexpr const char* kSoundComponents = R"(
class Ahead(agon.Planning):
    def plan(self, turn):
        if "plan" not in turn.state:
            turn.state["plan"] = turn.call("Make a plan in a sentence.", "plan-ahead").text
        return "Your plan of old:\n" + turn.state["plan"]
agon.component("ahead", Ahead, "Plans once.")
class Twice(agon.Reasoning):
    def answer(self, turn):
        draft = turn.call(turn.task + "\n\nThink about it first.", "draft").text
        return turn.ask_for_answer(turn.task + "\n\nYou thought: " + draft)
agon.component("twice", Twice, "Drafts first.")
)";

}  // namespace command_test
