// Lists for tests, from their text.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "copse/treebank/candidates.h"

namespace copse::rerank_testing {

inline std::vector<Candidates> lists_of(std::string text) {
  CandidateReader reader(Input::from_memory(std::move(text), "lists"));
  std::vector<Candidates> lists;
  while (auto list = reader.next()) lists.push_back(std::move(*list));
  return lists;
}

// A file for the time of a test.
class TextFile {
 public:
  TextFile(const std::string& name, const std::string& text)
      : path_(testing::TempDir() + "/rerank-" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + "-" + name) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Every second list of a text.
inline std::string half_of(const std::string& text, std::size_t first) {
  std::string result;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = text.find("\n\n", at) + 2;
    if (number % 2 == first) result += text.substr(at, end - at);
    at = end;
  }
  return result;
}

}  // namespace copse::rerank_testing
