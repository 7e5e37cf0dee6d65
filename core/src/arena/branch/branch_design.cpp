#include "branch/branch_design.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "archive/database/file.hpp"
#include "branch/cut.hpp"
#include "branch/parent_agents.hpp"
#include "design/plan.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "replay/replay.hpp"
#include "suite/agents/prompts.hpp"
#include "table/probes.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
using archive::BranchChange;
using branch::CutQuestion;

/// The label of a line-up in which another agent takes one's place.
std::string line_up_with(const std::string& line_up, const std::string& old,
                         const std::string& now) {
  std::vector<std::string> names = parts_of(line_up, " + ");
  const auto found = std::find(names.begin(), names.end(), old);
  if (found == names.end()) return line_up + ": " + now;
  *found = now;
  return text::joined(names, " + ");
}

/// A scenario while its branches are listed.
struct BranchListing {
  Scenario scenario;
  std::vector<Branch> branches;
  std::vector<design::PlannedMatch> matches;
  std::vector<design::Seating> line_ups;
  std::map<std::vector<int>, std::uint64_t> line_up_of;
  std::map<std::pair<std::int64_t, std::string>, std::uint64_t> treatment_of;
};

class Lister {
 public:
  Lister(const suite_file::BranchEntry& said, const FileText& text,
         std::shared_ptr<ParentArchive> parents, Suite& suite, const SpecContext& context,
         const SuiteOptions& options)
      : said_(said),
        text_(text),
        parents_(std::move(parents)),
        archive_(parents_->archive()),
        suite_(suite),
        context_(context),
        options_(options),
        replayer_(archive_, context.catalogue),
        scenarios_(archive_.scenarios()),
        agents_(archive_.agents()),
        of_parents_(archive_, agents_, text, at(), suite, context),
        branches_(archive::branches_of(archive_)),
        own_agents_(suite.agents.size()) {}

  void list() {
    read_changes();
    for (const auto& [scenario, block, number] : parents()) add_parent(number);
    for (const BranchChangeRead& change : changes_)
      if (change.kind == BranchChange::answer && !change.problem.empty() && !change.was_accepted)
        text_.fail("no question takes this answer: " + change.problem, change.path,
                   "'agon describe GAME' says what its stages take");
    if (listings_.empty() || (!changes_.empty() && !any_cut_))
      text_.fail(
          "there is nothing to branch: " +
              (passed_over_.empty() ? std::string("no match has such a question") : passed_over_),
          at() / "at");
    of_parents_.make();
    for (auto& [key, listing] : listings_) finish(listing);
  }

 private:
  [[nodiscard]] static json::Path at() { return json::Path() / "branch"; }

  void read_changes() {
    for (std::size_t i = 0; i < said_.changes.size(); ++i) {
      const suite_file::BranchChangeEntry& said = said_.changes[i];
      const json::Path path = (at() / "changes")[i];
      if (static_cast<int>(said.agent.has_value()) + static_cast<int>(said.answer.has_value()) +
              static_cast<int>(said.without.has_value()) +
              static_cast<int>(said.persona.has_value()) !=
          1)
        text_.fail("a change is one of agent, answer, without and persona", path,
                   "list several changes one by one");
      BranchChangeRead change{.kind = BranchChange::agent, .text = {}, .path = path};
      if (said.agent) {
        change.text = *said.agent;
        change.agent = suite_agent(*said.agent, path / "agent");
      } else if (said.answer) {
        change.kind = BranchChange::answer;
        change.text = json::write(parsed(*said.answer));
      } else if (said.without) {
        change.kind = BranchChange::without;
        for (const std::string& name : *said.without)
          of_parents_.check_component(name, path / "without");
        change.text = text::joined(*said.without, ", ");
      } else {
        change.kind = BranchChange::persona;
        change.text = *said.persona;
      }
      changes_.push_back(std::move(change));
    }
  }

