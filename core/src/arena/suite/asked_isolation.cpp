#include "suite/asked_isolation.hpp"

#include <variant>

#include "describe/file_text.hpp"
#include "suite/suite_file.hpp"

namespace agon {

std::optional<AskedIsolation> asked_isolation(const std::string& text, const std::string& file) {
  const FileText reader(text, file, "see 'agon describe suite'");
  const auto said = reader.read<suite_file::Suite>();
  if (!said.isolate) return {};
  reader.check(said);
  AskedIsolation asked{{}, reader.where(json::Path() / "isolate")};
  if (const auto* when = std::get_if<Isolate>(&*said.isolate))
    asked.isolation.when = *when;
  else
    asked.isolation = std::get<Isolation>(*said.isolate);
  return asked;
}

}  // namespace agon
