// What people at a table write to each other, and pages of stages: both beside what is answered.
#include <agon/form.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "json/write.hpp"
#include "people/pages/guarded_page.hpp"
#include "people/pages/pages.hpp"

namespace agon::serve {
namespace {

using ChatLock = std::unique_lock<std::mutex>;

constexpr std::size_t kLongestChatToken = 100;

Response chat_answer(int status, const std::string& problem) {
  return json_response(status, problem.empty() ? boost::json::object{{"accepted", true}}
                                               : boost::json::object{{"error", problem}});
}

std::string problem_of(ChatProblem problem, const Study& study, std::uint64_t longest) {
  switch (problem) {
    case ChatProblem::none:
      break;
    case ChatProblem::empty:
      return study.texts.say("server.chat_empty");
    case ChatProblem::too_long:
      return study.texts.say("server.chat_long", {{"n", std::to_string(longest)}});
    case ChatProblem::too_many:
      return study.texts.say("server.chat_many");
  }
  return {};
}

}  // namespace

void ParticipantPages::write(const Exchange& exchange) {
  const JsonBody body(exchange.request);
  const PageTexts& texts = session_.study.texts;
  const ChatLock lock(session_.mutex);
  Participant* who = who_asks(session_, exchange.request, "/chat");
  if (who == nullptr) return exchange.respond(chat_answer(404, texts.say("server.chat_closed")));
  const Sitting* sitting = who->sitting.get();
  const auto table = sitting != nullptr && sitting->match
                         ? matchmaker_.tables().find(*sitting->match)
                         : matchmaker_.tables().end();
  const bool open = table != matchmaker_.tables().end() && sitting->key == body.text("match") &&
                    session_.chat.is_in(table->second.scenario);
  ChatRow row{.token = body.text("token")};
  row.pseudonym = who->row.pseudonym;
  if (!open || row.token.empty() || row.token.size() > kLongestChatToken)
    return exchange.respond(chat_answer(409, texts.say("server.chat_closed")));
  row.match = *sitting->match;
  // Sent once more, as its page did not hear of it: it may still be on its way to the disk.
  if (session_.chat.was_taken(row))
    return session_.store->save_nothing([this, exchange, row](const std::string& problem) {
      const ChatLock locked(session_.mutex);
      exchange.respond(problem.empty() && session_.chat.was_taken(row)
                           ? chat_answer(200, "")
                           : chat_answer(500, session_.study.texts.say("server.not_saved")));
    });
  if (sitting->over || sitting->gone || session_.ended || session_.clock.is_paused())
    return exchange.respond(chat_answer(409, texts.say("server.chat_closed")));
  row.seat = sitting->seat;
  row.question = sitting->last_question;
  row.at = archive::now();
  row.text = body.text("text");
  if (const ChatProblem problem = session_.chat.take(row); problem != ChatProblem::none)
    return exchange.respond(
        chat_answer(422, problem_of(problem, session_.study, session_.chat.longest())));
  session_.store->save(row, [this, exchange, row](const std::string& problem) {
    {
      const ChatLock locked(session_.mutex);
      if (problem.empty()) {
        session_.chat.show(row);
        if (const auto at = matchmaker_.tables().find(row.match); at != matchmaker_.tables().end())
          show_chat(at->second);
      } else {
        session_.chat.give_back(row);
      }
    }
    exchange.respond(problem.empty()
                         ? chat_answer(200, "")
                         : chat_answer(500, session_.study.texts.say("server.not_saved")));
  });
}

void ParticipantPages::show_chat(const SeatedTable& table) {
  for (const auto& sitting : table.sittings)
    if (Participant& who = *session_.roster.find(sitting->participant); who.sitting == sitting)
      show_chat(who);
}

void ParticipantPages::show_chat(Participant& who) {
  const Sitting* sitting = who.sitting.get();
  if (who.stream == nullptr || sitting == nullptr || !sitting->match) return;
  if (who.chat_key != sitting->key) {
    who.chat_key = sitting->key;
    who.chat_told = 0;
  }
  const std::vector<ChatRow>& all = session_.chat.lines(*sitting->match);
  if (who.chat_told >= all.size()) return;
  boost::json::array lines;
  for (std::size_t i = who.chat_told; i < all.size(); ++i) {
    const auto seat = static_cast<std::size_t>(all[i].seat);
    lines.push_back(boost::json::object{{"own", all[i].pseudonym == who.row.pseudonym},
                                        {"who", printable(sitting->seats[seat])},
                                        {"text", all[i].text}});
  }
  who.stream->send(
      "chat", json::write(boost::json::value(boost::json::object{
                  {"match", sitting->key}, {"from", who.chat_told}, {"lines", std::move(lines)}})));
  who.chat_told = all.size();
}

void ParticipantPages::send_stage_page(const Exchange& exchange) {
  const auto name = exchange.request.query.find("name");
  const ChatLock lock(session_.mutex);
  const Participant* who = who_asks(session_, exchange.request, "/stage");
  const std::string* page = nullptr;
  if (who != nullptr && who->sitting != nullptr && who->sitting->pages != nullptr &&
      name != exchange.request.query.end())
    if (const auto at = who->sitting->pages->find(name->second); at != who->sitting->pages->end())
      page = &at->second;
  if (page == nullptr) return exchange.respond(text_response(404, "there is no such page"));
  GuardedPage guarded = guarded_page(*page);
  exchange.respond({.content_type = "text/html; charset=utf-8",
                    .body = std::move(guarded.html),
                    .headers = {{"Content-Security-Policy", std::move(guarded.policy)},
                                {"Cross-Origin-Opener-Policy", "unsafe-none"},
                                {"Cache-Control", "no-store"}}});
}

}  // namespace agon::serve
