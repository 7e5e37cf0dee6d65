#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "archive/calls.hpp"
#include "archive/database/sqlite.hpp"
#include "archive/message_lists.hpp"
#include "archive/rows.hpp"

namespace agon::archive {

/// The statements that write rows. A row that is already there is left as it is; transactions are
/// the caller's.
class Inserter {
 public:
  explicit Inserter(Connection& db);
  /// Goes on with the run of another one, in a copy of its archive.
  Inserter(Connection& db, const Inserter& before);

  /// Begins and ends a transaction.
  void begin() { begin_.run(); }
  void commit() { commit_.run(); }
  /// Number of the row, new or not.
  std::int64_t game(const GameRow& row);
  std::int64_t scenario(const ScenarioRow& row);
  std::int64_t agent(const AgentRow& row);
  /// A suite without a digest is always new.
  std::int64_t suite(const SuiteRow& row);
  /// Number of the new row. What is written from then on is this run's; `found`: what its suite
  /// asks for too and others finished or began.
  std::int64_t run(const RunRow& row, const Selection& found = {});
  /// An empty manifest leaves the one that is there.
  void end_run(std::int64_t number, Time ended, std::string_view outcome,
               std::string_view manifest);

  void content(const hash::Digest& hash, std::string_view kind, std::string_view bytes);
  /// Number of the row of a dictionary of compression, new or not.
  std::int64_t dictionary(std::string_view bytes);
  /// Number of the row; 0: there is none.
  std::int64_t content_number(const hash::Digest& hash);
  /// Says which matches the run asked for, so far; to be called before a commit.
  void note_asked();
  /// The match, its seats and its record, as it is; its partial record goes.
  void match(const MatchRow& match);
  /// What a match was branched from, once.
  void branch(const BranchRow& row);
  /// Numbers for so many matches that the caller writes; the first of them.
  std::int64_t number_next(std::int64_t matches);
  /// So many matches as columns, as ResultColumns::encode wrote them. None of them is there yet.
  void columns(std::int64_t scenario, std::int64_t matches, std::int64_t last_block,
               std::string_view bytes);
  /// Matches that were set aside go, with all that belongs to them.
  void forget_set_aside();
  /// Replaces what was saved of the match under a lower sequence number; nothing is changed when
  /// the match is finished.
  void partial(const PartialMatch& match);
  void call(const CallRow& row);
  void person(const PersonRow& row);
  /// Also completes a row that was written when the question was shown.
  void person_answer(const PersonAnswer& row);

 private:
  void check(const MatchKey& key) const;
  void check_agent(std::int64_t number) const;
  Statement begin_, commit_;
  Statement add_game_, find_games_, bound_game_;
  Statement add_scenario_, find_scenario_, move_scenario_;
  Statement add_agent_, find_agent_;
  Statement add_suite_, find_suite_;
  Statement add_run_, end_run_;
  Statement add_asked_, add_asked_partial_, drop_asked_partial_;
  Statement add_content_, find_content_;
  Statement add_match_, add_seat_, add_record_, drop_partial_, is_finished_;
  Statement add_columns_;
  Statement add_partial_;
  Statement add_person_, add_answer_;
  Statement add_call_;
  std::optional<Statement> add_branch_;  // once there is a branch
  MessageListWriter lists_;
  Connection* db_;
  // Numbers go from 1 without gaps, none is ever deleted. Checked here because SQLite's own
  // check of references costs a seventh of the writing rate.
  std::int64_t scenarios_ = 0;
  std::int64_t agents_ = 0;
  // Numbers of matches are not used again, as those of matches that were set aside and forgotten
  // may still be said to be asked for.
  std::int64_t last_match_ = 0;
  std::int64_t run_ = 0;  // 0: none was entered
  std::optional<std::int64_t> suite_;
  NumberRange asked_;  // by this run, written here; empty: first is 0
  bool asked_noted_ = true;
};

}  // namespace agon::archive
