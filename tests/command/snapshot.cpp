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

/// The lines that differ, between the first and the last of them.
std::string difference(const std::string& before, const std::string& now) {
  const std::vector<std::string> a = lines(before), b = lines(now);
  std::size_t head = 0, tail = 0;
  const std::size_t least = std::min(a.size(), b.size());
  while (head < least && a[head] == b[head]) ++head;
  while (tail < least - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  std::string text = "at line " + std::to_string(head + 1) + ":\n";
  for (std::size_t i = head; i < a.size() - tail; ++i) text += "- " + a[i] + "\n";
  for (std::size_t i = head; i < b.size() - tail; ++i) text += "+ " + b[i] + "\n";
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
    std::cout << file << " is written anew; " << difference(committed, text);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    REQUIRE(out);
    return;
  }
  INFO(path.string() << " differs " << difference(committed, text)
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
