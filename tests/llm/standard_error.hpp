#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace llm_tests {

/// What is written to standard error meanwhile.
class StandardError {
 public:
  StandardError() : file_(std::tmpfile()), before_(dup(2)) {
    std::fflush(stderr);
    dup2(fileno(file_), 2);
  }
  StandardError(const StandardError&) = delete;
  StandardError& operator=(const StandardError&) = delete;
  ~StandardError() {
    restore();
    std::fclose(file_);
  }
  std::string text() {
    restore();
    std::rewind(file_);
    std::string out;
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) out += static_cast<char>(c);
    return out;
  }

 private:
  void restore() {
    if (before_ < 0) return;
    std::fflush(stderr);
    dup2(before_, 2);
    close(before_);
    before_ = -1;
  }
  std::FILE* file_;
  int before_;
};

}  // namespace llm_tests