  [[nodiscard]] int suite_agent(const std::string& name, const json::Path& path) const {
    std::vector<std::string> names;
    for (std::size_t a = 0; a < own_agents_; ++a) {
      names.push_back(suite_.agents[a].name());
      if (names.back() == name) return static_cast<int>(a);
    }
    text_.fail("unknown agent '" + name + "'" + text::did_you_mean(name, names), path,
               "define it under \"agents\"");
  }

  /// The matches that are asked for: by scenario, block and number.
  [[nodiscard]] std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> parents() const {
    const json::Path path = at() / "matches";
    std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> all;
    const auto add = [&](std::int64_t number, bool is_asked) {
      const archive::MatchRow match = archive_.matches().at(number);
      std::string problem;
      if (match.status != archive::MatchStatus::finished)
        problem = "was not finished";
      else if (match.record.empty())
        problem = "was played without keeping its record";
      else if (match.key.position > 0)
        problem = "begins with what its seats learnt in the match before";
      if (problem.empty())
        all.emplace_back(match.key.scenario, match.key.block, number);
      else if (is_asked || match.record.empty())
        text_.fail(fmt::format("match {} {}, and cannot be branched", number, problem), path,
                   "'agon show' lists the matches of the archive");
    };
    if (const auto* named = std::get_if<std::vector<std::int64_t>>(&said_.matches)) {
      for (const std::int64_t number : std::set<std::int64_t>(named->begin(), named->end()))
        text_.placed(path, [&] { add(number, true); });
    } else {
      if (const auto& word = std::get<std::string>(said_.matches); word != "all")
        text_.fail("invalid value '" + word + "'; expected all or a list of numbers", path);
      std::vector<std::int64_t> numbers;
      archive_.matches().numbers([&](std::int64_t number) { numbers.push_back(number); });
      for (const std::int64_t number : numbers) add(number, false);
    }
    std::sort(all.begin(), all.end());
    if (options_.most_blocks > 0) {
      std::map<std::int64_t, std::set<std::int64_t>> blocks;
      std::erase_if(all, [&](const auto& parent) {
        std::set<std::int64_t>& known = blocks[std::get<0>(parent)];
        if (known.size() < options_.most_blocks) known.insert(std::get<1>(parent));
        return !known.contains(std::get<1>(parent));
      });
    }
    return all;
  }

  /// The scenario of a match, as the suite has it.
  BranchListing& listing_of(const archive::MatchRow& match) {
    const archive::ScenarioRow& row = archive_.row(scenarios_, match.key.scenario);
    const Replayer::StoredScenario& stage = replayer_.stage_of(match.key.scenario);
    const std::string probes = stage.probes == nullptr ? std::string() : stage.probes->json();
    BranchListing& listing = listings_[{row.name, row.game, stage.stored.reasks, probes}];
    Scenario& s = listing.scenario;
    if (s.game != nullptr) return listing;
    s.name = row.name;
    s.game = stage.game;
    s.plugin_version = version_of_plugin(context_.catalogue, stage.game->id);
    s.line_ups.kind = LineUpDesign::DesignKind::fixed;
    s.reasks = stage.stored.reasks;
    s.same_draws_as = row.same_draws_as;
    if (stage.probes != nullptr)
      s.probes = std::make_shared<const Probes>(*stage.game,
                                                archive::stored_probes(archive_, row.settings));
    return listing;
  }

  std::uint64_t treatment(BranchListing& listing, std::int64_t scenario,
                          const std::string& change) {
    const auto [known, is_new] =
        listing.treatment_of.try_emplace({scenario, change}, listing.scenario.treatments.size());
    if (!is_new) return known->second;
    const archive::ScenarioRow& row = archive_.row(scenarios_, scenario);
    Treatment made{row.treatment, nullptr, row.seed};
    if (!change.empty()) {
      bj::object values = json::parse(row.treatment, "").as_object();
      const bj::value* before = values.if_contains("change");
      values["change"] = before != nullptr && before->is_string()
                             ? std::string(before->get_string()) + ", then " + change
                             : change;
      made.values = json::write(bj::value(std::move(values)));
    }
    made.settings = std::make_shared<const Settings>(
        archive::read_stored_settings(*listing.scenario.game, archive_, row.settings).settings);
    listing.scenario.treatments.push_back(std::move(made));
    return known->second;
  }

