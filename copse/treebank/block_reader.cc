#include "copse/treebank/block_reader.h"

#include <fmt/core.h>

#include <algorithm>

namespace copse {

Block BlockReader::take(std::size_t bytes) {
  Block block;
  block.file = input_.name();
  block.first_line = line_;
  if (bytes == pending_.size()) {
    block.bytes = std::move(pending_);
    pending_.clear();
  } else {
    // The rest is the shorter part: copy that, and hand the long one over.
    std::string rest = pending_.substr(bytes);
    pending_.resize(bytes);
    block.bytes = std::move(pending_);
    pending_ = std::move(rest);
  }
  line_ += static_cast<std::size_t>(std::count(block.bytes.begin(), block.bytes.end(), '\n'));
  return block;
}

std::optional<Block> BlockReader::next() {
  while (!at_end_) {
    const std::size_t searched = pending_.size();
    pending_.resize(searched + block_bytes_);
    const std::size_t got = input_.read(std::span(pending_).subspan(searched));
    pending_.resize(searched + got);
    at_end_ = got < block_bytes_;
    if (at_end_) break;
    if (const std::size_t whole = reader_.cut(pending_, searched); whole > 0) return take(whole);
    if (pending_.size() > limits_.max_sentence_bytes) {
      throw data_error(
          fmt::format("the sentence that starts here does not end within {} bytes, the limit",
                      limits_.max_sentence_bytes),
          {input_.name(), line_}, "raise it with --max-sentence-bytes");
    }
  }
  if (pending_.empty()) return std::nullopt;
  return take(pending_.size());
}

std::vector<Entry> read_all(Input& input, const Reader& reader, const Limits& limits) {
  std::vector<Entry> entries;
  BlockReader blocks(input, reader, limits);
  while (const auto block = blocks.next()) {
    Parsed parsed = reader.parse(*block);
    for (ReadItem& item : parsed.items) {
      if (item.error) throw Error(*item.error);
      entries.push_back(std::move(item.entry));
    }
  }
  return entries;
}

}  // namespace copse
