#include "replay/told_match.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "describe/skinned_types.hpp"
#include "describe/value.hpp"
#include "record/transcript.hpp"
#include "replay/branch_tree.hpp"
#include "replay/import_matches.hpp"
#include "replay/replay.hpp"
#include "results/names.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

/// How much of a match a page shows.
constexpr std::size_t kMostSteps = 5000;
constexpr std::size_t kMostWords = std::size_t{8} << 20;
/// How many branches of a tree a page lists.
constexpr std::size_t kMostBranches = 200;

/// How a step is called: a page shows notes, probes and chance apart from what players meet.
std::string what_of(const record::ToldEntry& entry) {
  using What = record::Entry::What;
  switch (entry.what) {
    case What::event:
      return entry.audience == 0 ? "note" : "event";
    case What::question:
      return entry.probe ? "probe" : "answer";
    case What::draw:
      return "chance";
    case What::carry:
      return "carry";
    case What::outcome:
      return "outcome";
  }
  return {};
}

ToldStep step_of(record::ToldEntry&& from, std::size_t seats) {
  ToldStep step;
  step.what = what_of(from);
  step.name = std::move(from.name);
  if (from.seat >= 0) step.seat = from.seat;
  if (from.question >= 0) step.question = from.question;
  if (from.what == record::Entry::What::event && from.audience != ~std::uint32_t{0})
    for (std::size_t s = 0; s < seats; ++s)
      if ((from.audience >> s & 1U) != 0) step.heard.push_back(static_cast<std::int64_t>(s));
  step.words = std::move(from.words);
  step.thought = std::move(from.thought);
  step.turned_down = std::move(from.turned_down);
  step.remark = std::move(from.remark);
  return step;
}

}  // namespace

std::int64_t SharedTexts::place_of(const std::string& raw) {
  if (raw.empty()) return -1;
  const std::string text = text::printable(raw, text::Breaks::keep);
  const auto [at, added] = places_.try_emplace(text, static_cast<std::int64_t>(all_.size()));
  if (added) {
    all_.push_back(text);
    bytes_ += text.size();
  }
  return at->second;
}

struct MatchTeller::Impl {
  const archive::Archive& archive;
  record::RecordedTypes recorded;
  Replayer replayer;
  std::map<std::int64_t, archive::AgentRow> agents;
  std::map<std::int64_t, archive::ScenarioRow> scenarios;
  std::map<std::int64_t, archive::GameRow> games;
  std::map<std::int64_t, report::ScenarioName> names;
  report::AgentsApart apart;
  std::optional<BranchTree> branches;

  Impl(const archive::Archive& from, const Catalogue& catalogue, report::AgentsApart told_apart)
      : archive(from),
        recorded([&from](const hash::Digest& digest) { return from.content(digest); }),
        replayer(from, catalogue),
        agents(from.agents()),
        scenarios(from.scenarios()),
        games(from.games()),
        names(report::scenario_names(from, played(), games)),
        apart(std::move(told_apart)),
        branches(from) {}

  /// The scenarios that reports have names for.
  [[nodiscard]] std::map<std::int64_t, archive::ScenarioRow> played() const {
    std::map<std::int64_t, archive::ScenarioRow> rows;
    for (const std::int64_t number : archive.matches().scenarios())
      rows.emplace(number, archive.row(scenarios, number));
    return rows;
  }

  /// The matches of its tree, as many as a page lists, itself among them.
  [[nodiscard]] ToldTree tree_of(std::int64_t own, const archive::MatchRow& match) {
    ToldTree told;
    if (branches->row(match.key.id) == nullptr) return told;
    // Branches are of their parent's game. Of one that is new no other row may be known yet.
    const int decimals =
        archive.row(games, archive.row(scenarios, match.key.scenario).game).score_decimals;
    const std::shared_ptr<const Skin> skin = replayer.skin_of(match);
    for (const std::int64_t number : branches->of(match.key.id)) {
      if (told.tree.size() >= kMostBranches && number != own) {
        ++told.more_branches;
        continue;
      }
      const archive::MatchRow row = archive.matches().at(number);
      const archive::BranchRow& branch = *branches->row(row.key.id);
      ToldBranch& one = told.tree.emplace_back();
      one.number = number;
      one.question = branch.question;
      one.words = branch_words(branch, row.seats);
      if (skin != nullptr) one.words = skin->shown(one.words);
      for (const archive::SeatRow& seat : row.seats)
        one.scores.push_back(score_text(seat.payoff, decimals));
    }
    return told;
  }
};