  void add_parent(std::int64_t number) {
    const archive::MatchRow match = archive_.matches().at(number);
    const std::string place = fmt::format("match {} of {}", number, archive_.path().string());
    BranchListing& listing = listing_of(match);
    const MatchSetup replay = replayer_.replaying(match);
    std::vector<CutQuestion> questions;
    try {
      questions = branch::questions_of(replay);
    } catch (const Error& error) {
      throw Error(ErrorKind::invalid, error.problem(), place,
                  "'agon replay' says where; branches go on from what replays byte for byte");
    }
    Branch own;
    own.parent = match.key.id;
    own.rng_key = match.rng_key;
    own.another_follows = replay.another_follows;
    own.unchanged = listing.matches.size();
    own.line_up = match.key.line_up;
    own.row.archive = archive_.path().filename().string();
    own.row.parent = number;
    if (const auto before = branches_.find(match.key.id); before != branches_.end())
      own.parent_repeat = before->second.repeat;
    design::PlannedMatch planned;
    planned.block = static_cast<std::uint64_t>(match.key.block);
    planned.repeat = static_cast<std::uint64_t>(match.key.repeat);
    planned.assignment = static_cast<std::uint64_t>(match.key.assignment);
    for (const archive::SeatRow& seat : match.seats) {
      const ParentAgent& agent = of_parents_.find(seat.agent, nullptr, *listing.scenario.game);
      planned.agents.push_back(agent.number);
      if (match.focal == seat.agent) planned.focal = agent.number;
    }
    add(listing, match, own, planned, nullptr);
    for (const CutQuestion& question : chosen(questions, replay, number))
      for (BranchChangeRead& change : changes_)
        add_branches(listing, match, replay, own, planned, question, change, number);
  }

