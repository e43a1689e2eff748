// Many texts through a pipeline, by several threads, answers in the order of the texts: what a loop
// that takes one answer after the other holds. stream_text() is for one long text.
//
//   DocumentPipe pipe(nlp, options);
//   while (...) {
//     while (pipe.has_room() && (text = next())) pipe.put(*text);
//     use(pipe.take());
//   }
//
// Memory does not depend on the number of texts: a few of them per thread are on their way. The
// threads see texts and documents only; whoever puts and takes is one thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "copse/pipeline/pipeline.h"

namespace copse {

class DocumentPipe {
 public:
  // A text, or sentences that are there already.
  using Question = std::variant<std::string, std::vector<Entry>>;

  // `options.threads` work at once, each on a text of its own; with one the work is done by take().
  DocumentPipe(Pipeline pipeline, PipelineOptions options);
  DocumentPipe(const DocumentPipe&) = delete;
  DocumentPipe& operator=(const DocumentPipe&) = delete;
  // What nobody works on yet is forgotten.
  ~DocumentPipe();

  bool has_room() const;
  bool empty() const;  // nothing is on its way
  // Needs has_room().
  void put(Question question);
  // Waits for the answer to the oldest question, which is then gone; needs one. Throws what the
  // pipeline throws.
  Document take();
  // The same, but gives up waiting after that time: nothing. With one thread it never does.
  std::optional<Document> take_within(std::chrono::milliseconds time);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace copse
