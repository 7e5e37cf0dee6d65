#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "describe/file_text.hpp"
#include "suite/people/people_file.hpp"

namespace agon {

struct Suite;

/// The largest picture of an instruction: everybody who takes part loads it.
inline constexpr std::uintmax_t kLargestPicture = 5'000'000;

/// The most characters of a text that people answer.
inline constexpr std::size_t kLongestFormText = 10'000;

/// A picture that a Markdown file names.
struct PeoplePicture {
  std::string name;            ///< as the file names it
  std::filesystem::path file;  ///< in the suite's folder
  std::string type;            ///< "image/png"
};

/// A file of Markdown for people who take part.
struct PeopleText {
  std::string markdown;  ///< empty: there is none
  std::vector<PeoplePicture> pictures{};
};

/// What people do in a stage.
enum class StageKind : std::uint8_t { rules, instructions, questionnaire, quiz, play };
AGON_DESCRIBE_ENUM(StageKind,
                   (rules, "read the rules, who the others are, and play a practice match"),
                   (instructions, "read a text"), (questionnaire, "answer questions"),
                   (quiz, "answer questions until all is right"), (play, "play matches"))

/// A stage of a session with people, read and checked.
struct PeopleStage {
  StageKind kind = StageKind::play;
  std::string name{};
  PeopleText text{};                                  ///< of instructions
  std::vector<suite_file::FormQuestion> questions{};  ///< of a questionnaire or a quiz
  std::uint64_t attempts = 0;                         ///< of a quiz; 0: no limit
  std::vector<std::string> scenarios{};               ///< of play, as listed
  std::uint64_t matches = 0;                          ///< of play, for each person
  suite_file::PlayEntry play{};                       ///< as the suite says it
};

/// The text of a file that the suite names; empty where it may not be read yet.
using ReadNamedFile = std::function<std::string(const std::string& name, const json::Path& path)>;

/// Reads a Markdown file and looks for its pictures. `folder`: of the suite. Throws Error for what
/// is missing, too large, or no picture.
[[nodiscard]] PeopleText read_people_text(const FileText& text, const json::Path& path,
                                          const std::string& name, const std::string& folder,
                                          const ReadNamedFile& read);

/// The stages of a suite whose scenarios are read, in order; where it names no stages, those that
/// there are then: the rules and all matches. `people_in`: how many matches of a scenario have a
/// seat for a person, counted up to a number. Throws Error for stages that nobody could finish.
class StageReader {
 public:
  using CountMatches = std::function<std::uint64_t(std::size_t scenario, std::uint64_t most)>;

  StageReader(const FileText& text, const Suite& suite, std::string folder, ReadNamedFile read,
              CountMatches people_in)
      : text_(text),
        suite_(suite),
        folder_(std::move(folder)),
        read_(std::move(read)),
        people_in_(std::move(people_in)) {}

  [[nodiscard]] std::vector<PeopleStage> read() const;

 private:
  [[nodiscard]] PeopleStage read_stage(const suite_file::StageEntry& said,
                                       const json::Path& path) const;
  void read_play(const suite_file::PlayEntry& said, const json::Path& path,
                 PeopleStage& stage) const;
  [[nodiscard]] std::vector<std::string> scenarios_of_people() const;
  void give_names(const std::vector<suite_file::StageEntry>& said,
                  std::vector<PeopleStage>& stages) const;

  const FileText& text_;
  const Suite& suite_;
  std::string folder_;
  ReadNamedFile read_;
  CountMatches people_in_;
};

/// Refuses questions that nobody could answer, and those of a quiz without a right answer.
void check_questions(const FileText& text, const json::Path& path,
                     const std::vector<suite_file::FormQuestion>& questions, bool is_quiz);

}  // namespace agon
