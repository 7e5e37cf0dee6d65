#include "trust/accesses.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>

#include "text/shell.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

namespace fs = std::filesystem;

fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path.empty() ? fs::path(".") : path, error);
  fs::path found = fs::weakly_canonical(whole, error);
  if (error) found = whole.lexically_normal();
  // "folder/" is "folder".
  return found.has_filename() || found == found.root_path() ? found : found.parent_path();
}

bool is_below(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

}  // namespace

std::string text_of(const Access& access) {
  std::string text;
  switch (access.kind) {
    case AccessKind::command:
      text = "starts " + text::shell_line(access.command) + " in " + access.folder;
      if (!access.variables.empty()) text += " with the values of " + joined(access.variables);
      break;
    case AccessKind::host:
      if (access.variables.empty())
        text = "sends questions to " + access.target;
      else
        text = "sends questions and the value of " + joined(access.variables) + " to " +
               access.target + (access.target.starts_with("http:") ? ", unencrypted" : "");
      break;
    case AccessKind::file:
      text = "reads " + access.target;
      break;
  }
  return text::printable(text);
}

std::string text_of(const AskedFor& asked) {
  std::string text = text_of(asked.access);
  constexpr std::size_t kShown = 3;
  const std::size_t n = asked.agents.size();
  if (n > 0) text += n == 1 ? ", for agent " : ", for agents ";
  for (std::size_t i = 0; i < std::min(n, kShown); ++i)
    text += (i == 0 ? "" : ", ") + text::shorten(text::printable(asked.agents[i]), 60);
  if (n > kShown) text += " and " + std::to_string(n - kShown) + " more";
  if (!asked.where.empty()) text += ": " + text::printable(asked.where);
  return text;
}

Accesses::Accesses(const fs::path& folder, const std::vector<std::string>& shipped)
    : folder_(resolved(folder)), free_{folder_} {
  for (const std::string& root : shipped) {
    free_.push_back(resolved(root));
    std::error_code error;
    for (fs::directory_iterator at(root, error), end; !error && at != end; at.increment(error))
      free_.push_back(resolved(at->path()));
  }
}

bool Accesses::add(Access access, const std::string& where, const std::string& agent) {
  if (access.kind == AccessKind::command)
    access.folder = access.folder.empty() ? folder_.string() : resolved(access.folder).string();
  const std::string what = text_of(access);
  const hash::Digest digest = hash::sha256(folder_.string() + '\0' + write_json(access));
  const auto known = static_cast<std::size_t>(std::find(digests_.begin(), digests_.end(), digest) -
                                              digests_.begin());
  if (known == digests_.size()) {
    digests_.push_back(digest);
    all_.push_back({std::move(access), where, {}});
  }
  AskedFor& asked = all_[known];
  if (!agent.empty() &&
      std::find(asked.agents.begin(), asked.agents.end(), agent) == asked.agents.end())
    asked.agents.push_back(agent);
  const bool is_trusted = trusted_.contains(digest);
  if (refuses_ && !is_trusted)
    throw Error(ErrorKind::preflight, "this " + what + ", and nobody was asked about it", where,
                "a file was changed while it was read: begin again");
  return is_trusted;
}

bool Accesses::may_read(const fs::path& path, const std::string& where) {
  const fs::path file = resolved(path);
  if (std::any_of(free_.begin(), free_.end(),
                  [&](const fs::path& folder) { return is_below(folder, file); }))
    return true;
  if (add({.kind = AccessKind::file, .target = file.string()}, where, {}) || reads_all_)
    return true;
  left_out_ = true;
  return false;
}

bool Accesses::may_read_in(const fs::path& folder, const fs::path& file, const std::string& where) {
  return is_below(resolved(folder), resolved(file)) || may_read(file, where);
}

bool Accesses::may_start(const fs::path& program, const std::string& where) {
  const fs::path file = resolved(program);
  if (add({.command = {file.string()}, .folder = file.parent_path().string()}, where, {}))
    return true;
  left_out_ = true;
  return false;
}

void Accesses::trust() {
  trusted_.insert(digests_.begin(), digests_.end());
  left_out_ = false;
}

bool Accesses::all_trusted() const {
  return std::all_of(digests_.begin(), digests_.end(),
                     [&](const hash::Digest& digest) { return trusted_.contains(digest); });
}

}  // namespace agon
