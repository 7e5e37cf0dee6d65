#include "people/pages/researcher_record.hpp"

#include <algorithm>
#include <utility>

#include "archive/rows.hpp"

namespace agon::serve {

void ResearcherRecord::load(std::vector<LetterRow> letters, std::vector<NoteRow> notes,
                            const std::vector<ActionRow>& actions) {
  for (LetterRow& row : letters) {
    last_letter_ = std::max(last_letter_, row.number);
    letters_[row.participant].push_back(std::move(row));
  }
  for (NoteRow& row : notes) notes_[row.participant] = std::move(row.text);
  for (const ActionRow& row : actions) {
    last_action_ = std::max(last_action_, row.number);
    if (!row.token.empty()) done_[row.token];
  }
}

const boost::json::object* ResearcherRecord::answered(const std::string& token) const {
  const auto at = done_.find(token);
  return at == done_.end() ? nullptr : &at->second;
}

void ResearcherRecord::add(const std::string& token, const std::string& participant,
                           std::string text, boost::json::object answer) {
  store_.save(ActionRow{++last_action_, archive::now(), token, participant, std::move(text)});
  if (!token.empty()) done_[token] = std::move(answer);
}

void ResearcherRecord::write(const std::string& participant, std::string text) {
  std::vector<LetterRow>& all = letters_[participant];
  all.push_back({participant, ++last_letter_, std::move(text), archive::now()});
  store_.save(all.back());
}

std::vector<LetterRow> ResearcherRecord::letters_to(const std::string& participant) const {
  std::vector<LetterRow> open;
  if (const auto at = letters_.find(participant); at != letters_.end())
    std::copy_if(at->second.begin(), at->second.end(), std::back_inserter(open),
                 [](const LetterRow& row) { return row.closed == 0; });
  return open;
}

bool ResearcherRecord::close(const std::string& participant, std::int64_t number) {
  const auto at = letters_.find(participant);
  if (at == letters_.end()) return false;
  for (LetterRow& row : at->second) {
    if (row.number != number) continue;
    if (row.closed != 0) return true;
    row.closed = archive::now();
    store_.save(row);
    return true;
  }
  return false;
}

void ResearcherRecord::annotate(const std::string& participant, std::string text) {
  notes_[participant] = text;
  store_.save(NoteRow{participant, std::move(text)});
}

std::string ResearcherRecord::note_of(const std::string& participant) const {
  const auto at = notes_.find(participant);
  return at == notes_.end() ? std::string() : at->second;
}

void ResearcherRecord::forget(const std::string& participant) {
  letters_.erase(participant);
  notes_.erase(participant);
}

}  // namespace agon::serve
