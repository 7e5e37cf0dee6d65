#pragma once

#include <agon/export.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

/// A file handed to an importer: core reads it, plugins open none.
struct InputFile {
  std::string name;   ///< as the person gave it, for messages
  std::string bytes;  ///< all that is in it
};

/// A row that an importer could not take, and why.
struct BadRow {
  std::string file;      ///< its name, as InputFile has it
  std::size_t line = 0;  ///< 1-based line or entry
  std::string reason;    ///< what is wrong with it
};

/// An answer of a published match.
struct PublishedAnswer {
  std::string json;      ///< as the game's stage takes it; empty: a probe that was declined
  std::string reason{};  ///< what was said with it in private; recorded, shown to no other seat
};

/// What one seat of a published match said.
struct PublishedSeat {
  std::string agent;  ///< as it was published: "gpt-4-32k"
  /// What the agent was, beyond its name, as a suite's "factors" would say it:
  /// {"persona", "personality:is=friendly"}.
  std::map<std::string, std::string, std::less<>> factors{};
  /// Answers by the name of a stage or a probe, in order. Probes beyond them are declined.
  std::map<std::string, std::vector<PublishedAnswer>, std::less<>> answers{};
};

/// What chance brought at one place of the game, as the log has it: the numbers that the game draws
/// at `chance(name, at...)`, in order. What a game does not draw is not used.
struct PublishedDraw {
  std::string name;                  ///< of the place
  std::vector<std::int64_t> at{};    ///< its indices
  std::vector<std::int64_t> values;  ///< drawn there, in order
};

/// A figure of the log, to be compared with what comes out when the match is played again.
struct PublishedFigure {
  std::string what;     ///< for people: "day 3: Alex's balance"
  std::string event{};  ///< of the game, in which it stands; empty: in the outcome
  std::size_t nth = 0;  ///< which of the events of that name, from 0
  /// JSON pointer to it (RFC 6901): "/residents/0/balance" of an event, "/seats/0/score",
  /// "/seats/0/metrics/spent" or "/metrics/survivors" of the outcome.
  std::string place;
  std::string value;     ///< JSON; numbers are the same up to 1e-9
  std::size_t line = 0;  ///< of the log; 0: not known
};

/// What published matches are matches of.
struct PublishedScenario {
  std::string name;      ///< as reports show it
  std::string game;      ///< id
  std::string settings;  ///< JSON as in a suite: {"preset": "paper", ...}

  /// Memberwise.
  friend bool operator==(const PublishedScenario&, const PublishedScenario&) = default;
};

/// A match that others played and published, ready to be played again by our rules.
struct PublishedMatch {
  std::string file;                        ///< its name, as InputFile has it
  std::size_t line = 0;                    ///< 1-based line or entry where the match begins
  std::size_t scenario = 0;                ///< which of Imported::scenarios
  std::vector<PublishedSeat> seats{};      ///< who played, in the order of the seats
  std::vector<PublishedDraw> draws{};      ///< what the log fixes of chance
  std::vector<PublishedFigure> figures{};  ///< to be compared, in the order of play
  /// What comes after a figure that differs follows from it, and is not compared: in games whose
  /// state goes on.
  bool goes_on = false;
};

/// What an importer makes of its files.
struct Imported {
  std::string json{};                          ///< one of Agon's own data files, or
  std::vector<PublishedScenario> scenarios{};  ///< what there are matches of
  std::vector<PublishedMatch> matches{};       ///< published matches
  std::string summary{};                       ///< a sentence with the counts
  std::vector<BadRow> bad_rows{};              ///< in the order of the files

  /// The place of a scenario in the list; it is added where it is not there.
  std::size_t place(const PublishedScenario& scenario) {
    const auto at = std::find(scenarios.begin(), scenarios.end(), scenario);
    if (at != scenarios.end()) return static_cast<std::size_t>(at - scenarios.begin());
    scenarios.push_back(scenario);
    return scenarios.size() - 1;
  }
};

/// Reads logs one file after another: what `read` throws of a file makes it a bad row, and nothing
/// of the file is kept.
AGON_API Imported read_each(std::span<const InputFile> files,
                            const std::function<void(const InputFile&, Imported&)>& read);

/// What comes of importing.
enum class Imports : std::uint8_t {
  data,     ///< a data file for scenarios
  matches,  ///< matches for an archive
};

/// Reads what others published, in their format: a data set, of which it makes one of Agon's own
/// data files, or logs of matches, which are played again by our rules and kept in an archive.
struct Importer {
  std::string_view id;           ///< unique: "aucarena-items"
  std::string_view doc;          ///< what it reads and what it makes
  std::string_view extension{};  ///< of the files taken from a directory: ".json"; empty: one file
  /// Reads the files; throws Error for what cannot be taken as a whole.
  Imported (*read)(std::span<const InputFile> files) = nullptr;
  Imports imports = Imports::data;  ///< which of the two `read` fills in
  std::string_view source{};        ///< of matches: where they were published
  std::string_view licence{};       ///< of matches: under which terms, as far as is known
};

}  // namespace agon
