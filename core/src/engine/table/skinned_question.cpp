#include "table/skinned_question.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <utility>

#include "describe/skinned_types.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "text/decimals.hpp"

namespace agon {
namespace {

SeatHistory history_in_skin(const SeatHistory& history, SkinnedTypes& types) {
  const Skin& skin = types.skin();
  SeatHistory out;
  for (const Delivery& delivery : history) {
    Delivery told = delivery;
    told.name = skin.shown(told.name);
    if (told.type != nullptr && json::is_value(told.json)) {
      told.json = types.shown(*told.type, told.json);
      told.type = &types.shown(*told.type);
    }
    for (std::string* text : {&told.told, &told.seen, &told.said}) *text = skin.shown(*text);
    out.push_back(std::move(told));
  }
  return out;
}

bool has_cents(const Type& type) {
  return type.decimals == 2 || (type.element != nullptr && has_cents(*type.element)) ||
         std::ranges::any_of(type.fields, [](const Field& f) { return has_cents(*f.type); }) ||
         std::ranges::any_of(type.alternatives, [](const Type* one) { return has_cents(*one); });
}

}  // namespace

OwnedQuestion in_skin(OwnedQuestion q, const std::shared_ptr<const Skin>& of) {
  const std::shared_ptr<SkinnedTypes> types = SkinnedTypes::of(of);
  const Skin& skin = types->skin();
  for (std::string* text : {&q.title, &q.match, &q.rules, &q.seat_name, &q.role, &q.persona,
                            &q.stage, &q.stage_doc, &q.complaint, &q.view_told})
    *text = skin.shown(*text);
  for (std::string& name : q.seat_names) name = skin.shown(name);
  if (q.view_type != nullptr) {
    q.view_json = types->shown(*q.view_type, q.view_json);
    q.view_type = &types->shown(*q.view_type);
  }
  if (!q.fallback.empty()) q.fallback = types->shown(*q.answer_type, q.fallback);
  q.limits = types->shown(*q.answer_type, q.limits.get());
  q.ends = types->shown(*q.answer_type, q.ends);
  q.answer_type = &types->shown(*q.answer_type);
  q.history = history_in_skin(q.history, *types);
  return q;
}

MatchEnding in_skin(MatchEnding ending, const std::shared_ptr<const Skin>& skin) {
  const std::shared_ptr<SkinnedTypes> types = SkinnedTypes::of(skin);
  ending.score_told = types->skin().shown(ending.score_told);
  ending.history = history_in_skin(ending.history, *types);
  return ending;
}

Reply in_original(Reply reply, const Type& answer, const std::shared_ptr<const Skin>& of) {
  const std::shared_ptr<SkinnedTypes> types = SkinnedTypes::of(of);
  const Skin& skin = types->skin();
  reply.thought = skin.original(reply.thought);
  if (!json::is_value(reply.json)) return reply;
  const std::string shown = std::exchange(reply.json, types->original(answer, reply.json));
  Value value(answer), other(types->shown(answer));
  if (skin.text().scale == 1 || !read_json(answer, value.get(), reply.json) ||
      read_json(types->shown(answer), other.get(), shown))
    return reply;
  reply.status = Fault::illegal;
  reply.problem = "amounts go in steps of " +
                  text::scaled(has_cents(answer) ? "0.01" : "1", skin.text().scale, false, true);
  reply.json.clear();
  return reply;
}

}  // namespace agon