MatchTeller::MatchTeller(const archive::Archive& archive, const Catalogue& catalogue,
                         report::AgentsApart apart)
    : inside_(std::make_unique<Impl>(archive, catalogue, std::move(apart))) {}
MatchTeller::~MatchTeller() = default;

ToldMatch MatchTeller::heading(std::int64_t number, const archive::MatchRow& match) const {
  const Impl& in = *inside_;
  const archive::ScenarioRow& scenario = in.archive.row(in.scenarios, match.key.scenario);
  const archive::GameRow& game = in.archive.row(in.games, scenario.game);
  ToldMatch told;
  told.number = number;
  told.id = match.key.id.hex();
  told.game = game.name;
  told.scenario = scenario.name;
  const report::ScenarioName& name = in.names.at(match.key.scenario);
  told.treatment = name.label;
  told.draws = fmt::format("{}, {}, {}, {}", name.chance, match.key.block, match.key.repeat,
                           match.key.position);
  told.block = match.key.block;
  told.repeat = match.key.repeat;
  told.position = match.key.position;
  told.status = match.status;
  for (const archive::SeatRow& seat : match.seats) {
    std::string agent = in.archive.row(in.agents, seat.agent).name;
    if (const auto apart = in.apart.find({game.name, seat.agent}); apart != in.apart.end())
      agent += apart->second;
    told.seats.push_back({text::printable(seat.name), text::printable(seat.role),
                          text::printable(agent), score_text(seat.payoff, game.score_decimals),
                          seat.rank});
  }
  return told;
}

ToldTree MatchTeller::tree(std::int64_t number) {
  Impl& in = *inside_;
  in.branches.emplace(in.archive);
  return in.tree_of(number, in.archive.matches().at(number));
}

ToldMatch MatchTeller::tell(std::int64_t number, SharedTexts& texts) {
  Impl& in = *inside_;
  const archive::MatchRow match = in.archive.matches().at(number);
  ToldMatch told = heading(number, match);
  if (const auto origin = origin_of(in.archive, match)) told.origin = *origin;
  ToldTree branches = in.tree_of(number, match);
  told.tree = std::move(branches.tree);
  told.more_branches = branches.more_branches;
  if (match.record.empty()) return told;
  record::TranscriptOptions options;
  for (const archive::SeatRow& seat : match.seats) options.seat_names.push_back(seat.name);
  options.score_decimals =
      in.archive.row(in.games, in.archive.row(in.scenarios, match.key.scenario).game)
          .score_decimals;
  in.replayer.put_in_words(match, options);
  if (options.skin != nullptr)
    for (ToldSeat& seat : told.seats) {
      seat.name = text::printable(options.skin->skin().shown(seat.name));
      seat.role = text::printable(options.skin->skin().shown(seat.role));
    }
  std::size_t bytes = 0;
  record::told(match.record, in.recorded, options, [&](record::ToldEntry&& entry) {
    ToldStep step = step_of(std::move(entry), match.seats.size());
    bytes += step.words.size() + step.thought.size();
    for (const std::string& why : step.turned_down) bytes += why.size();
    // The first one is there in any case, or a page would say that nothing was recorded.
    const bool fits = told.steps.size() < kMostSteps && (told.steps.empty() || bytes <= kMostWords);
    if (fits) told.steps.push_back(std::move(step));
    return fits;
  });
  record::each_entry(match.record, [&](const record::Entry&) {
    ++told.left_out;
    return true;
  });
  told.left_out -= static_cast<std::int64_t>(told.steps.size());
  const std::size_t before = texts.bytes();
  in.archive.calls().each(&match.key.id, [&](const archive::CallRow& row) {
    bytes += 8 * row.call.messages.size();
    if (bytes + texts.bytes() - before > kMostWords) return;
    ToldCall& call = told.calls.emplace_back();
    call.seat = row.seat;
    call.question = row.question;
    call.purpose = row.call.purpose;
    call.model = row.call.provider + "/" + row.call.model;
    for (const ChatMessage& message : row.call.messages) {
      call.roles.push_back(texts.place_of(message.role));
      call.messages.push_back(texts.place_of(message.text));
    }
    call.thinking = texts.place_of(row.call.reasoning);
    call.said = texts.place_of(row.call.text);
    call.tokens = std::max<std::int64_t>(row.call.usage.input, 0) +
                  std::max<std::int64_t>(row.call.usage.output, 0);
    call.problem = row.call.problem;
  });
  return told;
}

}  // namespace agon