  /// The questions of a match at which branches leave it.
  [[nodiscard]] std::vector<CutQuestion> chosen(const std::vector<CutQuestion>& all,
                                                const MatchSetup& replay,
                                                std::int64_t number) const {
    if (changes_.empty()) return {};
    const json::Path path = at() / "at";
    std::vector<CutQuestion> open;
    for (const CutQuestion& q : all)
      if (q.no_cut.empty() && is_of_seat(replay.cards, q.seat)) open.push_back(q);
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&said_.at)) {
      std::vector<CutQuestion> some;
      for (const std::int64_t wanted : std::set<std::int64_t>(numbers->begin(), numbers->end()))
        some.push_back(question_of(all, replay, number, wanted));
      return some;
    }
    if (const auto* points = std::get_if<suite_file::BranchPoints>(&said_.at)) {
      if (points->every.has_value() == points->sample.has_value())
        text_.fail("say \"every\" or \"sample\", one of them", path);
      if (points->every) {
        check_stage(*replay.game, *points->every, path / "every");
        std::set<std::string> stages;
        for (const CutQuestion& q : all) stages.insert(q.stage);
        if (!stages.contains(*points->every))
          passed_over(fmt::format("match {} has no question of stage '{}'; it has {}", number,
                                  *points->every, text::joined(stages, ", ")),
                      path / "every", false);
        std::erase_if(open, [&](const CutQuestion& q) { return q.stage != *points->every; });
        return open;
      }
      std::vector<CutQuestion> some;
      std::vector<std::uint64_t> order =
          design::shuffled(open.size(), combine(replay.stream_key, hash_of("branch points")));
      order.resize(std::min<std::size_t>(order.size(), *points->sample));
      std::sort(order.begin(), order.end());
      for (const std::uint64_t i : order) some.push_back(open[i]);
      return some;
    }
    if (const auto& word = std::get<std::string>(said_.at); word != "all")
      text_.fail("invalid value '" + word + "'; expected all, a list of numbers, every or sample",
                 path);
    return open;
  }

  [[nodiscard]] bool is_of_seat(const std::vector<SeatCard>& cards, int seat) const {
    if (!said_.seat) return true;
    std::vector<std::string> known;
    for (const SeatCard& card : cards) {
      known.push_back(card.name);
      if (!card.role.empty()) known.push_back(card.role);
    }
    if (std::find(known.begin(), known.end(), *said_.seat) == known.end())
      passed_over("there is no seat '" + *said_.seat + "'" +
                      text::did_you_mean(*said_.seat, known) + ": seats and roles are " +
                      text::joined(known, ", "),
                  at() / "seat", !std::holds_alternative<std::string>(said_.matches));
    const SeatCard& card = cards[static_cast<std::size_t>(seat)];
    return card.name == *said_.seat || card.role == *said_.seat;
  }

  void check_stage(const Game& game, const std::string& stage, const json::Path& path) const {
    std::vector<std::string> known;
    for (const StageCard& card : game.stages) known.emplace_back(card.name);
    if (std::find(known.begin(), known.end(), stage) == known.end())
      passed_over("the game " + std::string(game.id) + " has no stage '" + stage + "'" +
                      text::did_you_mean(stage, known) + ": its stages are " +
                      text::joined(known, ", "),
                  path, !std::holds_alternative<std::string>(said_.matches));
  }

  [[nodiscard]] CutQuestion question_of(const std::vector<CutQuestion>& all,
                                        const MatchSetup& replay, std::int64_t number,
                                        std::int64_t wanted) const {
    const json::Path path = at() / "at";
    std::vector<std::string> open;
    for (const CutQuestion& q : all)
      if (q.no_cut.empty() && is_of_seat(replay.cards, q.seat))
        open.push_back(std::to_string(q.number));
    const std::string hint = open.empty() ? "no question of it can be changed"
                                          : "these can be changed: " + text::joined(open, ", ");
    const auto found = std::find_if(all.begin(), all.end(), [&](const CutQuestion& q) {
      return static_cast<std::int64_t>(q.number) == wanted;
    });
    if (found == all.end())
      text_.fail(fmt::format("match {} has no question {}", number, wanted) +
                     (!all.empty() && wanted > static_cast<std::int64_t>(all.back().number)
                          ? fmt::format(": its last is {}", all.back().number)
                          : std::string()),
                 path, hint);
    const SeatCard& card = replay.cards[static_cast<std::size_t>(found->seat)];
    if (!found->no_cut.empty())
      text_.fail(fmt::format("question {} of match {} (stage {}) {}", wanted, number, found->stage,
                             found->no_cut),
                 path, hint);
    if (!is_of_seat(replay.cards, found->seat))
      text_.fail(fmt::format("question {} of match {} is asked of {}, not of {}", wanted, number,
                             card.name, *said_.seat),
                 path, hint);
    return *found;
  }

  void add_branches(BranchListing& listing, const archive::MatchRow& match,
                    const MatchSetup& replay, const Branch& parent,
                    const design::PlannedMatch& planned, const CutQuestion& question,
                    BranchChangeRead& change, std::int64_t number) {
    const auto seat = static_cast<std::size_t>(question.seat);
    Branch cut = parent;
    cut.cut = MatchCut{question.number, question.last, {}};
    cut.row.question = question.number;
    cut.row.seat = question.seat;
    cut.row.stage = question.stage;
    cut.row.change = change.kind;
    cut.row.text = change.text;
    design::PlannedMatch changed = planned;
    if (change.kind == BranchChange::answer) {
      if (!takes(replay, question, change, number)) return;
      cut.cut->answer = change.text;
    } else {
      const int agent = who_plays(listing, match, seat, change,
                                  fmt::format("{} in match {}", replay.cards[seat].name, number));
      if (agent < 0) return;
      changed.agents[seat] = agent;
      cut.line_up =
          line_up_with(parent.line_up, archive_.row(agents_, match.seats[seat].agent).name,
                       suite_.agents[static_cast<std::size_t>(agent)].name());
      if (match.focal == match.seats[seat].agent &&
          std::find(changed.agents.begin(), changed.agents.end(), planned.focal) ==
              changed.agents.end())
        changed.focal = agent;
    }
    for (std::size_t i = 0; i < match.seats.size(); ++i)
      if (i != seat || change.kind == BranchChange::answer)
        of_parents_.find(match.seats[i].agent, nullptr, *listing.scenario.game)
            .live.try_emplace(listing.scenario.game,
                              fmt::format("{} in match {}", replay.cards[i].name, number));
    any_cut_ = true;
    for (std::uint64_t repeat = 0; repeat < said_.repeats; ++repeat) {
      cut.row.repeat = static_cast<std::int64_t>(repeat);
      add(listing, match, cut, changed, &change);
    }
  }

  /// Whether the question takes the answer of a change. Refuses it at a question that was asked for
  /// by its number.
  bool takes(const MatchSetup& replay, const CutQuestion& question, BranchChangeRead& change,
             std::int64_t number) const {
    const std::string problem = branch::why_not_accepted(replay, question, change.text);
    if (problem.empty()) return change.was_accepted = true;
    const std::string where =
        fmt::format("question {} of match {} (stage {})", question.number, number, question.stage);
    if (std::holds_alternative<std::vector<std::int64_t>>(said_.at))
      text_.fail(where + " does not take this answer: " + problem, change.path,
                 "'agon describe " + std::string(replay.game->id) + "' says what its stages take");
    if (change.problem.empty()) change.problem = where + ": " + problem;
    return false;
  }

  /// The suite's number of who plays the seat from a cut on; -1: the change is none for it.
  int who_plays(BranchListing& listing, const archive::MatchRow& match, std::size_t seat,
                const BranchChangeRead& change, const std::string& who) {
    const Game& game = *listing.scenario.game;
    if (change.kind != BranchChange::agent) {
      const archive::AgentRow& row = archive_.row(agents_, match.seats[seat].agent);
      if (!of_parents_.takes(match.seats[seat].agent, change, game)) {
        passed_over(who + " is played by '" + row.name + "', which has no " +
                        (change.kind == BranchChange::persona ? "persona" : change.text),
                    change.path, std::holds_alternative<std::vector<std::int64_t>>(said_.at));
        return -1;
      }
      ParentAgent& made = of_parents_.find(match.seats[seat].agent, &change, game);
      made.live.try_emplace(&game, who);
      return made.number;
    }
    const AgentSpec& agent = suite_.agents[static_cast<std::size_t>(change.agent)];
    const AgentInGame* in = agent.in(game.id);
    if (in == nullptr) {
      passed_over("agent '" + agent.name() + "' plays no " + std::string(game.id), change.path,
                  !std::holds_alternative<std::string>(said_.matches));
      return -1;
    }
    if (is_person(*in->agent))
      text_.fail("agent '" + agent.name() + "' is a person, and branches are played by agents",
                 change.path, "name another agent; see 'agon list agents'");
    const archive::SeatRow& row = match.seats[seat];
    if (!in->plays(row.role))
      text_.fail("agent '" + agent.name() + "' cannot play " + row.name + ", the " + row.role,
                 change.path, "it plays " + text::joined(in->roles, ", "));
    const std::uint64_t base = treatment(listing, match.key.scenario, {});
    agent.check(game, *listing.scenario.treatments[base].settings, text_.where(change.path));
    return change.agent;
  }

  /// What does not fit is refused where it was asked for by its number, and else passed over.
  void passed_over(const std::string& problem, const json::Path& path, bool is_asked) const {
    if (is_asked) text_.fail(problem, path);
    if (passed_over_.empty()) passed_over_ = problem;
  }

  void add(BranchListing& listing, const archive::MatchRow& match, Branch branch,
           design::PlannedMatch planned, const BranchChangeRead* change) {
    planned.treatment =
        treatment(listing, match.key.scenario, change == nullptr ? "" : change->words());
    const auto [known, is_new] =
        listing.line_up_of.try_emplace(planned.agents, listing.line_ups.size());
    if (is_new)
      listing.line_ups.push_back(
          design::Seating::as_listed({.agents = planned.agents, .focal = planned.focal}, {}));
    planned.line_up = known->second;
    planned.branch = listing.branches.size();
    branch.identity = match.key.id.hex();
    if (branch.cut)
      branch.identity +=
          fmt::format(" {} {} {} {}", *branch.row.question, name_of(branch.row.change),
                      branch.row.repeat, branch.row.text);
    listing.branches.push_back(std::move(branch));
    listing.matches.push_back(std::move(planned));
  }

  void finish(BranchListing& listing) {
    Scenario& s = listing.scenario;
    s.plan = std::make_shared<const design::MatchPlan>(
        std::move(listing.line_ups), std::move(listing.matches), s.treatments.size());
    s.blocks = s.suite_blocks = s.plan->blocks();
    s.branches = std::make_shared<const Branches>(parents_, std::move(listing.branches));
    for (const int number : s.players()) {
      const AgentInGame* in = suite_.agents[static_cast<std::size_t>(number)].in(s.game->id);
      const std::string language = in->agent->language();
      if (language.empty() || s.prompts.contains(language)) continue;
      const ParentAgent* recorded = of_parents_.numbered(number);
      s.prompts[language] =
          recorded != nullptr && recorded->row.prompts
              ? replayer_.prompts_of(recorded->of)
              : load_prompts(context_.catalogue, *s.game, options_.prompt_folders, {},
                             context_.folder, text_.where(at()), language, options_.accesses);
    }
    suite_.scenarios.push_back(std::move(s));
  }

  const suite_file::BranchEntry& said_;
  const FileText& text_;
  const std::shared_ptr<ParentArchive> parents_;
  const archive::Archive& archive_;
  Suite& suite_;
  const SpecContext& context_;
  const SuiteOptions& options_;
  Replayer replayer_;
  const std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  const std::map<std::int64_t, archive::AgentRow> agents_;
  ParentAgents of_parents_;
  const std::map<archive::MatchId, archive::BranchRow> branches_;
  const std::size_t own_agents_;  ///< how many the suite names itself
  std::vector<BranchChangeRead> changes_;
  std::map<std::tuple<std::string, std::int64_t, int, std::string>, BranchListing> listings_;
  bool any_cut_ = false;
  mutable std::string passed_over_;  ///< why the first that did not fit was passed over
};

}  // namespace

BranchDesign::BranchDesign(const suite_file::BranchEntry& said, const FileText& suite,
                           const std::filesystem::path& file)
    : said_(said), text_(suite), parents_(std::make_shared<ParentArchive>(file)) {
  const archive::Archive& archive = parents_->archive();
  const auto runs = archive.runs();
  if (runs.empty() || runs.back().ended) return;
  try {
    const archive::RunLock lock(archive.path());  // the run that left it open is gone
  } catch (const Error& error) {
    throw Error(error.kind(), "the archive is still being written: " + error.problem(),
                archive.path().string(), "branch its matches once the run has ended");
  }
}

std::vector<std::string> BranchDesign::games() const {
  std::vector<std::string> games;
  for (const auto& [number, game] : parents_->archive().games())
    if (std::find(games.begin(), games.end(), game.name) == games.end()) games.push_back(game.name);
  return games;
}

void BranchDesign::add_to(Suite& suite, const SpecContext& context,
                          const SuiteOptions& options) const {
  Lister(said_, text_, parents_, suite, context, options).list();
}

}  // namespace agon
