#include "remote/remote_agent.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>

#include "describe/description.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "remote/asked_agent.hpp"
#include "remote/limit_json.hpp"
#include "remote/said_value.hpp"
#include "table/contract.hpp"
#include "table/untyped_table.hpp"
#include "text/utf8.hpp"

namespace agon::remote {
namespace {

class InsideAgent final : public Agent {
 public:
  InsideAgent(Pool& pool, std::string game, std::string spec, bool answers_probes)
      : pool_(pool), game_(std::move(game)), spec_(std::move(spec)), probes_(answers_probes) {}

  void answer(Question& question) const override {
    if (UntypedTable::answer_inside(question, &pool_, spec_)) return;
    const std::string request = R"({"type":"request","what":"answer")" + described(question) + "}";
    pool_.in_process([&](Channel& channel) {
      channel.begin("answer");
      channel.send(request);
      try {
        const Message* message = channel.next();
        for (; message->type() == "check"; message = channel.next())
          channel.send(R"({"type":"checked","reason":)" + reason(question, *message) + "}");
        if (message->type() != "reply") throw BadMessage("'reply' is expected");
        read_answer(question, Message::part(message->need("value"), "answered"));
        channel.finish();
      } catch (const BadMessage& bad) {
        channel.refuse(bad.what());
      }
    });
  }
  [[nodiscard]] bool answers_probes() const override { return probes_; }

 private:
  /// What the game says of an answer that is tried, as JSON.
  static std::string reason(const Question& question, const Message& check) {
    Value answer(question.answer_type());
    read_said(answer, check.need("answer"), "the answer");
    return write_json(UntypedTable::reason_against(question, answer.get()));
  }
  /// The question with all that it consists of, for a process that does not know the game.
  [[nodiscard]] std::string described(Question& question) const {
    const Type& answer = question.answer_type();
    JsonWriter out;
    out.open_object().name("game").text(game_).name("stage").text(question.stage());
    out.name("probe").truth(question.is_probe()).name("seat").number(question.seat());
    out.name("answer").json(write_description(answer));
    if (const Type* view = question.view_type()) {
      out.name("shows").json(write_description(*view));
      out.name("view").json(write_json(*view, question.view()));
    }
    out.name("limits").json(write_limits(answer, question.limits()));
    out.name("fallback").json(write_json(answer, UntypedTable::place_of_answer(question)));
    out.name("spec").json(spec_).name("checks").truth(UntypedTable::has_check(question));
    put_dealt(out, question);
    std::string members = out.close_object().take();
    members.front() = ',';  // they go on what the request begins with
    members.pop_back();
    return members;
  }

  Pool& pool_;
  std::string game_;
  std::string spec_;
  bool probes_;
};

}  // namespace

RemoteAgent::RemoteAgent(const JsonNode& card, Pool& pool) : card_(card), pool_(pool) {
  card_.agent.make = {[](const void* self, const void* params, const AgentServices& services) {
                        return static_cast<const RemoteAgent*>(self)->make(params, services);
                      },
                      this};
}

void RemoteAgent::play(const Type& type) {
  settings_ = &type;
  if (card_.has_check)
    card_.agent.check = {[](const void* self, const void* settings) {
                           return static_cast<const RemoteAgent*>(self)->why_not(settings);
                         },
                         this};
}

std::string RemoteAgent::why_not(const void* settings) const {
  const AgentCard& card = card_.agent;
  const std::string rest = member("game", write_json(std::string(card.game))) +
                           member("agent", write_json(std::string(card.id))) +
                           member("settings", write_json(*settings_, settings));
  return pool_.ask(
      {.what = "agent-check", .members = rest, .where = "agent '" + std::string(card.id) + "'"},
      [](const Message& reply) { return text::shorten(reply.text("value"), kLongestProblem); });
}

std::unique_ptr<Agent> RemoteAgent::make(const void* params, const AgentServices& services) const {
  const AgentCard& card = card_.agent;
  const std::string game(services.game.empty() ? card.game : services.game);
  JsonWriter spec;
  spec.open_object().name("agent").text(card.id);
  spec.name("params").json(write_json(*card.params, params));
  const std::string made = spec.close_object().take();
  const bool probes =
      pool_.ask({.what = "agent",
                 .members = member("game", write_json(game)) + member("spec", made),
                 .kind = ErrorKind::invalid},
                [](const Message& reply) {
                  return Message::part(reply.need("value"), "agent").truth("answers_probes");
                });
  return std::make_unique<InsideAgent>(pool_, game, made, probes);
}

}  // namespace agon::remote
