// A generative parser of the fixtures, for rerankers that hold one.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "copse/constituency/phrase_training.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse::rerank_testing {

inline const std::string& generative_bytes() {
  static const std::string bytes = [] {
    const auto trees = read_treebank(source_dir() + "/fixtures/english.mrg");
    const std::span<const Entry> run = trees;
    return train_phrase_parser(std::span(&run, 1), {})->file({{"heads", "collins"}}).bytes();
  }();
  return bytes;
}

}  // namespace copse::rerank_testing
