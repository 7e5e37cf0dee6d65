#include "drift/result.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "describe/read.hpp"
#include "drift/questions.hpp"
#include "text/words.hpp"

namespace agon::drift {
namespace {

/// The answered calls of one model at one time, by number of the question.
using Answers = std::map<std::int64_t, ModelCall>;

/// A model of a run as it was asked.
struct ModelHistory {
  ModelDrift row;
  std::string questions;  // digest
  std::vector<std::pair<Replies, Answers>> times;
};

void insert_new(std::vector<std::string>& list, const std::string& name) {
  if (!name.empty() && std::ranges::find(list, name) == list.end()) list.push_back(name);
}

Replies summary(std::int64_t run, Phase phase, const Answers& answers,
                const DriftQuestions& questions) {
  Replies asked{.run = run, .when = phase};
  for (const auto& [number, call] : answers) {
    ++asked.answered;
    insert_new(asked.served_as, call.served_model);
    insert_new(asked.fingerprints, call.fingerprint);
    const DriftQuestion& q = questions.all.at(static_cast<std::size_t>(number));
    if (!q.answer.empty() && is_right(call.text, q.answer)) ++asked.right;
  }
  std::ranges::sort(asked.served_as);
  std::ranges::sort(asked.fingerprints);
  return asked;
}

Comparison compare(const std::pair<Replies, Answers>& from, const std::pair<Replies, Answers>& to) {
  Comparison c;
  c.from = from.first;
  c.to = to.first;
  c.served_as_changed = c.from.served_as != c.to.served_as;
  c.fingerprint_changed = c.from.fingerprints != c.to.fingerprints;
  double distances = 0;
  for (const auto& [number, call] : from.second) {
    const auto other = to.second.find(number);
    if (other == to.second.end()) continue;
    ++c.compared;
    if (call.text == other->second.text) ++c.same;
    distances += distance(call.text, other->second.text);
  }
  if (c.compared > 0) {
    c.same_rate = static_cast<double>(c.same) / static_cast<double>(c.compared);
    c.distance = distances / static_cast<double>(c.compared);
  }
  return c;
}

/// What the manifest of a run says of its check, with nothing answered yet; nothing for one that is
/// damaged.
std::optional<std::vector<ModelHistory>> told_by(const archive::RunRow& run) {
  const auto manifest = read_recorded<CheckOfRun>(run.manifest);
  if (!manifest) return std::nullopt;
  std::vector<ModelHistory> told;
  if (!manifest->drift) return told;
  for (const DriftManifest::CheckedModel& model : manifest->drift->models) {
    ModelHistory& t = told.emplace_back();
    t.row.run = run.number;
    t.row.spec = model.spec;
    t.row.agents = model.agents;
    if (t.row.agents.empty()) t.row.agents.emplace_back();
    t.questions = manifest->drift->questions;
  }
  return told;
}

std::string names(const std::vector<std::string>& list) {
  return list.empty() ? "no name" : text::joined(list);
}

using AnswersByTime = std::map<std::pair<std::size_t, std::int64_t>, Answers>;  // place, phase

/// What the models answered; notes in `all` which ones they are. `place`: in `all`, by run and
/// seat.
AnswersByTime answers_of(const archive::Archive& archive,
                         const std::map<std::pair<std::int64_t, std::int64_t>, std::size_t>& place,
                         const std::map<std::string, DriftQuestions>& questions,
                         std::vector<ModelHistory>& all) {
  AnswersByTime answers;
  const archive::MatchId no_match;
  archive.calls().each(&no_match, [&](const archive::CallRow& row) {
    const auto found = place.find({row.run, row.seat});
    if (!row.answered || row.call.purpose != "drift" || found == place.end()) return;
    ModelHistory& t = all[found->second];
    const DriftQuestions& asked = questions.at(t.questions);
    if (row.question < 0 || row.question >= static_cast<std::int64_t>(asked.all.size())) return;
    t.row.model = row.call.provider + "/" + row.call.model;
    t.row.endpoint = row.call.endpoint;
    answers[{found->second, row.attempt}].insert_or_assign(row.question, row.call);
  });
  return answers;
}

/// With the last and the first run that asked the same model the same questions.
void compare_with_earlier(std::span<const ModelHistory> runs, ModelHistory& t) {
  const ModelHistory* first = nullptr;
  const ModelHistory* last = nullptr;
  for (const ModelHistory& earlier : runs) {
    if (earlier.row.run == t.row.run || earlier.times.empty() || earlier.row.spec != t.row.spec ||
        earlier.questions != t.questions)
      continue;
    if (first == nullptr) first = &earlier;
    last = &earlier;
  }
  if (last != nullptr) t.row.comparisons.push_back(compare(last->times.back(), t.times.front()));
  if (first != last) t.row.comparisons.push_back(compare(first->times.back(), t.times.front()));
}

}  // namespace

std::vector<ModelDrift> read(const archive::Archive& archive) {
  std::vector<ModelHistory> all;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> place;  // by run and seat
  std::map<std::string, DriftQuestions> questions;                     // by digest
  for (const archive::RunRow& run : archive.runs()) {
    const std::int64_t number = run.number;
    auto told = told_by(run);
    if (!told)
      throw Error(ErrorKind::invalid,
                  "the manifest of run " + std::to_string(number) + " cannot be read",
                  archive.path().string(), "restore it from a copy");
    for (std::size_t seat = 0; seat < told->size(); ++seat) {
      ModelHistory& t = (*told)[seat];
      if (!questions.contains(t.questions)) {
        const auto digest = hash::read_hex(t.questions);
        auto text = digest ? archive.content(*digest) : std::nullopt;
        if (!text)
          throw Error(ErrorKind::invalid, "the archive has lost the questions of a drift check",
                      archive.path().string(), "restore it from a copy");
        questions.emplace(t.questions, DriftQuestions::parse(*std::move(text), "drift questions"));
      }
      place[{number, static_cast<std::int64_t>(seat)}] = all.size();
      all.push_back(std::move(t));
    }
  }
  if (all.empty()) return {};

  const auto answers = answers_of(archive, place, questions, all);
  std::vector<ModelDrift> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ModelHistory& t = all[i];
    const DriftQuestions& asked = questions.at(t.questions);
    t.row.questions = static_cast<std::int64_t>(asked.all.size());
    t.row.with_right_answer =
        std::ranges::count_if(asked.all, [](const DriftQuestion& q) { return !q.answer.empty(); });
    for (const Phase phase : {Phase::before, Phase::after}) {
      const auto found = answers.find({i, static_cast<std::int64_t>(phase)});
      if (found == answers.end()) continue;
      t.times.emplace_back(summary(t.row.run, phase, found->second, asked), found->second);
      t.row.asked.push_back(t.times.back().first);
    }
    if (t.times.size() == 2) t.row.comparisons.push_back(compare(t.times[0], t.times[1]));
    if (!t.times.empty()) compare_with_earlier(std::span(all).first(i), t);
    rows.push_back(t.row);
  }
  return rows;
}

