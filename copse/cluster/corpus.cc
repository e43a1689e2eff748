#include "copse/cluster/corpus.h"

#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "copse/base/stream.h"
#include "copse/base/utf8.h"
#include "copse/cluster/word_clusters.h"

namespace copse {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;

constexpr std::array<bool, 256> kEndsWord = [] {
  std::array<bool, 256> table{};
  for (const unsigned char c : {' ', '\t', '\n', '\v', '\f', '\r'}) table[c] = true;
  return table;
}();

bool ends_word(char c) {
  return kEndsWord[static_cast<unsigned char>(c)];
}

std::size_t end_of_word(std::string_view buffer, std::size_t from) {
  while (from < buffer.size() && !ends_word(buffer[from])) ++from;
  return from;
}

}  // namespace

bool TextWords::fill() {
  if (at_end_) return false;
  buffer_.erase(0, position_);
  position_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + kChunk);
  const std::size_t got = input_.read(std::span(buffer_).subspan(kept));
  buffer_.resize(kept + got);
  at_end_ = got < kChunk;
  if (!started_ && buffer_.starts_with("\xEF\xBB\xBF")) position_ = 3;
  started_ = true;
  return got > 0;
}

TextWords::Event TextWords::next() {
  for (;;) {
    while (position_ < buffer_.size() && buffer_[position_] != '\n' &&
           ends_word(buffer_[position_])) {
      ++position_;
    }
    if (position_ < buffer_.size()) break;
    if (fill()) continue;
    if (!in_line_) return Event::end;
    in_line_ = false;
    return Event::line_end;
  }
  if (buffer_[position_] != '\n') return take_word();
  ++position_;
  in_line_ = false;
  return Event::line_end;
}

TextWords::Event TextWords::take_word() {
  in_line_ = true;
  std::size_t end = end_of_word(buffer_, position_);
  bool too_long = false;
  while (end == buffer_.size()) {  // the word may go on
    std::size_t seen = end - position_;
    if (seen > kLongestWord) {
      too_long = true;
      position_ = end;
      seen = 0;
    }
    if (!fill()) break;
    end = end_of_word(buffer_, position_ + seen);
  }
  word_ = std::string_view(buffer_).substr(position_, end - position_);
  position_ = end;
  return too_long || word_.size() > kLongestWord ? Event::too_long : Event::word;
}

std::string_view WordForm::apply(std::string_view word, std::string& scratch) const {
  if (find_invalid_utf8(word) != std::string_view::npos) {
    scratch = replace_invalid_utf8(word);
    word = scratch;
  }
  if (lower) {
    scratch = lower_utf8(word);
    word = scratch;
  }
  if (digits && word.find_first_of("123456789") != std::string_view::npos) {
    if (word.data() != scratch.data()) scratch = word;
    for (char& c : scratch) {
      if (c >= '1' && c <= '9') c = '0';
    }
    word = scratch;
  }
  return word;
}

void CorpusCounter::Piece::clear() {
  items.clear();
  words.clear();
  repaired = unusable = 0;
}

// Appends the word, or the gap that it leaves.
void CorpusCounter::prepare(std::string_view word, std::string& scratch, Piece& piece) const {
  if (!WordClusters::is_word(word)) {
    ++piece.unusable;
    piece.items.push_back({Mark::gap, 0});
    return;
  }
  if (find_invalid_utf8(word) != std::string_view::npos) ++piece.repaired;
  const std::string_view form = options_.form.apply(word, scratch);
  if (options_.only && !options_.only->contains(std::string(form))) {
    piece.items.push_back({Mark::gap, 0});
    return;
  }
  piece.items.push_back({Mark::word, static_cast<std::uint32_t>(form.size())});
  piece.words += form;
}

void CorpusCounter::count(const Piece& piece) {
  std::size_t at = 0;
  for (const Piece::Item& item : piece.items) {
    switch (item.mark) {
      case Mark::word:
        counter_.add_word(std::string_view(piece.words).substr(at, item.bytes));
        at += item.bytes;
        break;
      case Mark::gap:
        counter_.add_gap();
        break;
      case Mark::line_end:
        end_line();
        break;
    }
  }
  repaired_ += piece.repaired;
  unusable_ += piece.unusable;
}

void CorpusCounter::add_word(std::string_view word) {
  one_.clear();
  prepare(word, form_, one_);
  count(one_);
}

// Words as they stand in the text; nothing at its end.
std::optional<CorpusCounter::Piece> CorpusCounter::read(TextWords& text) {
  constexpr std::size_t kItems = std::size_t{1} << 15;
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  Piece piece;
  while (piece.items.size() < kItems && piece.words.size() < kBytes) {
    switch (text.next()) {
      case TextWords::Event::word:
        piece.items.push_back({Mark::word, static_cast<std::uint32_t>(text.word().size())});
        piece.words += text.word();
        break;
      case TextWords::Event::too_long:
        ++piece.unusable;
        piece.items.push_back({Mark::gap, 0});
        break;
      case TextWords::Event::line_end:
        piece.items.push_back({Mark::line_end, 0});
        break;
      case TextWords::Event::end:
        return piece.items.empty() ? std::nullopt : std::optional(std::move(piece));
    }
  }
  return piece;
}

CorpusCounter::Piece CorpusCounter::put_into_form(const Piece& read) const {
  Piece piece;
  piece.unusable = read.unusable;
  std::string scratch;
  std::size_t at = 0;
  for (const Piece::Item& item : read.items) {
    if (item.mark == Mark::word) {
      prepare(std::string_view(read.words).substr(at, item.bytes), scratch, piece);
      at += item.bytes;
    } else {
      piece.items.push_back(item);
    }
  }
  return piece;
}

void CorpusCounter::add_text(Input& input, int threads, const std::function<void()>& tick) {
  TextWords text(input);
  stream_in_order<Piece, Piece>(
      threads, [&] { return read(text); }, [&](Piece&& piece) { return put_into_form(piece); },
      [&](Piece&& piece) {
        count(piece);
        tick();
      });
  end_text();
}

void CorpusCounter::add_tree(std::span<const std::string> words, std::span<const int> heads) {
  tree_.clear();
  for (const std::string& word : words) {
    if (!options_.neighbours) counter_.add_gap();
    add_word(word);
    tree_.push_back(counter_.last());
  }
  end_line();
  if (!options_.arcs) return;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i] <= 0 || static_cast<std::size_t>(heads[i]) > tree_.size()) continue;
    ++arcs_;
    const BigramCounter::Word head = tree_[static_cast<std::size_t>(heads[i]) - 1];
    if (head != BigramCounter::kNoWord && tree_[i] != BigramCounter::kNoWord) {
      counter_.add_pair(head, tree_[i]);
    }
  }
}

void CorpusCounter::end_line() {
  if (!options_.across_lines) counter_.add_gap();
}

void CorpusCounter::gather_counts(Group& group) {
  const std::array<std::uint64_t, 3> own{repaired_, unusable_, arcs_};
  std::string mine;
  append_values(mine, std::span<const std::uint64_t>(own));
  if (!group.leads()) mine += counter_.take_bytes();
  const std::vector<std::string> all = gather(group, mine);
  for (std::size_t member = 1; member < all.size(); ++member) {
    std::array<std::uint64_t, 3> theirs{};
    std::memcpy(theirs.data(), all[member].data(), sizeof theirs);
    repaired_ += theirs[0];
    unusable_ += theirs[1];
    arcs_ += theirs[2];
    counter_.add_bytes(std::string_view(all[member]).substr(sizeof theirs));
  }
}

}  // namespace copse
