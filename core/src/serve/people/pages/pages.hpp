#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "http/door.hpp"
#include "http/exchange.hpp"
#include "people/context.hpp"
#include "people/flow.hpp"
#include "people/forms/questionnaire.hpp"
#include "people/matching/matchmaker.hpp"
#include "people/pages/researcher_actions.hpp"

namespace agon::serve {

/// What a participant looks at.
enum class PageName : std::uint8_t {
  welcome,
  consent,
  instructions,
  reading,
  form,
  waiting,
  rules,
  question,
  watching,
  result,
  end,
  refused,
};
AGON_DESCRIBE_ENUM(PageName, (welcome, "to the study"), (consent, "the text to agree to"),
                   (instructions, "before the first match"), (reading, "a text of the study"),
                   (form, "a questionnaire or a quiz"), (waiting, "for a match"),
                   (rules, "of a match that begins"), (question, "that waits for an answer"),
                   (watching, "others are asked"), (result, "of a match"), (end, "of the study"),
                   (refused, "the link or the session is over"))

/// The page of that step.
[[nodiscard]] PageName page_of(const Participant& who);

/// What their page is to show now, as JSON; what is new of their match counts as told by that.
[[nodiscard]] std::string page_state(const SessionContext& session, const Matchmaker& matchmaker,
                                     Participant& who);
/// The numbers of the instructions that somebody has come to, in order: those of stages, and those
/// of scenarios in which they had a seat.
[[nodiscard]] std::vector<std::size_t> readings_of(const Study& study, const Participant& who);
/// The numbers of the stages with quizzes that they have passed.
[[nodiscard]] std::vector<std::int64_t> quizzes_of(const Study& study, const Participant& who);
/// The same for a link that is wrong, one that was replaced, and somebody else's page.
[[nodiscard]] Response unknown_page();
/// What is answered is not asked yet: pages send it again.
[[nodiscard]] Response not_yet();
/// What is answered is not asked any more.
[[nodiscard]] Response stale();
[[nodiscard]] Response accepted();
[[nodiscard]] Response not_saved(const PageTexts& texts, const std::string& problem);

/// What the page of a link that was replaced is to show, as JSON. `text`: key of what it says.
[[nodiscard]] std::string old_link_state(const SessionContext& session, std::string_view text);
/// An own answer, in the words of its form where those are another language's.
[[nodiscard]] std::string own_answer(const Type* type, const std::string& json,
                                     const Sitting& sitting, const PageTexts& texts);

/// Whose page is asked for, if the browser may have it: null for all else, without telling which.
/// With the mutex held.
[[nodiscard]] Participant* who_asks(const SessionContext& session, const Request& request,
                                    std::string_view page);
/// Send what a participant may read again: instructions, the answers of a quiz, a picture of
/// either.
void send_reading(SessionContext& session, const Exchange& exchange);
void send_quiz(SessionContext& session, const Exchange& exchange);
void send_picture(SessionContext& session, const Exchange& exchange);

/// The pages of participants. Its handlers take the session's mutex; all else is to be called with
/// it held.
class ParticipantPages {
 public:
  ParticipantPages(SessionContext& session, Questionnaire& questionnaire, Matchmaker& matchmaker,
                   StudyFlow& flow)
      : session_(session), questionnaire_(questionnaire), matchmaker_(matchmaker), flow_(flow) {}

  void add_routes(Router& router);
  /// Sends what their page is to show now, if one is open.
  void show(Participant& who);
  /// Says on the pages of an old link that it is one, and closes them. `text`: key of what it says.
  void close(Participant& who, std::string_view text = "server.link_old");
  /// Asks the pages whether they are there, and finds those that are gone or silent for too long.
  void tick();
  /// Tells those who wait how many are here, where that has changed.
  void show_waiting_room();
  /// Tells everybody at a table what was written there and they do not have yet.
  void show_chat(const SeatedTable& table);

 private:
  void join(const Exchange& exchange);
  void send_page(const Exchange& exchange);
  void send_room(const Exchange& exchange);
  void enter_room(const Exchange& exchange);
  /// The page of who comes from the panel, which sends its own address.
  void send_panel(const Exchange& exchange);
  void enter_panel(const Exchange& exchange);
  /// Who comes by a panel's link from this browser; null, and why in `refusal`: they are not let
  /// in.
  [[nodiscard]] Participant* admit(const PanelVisit& visit, const Request& request,
                                   std::string_view& refusal);
  void send_texts(const Exchange& exchange);
  void open_stream(const Exchange& exchange);
  void act(const Exchange& exchange);
  void answer(const Exchange& exchange);
  void write(const Exchange& exchange);
  void send_stage_page(const Exchange& exchange);
  void show_chat(Participant& who);
  void submit_form(const Exchange& exchange);
  /// An answer to what is not asked (any more).
  void answer_again(const Exchange& exchange, const Sitting& sitting, std::uint32_t question,
                    int attempt, const std::string& typed);
  void forget_gone();

  SessionContext& session_;
  Questionnaire& questionnaire_;
  Matchmaker& matchmaker_;
  StudyFlow& flow_;
  std::int64_t here_asked_ = 0;  ///< milliseconds: when the pages were last asked

  // Streams end on the server's thread, whatever goes on here: they are looked at later.
  std::mutex gone_mutex_;
  std::vector<const EventStream*> gone_;
};

/// The pages of the researcher: who is here and where, and what can be done.
class ResearcherPages {
 public:
  ResearcherPages(SessionContext& session, const Questionnaire& questionnaire,
                  Matchmaker& matchmaker, StudyFlow& flow, ParticipantPages& participants)
      : session_(session),
        questionnaire_(questionnaire),
        matchmaker_(matchmaker),
        actions_(session, matchmaker, flow, participants) {}

  /// The door must outlive the router's use.
  void add_routes(Router& router, Door& door);
  // With the session's mutex held:
  void found_at(std::string url) { url_ = std::move(url); }
  /// Sends what has changed.
  void tick();

 private:
  void open_stream(const Exchange& exchange);
  void act(const Exchange& exchange, Door& door);
  void send_code(const Exchange& exchange);
  /// The session as JSON.
  [[nodiscard]] std::string state() const;
  [[nodiscard]] std::string payments() const;
  /// One row per person, or what its columns mean.
  void send_people(const Exchange& exchange, const std::string& name) const;
  [[nodiscard]] std::string answers() const;
  [[nodiscard]] std::string chat() const;

  SessionContext& session_;
  const Questionnaire& questionnaire_;
  Matchmaker& matchmaker_;
  ResearcherActions actions_;
  std::string url_;
  std::vector<std::shared_ptr<EventStream>> streams_;
  std::int64_t shown_ = 0;  ///< since 1970
};

/// A QR code of the text (ISO/IEC 18004, medium error correction) as an SVG picture, with the
/// margin of four modules that readers need. Throws Error (invalid) for more text than one holds,
/// some 2300 bytes.
AGON_API std::string qr_svg(std::string_view text);

}  // namespace agon::serve
