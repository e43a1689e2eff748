#include "copse/pipeline/text_stream.h"

#include <utility>
#include <vector>

#include "copse/base/stream.h"
#include "copse/tokenize/text_blocks.h"

namespace copse {
namespace {

// Small enough to keep all threads busy, large enough that handing over costs nothing beside parsing.
constexpr std::size_t kBlockBytes = std::size_t{8} << 10;

// Places in the block become places in the text.
void move_places(const TextBlock& block, std::uint64_t first_byte, ParsedSentence& sentence) {
  const auto move = [&](TextPlace& place) {
    place.byte_begin += first_byte;
    place.byte_end += first_byte;
    place.point_begin += block.first_point;
    place.point_end += block.first_point;
  };
  move(sentence.place);
  for (std::size_t word = 1; word < sentence.places.size(); ++word) move(sentence.places[word]);
}

}  // namespace

std::uint64_t stream_text(Input& input, const Pipeline& pipeline, const TextStreamOptions& options,
                          const std::function<void(ParsedSentence&&)>& give) {
  struct Work {
    TextBlock block;
    std::uint64_t first_byte;
  };
  TextBlockReader reader(
      input, {.line_ends = options.pipeline.text.line_ends, .block_bytes = kBlockBytes});
  std::uint64_t bytes = 0, number = options.first_sentence;
  const auto next = [&]() -> std::optional<Work> {
    auto block = reader.next();
    if (!block) return std::nullopt;
    const std::uint64_t first = std::exchange(bytes, bytes + block->bytes.size());
    return Work{std::move(*block), first};
  };
  const auto annotate = [&](Work&& work) {
    std::vector<Sentence> sentences =
        pipeline.tokenizer().tokenize_block(work.block, options.document, options.pipeline.text);
    // TokenRange counts from the beginning of the text: here it is taken from the block's.
    Document document(std::move(work.block.bytes), std::move(sentences), work.block.first_point);
    std::vector<ParsedSentence> done = std::move(document.sentences());
    for (ParsedSentence& sentence : done) {
      move_places(work.block, work.first_byte, sentence);
      pipeline.annotate(sentence, options.pipeline);
    }
    return done;
  };
  const auto hand_over = [&](std::vector<ParsedSentence>&& sentences) {
    for (ParsedSentence& sentence : sentences) {
      sentence.columns.set_comment("sent_id", std::to_string(number++));
      give(std::move(sentence));
    }
  };
  stream_in_order<Work, std::vector<ParsedSentence>>(options.pipeline.threads, next, annotate,
                                                     hand_over);
  return number - options.first_sentence;
}

}  // namespace copse
