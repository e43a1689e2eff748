#include "copse/treebank/block_reader.h"

#include <fmt/core.h>

#include <algorithm>

namespace copse {

namespace {

std::size_t line_ends(std::string_view bytes) {
  return static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

}  // namespace

std::string raw_bytes(const Block& block, const ReadItem& item) {
  std::string raw = block.bytes.substr(item.begin, item.end - item.begin);
  if (item.end < block.bytes.size() && !raw.empty() && raw.back() != '\n') raw += '\n';
  return raw;
}

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
  line_ += line_ends(block.bytes);
  return block;
}

Block BlockReader::take_part() {
  const std::size_t end = part_ends_.front();
  part_ends_.pop_front();
  Block part{divided_.bytes.substr(part_begin_, end - part_begin_), divided_.file,
             divided_.first_line};
  divided_.first_line += line_ends(part.bytes);
  part_begin_ = end;
  if (part_ends_.empty()) divided_ = {};
  return part;
}

Block BlockReader::hand_out(std::size_t bytes) {
  Block block = take(bytes);
  if (bytes <= 2 * block_bytes_) return block;
  const std::vector<std::size_t> ends = reader_.cuts(block.bytes, block_bytes_);
  if (ends.size() == 1) return block;
  divided_ = std::move(block);
  part_begin_ = 0;
  part_ends_.assign(ends.begin(), ends.end());
  return take_part();
}

std::size_t BlockReader::read_more() {
  const std::size_t have = pending_.size();
  // A sentence larger than a block is read in growing steps, so that looking through all of it
  // again each time stays linear.
  const std::size_t wanted = interactive_ ? block_bytes_ : std::max(block_bytes_, have);
  pending_.resize(have + wanted);
  const auto space = std::span(pending_).subspan(have);
  const std::size_t got = interactive_ ? input_.read_some(space) : input_.read(space);
  pending_.resize(have + got);
  at_end_ = interactive_ ? got == 0 : got < wanted;
  return got;
}

std::optional<Block> BlockReader::next() {
  if (!part_ends_.empty()) return take_part();
  while (!at_end_) {
    const std::size_t searched = pending_.size();
    read_more();
    if (at_end_) break;
    const std::size_t whole =
        interactive_ ? reader_.cut_now(pending_) : reader_.cut(pending_, searched);
    if (whole > 0) return hand_out(whole);
    if (pending_.size() > limits_.max_sentence_bytes) {
      throw data_error(
          fmt::format("the sentence that starts here does not end within {} bytes, the limit",
                      limits_.max_sentence_bytes),
          {input_.name(), line_}, "raise max_sentence_bytes");
    }
  }
  if (pending_.empty()) return std::nullopt;
  return hand_out(pending_.size());
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
