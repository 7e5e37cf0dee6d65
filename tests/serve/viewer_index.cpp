// The index of an archive's matches, against going through all of them.
#include <random>
#include <thread>

#include "catch.hpp"
#include "describe/value.hpp"
#include "unit/archive_samples.hpp"
#include "viewer/match_index.hpp"

using namespace archive_samples;
using agon::serve::MatchesFound;
using agon::serve::MatchFilter;
using agon::serve::MatchIndex;

namespace {

using Numbers64 = std::vector<std::int64_t>;

/// Matches of two to four seats, ten agents and five scenarios that differ in all that counts.
std::vector<MatchRow> some_matches(int count) {
  std::mt19937 dice(7);
  const auto draw = [&](int below) {
    return static_cast<std::int64_t>(dice() % static_cast<unsigned>(below));
  };
  std::vector<MatchRow> all;
  for (int i = 0; i < count; ++i) {
    MatchRow match;
    match.key.scenario = 1 + draw(5);
    match.key.block = draw(20);
    match.key.repeat = draw(2);
    match.key.position = draw(2);
    match.status = draw(9) == 0   ? agon::archive::MatchStatus::game_error
                   : draw(9) == 0 ? agon::archive::MatchStatus::quarantined
                                  : agon::archive::MatchStatus::finished;
    for (std::int64_t seat = 0, seats = 2 + draw(3); seat < seats; ++seat) {
      SeatRow row;
      row.agent = 1 + draw(10);
      row.payoff = static_cast<double>(i) + static_cast<double>(seat) / 8;
      row.attempts[2] = draw(12) == 0 ? 1 : 0;
      row.fallbacks = draw(20) == 0 ? 1 : 0;
      match.seats.push_back(row);
    }
    all.push_back(std::move(match));
  }
  return all;
}

/// Numbers of running matches have gaps.
std::int64_t number_of(std::size_t i) {
  return static_cast<std::int64_t>(i + 1 + (i > 100 ? 7 : 0));
}

bool fits(const MatchRow& match, std::int64_t number, const MatchFilter& filter) {
  const auto in = [](const auto& rows, std::int64_t row) { return !rows || rows->contains(row); };
  if (filter.among != nullptr && !filter.among->has(number)) return false;
  if (!in(filter.scenarios, match.key.scenario)) return false;
  bool agent = !filter.agent, other = !filter.other, both = !filter.agent || !filter.other;
  for (std::size_t a = 0; a < match.seats.size(); ++a)
    for (std::size_t b = 0; b < match.seats.size(); ++b) {
      const bool is_agent = filter.agent && filter.agent->contains(match.seats[a].agent);
      const bool is_other = filter.other && filter.other->contains(match.seats[b].agent);
      agent = agent || is_agent;
      other = other || is_other;
      both = both || (is_agent && is_other && a != b);
    }
  if (!agent || !other || !both) return false;
  if (filter.block && match.key.block != *filter.block) return false;
  if (filter.status && agon::name_of(match.status) != *filter.status) return false;
  bool faulty = false, forced = false;
  for (const SeatRow& seat : match.seats) {
    faulty = faulty || seat.attempts[2] > 0;
    forced = forced || seat.fallbacks > 0;
  }
  if ((filter.faulty && !faulty) || (filter.fallback && !forced)) return false;
  return !filter.same_chance || (filter.same_chance->scenarios.contains(match.key.scenario) &&
                                 filter.same_chance->block == match.key.block &&
                                 filter.same_chance->repeat == match.key.repeat &&
                                 filter.same_chance->position == match.key.position);
}

Numbers64 shown(const MatchesFound& found) {
  Numbers64 numbers;
  for (const auto& head : found.shown) numbers.push_back(head.number);
  return numbers;
}

}  // namespace