std::string describe_times(const Comparison& c) {
  const std::string from = std::to_string(c.from.run);
  return c.from.run == c.to.run ? "before and after run " + from
                                : "run " + from + " and run " + std::to_string(c.to.run);
}

std::string describe_change(const Comparison& c) {
  std::string text;
  if (c.served_as_changed)
    text = "served as " + names(c.to.served_as) + " instead of " + names(c.from.served_as);
  if (c.fingerprint_changed)
    text += (text.empty() ? "" : ", ") + std::string("fingerprint ") + names(c.to.fingerprints) +
            " instead of " + names(c.from.fingerprints);
  return text;
}

std::string describe(const ModelDrift& row) {
  std::string text =
      "drift of " + (row.model.empty() ? "a model" : row.model) + " (" + row.agents.front() +
      (row.agents.size() > 1 ? " and " + std::to_string(row.agents.size() - 1) + " more" : "") +
      "): ";
  if (row.asked.empty()) return text + "it answered no question";
  std::string parts;
  for (const Comparison& c : row.comparisons) {
    parts += parts.empty() ? "" : "; ";
    parts += c.from.run == c.to.run ? "before and after the run "
                                    : "since run " + std::to_string(c.from.run) + " ";
    parts += c.compared == 0 ? "no question was answered both times"
                             : fmt::format("{} of {} answers the same, distance {:.3f}", c.same,
                                           c.compared, *c.distance);
    if (const std::string change = describe_change(c); !change.empty()) parts += ", " + change;
  }
  if (row.asked.size() < 2) parts += (parts.empty() ? "" : "; ") + std::string("asked once");
  return text + parts;
}

}  // namespace agon::drift
