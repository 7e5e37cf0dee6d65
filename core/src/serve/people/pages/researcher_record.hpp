#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "people/store.hpp"

namespace agon::serve {

/// What the researcher did, wrote to people and noted of them: kept, and there after a restart.
/// Used with the session's mutex held.
class ResearcherRecord {
 public:
  /// The store must outlive it.
  explicit ResearcherRecord(PeopleStore& store) : store_(store) {}
  void load(std::vector<LetterRow> letters, std::vector<NoteRow> notes,
            const std::vector<ActionRow>& actions);

  /// What was answered to the action with this token; null: it was not done. A page that did not
  /// hear of it sends it again.
  [[nodiscard]] const boost::json::object* answered(const std::string& token) const;
  /// Something was done, `text` says what. `participant`: id, empty: it is of several or of none.
  void add(const std::string& token, const std::string& participant, std::string text,
           boost::json::object answer);

  void write(const std::string& participant, std::string text);
  /// Those that are still on their page, the oldest first.
  [[nodiscard]] std::vector<LetterRow> letters_to(const std::string& participant) const;
  /// They took it off their page. False if there is no such letter to them.
  bool close(const std::string& participant, std::int64_t number);

  void annotate(const std::string& participant, std::string text);
  /// Empty: nothing was noted.
  [[nodiscard]] std::string note_of(const std::string& participant) const;
  /// Nothing of them is kept, in the store either: see PeopleStore::forget.
  void forget(const std::string& participant);

 private:
  PeopleStore& store_;
  std::map<std::string, std::vector<LetterRow>> letters_;  ///< by participant, in order
  std::map<std::string, std::string> notes_;               ///< by participant
  std::map<std::string, boost::json::object> done_;        ///< by token
  std::int64_t last_letter_ = 0;
  std::int64_t last_action_ = 0;
};

}  // namespace agon::serve
