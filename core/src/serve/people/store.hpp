#pragma once

#include <agon/agent.hpp>
#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/matches/match_id.hpp"

namespace agon::serve {

/// Why the study ended for a participant.
enum class EndReason : std::uint8_t {
  done,
  waited,
  closed,
  no_match,
  declined,
  left,
  gone,
  dropped,
  screened_out
};
AGON_DESCRIBE_ENUM(EndReason, (done, "they played all their matches"),
                   (waited, "nobody came for a match in time"),
                   (closed, "the researcher ended the session"),
                   (no_match, "no match was left for them", "none"),
                   (declined, "they did not agree to the consent text"), (left, "they left"),
                   (gone, "they were away for too long"), (dropped, "the researcher removed them"),
                   (screened_out, "they did not pass the quiz", "screened-out"))

/// How a match ended for a participant.
enum class SeatEnding : std::uint8_t { played, unfinished, substituted, left };
AGON_DESCRIBE_ENUM(SeatEnding, (played, "it counts, with a score"),
                   (unfinished, "it ended without a score, not through them"),
                   (substituted, "a substitute took the seat"),
                   (left, "they left, which ended the match"))

/// What became of an attempt at a question.
enum class SaidKind : std::uint8_t { answer, skip, late, advanced, handed_over, quit };
AGON_DESCRIBE_ENUM(SaidKind, (answer, "they answered"), (skip, "they skipped a probe"),
                   (late, "no answer came in time"),
                   (advanced, "the researcher went on without their answer"),
                   (handed_over, "the substitute answers from here on", "gone"),
                   (quit, "the match ends unfinished"))

/// Somebody who takes part, as it is kept. Times are milliseconds since 1970, 0: not yet.
struct ParticipantRow {
  std::string id;          ///< in addresses and payments
  std::string pseudonym;   ///< in the archive and in answers
  std::string label;       ///< what the researcher calls them
  std::string room;        ///< that they came in by, or may; empty: none
  std::string key;         ///< key_digest() of their link's key; empty: they have no link
  std::string code;        ///< shown in the end
  std::int64_t place = 0;  ///< in the order in which they were entered, from 1
  std::int64_t began = 0;
  std::int64_t consented = 0;
  std::int64_t instructed = 0;
  std::int64_t ended = 0;
  std::optional<EndReason> end{};  ///< nothing: not ended
  std::int64_t paid = 0;           ///< cents, of who has ended
  std::int64_t stage = 0;          ///< that they are at, from 1; 0: before the first
  std::string wanted{};    ///< the scenario that the researcher lets them wait for; empty: none
  std::string account{};   ///< of who has ended: how that adds up, an PaymentAccount as JSON
  std::string panel_id{};  ///< what the panel calls them; empty: no panel sent them
  std::string panel_parameters{};  ///< a JSON object: all that came with their address
};

/// Who sits at a seat of a match.
struct SeatedRow {
  archive::MatchId match;
  archive::MatchId first;  ///< of its sequence
  std::string label;       ///< scenario, for people
  std::uint64_t luck = 0;  ///< what chance brings: equal for matches of one block
  int seat = 0;
  std::string participant;  ///< id
  std::int64_t since = 0;
  std::optional<SeatEnding> outcome{};  ///< nothing: it goes on
  std::string score{};                  ///< as it was told; empty: none
  bool seen = false;                    ///< how it ended was seen, and they went on
  std::int64_t stage = 0;               ///< in which it is played, from 1
};

/// What the design of the suite gives to somebody.
enum class AssignedKind : std::uint8_t { order, treatment, group };
AGON_DESCRIBE_ENUM(AssignedKind, (order, "in which they play the scenarios of a stage"),
                   (treatment, "of a scenario"), (group, "with whom they play"))

/// What somebody was assigned, when and why.
struct AssignmentRow {
  std::string participant;  ///< id
  std::int64_t stage = 0;   ///< of play: from 1
  AssignedKind kind = AssignedKind::order;
  std::string scenario{};    ///< its name; empty: for the whole stage
  archive::MatchId match{};  ///< for which it was; zeros: for no single one
  std::int64_t draw = -1;    ///< the number of the draw, from 0; -1: nothing was drawn
  std::int64_t number = 0;   ///< of the treatment in its scenario, from 0; of the group, from 1
  std::string value{};       ///< names of scenarios in order, or the treatment's settings: JSON
  std::string why{};         ///< "block 3 of treatments, position 2"
  std::int64_t since = 0;    ///< since 1970
};

/// What a person said to an attempt at a question, or what became of it instead.
struct SaidRow {
  archive::MatchId match{};
  int seat = 0;
  std::uint32_t question = 0;
  int attempt = 0;
  SaidKind kind = SaidKind::answer;
  std::string json{};   ///< of an answer
  std::string typed{};  ///< of an answer: what was typed, JSON
  std::string thought{};
  Timing timing{};
};

/// What somebody at a table wrote to the other people there.
struct ChatRow {
  archive::MatchId match{};
  std::int64_t number = 0;  ///< in the match, from 0
  int seat = 0;
  std::string pseudonym{};     ///< who wrote it
  std::int64_t question = -1;  ///< that they were asked last; -1: none yet
  std::int64_t at = 0;
  std::string text{};   ///< without what is withheld
  std::string token{};  ///< by which its page knows it
};

/// What the researcher wrote to somebody who takes part.
struct LetterRow {
  std::string participant{};  ///< id
  std::int64_t number = 0;    ///< of all letters, from 1
  std::string text{};
  std::int64_t sent = 0;
  std::int64_t closed = 0;  ///< when they took it off their page; 0: not yet
};

/// What the researcher noted of somebody, for themselves.
struct NoteRow {
  std::string participant{};  ///< id
  std::string text{};
};

/// What the researcher did.
struct ActionRow {
  std::int64_t number = 0;
  std::int64_t at = 0;
  std::string token{};        ///< by which its page knows it; empty: none
  std::string participant{};  ///< id; empty: it is of several or of none
  std::string text{};
};

/// The seat of a match went to somebody else.
struct SeatChangeRow {
  archive::MatchId match{};
  archive::MatchId first{};  ///< of its sequence
  int seat = 0;
  std::uint32_t question = 0;  ///< the first that was theirs, with its attempt
  int attempt = 0;
  std::string before{};  ///< id
  std::string after{};   ///< id
  std::int64_t at = 0;
};

/// Whether an answer to a quiz was right.
enum class QuizMark : std::uint8_t { right, wrong };
AGON_DESCRIBE_ENUM(QuizMark, (right, "as the suite says"), (wrong, "it is asked again"))

/// What a person answered to a question of a questionnaire or a quiz.
struct FormAnswerRow {
  std::string participant{};  ///< id
  std::int64_t stage = 0;     ///< from 1
  std::string question{};     ///< its name
  std::int64_t attempt = 1;
  std::string json{};              ///< null: left out
  std::optional<QuizMark> mark{};  ///< nothing: a questionnaire
  std::int64_t answered = 0;
};

/// A question of a questionnaire or a quiz, as the codebook has it.
struct AskedQuestion {
  std::int64_t stage = 0;
  std::string stage_name{};
  bool quiz = false;
  std::string name{};
  std::string ask{};
  std::string values{};
};
AGON_DESCRIBE(AskedQuestion, (stage, "its number, from 1"), (stage_name, "its name"),
              (quiz, "it has a right answer"), (name, "of the question"), (ask, "what is asked"),
              (values, "what may be answered"))

struct AskedQuestions {
  std::vector<AskedQuestion> all{};
};
AGON_DESCRIBE(AskedQuestions, (all, "in order"))

/// What a file of people has.
struct KeptPeople {
  std::string session;         ///< names the session in the archive; made with the file
  bool ended = false;          ///< by the researcher, or because all had played
  bool asked_consent = false;  ///< there is a text to agree to
  std::vector<ParticipantRow> participants;  ///< in order
  std::vector<SeatedRow> seated;             ///< in order of time
  std::vector<SaidRow> said;
  std::vector<AssignmentRow> assigned;  ///< in the order in which it was
  std::vector<FormAnswerRow> forms;     ///< in order of attempts
  bool paused = false;
  std::vector<ChatRow> chat;  ///< by match, in order
  std::vector<LetterRow> letters;
  std::vector<NoteRow> notes;
  std::vector<ActionRow> actions;           ///< in order of time
  std::vector<SeatChangeRow> seat_changes;  ///< in order of time
  AskedQuestions questions;                 ///< of the suite that was served last
};

/// Where the people of an archive are kept: NAME.people.
[[nodiscard]] AGON_API std::filesystem::path people_file(std::filesystem::path archive);
/// Reads a file that a session may be writing. Throws Error where it is not there, is something
/// else, or is not the own file of who asks.
[[nodiscard]] AGON_API KeptPeople read_people(const std::filesystem::path& file);

/// What must not be lost of a session, in a file of its own: it knows who people are, which the
/// archive must not. One thread writes; what it was given is on the disk before it says so, and
/// what comes meanwhile shares the next commit. Only its owner may read the file.
class AGON_API PeopleStore {
 public:
  /// Opens the file or makes it. Throws Error where it cannot be written, is something else, or is
  /// in use by another process.
  explicit PeopleStore(const std::filesystem::path& path);
  /// After all that it was given is done.
  ~PeopleStore();
  PeopleStore(const PeopleStore&) = delete;
  PeopleStore& operator=(const PeopleStore&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const;
  /// What was there when it was opened.
  [[nodiscard]] KeptPeople take_kept();

  /// Called on the thread that writes: empty, or why it was not kept.
  using Done = std::function<void(const std::string& problem)>;
  void save(ParticipantRow row, Done done = {});
  /// Takes somebody out again, who sits and sat nowhere, with all that was noted of them.
  void forget(const std::string& participant, Done done = {});
  void save(SeatedRow row, Done done = {});
  /// What people begin a stage with.
  void save(std::vector<AssignmentRow> rows);
  /// Who sits down at a match, and why it is they: all of it is kept, or nothing.
  void save(std::vector<SeatedRow> seats, std::vector<AssignmentRow> rows);
  void save(SaidRow row, Done done = {});
  void save(ChatRow row, Done done = {});
  void save(LetterRow row, Done done = {});
  void save(NoteRow row, Done done = {});
  void save(ActionRow row, Done done = {});
  void save(SeatChangeRow row, Done done = {});
  /// All of a form, or nothing.
  void save(std::vector<FormAnswerRow> form, Done done = {});
  /// Nothing, but `done` comes after all that was given before.
  void save_nothing(Done done);
  /// The text that was agreed to, by its SHA-256.
  void save_text(const std::string& digest, const std::string& text);
  void save_questions(const AskedQuestions& questions);
  void end_session();
  void pause(bool paused);
  /// Returns when all that was given so far is on the disk; throws Error if some of it is not.
  void flush();

 private:
  class StoreWriter;
  std::unique_ptr<StoreWriter> writer_;
};

}  // namespace agon::serve
