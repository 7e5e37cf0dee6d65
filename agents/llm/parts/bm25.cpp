#include "llm/parts/bm25.hpp"

#include <cmath>
#include <map>
#include <set>

#include "llm/answer/words.hpp"

namespace agon::llm {
namespace {

bool is_letter_or_digit(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 0x80U && c < 0xE0U);
}

std::vector<std::string> words_of(std::string_view text) {
  const std::string low = lower_case(text);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < low.size();) {
    std::size_t end = at;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(low[i]); };
    if (byte(at) >= 0xE0U) {
      // Three bytes and more: Chinese and the like, each sign a word.
      for (++end; end < low.size() && (byte(end) & 0xC0U) == 0x80U;) ++end;
    } else {
      while (end < low.size() && is_letter_or_digit(byte(end))) ++end;
    }
    if (end > at)
      words.push_back(low.substr(at, end - at));
    else
      ++end;
    at = end;
  }
  return words;
}

}  // namespace

std::vector<std::int64_t> relevance(const std::vector<std::string>& documents,
                                    std::string_view query) {
  constexpr double kSaturation = 1.2;  // k1
  constexpr double kByLength = 0.75;   // b
  const std::vector<std::string> asked = words_of(query);
  const std::set<std::string> wanted(asked.begin(), asked.end());
  std::vector<std::map<std::string, int>> counts(documents.size());
  std::vector<double> lengths(documents.size());
  std::map<std::string, int> holders;  // documents that hold a word
  double mean_length = 0;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::vector<std::string> words = words_of(documents[i]);
    lengths[i] = static_cast<double>(words.size());
    mean_length += lengths[i] / static_cast<double>(documents.size());
    for (const std::string& word : words)
      if (wanted.contains(word) && ++counts[i][word] == 1) ++holders[word];
  }
  std::vector<std::int64_t> scores(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    double score = 0;
    for (const auto& [word, count] : counts[i]) {
      const double rarity =
          std::log(1 + (static_cast<double>(documents.size()) - holders[word] + 0.5) /
                           (holders[word] + 0.5));
      score += rarity * count * (kSaturation + 1) /
               (count + kSaturation * (1 - kByLength + kByLength * lengths[i] / mean_length));
    }
    scores[i] = std::llround(score * 1e6);
  }
  return scores;
}

}  // namespace agon::llm
