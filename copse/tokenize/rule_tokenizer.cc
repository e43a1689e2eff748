#include "copse/tokenize/rule_tokenizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "copse/base/error.h"
#include "copse/tokenize/chunk_scanner.h"
#include "copse/tokenize/sentence_splitter.h"
#include "tokenize/english_ptb_rules.h"

namespace copse {
namespace {

constexpr std::size_t kChunksPerLook = 1024;  // less than a millisecond of work

constexpr std::string_view kSpellings[] = {"",      "``",    "''",    "-LRB-", "-RRB-",
                                           "-LSB-", "-RSB-", "-LCB-", "-RCB-"};

// The words of each [section].
std::map<std::string, std::vector<std::string>> parse_rules(std::string_view text) {
  std::map<std::string, std::vector<std::string>> sections;
  std::vector<std::string>* section = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('#')) continue;
    if (line.starts_with('[') && line.ends_with(']')) {
      section = &sections[std::string(line.substr(1, line.size() - 2))];
      continue;
    }
    while (!line.empty()) {
      const std::size_t stop = std::min(line.find(' '), line.size());
      if (stop > 0 && section == nullptr) throw data_error("a rule before the first [section]");
      if (stop > 0) section->emplace_back(line.substr(0, stop));
      line.remove_prefix(std::min(stop + 1, line.size()));
    }
  }
  return sections;
}

}  // namespace

RuleTokenizer::RuleTokenizer(const RuleTokenizerOptions& options)
    : RuleTokenizer(options, embedded::english_ptb_rules) {}

RuleTokenizer::RuleTokenizer(const RuleTokenizerOptions& options, std::string_view rules)
    : options_(options) {
  auto sections = parse_rules(rules);
  const auto take = [&](const std::string& name) {
    const auto& words = sections[name];
    return Words(words.begin(), words.end());
  };
  clitics_ = sections["clitics"];
  whole_ = take("whole");
  emoticons_ = take("emoticons");
  abbreviations_ = take("abbreviations");
  closing_abbreviations_ = take("closing-abbreviations");
  before_numbers_ = take("before-numbers");
  starters_ = take("starters");
  for (const std::string& row : sections["splits"]) {
    std::string word;
    std::vector<int> sizes = {0};
    for (const char c : row) {
      if (c == '|') {
        sizes.push_back(0);
      } else {
        word += c;
        ++sizes.back();
      }
    }
    splits_[word] = std::move(sizes);
  }
}

std::span<const std::string_view> RuleTokenizer::spellings() const {
  return kSpellings;
}

void RuleTokenizer::segment(std::string_view paragraph, Scratch& scratch, Segmentation& out) const {
  out.clear();
  scratch.characters.read(paragraph);
  ChunkScanner scanner(*this, paragraph, scratch.characters, out.tokens);
  for (std::size_t i = 0; i < scratch.characters.chunks().size(); ++i) {
    if (i % kChunksPerLook == 0) scratch.stop.check();
    scanner.scan(i);
  }
  SentenceSplitter(*this, paragraph).split(out);
}

}  // namespace copse
