// Tokenisers: any bytes are cut into tokens, the output is CoNLL-U that our reader takes, and the
// bytes come back from it, with any size of block.
#include <algorithm>
#include <string>

#include "copse/base/input.h"
#include "copse/tokenize/gold_text.h"
#include "copse/tokenize/rule_tokenizer.h"
#include "copse/tokenize/tokenized_text.h"
#include "copse/tokenize/tokenizer_trainer.h"
#include "copse/tokenize/trained_tokenizer.h"
#include "copse/treebank/formats.h"
#include "fuzz/promise.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

std::vector<Entry> read(const std::string& text) {
  std::vector<Entry> entries;
  for (ReadItem& item : make_reader(Format::conllu)->parse({text, "fuzz", 1}).items) {
    promise(!item.error, "what was tokenised can be read");
    entries.push_back(std::move(item.entry));
  }
  return entries;
}

// Learnt from three sentences; enough to ask the model at most places.
const TrainedTokenizer& small_model() {
  static const TrainedTokenizer tokenizer = [] {
    const auto entries = read(
        "# text = I don't know, Ben.\n"
        "1\tI\t_\t_\t_\t_\t_\t_\t_\t_\n2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n3\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "4\tknow\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n5\t,\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "6\tBen\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n7\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        "# text = vis a vis e.g. 3.5?\n"
        "1\tvis a vis\t_\t_\t_\t_\t_\t_\t_\t_\n2\te.g.\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3\t3.5\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n4\t?\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    TokenizerTrainingOptions options;
    options.epochs = 3;
    const ModelWriter model = train_tokenizer(entries, entries, options, {}, {});
    return TrainedTokenizer::from(ModelFile::from_bytes(model.bytes(), "fuzz"));
  }();
  return tokenizer;
}

std::string tokenized(const Tokenizer& tokenizer, std::string_view bytes,
                      const TokenizedTextOptions& options, std::size_t block_bytes) {
  Input input = Input::from_memory(std::string(bytes), "fuzz");
  TextBlockReader blocks(input, {.line_ends = options.line_ends, .block_bytes = block_bytes});
  std::string out;
  std::uint64_t id = 1;
  while (const auto block = blocks.next()) {
    const TokenizedBlock done = tokenize_block(tokenizer, *block, "", options);
    out += done.numbered(id);
    id += done.id_places.size();
  }
  return out;
}

void check(const Tokenizer& tokenizer, std::string_view bytes, LineEnds line_ends) {
  TokenizedTextOptions options;
  options.line_ends = line_ends;
  options.max_words = 2000;
  constexpr std::size_t kLarge = std::size_t{256} << 10;
  const std::string whole = tokenized(tokenizer, bytes, options, kLarge);
  // Many small blocks are slow and tell nothing new.
  const std::size_t small = std::max<std::size_t>(16, bytes.size() / 100);
  promise(tokenized(tokenizer, bytes, options, small) == whole, "blocks of any size give the same");
  const auto entries = read(whole);
  promise(entries.empty() || restore_text(entries) == bytes, "the text comes back");
}

}  // namespace

void tokenize(std::string_view bytes) {
  constexpr std::size_t kLongest = std::size_t{64} << 10;
  if (bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd")) return;  // compressed
  bytes = bytes.substr(0, kLongest);
  for (const LineEnds line_ends : {LineEnds::blanks, LineEnds::paragraphs, LineEnds::sentences}) {
    check(small_model(), bytes, line_ends);
    check(RuleTokenizer(), bytes, line_ends);
    check(RuleTokenizer({.ptb_brackets = true, .split_hyphens = true, .split_addresses = true}),
          bytes, line_ends);
  }
}

}  // namespace copse::fuzz
