#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon::llm {

/// How much each document has to do with a query: Okapi BM25 with k1 = 1.2 and b = 0.75 (Robertson
/// and Zaragoza 2009, The Probabilistic Relevance Framework), in millionths, so that equal scores
/// are equal on every machine. 0: they share no word. Words are runs of letters and digits in lower
/// case; signs of scripts that write no blanks are words of their own.
[[nodiscard]] std::vector<std::int64_t> relevance(const std::vector<std::string>& documents,
                                                  std::string_view query);

}  // namespace agon::llm
