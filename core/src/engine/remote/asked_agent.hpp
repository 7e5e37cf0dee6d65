#pragma once

#include <agon/json_writer.hpp>
#include <agon/question.hpp>

#include "remote/message.hpp"

namespace agon::remote {

/// Adds to an object what an agent is given of a question, beside what its game asks.
void put_dealt(JsonWriter& out, const Question& question);

/// Gives what an agent elsewhere said as the answer. Throws BadMessage for what is none, and what
/// the agent threw.
void read_answer(Question& question, const Message& answered);

}  // namespace agon::remote
