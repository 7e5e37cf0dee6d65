#pragma once

#include "archive/archive.hpp"
#include "command/command.hpp"

namespace agon::command {

/// Prints the dialogue of a match's seats with their models as a person would read it: made
/// printable, long texts cut unless --full says otherwise. `seat`: -1 for all.
void show_calls(const Invocation& call, const archive::Archive& archive,
                const archive::MatchRow& match, int seat);

/// The calls of a match as a JSON list: who was asked what at which question, and what was said.
/// `seat`: of this one only; `question`: at this one only; -1: all.
[[nodiscard]] std::string calls_json(const archive::Archive& archive,
                                     const archive::MatchRow& match, int seat,
                                     std::int64_t question);

/// Prints all requests that were made at one question, each with every message and what came back.
void show_question(const archive::Archive& archive, const archive::MatchRow& match,
                   std::int64_t question);

}  // namespace agon::command
