#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

namespace fs = std::filesystem;

const fs::path kSource = AGON_TEST_SOURCE;

/// The README and the pages of docs/.
std::vector<fs::path> documents() {
  std::vector<fs::path> found{kSource / "README.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// A line of a shell as its first command's words: quotes are understood, and a comment, a pipe or
/// a second command ends it.
Words shell_words(const std::string& line) {
  Words words;
  std::string word;
  char quote = 0;
  bool any = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const char c = i < line.size() ? line[i] : ' ';
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      any = true;
    } else if (c == ' ') {
      if (!word.empty() || any) words.push_back(word);
      word.clear();
      any = false;
    } else if (c == '|' || c == '>' || c == '&' || c == ';' || (c == '#' && word.empty())) {
      return words;
    } else {
      word += c;
    }
  }
  return words;
}

/// The command lines of `agon` in the code of a page, as words behind "agon".
std::vector<Words> commands_of(const std::string& page) {
  std::vector<Words> found;
  bool fence = false;
  for (std::string line : lines(page)) {
    if (line.starts_with("```")) {
      fence = !fence;
      continue;
    }
    if (!fence && !line.starts_with("    ")) continue;
    for (std::size_t at = 0; at != std::string::npos;) {
      const std::size_t next = line.find(" && ", at);
      Words words = shell_words(line.substr(at, next == std::string::npos ? next : next - at));
      at = next == std::string::npos ? next : next + 4;
      if (words.size() < 2 || !(words[0] == "agon" || words[0].ends_with("bin/agon"))) continue;
      words.erase(words.begin());
      found.push_back(std::move(words));
    }
  }
  return found;
}

bool of_plugin(const std::string& command) {
  return command == "solve" || command == "check-agent" || command == "mock-server";
}

std::set<std::string> options_in(const std::string& text) {
  static const std::regex kOption("--[a-z][a-z-]*");
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), kOption), end; it != end; ++it)
    found.insert(it->str());
  return found;
}

}  // namespace

TEST_CASE("every command line in the documents is one that agon takes") {
  std::size_t tried = 0;
  for (const fs::path& document : documents()) {
    for (Words words : commands_of(read_file(document))) {
      // "[--csv]" in a synopsis is meant to be tried too.
      for (std::string& word : words)
        if (word.starts_with("[--") && word.ends_with("]")) word = word.substr(1, word.size() - 2);
      std::string shown = document.filename().string() + ": agon";
      for (const std::string& word : words) shown += " " + word;
      INFO(shown);
      if (of_plugin(words[0])) {
        const std::set<std::string> known =
            options_in(command_test::agon({words[0], "--help"}).out);
        for (const std::string& word : words)
          if (word.starts_with("--")) CHECK(known.contains(word));
      } else {
        // Options are read before help is given.
        words.emplace_back("--help");
        const Ended ended = command_test::agon(words);
        INFO(ended.err);
        CHECK(ended.code == 0);
      }
      ++tried;
    }
  }
  CHECK(tried > 100);
}

TEST_CASE("the page of the command line has every option, and none besides") {
  const std::string page = read_file(kSource / "docs" / "command-line.md");
  const std::set<std::string> told = options_in(page);
  std::set<std::string> taken{"--help", "--man"};
  for (const std::string& line : lines(command_test::agon({"--help"}).out)) {
    if (line == "Exit codes") break;
    if (!line.starts_with("  ") || line.starts_with("  agon ")) continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    INFO(command);
    CHECK(contains(page, "agon " + command));
    const std::set<std::string> options = options_in(command_test::agon({command, "--help"}).out);
    taken.insert(options.begin(), options.end());
    if (command == "mock-server") continue;  // its shares of faults are told with the mock
    for (const std::string& option : options) {
      INFO(option);
      CHECK((option == "--help" || told.contains(option)));
    }
  }
  for (const std::string& option : told) {
    INFO(option);
    CHECK(taken.contains(option));
  }
}

TEST_CASE("links between the documents lead somewhere") {
  static const std::regex kLink(R"(\]\(([^)#\s]*)(#[^)\s]*)?\))");
  for (const fs::path& document : documents()) {
    std::string page;
    bool fence = false;
    for (const std::string& line : lines(read_file(document))) {
      if (line.starts_with("```")) fence = !fence;
      if (!fence) page += line + "\n";
    }
    for (std::sregex_iterator it(page.begin(), page.end(), kLink), end; it != end; ++it) {
      const std::string file = (*it)[1], anchor = (*it)[2];
      if (file.starts_with("http")) continue;
      INFO(document.filename().string() << ": " << it->str());
      const fs::path target = file.empty() ? document : document.parent_path() / file;
      REQUIRE(fs::exists(target));
      if (anchor.empty()) continue;
      bool there = false;
      for (const std::string& line : lines(read_file(target))) {
        if (!line.starts_with("#")) continue;
        std::string id = "#";
        for (const char c : line.substr(line.find_first_not_of("# ")))
          if (c == ' ' || c == '-')
            id += '-';
          else if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        there = there || id == anchor;
      }
      CHECK(there);
    }
  }
}
