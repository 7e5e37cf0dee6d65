#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "people/matching/stranger_schedule.hpp"
#include "people/store.hpp"
#include "suite/people/people_file.hpp"

namespace agon::serve {

/// A stage of play, as the suite declares it. Scenarios are numbers in the suite, people are their
/// places in the roster.
struct PlayDesign {
  std::int64_t stage = 0;                   ///< its place in the suite's list of stages
  std::vector<std::size_t> scenarios{};     ///< as listed
  std::vector<std::string> names{};         ///< of these
  std::vector<std::uint64_t> treatments{};  ///< how many each of these has
  std::size_t matches = 1;                  ///< that each person plays
  /// Likewise, a sequence of matches being one; 0: no sequences.
  std::size_t sittings = 0;
  suite_file::PlayOrder order = suite_file::PlayOrder::as_listed;
  suite_file::TreatmentsBy treatments_by = suite_file::TreatmentsBy::within;
  suite_file::Matching matching = suite_file::Matching::arrival;
  std::vector<std::vector<std::int64_t>> groups{};  ///< if the suite lists them
  std::size_t together = 0;      ///< people at a match, where the same stay together
  std::size_t pages_before = 0;  ///< other stages between the stage of play before and this one

  [[nodiscard]] bool keeps_groups() const {
    return !groups.empty() || matching == suite_file::Matching::partners;
  }
};

/// A match that waits for people, in the order of the plan.
struct MatchToFill {
  std::size_t scenario = 0;
  std::uint64_t treatment = 0;
  std::uint64_t luck = 0;  ///< what chance brings at it
  std::size_t needed = 0;
};

/// Somebody who is at a stage, and waits.
struct WaitingPerson {
  std::int64_t person = 0;
  std::size_t design = 0;
  std::uint64_t arrived = 0;  ///< the order in which they came to wait
  bool is_free = true;  ///< false: they play, or come back in a moment; perfect strangers only
};

/// What somebody was given, and why.
struct Assigned {
  std::int64_t person = 0;
  std::size_t design = 0;
  AssignedKind kind = AssignedKind::order;
  std::optional<std::size_t> scenario{};  ///< none: for the whole stage
  std::int64_t draw = -1;    ///< from 0: the how manieth of its kind; -1: none was made
  std::uint64_t number = 0;  ///< of the treatment; of the group, from 1
  std::string why{};
};

/// Who sits at an open match.
struct SeatedGroup {
  std::size_t match = 0;               ///< which of those that were open
  std::vector<std::int64_t> people{};  ///< by seat
  std::vector<Assigned> assigned{};
};

/// What comes of looking at who waits.
struct SeatedPeople {
  std::vector<Assigned> formed{};  ///< to people whose group came about
  std::vector<SeatedGroup> seated{};
  /// Perfect strangers for whom no further group is possible unless somebody comes.
  std::vector<std::int64_t> left_over{};
};

/// Decides who plays what, when and with whom. It depends on nothing but the designs, the seed and
/// the order of what it is told: a session and its rehearsal use the same. Not to be used by two
/// threads at once.
class AGON_API Assigner {
 public:
  Assigner(std::vector<PlayDesign> designs, std::uint64_t seed);

  [[nodiscard]] const std::vector<PlayDesign>& designs() const { return designs_; }

  /// Somebody begins a stage: gives them what is theirs from the beginning; nothing if they have
  /// begun it before.
  std::vector<Assigned> begin(std::size_t design, std::int64_t person);
  /// The open match that stands for what they wait for: the first of the scenario that comes next
  /// for them, and of their treatment. Nothing: no match is left for them.
  [[nodiscard]] std::optional<std::size_t> next(std::size_t design, std::int64_t person,
                                                const std::vector<MatchToFill>& open) const;
  /// Seats people who wait, in the order of the plan. Nobody is given a later match of a scenario
  /// while an earlier one lacks people. What chance brings at a match is new to all who sit there;
  /// only where no such match is left for those who are here, some meet the same again.
  [[nodiscard]] SeatedPeople seat(const std::vector<MatchToFill>& open,
                                  std::vector<WaitingPerson> waiting);
  /// Those with whom they stay together; nothing: nobody, or not yet.
  [[nodiscard]] const std::vector<std::int64_t>& group_of(std::size_t design,
                                                          std::int64_t person) const;

  /// The order in which they play the scenarios of a stage.
  [[nodiscard]] const std::vector<std::size_t>& order(std::size_t design,
                                                      std::int64_t person) const;