TEST_CASE("index: filters find what going through all matches finds") {
  const std::vector<MatchRow> all = some_matches(1500);
  MatchIndex index;
  for (std::size_t i = 0; i < all.size(); ++i) index.add(number_of(i), all[i]);
  const MatchNumbers some({{5, 90}, {107, 109}, {500, 1200}});
  std::mt19937 dice(11);
  const auto one_in = [&](unsigned n) { return dice() % n == 0; };
  const auto rows = [&](std::int64_t of) {
    std::set<std::int64_t> chosen;
    for (std::int64_t row = 1; row <= of + 1; ++row)  // one that is not there
      if (one_in(3)) chosen.insert(row);
    return chosen;
  };
  std::size_t found_some = 0;
  for (int turn = 0; turn < 200; ++turn) {
    MatchFilter filter;
    if (one_in(3)) filter.among = &some;
    if (one_in(3)) filter.scenarios = rows(5);
    if (one_in(2)) filter.agent = rows(10);
    if (one_in(3)) filter.other = rows(10);
    if (one_in(5)) filter.block = static_cast<std::int64_t>(dice() % 20);
    if (one_in(4)) filter.status = one_in(2) ? "finished" : "quarantined";
    filter.faulty = one_in(4);
    filter.fallback = one_in(6);
    if (one_in(6))
      filter.same_chance = {rows(5), static_cast<std::int64_t>(dice() % 20),
                            static_cast<std::int64_t>(dice() % 2),
                            static_cast<std::int64_t>(dice() % 2)};
    Numbers64 wanted;
    std::map<std::int64_t, std::int64_t> by_scenario, by_agent;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!fits(all[i], number_of(i), filter)) continue;
      wanted.push_back(number_of(i));
      ++by_scenario[all[i].key.scenario];
      std::set<std::int64_t> agents;
      for (const SeatRow& seat : all[i].seats) agents.insert(seat.agent);
      for (const std::int64_t agent : agents) ++by_agent[agent];
    }
    found_some += wanted.size() > 10 ? 1 : 0;
    const MatchesFound found = index.find(filter, 0, 100'000);
    REQUIRE(shown(found) == wanted);
    CHECK(found.total == static_cast<std::int64_t>(wanted.size()));
    CHECK(found.by_scenario == by_scenario);
    CHECK(found.by_agent == by_agent);
    // A part of it, from either end.
    const std::int64_t from = static_cast<std::int64_t>(dice() % 40);
    Numbers64 part, last;
    for (std::int64_t i = from; i < std::min<std::int64_t>(from + 10, found.total); ++i) {
      part.push_back(wanted[static_cast<std::size_t>(i)]);
      last.push_back(wanted[wanted.size() - 1 - static_cast<std::size_t>(i)]);
    }
    CHECK(shown(index.find(filter, from, 10)) == part);
    CHECK(shown(index.find(filter, from, 10, true)) == last);
  }
  CHECK(found_some > 30);
}

TEST_CASE("index: a match has its seats and scores, and an agent the sums of its seats") {
  const std::vector<MatchRow> all = some_matches(300);
  MatchIndex index;
  for (std::size_t i = 0; i < all.size(); ++i) index.add(number_of(i), all[i]);
  std::map<std::int64_t, std::int64_t> seats, forced;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto head = index.at(number_of(i));
    REQUIRE(head);
    CHECK(head->status == all[i].status);
    CHECK(head->block == all[i].key.block);
    REQUIRE(head->agents.size() == all[i].seats.size());
    for (std::size_t seat = 0; seat < head->agents.size(); ++seat) {
      CHECK(head->agents[seat] == all[i].seats[seat].agent);
      CHECK(head->scores[seat] == all[i].seats[seat].payoff);
      ++seats[head->agents[seat]];
      forced[head->agents[seat]] += all[i].seats[seat].fallbacks;
    }
  }
  for (const auto& [agent, sums] : index.agent_sums()) {
    CHECK(sums.seats == seats[agent]);
    CHECK(sums.fallbacks == forced[agent]);
  }
  CHECK_FALSE(index.at(105));
  CHECK_FALSE(index.at(1'000'000));
}

TEST_CASE("index: it takes in what is new while an archive is written") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers rows = add_rows(writer);
  Archive archive = Archive::open(folder / "run.agon");
  MatchIndex index;
  CHECK_FALSE(index.read(archive, 100));
  CHECK(index.size() == 0);
  int written = 0;
  for (const int more : {1, 30, 7}) {
    for (int i = 0; i < more; ++i) writer.write_finished(sample_match(rows, ++written));
    writer.flush();
    while (index.read(archive, 10)) {
    }
    CHECK(index.size() == static_cast<std::size_t>(written));
    CHECK(index.last() == written);
  }
  // Ten at a time, and each once.
  MatchIndex again;
  CHECK(again.read(archive, 10));
  CHECK(again.size() == 10);
  CHECK(again.scenario_counts(nullptr).at(rows.scenario).finished == 10);
  CHECK(again.scenarios_by_agent(nullptr).at(rows.first) == std::set<std::int64_t>{rows.scenario});
}

TEST_CASE("index: nothing is missed or taken twice while another thread writes") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers rows = add_rows(writer);
  constexpr int kAll = 3000;
  std::thread writing([&] {
    for (int i = 1; i <= kAll; ++i) {
      writer.write_finished(sample_match(rows, i));
      if (i % 37 == 0) writer.flush();
    }
    writer.flush();
  });
  Archive archive = Archive::open(folder / "run.agon");
  MatchIndex index;
  int looks = 0;
  while (index.size() < kAll) {
    index.read(archive, 50);
    ++looks;
  }
  writing.join();
  CHECK_FALSE(index.read(archive, 50));
  CHECK(looks >= kAll / 50);
  const MatchesFound found = index.find({}, 0, 2 * kAll);
  REQUIRE(found.shown.size() == kAll);
  for (int i = 0; i < kAll; ++i) {
    const auto& head = found.shown[static_cast<std::size_t>(i)];
    REQUIRE(head.number == i + 1);
    REQUIRE(head.block == i + 1);
    REQUIRE(head.scores.at(1) == 1250 - 7 * (i + 1) - 1);
  }
}
