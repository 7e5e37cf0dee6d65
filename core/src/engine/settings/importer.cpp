#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <charconv>

namespace agon {
namespace {

/// The line of a place such as `file:12:3 ($.rows[0])`; 1 where it names none.
std::size_t line_of(std::string_view where, std::string_view file) {
  std::size_t line = 1;
  if (where.starts_with(file) && where.substr(file.size()).starts_with(':')) {
    where.remove_prefix(file.size() + 1);
    std::from_chars(where.data(), where.data() + where.size(), line);
  }
  return line;
}

}  // namespace

Imported read_each(std::span<const InputFile> files,
                   const std::function<void(const InputFile&, Imported&)>& read) {
  Imported all;
  for (const InputFile& file : files) {
    const std::size_t before = all.matches.size();
    try {
      read(file, all);
    } catch (const Error& error) {
      all.matches.resize(before);
      std::string reason = error.problem();
      if (!error.mend().empty()) reason += "; " + error.mend();
      all.bad_rows.push_back({file.name, line_of(error.where(), file.name), std::move(reason)});
    }
  }
  return all;
}

}  // namespace agon
