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

}  // namespace copse::rerank_testing
