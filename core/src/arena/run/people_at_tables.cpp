#include "run/people_at_tables.hpp"

namespace agon {

PeopleAtTables::~PeopleAtTables() = default;

}  // namespace agon
