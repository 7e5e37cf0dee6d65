#include <agon/analysis/paper_table.hpp>

namespace agon {

PlayedMatch::~PlayedMatch() = default;
PlayedMatches::~PlayedMatches() = default;

}  // namespace agon
