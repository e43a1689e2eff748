// Raw text of any size through a pipeline: blocks of whole paragraphs, worked on by several threads
// and given out in the order of the text. Memory does not depend on its length.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "copse/base/input.h"
#include "copse/pipeline/pipeline.h"

namespace copse {

struct TextStreamOptions {
  PipelineOptions pipeline;          // its threads are those of the stream
  std::string document;              // the name after "# newdoc id = "; empty: none
  std::uint64_t first_sentence = 1;  // the number of the first sentence
};

// give(sentence) for every sentence, one at a time. Places are those in the whole text. Returns the
// number of sentences. Throws what reading, the pipeline and `give` throw.
std::uint64_t stream_text(Input& input, const Pipeline& pipeline, const TextStreamOptions& options,
                          const std::function<void(ParsedSentence&&)>& give);

}  // namespace copse
