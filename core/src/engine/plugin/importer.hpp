#pragma once

#include <agon/describe.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace agon {

/// A file handed to an importer, which opens none itself.
struct InputFile {
  std::string name;   ///< as the person gave it, for messages
  std::string bytes;  ///< all that is in it
};

/// A row that an importer could not take, and why.
struct BadRow {
  std::string file;
  std::int64_t line = 0;
  std::string reason;
};
AGON_DESCRIBE(BadRow, (file, "its name, as the importer was given it"),
              (line, "line or entry, from 1", at_least(0)), (reason, "what is wrong with it"))

/// An answer of a published match.
struct PublishedAnswer {
  std::string json;
  std::string reason;
};
AGON_DESCRIBE(PublishedAnswer,
              (json, "as the game's stage takes it; empty: a probe that was declined"),
              (reason, "what was said with it in private; recorded, shown to no other seat"))

/// What one seat of a published match said.
struct PublishedSeat {
  std::string agent;
  std::map<std::string, std::string> factors;
  std::map<std::string, std::vector<PublishedAnswer>> answers;
};
AGON_DESCRIBE(PublishedSeat, (agent, "as it was published: gpt-4-32k"),
              (factors, "what the agent was beyond its name, as a suite's \"factors\""),
              (answers, "by the name of a stage or a probe, in order"))

/// What chance brought at one place of the game, as the log has it: the numbers that the game draws
/// at `chance(name, at...)`, in order. What a game does not draw is not used.
struct PublishedDraw {
  std::string name;
  std::vector<std::int64_t> at;
  std::vector<std::int64_t> values;
};
AGON_DESCRIBE(PublishedDraw, (name, "of the place"), (at, "its indices"),
              (values, "drawn there, in order"))

/// A figure of the log, to be compared with what comes out when the match is played again.
struct PublishedFigure {
  std::string what;
  std::string event;
  std::int64_t nth = 0;
  std::string place;
  JsonText value;
  std::int64_t line = 0;
};
AGON_DESCRIBE(PublishedFigure, (what, "for people: day 3: balance of Alex"),
              (event, "of the game, in which it is; empty: in the outcome"),
              (nth, "which of the events of that name, from 0", at_least(0)),
              (place, "JSON pointer to it: /residents/0/balance, /seats/0/score"),
              (value, "numbers are the same up to 1e-9"),
              (line, "of the log; 0: not known", at_least(0)))

/// What published matches are matches of.
struct PublishedScenario {
  std::string name;
  std::string game;
  JsonText settings;
};
AGON_DESCRIBE(PublishedScenario, (name, "as reports show it"), (game, "id"),
              (settings, "as in a suite, \"preset\" included"))

/// A match that others played and published, ready to be played again by our rules.
struct PublishedMatch {
  std::string file;
  std::int64_t line = 0;
  std::int64_t scenario = 0;
  std::vector<PublishedSeat> seats;
  std::vector<PublishedDraw> draws;
  std::vector<PublishedFigure> figures;
  bool goes_on = false;
};
AGON_DESCRIBE(PublishedMatch, (file, "its name, as the importer was given it"),
              (line, "line or entry where the match begins, from 1", at_least(0)),
              (scenario, "which of the scenarios, from 0", at_least(0)),
              (seats, "who played, in the order of the seats"),
              (draws, "what the log fixes of chance"),
              (figures, "to be compared, in the order of play"),
              (goes_on, "what follows a figure that differs is not compared"))

/// Why an importer takes none of its files.
struct Refusal {
  std::string problem;
  std::string where;
  std::string hint;
};
AGON_DESCRIBE(Refusal, (problem, "what is wrong"), (where, "file and place in it"),
              (hint, "what helps"))

/// What an importer makes of its files.
struct Imported {
  std::string data;
  std::vector<PublishedScenario> scenarios;
  std::vector<PublishedMatch> matches;
  std::string summary;
  std::vector<BadRow> bad_rows;
  std::optional<Refusal> refused;
};
AGON_DESCRIBE(Imported, (data, "one of Agon's own data files, or"),
              (scenarios, "what there are matches of"), (matches, "published matches"),
              (summary, "a sentence with the counts"), (bad_rows, "in the order of the files"),
              (refused, "it takes none of the files; the rest says nothing"))

/// What comes of importing.
enum class Imports : std::uint8_t { data, matches };
AGON_DESCRIBE_ENUM(Imports, (data, "a data file for scenarios"),
                   (matches, "matches for an archive"))

/// What an importer says of itself.
struct ImporterCard {
  std::string id;
  std::string doc;
  std::string extension;
  Imports imports = Imports::data;
  std::string source;
  std::string licence;
};
AGON_DESCRIBE(ImporterCard, (id, "unique: aucarena-items"), (doc, "what it reads and makes"),
              (extension, "of the files taken from a folder: .json; empty: one file"),
              (imports, "what it makes"), (source, "of matches: where they were published"),
              (licence, "of matches: under which terms, as far as is known"))

/// Reads what others published, in their format: a data set, of which it makes one of Agon's own
/// data files, or logs of matches, which are played again by our rules and kept in an archive. A
/// program of its own does it (docs/game-protocol.md).
struct Importer : ImporterCard {
  /// Throws Error for what cannot be taken as a whole, and where the program fails.
  std::function<Imported(std::span<const InputFile> files)> read;
};

}  // namespace agon
