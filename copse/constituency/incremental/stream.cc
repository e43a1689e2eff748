#include "copse/constituency/incremental/stream.h"

#include "copse/base/error.h"

namespace copse::incremental {
namespace {

constexpr std::size_t kTagWindow = 16;  // words that the tagger sees of what was pushed

}  // namespace

Stream::Stream(const IncrementalParser& parser, const SearchOptions& search)
    : parser_(parser), workspace_(std::make_unique<Workspace>()), surprisals_(parser.parts()) {
  SearchOptions options = search;
  options.merge = false;
  workspace_->search.start(parser.scoring(search), workspace_->words, options);
}

void Stream::push(std::string_view word, std::string_view tag) {
  if (finished_) throw usage_error("a word after the end of the sentence");
  if (words_.size() + 1 >= NodeContext::kNone) throw data_error("the sentence is too long");
  words_.emplace_back(word);
  given_.emplace_back(tag);
  tags_.emplace_back();
  // The window is tagged anew; words that are attached keep their tags.
  const std::size_t begin = words_.size() > kTagWindow ? words_.size() - kTagWindow : 0;
  WordsToParse window;
  window.words.assign(words_.begin() + static_cast<std::ptrdiff_t>(begin), words_.end());
  for (std::size_t i = begin; i < words_.size(); ++i) {
    window.tags.push_back(i < attached_ ? tags_[i] : given_[i]);
  }
  const std::vector<std::string> tags = parser_.tags_of(window, workspace_->tags);
  for (std::size_t i = attached_; i < words_.size(); ++i) tags_[i] = tags[i - begin];
  const auto ahead = static_cast<std::size_t>(parser_.parts().options.features.lookahead);
  if (words_.size() > attached_ + ahead) attach(attached_);
}

void Stream::attach(std::size_t word) {
  const WordViews views(words_, tags_, parser_.parts().lexicon);
  workspace_->words.fill(views.words(), parser_.clusters());
  const TagReading reading{parser_.parts().grammar->usual_tag(tags_[word]), 0};
  workspace_->search.advance(std::span(&reading, 1));
  ++attached_;
  surprisals_.take(words_[word], workspace_->search.beam(), step_);
}

void Stream::finish() {
  if (finished_) return;
  while (attached_ < words_.size()) attach(attached_);
  finished_ = true;
  if (words_.empty()) return;
  workspace_->search.finish();
  surprisals_.take("", workspace_->search.beam(), step_);
}

PhraseTree Stream::partial() const {
  if (attached_ == 0) return {};
  return tree_of(*parser_.parts().grammar, workspace_->search.beam()[0], words_);
}

}  // namespace copse::incremental
