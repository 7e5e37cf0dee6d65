#include "people/matching/rehearsal.hpp"

#include <agon/random.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "design/plan.hpp"

namespace agon::serve {
namespace {

/// Uniform above 0, up to 1.
double uniform(Dice& dice) {
  return (static_cast<double>(dice.bits64() >> 11) + 1) * 0x1p-53;
}

double exponential(Dice& dice, double mean) {
  return -mean * std::log(uniform(dice));
}

RehearsedRange spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    const double place = std::ceil(share * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(1.0, place)) - 1];
  };
  return {values.front(), at(0.5), at(0.9), values.back()};
}

/// What one session brings.
struct SessionFigures {
  std::vector<double> waits{};
  double length = 0;
  double done = 0;
  double in_vain = 0;
  double left = 0;
  std::map<std::pair<std::size_t, std::uint64_t>, double> matches{};
  std::map<std::pair<std::size_t, std::uint64_t>, std::set<std::int64_t>> people{};
};

/// One session, from the first who comes to the last who can go on.
class SessionModel {
 public:
  SessionModel(const std::vector<PlayDesign>& designs, const std::vector<PeopleMatch>& matches,
               const RehearsalOptions& options, std::size_t number)
      : matches_(matches),
        options_(options),
        assigner_(designs, options.seed),
        dice_(combine(mix(options.seed), hash_of("rehearsal")), static_cast<std::uint32_t>(number)),
        people_(options.people) {
    draw_leaving(number);
    for (std::size_t i = 0; i < matches.size(); ++i)
      open_[{matches[i].open.scenario, matches[i].open.treatment}].push_back(i);
  }

  SessionFigures play() {
    let_come();
    while (!events_.empty()) {
      const RehearsalEvent event = events_.top();
      events_.pop();
      if (event.what == What::timeout && !is_due(event)) continue;
      now_ = event.at;
      if (event.what == What::timeout) {
        Somebody& who = people_[event.which];
        figures_.waits.push_back(now_ - who.since);
        who.waits = who.is_at_stage = false;
        ++figures_.in_vain;
      } else if (event.what == What::comes) {
        wait(event.which);
      } else {
        for (const std::size_t who : tables_[event.which]) wait(who);
      }
      seat();
    }
    figures_.length = std::max(figures_.length, now_);
    for (const Somebody& who : people_) {
      if (!who.waits) continue;
      figures_.waits.push_back(now_ - who.since);
      ++figures_.in_vain;
    }
    return std::move(figures_);
  }

 private:
  enum class What : std::uint8_t { comes, ends, timeout };
  struct RehearsalEvent {
    double at = 0;
    std::uint64_t order = 0;
    What what = What::comes;
    std::size_t which = 0;  ///< of the people, or of the tables
    std::uint64_t wait = 0;

    friend bool operator>(const RehearsalEvent& a, const RehearsalEvent& b) {
      return std::tie(a.at, a.order) > std::tie(b.at, b.order);
    }
  };
  struct Somebody {
    std::size_t design = 0;
    std::size_t played = 0;              ///< matches in the stage
    bool is_ready = false;               ///< has done what comes before its matches
    std::optional<std::size_t> stays{};  ///< matches before they leave; none: to the end
    bool waits = false;
    bool is_at_stage = false;  ///< waits or plays
    double since = 0;
    std::uint64_t wait = 0;  ///< the how manieth of all
  };

  void add(double at, What what, std::size_t which, std::uint64_t wait = 0) {
    events_.push({at, ++ordered_, what, which, wait});
  }
  [[nodiscard]] bool is_due(const RehearsalEvent& event) const {
    const Somebody& who = people_[event.which];
    return who.waits && who.wait == event.wait;
  }

  void draw_leaving(std::size_t number) {
    Dice dice(combine(mix(options_.seed), hash_of("leaving")), static_cast<std::uint32_t>(number));
    for (Somebody& who : people_)
      if (uniform(dice) <= options_.leave) who.stays = dice.below(matches_each());
  }

  void let_come() {
    double at = 0;
    const std::uint64_t key = dice_.bits64();
    for (const std::uint64_t who : design::shuffled(people_.size(), key)) {
      add(at, What::comes, who);
      at += options_.arrivals.pattern == ArrivalPattern::poisson
                ? exponential(dice_, options_.arrivals.gap)
                : options_.arrivals.gap;
    }
  }

  /// Somebody has nothing at hand: they go on to the stage that is theirs, or are done.
  void wait(std::size_t which) {
    Somebody& who = people_[which];
    who.is_at_stage = false;
    const auto& designs = assigner_.designs();
    while (who.design < designs.size() && who.played >= designs[who.design].matches)
      ++who.design, who.played = 0, who.is_ready = false;
    if (who.design == designs.size()) {
      ++figures_.done;
      figures_.length = std::max(figures_.length, now_ + time_of_pages(options_.pages_after));
      return;
    }
    if (who.stays && played_by(who) >= *who.stays) {
      ++figures_.left;
      return;
    }
    if (!std::exchange(who.is_ready, true) && options_.page > 0)
      return add(now_ + time_of_pages(designs[who.design].pages_before), What::comes, which);
    (void)assigner_.begin(who.design, static_cast<std::int64_t>(which) + 1);
    who.waits = who.is_at_stage = true;
    who.since = now_;
    who.wait = ++waits_;
    if (options_.longest_wait)
      add(now_ + static_cast<double>(*options_.longest_wait), What::timeout, which, who.wait);
  }

