#include "people/session.hpp"

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "people/flow.hpp"
#include "people/forms/questionnaire.hpp"
#include "people/matching/matchmaker.hpp"
#include "people/pages/pages.hpp"
#include "people/payment/person_table.hpp"

namespace agon::serve {
namespace {

using Lock = std::unique_lock<std::mutex>;

/// How often the session looks whose time is up.
constexpr std::chrono::milliseconds kTick{200};
/// Threads for tables beside those that all links could fill: links are added while it runs.
constexpr std::size_t kMoreTables = 64;
/// No more threads than these for tables at which nobody may ever sit.
constexpr std::size_t kManyTables = 4096;

}  // namespace

struct Session::Impl {
  Impl(const Suite& suite, const std::filesystem::path& file) : context(suite, file) {
    context.show = [this](Participant& who) { participants.show(who); };
  }

  SessionContext context;
  Questionnaire questionnaire{context};
  Matchmaker matchmaker{context};
  StudyFlow flow{context, questionnaire, matchmaker};
  ParticipantPages participants{context, questionnaire, matchmaker, flow};
  ResearcherPages researchers{context, questionnaire, matchmaker, flow, participants};
};

Session::Session(const Suite& suite, const std::filesystem::path& archive,
                 std::uint64_t participants)
    : path_(people_file(archive)), parts_(std::make_unique<Impl>(suite, path_)) {
  SessionContext& context = parts_->context;
  const Study& study = context.study;
  if (!study.consent_digest.empty())
    context.store->save_text(study.consent_digest, study.people.consent);
  context.store->save_questions(asked_questions(study.people.stages));
  KeptPeople kept = context.store->take_kept();
  context.ended = kept.ended;
  if (kept.paused && !kept.ended) context.clock.pause();
  for (const ActionRow& row : kept.actions)
    if (!row.text.empty()) context.log.emplace_back(row.at, row.text);
  context.record.load(std::move(kept.letters), std::move(kept.notes), kept.actions);
  context.chat.load(std::move(kept.chat));
  context.roster.load(std::move(kept.seat_changes));
  context.roster.load(std::move(kept.session), std::move(kept.participants));
  context.roster.complete(participants != 0 ? participants : study.people.said.participants);
  if (context.roster.all().empty() && context.roster.places() == 0)
    throw Error(ErrorKind::invalid, "nobody is to take part", suite.file + " ($.people)",
                "say \"participants\": N, --participants N, or name people in \"rooms\"");
  parts_->matchmaker.load(kept, archive);
  parts_->questionnaire.load(std::move(kept.said));
  for (FormAnswerRow& row : kept.forms)
    if (Participant* who = context.roster.find(row.participant); who != nullptr)
      who->forms.push_back(std::move(row));
  for (Participant* p : context.roster.all()) parts_->flow.resume(*p);
  context.store->flush();
  time_ = std::jthread([this](const std::stop_token& stop) { keep_time(stop); });
}

Session::~Session() {
  time_.request_stop();
  parts_->matchmaker.close();
  parts_->flow.stop_trials();
  time_.join();
  // While all is there that hears of what is written last.
  parts_->context.store.reset();
}

void Session::add_routes(Router& router, Door& door) {
  parts_->participants.add_routes(router);
  parts_->researchers.add_routes(router, door);
}

void Session::found_at(std::string url) {
  const Lock lock(parts_->context.mutex);
  parts_->researchers.found_at(std::move(url));
}

std::vector<std::string> Session::links() const {
  const Lock lock(parts_->context.mutex);
  return parts_->context.roster.links();
}

std::size_t Session::most_tables() const {
  const Lock lock(parts_->context.mutex);
  const Study& study = parts_->context.study;
  // A participant who goes on to another scenario finds a table of it, and of their treatment,
  // whatever the others do.
  const std::size_t people =
      std::max<std::size_t>(parts_->context.roster.all().size(), parts_->context.roster.places());
  const std::size_t each = (study.scenarios == 1 ? 1 : study.matches_each() + study.scenarios - 1) *
                           parts_->matchmaker.assigned_treatments();
  return std::min(study.matches,
                  std::max(people, std::min(people * each, kManyTables)) + kMoreTables);
}

void Session::run_over() {
  const Lock lock(parts_->context.mutex);
  parts_->flow.run_over();
}

bool Session::seat(const TableToSeat& table, MatchSetup& setup, const std::stop_token& stop) {
  SessionContext& context = parts_->context;
  Matchmaker& matchmaker = parts_->matchmaker;
  std::vector<int> seats;
  for (std::size_t i = 0; i < setup.seats.size(); ++i)
    if (is_person(*setup.seats[i].agent)) seats.push_back(static_cast<int>(i));
  const std::uint64_t luck = mix(setup.stream_key);
  Lock lock(context.mutex);
  if (context.ended || matchmaker.is_given_up(table.match)) return false;
  Matchmaker::Group group = matchmaker.people_for(table, seats, luck, lock, stop);
  if (group.people.empty()) return false;
  SeatedTable& opened = matchmaker.open_table(table, setup);
  const auto& spec = context.study.people.substitute;
  const AgentInGame* substitute = spec ? spec->in(table.scenario.game->id) : nullptr;
  std::vector<SeatedRow> taken;
  for (std::size_t i = 0; i < seats.size(); ++i) {
    Participant& who = *group.people[i];
    const SeatedRow row{table.match, table.first, table.scenario.name, luck,
                        seats[i],    who.row.id,  archive::now(),      {},
                        {},          false,       who.row.stage};
    const auto sitting = matchmaker.take_seat(who, opened, setup, row, group.is_new);
    sitting->pages = &table.scenario.pages;
    if (group.is_new) taken.push_back(row);
    // Who has answered already is in the middle of it.
    if (parts_->questionnaire.has_said(table.match, seats[i])) sitting->rules_read = true;
    SeatSetup& at = setup.seats[static_cast<std::size_t>(seats[i])];
    const bool probes = at.agent->answers_probes();
    std::shared_ptr<const Agent> kept;
    if (substitute != nullptr) {
      SeatSetup made = seat_setup(*substitute, table.scenario.name, table.block, at.dice_key);
      kept = made.own != nullptr ? made.own : substitute->agent;
      at.substitute = made.agent;
      // What people have may be no more than a skin, which the substitute's own prompts have too.
      if (at.prompts == nullptr || at.prompts->texts.empty())
        if (auto own = table.scenario.prompts_of(*made.agent)) at.prompts = std::move(own);
    }
    at.own =
        std::make_shared<BrowserAgent>(parts_->questionnaire, sitting, probes, std::move(kept));
    at.agent = at.own.get();
  }
  for (const AssignmentRow& row : group.assigned)
    context.roster.find(row.participant)->assigned.push_back(row);
  // One write: who sits there, and why it is they.
  if (group.is_new) context.store->save(std::move(taken), std::move(group.assigned));
  context.note(table.scenario.name + " " + setup.label + (group.is_new ? " begins" : " goes on"));
  for (const auto& sitting : opened.sittings)
    if (Participant& who = *context.roster.find(sitting->participant); who.sitting == sitting)
      context.show(who);
  lock.unlock();
  // Who sits where is known when this is resumed, before anything is asked.
  if (group.is_new) context.store->flush();
  return true;
}

void Session::stand_up(const archive::MatchId& match, const MatchResult& result) {
  const Lock lock(parts_->context.mutex);
  const auto sittings = parts_->matchmaker.close_table(match, result);
  if (sittings.empty()) return;
  parts_->flow.show_results(sittings);
  parts_->context.note(
      parts_->matchmaker.tables().at(match).scenario + " " + match.hex().substr(0, 8) +
      (result.end == End::finished ? " is finished" : " ended: " + result.problem));
}

void Session::keep_time(const std::stop_token& stop) {
  Lock lock(parts_->context.mutex);
  std::condition_variable_any never;
  while (!stop.stop_requested()) {
    parts_->participants.tick();
    parts_->flow.tick();
    parts_->participants.show_waiting_room();
    parts_->researchers.tick();
    never.wait_for(lock, stop, kTick, [] { return false; });
  }
}

}  // namespace agon::serve
