#include "command/snapshot.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>

#include "catch.hpp"
#include "command/folder.hpp"

namespace command_test {
namespace {

/// The lines that went and came, by the longest common subsequence, with their numbers.
std::string difference(const std::string& before, const std::string& now) {
  const std::vector<std::string> a = lines(before), b = lines(now);
  // common[i][j]: the most lines that a from i and b from j have in common.
  std::vector<std::vector<std::size_t>> common(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::string text;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i, ++j;
    } else if (i < a.size() && (j == b.size() || common[i + 1][j] >= common[i][j + 1])) {
      text += "- " + std::to_string(i + 1) + ": " + a[i] + "\n";
      ++i;
    } else {
      text += "+ " + std::to_string(j + 1) + ": " + b[j] + "\n";
      ++j;
    }
  }
  return text;
}

}  // namespace

void same_as_snapshot(const std::string& file, const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::path(AGON_TEST_SOURCE) / "tests" / "command" / file;
  const std::string committed = read_file(path);
  const bool same = committed == text;
  const char* update = std::getenv("AGON_UPDATE_SNAPSHOTS");
  if (!same && update != nullptr && std::string_view(update) == "1") {
    std::cout << file << " is written anew:\n" << difference(committed, text);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    REQUIRE(out);
    return;
  }
  INFO(path.string() << " differs:\n"
                     << difference(committed, text)
                     << "if this is meant: AGON_UPDATE_SNAPSHOTS=1 test_command, then review and "
                        "commit the file");
  CHECK(same);
}

std::string normalised(std::string text) {
  text = std::regex_replace(text, std::regex("agon_abi__[A-Za-z0-9_]+"), "TAG");
  const std::string tree =
      std::filesystem::path(command_path()).parent_path().parent_path().string();
  for (std::size_t at = text.find(tree); at != std::string::npos; at = text.find(tree, at))
    text.replace(at, tree.size(), "TREE");
  return text;
}

}  // namespace command_test
