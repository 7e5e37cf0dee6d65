#include "remote/asked_agent.hpp"

#include <agon/conversion.hpp>
#include <stdexcept>
#include <string>

#include "describe/value.hpp"
#include "remote/said_value.hpp"
#include "table/untyped_table.hpp"

namespace agon::remote {

void put_dealt(JsonWriter& out, const Question& question) {
  const UntypedTable::Dealt dealt = UntypedTable::dealt(question);
  out.name("number").number(question.number()).name("dice").open_list();
  out.text(std::to_string(dealt.dice_key)).number(dealt.dice_place).close_list();
  out.name("attempt").number(dealt.attempt).name("memo").text(dealt.memo);
  out.name("complaint").text(dealt.complaint);
}

void read_answer(Question& question, const Message& answered) {
  if (answered.find("thought") != nullptr) question.think(answered.words("thought"));
  if (answered.find("memo") != nullptr) question.remember(answered.words("memo"));
  if (answered.find("crash") != nullptr)
    throw std::runtime_error(std::string(answered.text("crash")));
  if (answered.find("said") != nullptr) {
    question.answer_json(answered.words("said"));
  } else {
    const Type& type = question.answer_type();
    void* place = UntypedTable::place_of_answer(question);
    Value value(type);
    read_said(value, answered.need("answer"), "the answer");
    reset_value(type, place, value.get());
  }
  if (answered.truth("declined")) question.decline();
}

}  // namespace agon::remote
