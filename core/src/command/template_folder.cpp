#include "command/template_folder.hpp"

#include <sys/stat.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

#include "command/out_file.hpp"

namespace agon::command {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream)
    throw Error(ErrorKind::failure, "a template that ships cannot be read", file.string(),
                "install Agon anew");
  return text.str();
}

void write(const fs::path& file, const std::string& text, fs::perms permissions) {
  OutFile out(file.string());
  out.stream() << text;
  out.keep();
  fs::permissions(file, permissions & fs::perms::owner_exec, fs::perm_options::add);
}

}  // namespace

std::string reworded(const std::string& text, const Wording& wording) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto word = std::find_if(wording.begin(), wording.end(), [&](const auto& pair) {
      return text.compare(at, pair.first.size(), pair.first) == 0;
    });
    if (word == wording.end()) {
      out += text[at++];
    } else {
      out += word->second;
      at += word->first.size();
    }
  }
  return out;
}

std::vector<std::string> copy_template(const fs::path& source, const fs::path& folder,
                                       const Wording& wording) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entries(source, error); !error && entries != fs::directory_iterator();
       entries.increment(error))
    if (entries->is_regular_file()) files.push_back(entries->path());
  if (files.empty())
    throw Error(ErrorKind::not_found, "a template that ships with Agon is not there",
                source.string(), "install Agon anew");
  std::sort(files.begin(), files.end());
  if (::mkdir(folder.c_str(), 0777) != 0) {
    if (errno == EEXIST)
      throw Error(ErrorKind::failure, "there is something of that name already", folder.string(),
                  "choose another name, or another folder with --in");
    refuse_to_write(folder.string(), errno);
  }
  std::vector<std::string> made;
  try {
    for (const fs::path& file : files) {
      const fs::path copy = folder / reworded(file.filename().string(), wording);
      write(copy, reworded(content_of(file), wording), fs::status(file).permissions());
      made.push_back(copy.string());
    }
  } catch (...) {
    fs::remove_all(folder, error);
    throw;
  }
  return made;
}

}  // namespace agon::command
