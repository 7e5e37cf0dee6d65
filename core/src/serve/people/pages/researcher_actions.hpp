#pragma once

#include <agon/describe.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <string>

#include "http/exchange.hpp"
#include "people/context.hpp"
#include "people/flow.hpp"
#include "people/matching/matchmaker.hpp"

namespace agon::serve {

class ParticipantPages;

/// What the researcher does on their page.
enum class ResearcherAction : std::uint8_t {
  login_link,
  pause,
  go_on,
  end,
  add,
  renew,
  renew_unused,
  release,
  drop,
  advance,
  move,
  replace,
  message,
  annotate,
};
AGON_DESCRIBE_ENUM(ResearcherAction, (login_link, "lets another browser in", "login-link"),
                   (pause, "the session"), (go_on, "after a pause", "go-on"), (end, "the session"),
                   (add, "participants with links"), (renew, "the link of a participant"),
                   (renew_unused, "the links of all who have not begun", "renew-unused"),
                   (release, "the name of a participant in their room"), (drop, "a participant"),
                   (advance, "a participant past the page where they are"),
                   (move, "a participant to another stage, or to wait for another scenario"),
                   (replace, "a participant at their seat by another"),
                   (message, "to a participant, or to all"),
                   (annotate, "a participant, for the researcher alone"))

/// Does what the researcher asks for. A page says what it saw ("seen"), so that nothing is done to
/// who has gone on meanwhile, and gives each action a token, so that one that is sent twice is done
/// once. Used with the session's mutex held.
class ResearcherActions {
 public:
  ResearcherActions(SessionContext& session, Matchmaker& matchmaker, StudyFlow& flow,
                    ParticipantPages& participants)
      : session_(session), matchmaker_(matchmaker), flow_(flow), participants_(participants) {}

  /// Returns why it cannot be done; empty: it was. `answer`: what the page gets of it.
  std::string perform(ResearcherAction action, const JsonBody& body, boost::json::object& answer);

 private:
  std::string perform_on_session(ResearcherAction action, const JsonBody& body,
                                 boost::json::object& answer);
  std::string perform_on(Participant& who, ResearcherAction action, const JsonBody& body,
                         boost::json::object& answer);
  std::string pause(bool paused);
  std::string add(std::int64_t more, boost::json::object& answer);
  std::string renew_unused(boost::json::object& answer);
  /// Gives them a new link, or lets them come in by their room again.
  std::string replace_link(Participant& who, bool renew, const JsonBody& body,
                           boost::json::object& answer);
  std::string replace(Participant& who, const std::string& by);
  std::string move(Participant& who, const JsonBody& body);
  std::string message(const JsonBody& body);
  std::string annotate(Participant& who, const JsonBody& body);

  SessionContext& session_;
  Matchmaker& matchmaker_;
  StudyFlow& flow_;
  ParticipantPages& participants_;
  std::string done_;  ///< what is noted of what is being done
};

/// What somebody looks at, as a page of the researcher names it: page, match, question and attempt.
[[nodiscard]] std::string place_of(const Participant& who);

}  // namespace agon::serve
