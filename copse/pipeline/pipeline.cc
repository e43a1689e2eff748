#include "copse/pipeline/pipeline.h"

#include <utility>

#include "copse/base/stream.h"
#include "copse/base/thread_team.h"

namespace copse {

Pipeline::Pipeline() : tokenizer_(english_tokenizer()) {}

Pipeline Pipeline::load(const std::vector<std::string>& paths) {
  Pipeline pipeline;
  for (const std::string& path : paths) pipeline.add(Model::load(path));
  return pipeline;
}

Pipeline& Pipeline::set_tokenizer(std::shared_ptr<const TextTokenizer> tokenizer) {
  tokenizer_ = std::move(tokenizer);
  return *this;
}

Pipeline& Pipeline::add(const Model& model) {
  if (model.is_tokenizer()) {
    tokenizer_ = model.shared_tokenizer();
  } else {
    model.step();  // throws for what is none
    steps_.push_back(model);
  }
  return *this;
}

std::vector<Entry> Pipeline::operator()(std::string text, int threads) const {
  std::vector<Entry> entries;
  for (Sentence& sentence : tokenizer_->tokenize(std::move(text))) {
    entries.push_back({std::move(sentence), {}});
  }
  annotate(entries, threads);
  return entries;
}

void Pipeline::annotate(std::vector<Entry>& entries, int threads) const {
  ThreadTeam team(resolve_threads(threads));
  team.for_each(entries.size(), [&](std::size_t i) {
    for (const Model& step : steps_) step.step().annotate(entries[i]);
  });
}

}  // namespace copse
