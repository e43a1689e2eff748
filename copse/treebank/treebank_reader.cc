#include "copse/treebank/treebank_reader.h"

#include <utility>

#include "copse/treebank/block_reader.h"

namespace copse {
namespace {

// Small: the first sentence is there soon, and little is held.
constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

}  // namespace

class TreebankReader::State {
 public:
  State(Input given, std::optional<Format> told, const Limits& limits)
      : input(std::move(given)),
        format(told ? *told : guess_format(input)),
        reader_(make_reader(format, limits)),
        blocks_(input, *reader_, limits, kBlockBytes) {}

  std::optional<Entry> next() {
    while (next_ == parsed_.items.size()) {
      const auto block = blocks_.next();
      if (!block) return std::nullopt;
      parsed_ = reader_->parse(*block);
      next_ = 0;
    }
    ReadItem& item = parsed_.items[next_++];
    if (item.error) throw Error(*item.error);
    return std::move(item.entry);
  }

  Input input;
  Format format;

 private:
  std::unique_ptr<Reader> reader_;
  BlockReader blocks_;
  Parsed parsed_;
  std::size_t next_ = 0;
};

TreebankReader::TreebankReader(Input input, std::optional<Format> format, const Limits& limits)
    : state_(std::make_unique<State>(std::move(input), format, limits)) {}
TreebankReader::TreebankReader(TreebankReader&&) noexcept = default;
TreebankReader& TreebankReader::operator=(TreebankReader&&) noexcept = default;
TreebankReader::~TreebankReader() = default;

std::optional<Entry> TreebankReader::next() {
  return state_->next();
}
Format TreebankReader::format() const {
  return state_->format;
}
const std::string& TreebankReader::name() const {
  return state_->input.name();
}

}  // namespace copse