  /// The scenario that somebody is to play before others that are listed, until they sit down to
  /// it; nothing: as listed.
  void want(std::size_t design, std::int64_t person, std::optional<std::size_t> scenario);
  /// Somebody takes a seat where others sit already.
  void join(std::size_t design, std::size_t scenario, std::uint64_t luck, std::int64_t person,
            const std::vector<std::int64_t>& others);
  /// Takes back what was given before, in the same order.
  void restore(const Assigned& given);
  /// Takes back who played together.
  void restore(std::size_t design, std::size_t scenario, std::uint64_t luck,
               const std::vector<std::int64_t>& people);

 private:
  /// Numbers of draws, each once. What was kept of them before a crash may have gaps, as matches
  /// begin side by side: these come first.
  struct DrawNumbers {
    std::int64_t next = 0;
    std::set<std::int64_t> later;

    void use(std::int64_t number) {
      if (number >= next) later.insert(number);
      while (later.erase(next) != 0) ++next;
    }
    std::int64_t take() {
      const std::int64_t number = next;
      use(number);
      return number;
    }
  };
  struct PersonState {
    std::vector<std::size_t> order;                   ///< empty: as listed, or not yet known
    std::map<std::size_t, std::uint64_t> treatments;  ///< by scenario
    std::map<std::size_t, std::size_t> times;         ///< by scenario: how often they sat there
    std::set<std::int64_t> met;
    std::size_t group = 0;              ///< from 1; 0: none
    std::optional<std::size_t> wanted;  ///< before others
    bool has_begun = false;
  };
  struct StageState {
    std::map<std::int64_t, PersonState> people;
    std::map<std::size_t, DrawNumbers> drawn;       ///< treatments, by scenario
    DrawNumbers ordered;                            ///< orders that were given
    std::vector<std::vector<std::int64_t>> groups;  ///< that stay together
    std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> of_groups;  ///< treatments
    StrangerSchedule strangers;
  };
  struct SeatChoice;

  /// The first open match of each scenario and treatment, that nobody has taken.
  using FirstOpen = std::map<TableKind, std::size_t>;

  [[nodiscard]] const PersonState& state(std::size_t design, std::int64_t person) const;
  [[nodiscard]] std::optional<std::size_t> next(std::size_t design, std::int64_t person,
                                                const FirstOpen& first) const;
  [[nodiscard]] std::vector<std::size_t> order_of(std::size_t design, std::int64_t draw) const;
  [[nodiscard]] std::uint64_t treatment_of(std::size_t design, std::size_t scenario,
                                           std::int64_t draw) const;
  [[nodiscard]] std::optional<std::uint64_t> due_treatment(std::size_t design, std::size_t scenario,
                                                           std::int64_t person) const;
  void give_order(std::size_t design, const std::vector<std::int64_t>& people, std::int64_t draw,
                  std::vector<Assigned>& given);
  void form_groups(const std::vector<WaitingPerson>& waiting, std::vector<Assigned>& formed);
  [[nodiscard]] std::optional<SeatChoice> choose(const std::vector<MatchToFill>& open,
                                                 const std::vector<bool>& taken,
                                                 const std::vector<WaitingPerson>& waiting,
                                                 bool same_luck) const;
  /// Which of those who are able to sit at a match do; nobody where they cannot.
  [[nodiscard]] std::vector<std::int64_t> pick(std::size_t design, const MatchToFill& match,
                                               const std::vector<std::int64_t>& able,
                                               bool same_luck) const;
  [[nodiscard]] std::vector<std::int64_t> pick_strangers(std::size_t design,
                                                         const MatchToFill& match,
                                                         std::vector<std::int64_t> able) const;
  /// The scenarios that somebody still plays, in their order.
  [[nodiscard]] std::vector<std::size_t> still_to_play(std::size_t design,
                                                       std::int64_t person) const;
  /// Looks who of the perfect strangers at a stage is to meet whom.
  void schedule_strangers(std::size_t design, const std::vector<MatchToFill>& open,
                          const std::vector<WaitingPerson>& people);
  [[nodiscard]] SeatedGroup take(const SeatChoice& choice, const MatchToFill& match);
  void assign_treatment(const SeatChoice& choice, const MatchToFill& match,
                        std::vector<Assigned>& given);
  std::vector<PlayDesign> designs_;
  std::vector<StageState> stages_;
  std::map<std::int64_t, std::set<std::uint64_t>> lucks_;  ///< that somebody had
  std::uint64_t seed_;
};

}  // namespace agon::serve
