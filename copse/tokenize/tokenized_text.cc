#include "copse/tokenize/tokenized_text.h"

#include <fmt/format.h>

#include "copse/tokenize/block_walk.h"

namespace copse {
namespace {

using detail::kLineRoom;
constexpr char kEmptyColumns[] = "\t_\t_\t_\t_\t_\t_\t_\t";

// Lines of CoNLL-U, still without the numbers of the sentences.
class LineSink {
 public:
  explicit LineSink(std::size_t room) : out_(room) {}
  LineBuffer& buffer() { return out_; }

  void begin_sentence(std::string_view comments) {
    out_.append(comments);
    out_.append("# sent_id = ");
    id_places_.push_back(out_.size());
    out_.append("\n# text = ");
  }
  void end_surface() { out_.append("\n"); }
  void begin_token(int word, int words, std::string_view form) {
    out_.make_room(form.size() + kLineRoom);
    out_.put(static_cast<std::uint64_t>(word));
    if (words > 1) {
      out_.put("-");
      out_.put(static_cast<std::uint64_t>(word + words - 1));
    }
    out_.put("\t");
    out_.put(form);
    out_.put(kEmptyColumns);
  }
  void end_token() { out_.append("\n"); }
  void word(int number, std::string_view form) {
    begin_token(number, 1, form);
    out_.put("_\n");
  }
  void end_sentence() { out_.append("\n"); }

  void finish(TokenizedBlock& done) {
    done.size = out_.size();
    done.bytes = out_.take();
    done.id_places = std::move(id_places_);
  }

 private:
  LineBuffer out_;
  std::vector<std::size_t> id_places_;
};

// Sentences.
class SentenceSink {
 public:
  explicit SentenceSink(std::vector<Sentence>& sentences)
      : out_(kLineRoom), sentences_(sentences) {}
  LineBuffer& buffer() { return out_; }

  void begin_sentence(std::string_view comments) {
    Sentence& sentence = sentences_.emplace_back();
    while (!comments.empty()) {
      const std::size_t end = comments.find('\n');
      sentence.add_comment(comments.substr(2, end - 2));
      comments.remove_prefix(end + 1);
    }
    sentence.add_comment(fmt::format("sent_id = {}", sentences_.size()));
    out_.clear();
  }
  void end_surface() {
    sentences_.back().add_comment(fmt::format("text = {}", out_.view()));
    out_.clear();
  }
  void begin_token(int word, int words, std::string_view form) {
    if (words > 1) {
      sentences_.back().add_multiword(word, word + words - 1, form);
    } else {
      sentences_.back().add_word(form);
    }
    out_.clear();
  }
  void end_token() {
    Sentence& sentence = sentences_.back();
    if (out_.view() != "_") {
      sentence.set_column(sentence.rows().size() - 1, Column::misc, out_.view());
    }
  }
  void word(int, std::string_view form) { sentences_.back().add_word(form); }
  void end_sentence() {}

 private:
  LineBuffer out_;
  std::vector<Sentence>& sentences_;
};

}  // namespace

std::string TokenizedBlock::numbered(std::uint64_t first_id) const {
  const std::string_view text(bytes.get(), size);
  std::string out;
  out.reserve(size + id_places.size() * 8);
  std::size_t done = 0;
  for (const std::size_t place : id_places) {
    out += text.substr(done, place - done);
    out += fmt::to_string(first_id++);
    done = place;
  }
  out += text.substr(done);
  return out;
}

TokenizedBlock tokenize_block(const Tokenizer& tokenizer, const TextBlock& block,
                              const std::string& document, const TokenizedTextOptions& options) {
  LineSink sink(block.bytes.size() * (options.plain_text ? 2 : 10) + kLineRoom);
  BlockWalk walk(tokenizer, options, sink);
  walk.walk(block, document);
  TokenizedBlock done;
  sink.finish(done);
  done.tokens = walk.tokens();
  done.cut_sentences = walk.cut_sentences();
  return done;
}

std::vector<Sentence> tokenize_sentences(const Tokenizer& tokenizer, std::string text,
                                         TokenizedTextOptions options) {
  options.plain_text = false;
  Input input = Input::from_memory(std::move(text), "text");
  TextBlockReader blocks(input, {.line_ends = options.line_ends});
  std::vector<Sentence> sentences;
  SentenceSink sink(sentences);
  while (const auto block = blocks.next()) BlockWalk(tokenizer, options, sink).walk(*block, "");
  return sentences;
}

std::vector<Sentence> block_sentences(const Tokenizer& tokenizer, const TextBlock& block,
                                      const std::string& document, TokenizedTextOptions options) {
  options.plain_text = false;
  std::vector<Sentence> sentences;
  SentenceSink sink(sentences);
  BlockWalk(tokenizer, options, sink).walk(block, document);
  return sentences;
}

std::string tokenize_text(const Tokenizer& tokenizer, std::string text,
                          const TokenizedTextOptions& options) {
  Input input = Input::from_memory(std::move(text), "text");
  TextBlockReader blocks(input, {.line_ends = options.line_ends});
  std::string out;
  std::uint64_t next_id = 1;
  while (const auto block = blocks.next()) {
    const TokenizedBlock done = tokenize_block(tokenizer, *block, "", options);
    out += done.numbered(next_id);
    next_id += done.id_places.size();
  }
  return out;
}

}  // namespace copse
