#include "people/pages/researcher_actions.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <utility>

#include "describe/value.hpp"
#include "people/pages/pages.hpp"
#include "text/utf8.hpp"

namespace agon::serve {
namespace {

/// At a time, by "add".
constexpr std::int64_t kMostAdded = 1000;
/// Characters of what the researcher writes.
constexpr std::size_t kLongestText = 5000;
constexpr std::size_t kLongestToken = 100;

std::string problem_of_text(const std::string& text) {
  return text::width(text) > kLongestText
             ? "a text has at most " + std::to_string(kLongestText) + " characters"
             : "";
}

/// Nobody has come by the link yet, and no page of theirs is open.
bool is_unused(const Participant& who) {
  return who.row.began == 0 && who.row.room.empty() && !who.has_ended() && who.stream == nullptr;
}

}  // namespace

std::string place_of(const Participant& who) {
  const OpenQuestion* open = who.sitting == nullptr ? nullptr : who.sitting->open();
  const bool asked = open != nullptr && who.sitting->rules_read && who.step == Step::playing;
  std::string place(name_of(asked ? PageName::question : page_of(who)));
  if (asked)
    place += " " + std::to_string(open->question->number) + "." +
             std::to_string(open->question->attempt);
  if (who.row.stage != 0) place += " at stage " + std::to_string(who.row.stage);
  if (who.sitting != nullptr) place += " of " + who.sitting->key;
  return place;
}

std::string ResearcherActions::perform(ResearcherAction action, const JsonBody& body,
                                       boost::json::object& answer) {
  const std::string token = body.text("token");
  if (token.size() > kLongestToken) return "a token has at most 100 characters";
  if (const auto* before = session_.record.answered(token); !token.empty() && before != nullptr) {
    answer = *before;
    return {};
  }
  done_.clear();
  const std::string id = body.text("id");
  const bool is_of_one =
      action == ResearcherAction::message
          ? !id.empty()
          : action >= ResearcherAction::renew && action != ResearcherAction::renew_unused;
  Participant* who = is_of_one ? session_.roster.find(id) : nullptr;
  std::string why;
  if (!is_of_one)
    why = perform_on_session(action, body, answer);
  else if (who == nullptr)
    why = "there is no such participant";
  else if (who->row.end == EndReason::declined)
    why = "they did not agree, and nothing of them is kept";
  else if (const std::string seen = body.text("seen"); !seen.empty() && seen != place_of(*who))
    why = who->row.label + " has gone on meanwhile; look again";
  else
    why = perform_on(*who, action, body, answer);
  if (!why.empty()) return why;
  if (!done_.empty()) session_.note(done_);
  if (!done_.empty() || !token.empty())
    session_.record.add(token, who == nullptr ? "" : who->row.id, done_, answer);
  return {};
}

std::string ResearcherActions::perform_on_session(ResearcherAction action, const JsonBody& body,
                                                  boost::json::object& answer) {
  switch (action) {
    case ResearcherAction::pause:
      return pause(true);
    case ResearcherAction::go_on:
      return pause(false);
    case ResearcherAction::end:
      done_ = session_.ended ? "" : "the researcher ends the session";
      flow_.end_session(EndReason::closed);
      return {};
    case ResearcherAction::add:
      return add(body.number("n").value_or(0), answer);
    case ResearcherAction::renew_unused:
      return renew_unused(answer);
    case ResearcherAction::message:
      return message(body);
    default:
      return "there is no such action";
  }
}

std::string ResearcherActions::perform_on(Participant& who, ResearcherAction action,
                                          const JsonBody& body, boost::json::object& answer) {
  const std::string& label = who.row.label;
  switch (action) {
    case ResearcherAction::renew:
    case ResearcherAction::release:
      return replace_link(who, action == ResearcherAction::renew, body, answer);
    case ResearcherAction::drop:
      if (who.has_ended()) return "the study is over for " + label;
      done_ = "the researcher drops " + label;
      flow_.leave(who, EndReason::dropped);
      return {};
    case ResearcherAction::advance: {
      const std::string from = place_of(who);
      std::string why = flow_.advance(who);
      if (!why.empty()) return why;
      done_ = "the researcher takes " + label + " past: " + from;
      session_.roster.save(who);
      session_.show(who);
      return {};
    }
    case ResearcherAction::move:
      return move(who, body);
    case ResearcherAction::replace:
      return replace(who, body.text("by"));
    case ResearcherAction::message:
      return message(body);
    case ResearcherAction::annotate:
      return annotate(who, body);
    default:
      return "there is no such action";
  }
}

std::string ResearcherActions::pause(bool paused) {
  if (session_.ended) return "the session has ended";
  if (paused == session_.clock.is_paused()) return {};  // another page of the researcher did it
  if (paused) {
    session_.clock.pause();
  } else {
    session_.clock.go_on();
    matchmaker_.match_up();
  }
  session_.store->pause(paused);
  done_ = paused ? "paused" : "goes on";
  for (Participant* p : session_.roster.all()) session_.show(*p);
  return {};
}

std::string ResearcherActions::add(std::int64_t more, boost::json::object& answer) {
  if (session_.ended) return "the session has ended";
  if (more < 1 || more > kMostAdded || session_.roster.all().size() > kMostParticipants)
    return "say how many: 1 to " + std::to_string(kMostAdded);
  boost::json::array ids;
  for (std::int64_t i = 0; i < more; ++i) {
    Participant& made = session_.roster.enter();
    session_.roster.give_key(made);
    ids.emplace_back(made.row.id);
  }
  answer["participants"] = std::move(ids);
  done_ = std::to_string(more) + " added";
  return {};
}

std::string ResearcherActions::renew_unused(boost::json::object& answer) {
  std::int64_t renewed = 0;
  for (Participant* p : session_.roster.all())
    if (is_unused(*p)) {
      session_.roster.give_key(*p);
      ++renewed;
    }
  if (renewed == 0) return "everybody has begun, or has the page open";
  answer["renewed"] = renewed;
  done_ = std::to_string(renewed) + " links that were not used have been renewed";
  return {};
}

std::string ResearcherActions::replace_link(Participant& who, bool renew, const JsonBody& body,
                                            boost::json::object& answer) {
  // Two pages of the researcher: the link that one has just made is not replaced by the other.
  const std::string link = who.key.empty() ? "" : "/join/" + who.key;
  if (const auto* seen = body.find("link"); seen != nullptr && body.text("link") != link)
    return who.row.label + " was given another link meanwhile; look again";
  // The old link and the pages that are open stop to work.
  participants_.close(who);
  if (renew)
    answer["link"] = "/join/" + session_.roster.give_key(who);
  else
    session_.roster.take_key(who);
  done_ = who.row.label + (renew ? " has a new link" : " may enter the room again");
  return {};
}

std::string ResearcherActions::replace(Participant& who, const std::string& by) {
  if (who.has_ended()) return "the study is over for " + who.row.label;
  if (by.empty()) {
    if (!session_.study.people.substitute)
      return "the suite names no substitute (people.drop_out.substitute)";
    if (who.sitting == nullptr || !who.sitting->match || who.sitting->over || who.sitting->gone)
      return who.row.label + " has no seat that could go to somebody else";
    done_ = "the researcher gives the seat of " + who.row.label + " to the substitute";
    flow_.leave(who, EndReason::dropped);
    return {};
  }
  Participant* after = session_.roster.find(by);
  if (after == nullptr) return "there is no such participant";
  std::string why = flow_.replace(who, *after);
  if (!why.empty()) return why;
  done_ = "the researcher gives the seat of " + who.row.label + " to " + after->row.label;
  return {};
}

std::string ResearcherActions::move(Participant& who, const JsonBody& body) {
  const std::string scenario = body.text("scenario");
  const std::int64_t stage = body.number("stage").value_or(0);
  if (scenario.empty() == (stage == 0)) return "say \"scenario\" or \"stage\"";
  std::string why =
      stage != 0 ? flow_.move_to_stage(who, stage) : flow_.move_to_scenario(who, scenario);
  if (!why.empty()) return why;
  done_ = "the researcher moves " + who.row.label + " to " +
          (stage != 0 ? "stage " + std::to_string(stage) : scenario);
  session_.roster.save(who);
  session_.show(who);
  return {};
}

std::string ResearcherActions::message(const JsonBody& body) {
  const std::string text = body.text("text"), id = body.text("id");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "the message is empty";
  if (std::string why = problem_of_text(text); !why.empty()) return why;
  std::size_t told = 0;
  for (Participant* p : session_.roster.all()) {
    if (id.empty() ? p->has_ended() : p->row.id != id) continue;
    session_.record.write(p->row.id, text);
    session_.show(*p);
    ++told;
  }
  if (told == 0) return "the study is over for everybody";
  done_ = "message to " + (id.empty() ? std::to_string(told) : session_.roster.label_of(id)) +
          ": " + text;
  return {};
}

std::string ResearcherActions::annotate(Participant& who, const JsonBody& body) {
  const std::string text = body.text("text");
  if (std::string why = problem_of_text(text); !why.empty()) return why;
  if (body.find("before") != nullptr && body.text("before") != session_.record.note_of(who.row.id))
    return "the note was changed on another page meanwhile; look again";
  session_.record.annotate(who.row.id, text);
  done_ = "note on " + who.row.label;
  return {};
}

}  // namespace agon::serve