  void seat() {
    std::vector<WaitingPerson> waiting;
    bool waits = false;
    for (std::size_t i = 0; i < people_.size(); ++i) {
      const Somebody& who = people_[i];
      if (who.is_at_stage)
        waiting.push_back({static_cast<std::int64_t>(i) + 1, who.design, who.wait, who.waits});
      waits = waits || who.waits;
    }
    if (!waits) return;
    // As many of each as those who wait could come to look at: the rest makes no difference.
    const std::size_t looked_at = waiting.size() + matches_each() + 1;
    std::vector<std::size_t> numbers;
    for (const auto& [cell, all] : open_)
      numbers.insert(numbers.end(), all.begin(),
                     all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), looked_at)));
    std::sort(numbers.begin(), numbers.end());
    std::vector<MatchToFill> open;
    for (const std::size_t i : numbers) open.push_back(matches_[i].open);
    for (const SeatedGroup& group : assigner_.seat(open, std::move(waiting)).seated)
      begin_match(numbers[group.match], group.people);
  }

  void begin_match(std::size_t number, const std::vector<std::int64_t>& people) {
    const PeopleMatch& match = matches_[number];
    const std::pair cell{match.open.scenario, match.open.treatment};
    std::erase(open_[cell], number);
    ++figures_.matches[cell];
    std::vector<std::size_t> seated;
    for (const std::int64_t person : people) {
      const auto which = static_cast<std::size_t>(person - 1);
      Somebody& who = people_[which];
      figures_.waits.push_back(now_ - who.since);
      figures_.people[cell].insert(person);
      who.waits = false;
      who.played += match.sequence;
      seated.push_back(which);
    }
    tables_.push_back(std::move(seated));
    add(now_ + time_of(match), What::ends, tables_.size() - 1);
  }

  double time_of(const PeopleMatch& match) {
    double time = 0;
    for (std::uint64_t position = 0; position < match.sequence; ++position)
      for (const int asked : match.steps) {
        double slowest = 0;
        for (int i = 0; i < asked; ++i) slowest = std::max(slowest, duration_of(options_.answer));
        time += slowest;
      }
    return time;
  }

  double time_of_pages(std::size_t pages) {
    double time = 0;
    if (options_.page > 0)
      for (std::size_t i = 0; i < pages; ++i) time += duration_of(options_.page);
    return time;
  }

  double duration_of(double mean) { return mean / 2 + exponential(dice_, mean / 2); }

  [[nodiscard]] std::size_t played_by(const Somebody& who) const {
    std::size_t all = who.played;
    for (std::size_t i = 0; i < who.design; ++i) all += assigner_.designs()[i].matches;
    return all;
  }

  [[nodiscard]] std::size_t matches_each() const {
    std::size_t all = 0;
    for (const PlayDesign& design : assigner_.designs()) all += design.matches;
    return all;
  }

  const std::vector<PeopleMatch>& matches_;
  const RehearsalOptions& options_;
  Assigner assigner_;
  Dice dice_;
  std::vector<Somebody> people_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<std::size_t>> open_;
  std::priority_queue<RehearsalEvent, std::vector<RehearsalEvent>, std::greater<>> events_;
  std::vector<std::vector<std::size_t>> tables_;
  SessionFigures figures_;
  double now_ = 0;
  std::uint64_t ordered_ = 0;
  std::uint64_t waits_ = 0;
};

}  // namespace

Rehearsal rehearse(const std::vector<PlayDesign>& designs, const std::vector<PeopleMatch>& matches,
                   const RehearsalOptions& options) {
  std::vector<SessionFigures> sessions;
  for (std::size_t i = 0; i < options.sessions; ++i)
    sessions.push_back(SessionModel(designs, matches, options, i).play());
  const auto over_sessions = [&](auto figure) {
    std::vector<double> values;
    for (SessionFigures& session : sessions) values.push_back(figure(session));
    return spread_of(std::move(values));
  };
  Rehearsal all;
  std::vector<double> waits;
  for (const SessionFigures& session : sessions)
    waits.insert(waits.end(), session.waits.begin(), session.waits.end());
  all.waits = spread_of(std::move(waits));
  all.lengths = over_sessions([](const SessionFigures& s) { return s.length; });
  all.done = over_sessions([](const SessionFigures& s) { return s.done; });
  all.in_vain = over_sessions([](const SessionFigures& s) { return s.in_vain; });
  all.left = over_sessions([](const SessionFigures& s) { return s.left; });
  std::set<std::pair<std::size_t, std::uint64_t>> cells;
  for (const PeopleMatch& match : matches)
    cells.insert({match.open.scenario, match.open.treatment});
  for (const auto& cell : cells)
    all.cells.push_back({cell.first, cell.second,
                         over_sessions([&](SessionFigures& s) { return s.matches[cell]; }),
                         over_sessions([&](SessionFigures& s) {
                           return static_cast<double>(s.people[cell].size());
                         })});
  return all;
}

}  // namespace agon::serve
