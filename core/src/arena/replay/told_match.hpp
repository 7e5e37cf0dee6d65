#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "results/participant.hpp"

namespace agon {

class Catalogue;

/// A seat of a told match.
struct ToldSeat {
  std::string name;
  std::string role;
  std::string agent;
  std::string score;
  std::int64_t rank = 0;
};
AGON_DESCRIBE(ToldSeat, (name, "as the match names it"), (role, "empty where seats are alike"),
              (agent, "that played it"), (score, "as people read it"),
              (rank, "1 is best; 0 where there is none"))

/// Something that happened in a told match.
struct ToldStep {
  std::string what;
  std::string name;
  std::optional<std::int64_t> seat{};
  std::vector<std::int64_t> heard{};
  std::optional<std::int64_t> question{};
  std::string words;
  std::string thought{};
  std::vector<std::string> turned_down{};
  std::string remark{};
};
AGON_DESCRIBE(ToldStep, (what, "event, note, answer, probe, chance, carry or outcome"),
              (name, "of the event, the stage or the chance"), (seat, "that answered", left_out),
              (heard, "an event's seats, where not everybody heard it"),
              (question, "its number, from 0", left_out), (words, "in plain words"),
              (thought, "behind the answer"), (turned_down, "attempts before it, and why"),
              (remark, "on the answer: whose it is if not the agent's"))

/// A call of a model in a told match. Texts are numbers: places in a list that matches share.
struct ToldCall {
  std::int64_t seat = 0;
  std::int64_t question = 0;
  std::string purpose;
  std::string model;
  std::vector<std::int64_t> roles{};
  std::vector<std::int64_t> messages{};
  std::int64_t thinking = -1;
  std::int64_t said = -1;
  std::int64_t tokens = 0;
  std::string problem{};
};
AGON_DESCRIBE(ToldCall, (seat, "that called"), (question, "for which"), (purpose, "of the call"),
              (model, "that was asked, behind its provider"), (roles, "of the messages: texts"),
              (messages, "what it was shown: texts"), (thinking, "a text; -1: none"),
              (said, "a text; -1: none"), (tokens, "of input and output"),
              (problem, "why it came to nothing, or what was wrong"))

/// A match of the tree that a told match is in.
struct ToldBranch {
  std::int64_t number = 0;
  std::optional<std::int64_t> question{};
  std::string words;
  std::vector<std::string> scores{};
};
AGON_DESCRIBE(ToldBranch, (number, "as 'agon show' takes it"),
              (question, "at which it leaves the parent", left_out),
              (words,
               "where it leaves the parent and what was changed; of the parent: which "
               "match of which archive it is"),
              (scores, "by seat, as people read them"))

/// The tree that a match is in, as far as a page lists it.
struct ToldTree {
  std::vector<ToldBranch> tree{};
  std::int64_t more_branches = 0;
};
AGON_DESCRIBE(ToldTree, (tree, "as a told match has it"), (more_branches, "likewise"))

/// A match in words.
struct ToldMatch {
  std::int64_t number = 0;
  std::string id;
  std::string game;
  std::string scenario;
  std::string treatment;
  std::string draws;
  std::int64_t block = 0;
  std::int64_t repeat = 0;
  std::int64_t position = 0;
  archive::MatchStatus status = archive::MatchStatus::finished;
  std::string origin{};
  std::vector<ToldBranch> tree{};
  std::int64_t more_branches = 0;
  std::vector<ToldSeat> seats{};
  std::vector<ToldStep> steps{};
  std::int64_t left_out = 0;
  std::vector<ToldCall> calls{};
};
AGON_DESCRIBE(ToldMatch, (number, "as 'agon show' takes it"), (id, "likewise"), (game, "its name"),
              (scenario, "its name"), (treatment, "the scenario with what was varied, in words"),
              (draws, "matches with the same text have the same random draws"),
              (block, "matches of a block had the same random draws"), (repeat, "of the block"),
              (position, "in a learning sequence"), (status, "finished, or how else it ended"),
              (origin, "where a published match is from; empty: it was played here"),
              (tree,
               "the match that it branches from, first, and the branches of that, itself among "
               "them; empty: none"),
              (more_branches, "how many further ones there are, which a page does not show"),
              (seats, "in their order"), (steps, "in their order; empty: not recorded"),
              (left_out, "how many further steps there are, which a page does not show"),
              (calls, "of models, in their order"))

/// Texts, each kept once and known by its place; what would reorder or hide text is escaped.
class SharedTexts {
 public:
  std::int64_t place_of(const std::string& raw);
  [[nodiscard]] const std::vector<std::string>& all() const { return all_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::vector<std::string> all_{};
  std::map<std::string, std::int64_t> places_{};
  std::size_t bytes_ = 0;
};

/// Tells matches of an archive, in their games' words where the games are at hand.
class AGON_API MatchTeller {
 public:
  /// `apart`: so that agents are called as in a report.
  MatchTeller(const archive::Archive& archive, const Catalogue& catalogue,
              report::AgentsApart apart = {});
  ~MatchTeller();

  /// A match, with the calls made for it. Throws Error if the archive is damaged.
  [[nodiscard]] ToldMatch tell(std::int64_t number, SharedTexts& texts);
  /// The tree of a match as it is now: a run may have added branches since the others were told.
  [[nodiscard]] ToldTree tree(std::int64_t number);

 private:
  /// What is known of a match without its record: no steps and no calls.
  [[nodiscard]] ToldMatch heading(std::int64_t number, const archive::MatchRow& match) const;

  struct Impl;
  std::unique_ptr<Impl> inside_;
};

}  // namespace agon
