#pragma once

#include <agon/export.hpp>
#include <string>
#include <string_view>

#include "json/path.hpp"

namespace agon {

class FileText;

/// Where something that is read stands: in a file, or in words, such as "--seat buyer". What it
/// holds is named by the path from there.
class AGON_API ErrorPlace {
 public:
  ErrorPlace(std::string words) : words_(std::move(words)) {}  // NOLINT: words are a place
  ErrorPlace(std::string_view words) : ErrorPlace(std::string(words)) {}  // NOLINT
  ErrorPlace(const char* words) : ErrorPlace(std::string(words)) {}       // NOLINT
  /// The file must outlive it.
  ErrorPlace(const FileText& file, json::Path path) : file_(&file), path_(std::move(path)) {}

  [[nodiscard]] ErrorPlace operator/(std::string_view member) const;
  [[nodiscard]] ErrorPlace operator/(const json::Path& below) const;
  /// "suite.json:3:5 ($.agents.floor)", "--seat buyer ($.params)", "--seat buyer"
  [[nodiscard]] std::string str() const;

 private:
  const FileText* file_ = nullptr;
  std::string words_;
  json::Path path_;
};

}  // namespace agon
