#include "copse/treebank/n_best_binary.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/symbols.h"
#include "copse/base/utf8.h"
#include "copse/treebank/bracket_scan.h"
#include "copse/treebank/n_best_list.h"
#include "copse/treebank/ptb.h"

namespace copse {
namespace {

void put_number(std::uint64_t number, std::string& out) {
  for (; number >= 128; number >>= 7) out += static_cast<char>(number | 128);
  out += static_cast<char>(number);
}

void put_fixed(std::uint64_t bits, std::string& out) {
  for (int i = 0; i < 8; ++i) out += static_cast<char>((bits >> (8 * i)) & 255);
}

void put_string(std::string_view text, std::string& out) {
  put_number(text.size(), out);
  out += text;
}

std::uint64_t fixed(std::string_view bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return bits;
}

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift <= 56; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) return value;
    }
    throw data_error("a number is too large");
  }
  // How many things follow that take a byte each at least.
  std::size_t count() {
    const std::uint64_t value = number();
    if (value > rest_.size()) throw data_error("a count is too large");
    return value;
  }
  std::string_view string() { return take(number()); }
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw data_error("it ends early");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

constexpr std::size_t kMostDepth = 10'000;
constexpr std::size_t kGrowth = 64;
constexpr std::size_t kFreeGrowth = std::size_t{16} << 20;

// The text form has these as one token between blanks and brackets.
bool is_token(std::string_view text) {
  const auto breaks = [](char c) { return c == '(' || c == ')' || is_bracket_blank(c); };
  return std::none_of(text.begin(), text.end(), breaks) &&
         find_invalid_utf8(text) == std::string_view::npos;
}

void put_tree(const PhraseTree& tree, Symbols& labels, std::string& out) {
  for (int node = 0; node < tree.size(); ++node) {
    const auto label = std::uint64_t{labels.add(ptb_token(tree.label(node)))};
    put_number(label * 2 + (tree.is_leaf(node) ? 1 : 0), out);
    if (!tree.is_leaf(node)) put_number(static_cast<std::uint64_t>(tree.child_count(node)), out);
  }
}

// Words and labels of a list, and how many bytes of them its trees may still take.
struct Vocabulary {
  std::vector<std::string_view> words;
  std::vector<std::string_view> labels;
  std::size_t budget = 0;

  std::string_view spend(std::string_view text) {
    if (text.size() > budget) throw data_error("its trees would take too much memory");
    budget -= text.size();
    return text;
  }
};

std::vector<std::string_view> take_tokens(Decoder& in, std::string_view what) {
  std::vector<std::string_view> tokens(in.count());
  for (auto& token : tokens) {
    token = in.string();
    if (!is_token(token)) {
      throw data_error(fmt::format("a {} has blanks, brackets or bytes that are no UTF-8", what));
    }
  }
  return tokens;
}

PhraseTree take_tree(Decoder& in, Vocabulary& vocabulary) {
  PhraseTreeBuilder builder;
  std::vector<std::uint64_t> missing;  // children of the open phrases still to come
  std::size_t word = 0;
  do {
    const std::uint64_t code = in.number();
    if (code / 2 >= vocabulary.labels.size()) throw data_error("a label is missing");
    const std::string_view label = vocabulary.spend(vocabulary.labels[code / 2]);
    if (!missing.empty()) --missing.back();
    if (code % 2 == 1) {
      if (word == vocabulary.words.size()) throw data_error("a tree has too many words");
      if (label.empty()) throw data_error("a word has an empty tag");
      builder.leaf(label, vocabulary.spend(vocabulary.words[word++]));
    } else {
      builder.open(label);
      missing.push_back(in.number());
      if (missing.back() == 0) throw data_error("a phrase has no words");
      if (missing.size() > kMostDepth) throw data_error("a tree is too deep");
    }
    for (; !missing.empty() && missing.back() == 0; missing.pop_back()) builder.close();
  } while (!missing.empty());
  if (word != vocabulary.words.size()) throw data_error("a tree lacks words");
  return std::move(builder).finish();
}

}  // namespace

std::string n_best_id(std::string_view id) {
  std::string token(id);
  std::replace_if(token.begin(), token.end(), is_bracket_blank, '_');
  return token;
}

void append_n_best_record(const NBestList& list, std::string& out) {
  std::string parses;
  Symbols labels;
  const PhraseTree none;
  const PhraseTree& first = list.parses.empty() ? none : list.parses[0].tree;
  for (const ScoredTree& parse : list.parses) {
    const PhraseTree& tree = parse.tree;
    if (tree.empty()) throw data_error("a parse without a tree");
    bool same = tree.words() == first.words();
    for (int i = 0; same && i < tree.words(); ++i) same = tree.word_at(i) == first.word_at(i);
    if (!same) throw data_error("the parses of a sentence differ in their words");
    put_fixed(std::bit_cast<std::uint64_t>(parse.log_probability), parses);
    put_tree(tree, labels, parses);
  }
  std::string record;
  put_string(n_best_id(list.id), record);
  put_number(list.oracle ? static_cast<std::uint64_t>(*list.oracle) + 1 : 0, record);
  put_number(static_cast<std::uint64_t>(first.words()), record);
  for (int i = 0; i < first.words(); ++i) put_string(ptb_token(first.word_at(i)), record);
  put_number(labels.size(), record);
  for (Symbols::Id id = 0; id < labels.size(); ++id) put_string(labels.text(id), record);
  put_number(list.parses.size(), record);
  record += parses;
  put_number(record.size(), out);
  out += record;
  put_fixed(XXH3_64bits(record.data(), record.size()), out);
}

NBestList read_n_best_record(std::string_view record) {
  const std::string_view payload = record.substr(0, record.size() - kNBestChecksumBytes);
  if (XXH3_64bits(payload.data(), payload.size()) != fixed(record.substr(payload.size()))) {
    throw data_error("the checksum does not match; the file is damaged");
  }
  Decoder in(payload);
  NBestList list;
  list.id = in.string();
  if (list.id.empty() || std::any_of(list.id.begin(), list.id.end(), is_bracket_blank)) {
    throw data_error("its id is empty or has blanks");
  }
  const std::uint64_t oracle = in.number();
  Vocabulary vocabulary{take_tokens(in, "word"), {}, kGrowth * record.size() + kFreeGrowth};
  vocabulary.labels = take_tokens(in, "label");
  const auto& words = vocabulary.words;
  if (std::any_of(words.begin(), words.end(), [](std::string_view word) { return word.empty(); })) {
    throw data_error("a word is empty");
  }
  const std::size_t parses = in.count();
  for (std::size_t i = 0; i < parses; ++i) {
    ScoredTree parse;
    parse.log_probability = std::bit_cast<double>(fixed(in.take(8)));
    if (!std::isfinite(parse.log_probability)) {
      throw data_error("a log probability is not a finite number");
    }
    parse.tree = take_tree(in, vocabulary);
    list.parses.push_back(std::move(parse));
  }
  if (oracle > parses) throw data_error("the oracle parse is missing");
  if (oracle > 0) list.oracle = static_cast<int>(oracle) - 1;
  if (!in.at_end()) throw data_error("there is something behind the last parse");
  return list;
}

}  // namespace copse
