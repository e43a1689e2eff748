#include "copse/treebank/evaluation/conll18_treebank.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/utf8.h"
#include "copse/treebank/evaluation/lines.h"
#include "copse/treebank/sentence.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, 29> kContent = {
    "nsubj",  "obj",        "iobj",       "csubj",  "ccomp",     "xcomp",    "obl",   "vocative",
    "expl",   "dislocated", "advcl",      "advmod", "discourse", "nmod",     "appos", "nummod",
    "acl",    "amod",       "conj",       "fixed",  "flat",      "compound", "list",  "parataxis",
    "orphan", "goeswith",   "reparandum", "root",   "dep"};
constexpr std::array<std::string_view, 7> kFunctional = {"aux", "cop",  "mark", "det",
                                                         "clf", "case", "cc"};
constexpr std::array<std::string_view, 21> kUniversalFeatures = {
    "PronType", "NumType", "Poss",  "Reflex",   "Foreign",  "Abbr",     "Gender",
    "Animacy",  "Number",  "Case",  "Definite", "Degree",   "VerbForm", "Mood",
    "Tense",    "Aspect",  "Voice", "Evident",  "Polarity", "Person",   "Polite"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& set, std::string_view item) {
  return std::find(set.begin(), set.end(), item) != set.end();
}

std::string without_spaces(std::string_view form) {
  std::string kept;
  for_each_code_point(form, [&](char32_t c) {
    if (utf8proc_category(static_cast<utf8proc_int32_t>(c)) != UTF8PROC_CATEGORY_ZS) {
      append_utf8(c, kept);
    }
  });
  return kept;
}

std::string universal_features(std::string_view feats) {
  std::vector<std::string_view> kept = split_at(feats, '|');
  std::erase_if(kept, [](std::string_view feature) {
    return !contains(kUniversalFeatures, feature.substr(0, feature.find('=')));
  });
  std::sort(kept.begin(), kept.end());
  return fmt::to_string(fmt::join(kept, "|"));
}

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class TreebankReader {
 public:
  TreebankReader(std::string_view bytes, const std::string& file) : file_(file), lines_(bytes) {
    const std::size_t invalid = find_invalid_utf8(bytes);
    if (invalid == std::string_view::npos) return;
    const auto before = bytes.substr(0, invalid);
    const auto line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    throw data_error("not UTF-8", {file, line, 0});
  }

  UdTreebank read() && {
    while (const auto line = lines_.next()) {
      if (!in_sentence_) {
        if (line->starts_with('#')) continue;
        begin_sentence();
      }
      if (line->empty()) {
        end_sentence();
      } else {
        read_token(*line);
      }
    }
    if (in_sentence_) {
      throw error("the last sentence is not followed by an empty line");
    }
    return std::move(treebank_);
  }

 private:
  using Columns = std::vector<std::string_view>;

  Error error(std::string message) const {
    return data_error(std::move(message), {file_, lines_.number(), 0});
  }

  static std::string_view get(const Columns& columns, Column column) {
    return columns[static_cast<std::size_t>(column)];
  }

  Columns columns_of(std::string_view line) const {
    Columns columns = split_at(line, '\t');
    if (columns.size() != kColumns) {
      throw error(fmt::format("found {} tab-separated columns; expected 10", columns.size()));
    }
    return columns;
  }

  void begin_sentence() {
    in_sentence_ = true;
    sentence_line_ = lines_.number();
    first_word_ = treebank_.words.size();
    heads_.clear();
    treebank_.sentences.push_back({treebank_.text.size(), 0});
  }

  void read_token(std::string_view line) {
    const Columns columns = columns_of(line);
    const std::string_view id = get(columns, Column::id);
    if (id.find('.') != std::string_view::npos) return;  // an empty node
    const std::string form = without_spaces(get(columns, Column::form));
    if (form.empty()) throw error("FORM is empty");
    const UdSpan span{treebank_.text.size(), treebank_.text.size() + form.size()};
    treebank_.text += form;
    treebank_.tokens.push_back(span);
    treebank_.token_lines.push_back(lines_.number());
    if (id.find('-') != std::string_view::npos) {
      read_multiword(id, span);
    } else {
      const auto number = whole_number(id);
      const std::size_t expected = treebank_.words.size() - first_word_ + 1;
      if (!number || *number < 0 || static_cast<std::size_t>(*number) != expected) {
        throw error(fmt::format("ID is '{}'; expected {}", id, expected));
      }
      add_word(columns, span, false, form);
    }
  }

  void read_multiword(std::string_view id, const UdSpan& span) {
    const std::size_t dash = id.find('-');
    const auto first = whole_number(id.substr(0, dash));
    const auto last = whole_number(id.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < 0) {
      throw error(fmt::format("ID is '{}'; expected two numbers as in 3-4", id));
    }
    for (int word = *first; word <= *last;) {
      const auto line = lines_.next();
      if (!line || line->empty()) {
        throw error(fmt::format("the sentence ends inside the multiword token {}", id));
      }
      const Columns columns = columns_of(*line);
      // The official script takes an empty node in here for a word and then refuses the file.
      if (get(columns, Column::id).find('.') != std::string_view::npos) continue;
      add_word(columns, span, true, std::string(get(columns, Column::form)));
      ++word;
    }
  }

  void add_word(const Columns& columns, const UdSpan& span, bool multiword, std::string form) {
    const std::string_view head_text = get(columns, Column::head);
    // A file that was tokenised or tagged only has no heads; the official script refuses it.
    const bool no_head = head_text == "_";
    const auto head = no_head ? UdWord::kNoHead : whole_number(head_text);
    if (!head || (*head < 0 && !no_head)) {
      throw error(fmt::format("HEAD is '{}'; expected the number of a word, or 0", head_text));
    }
    heads_.push_back({*head, lines_.number()});
    UdWord word;
    word.span = span;
    word.multiword = multiword;
    word.form = std::move(form);
    word.lemma = get(columns, Column::lemma);
    word.upos = get(columns, Column::upos);
    word.xpos = get(columns, Column::xpos);
    word.feats = universal_features(get(columns, Column::feats));
    const std::string_view deprel = get(columns, Column::deprel);
    word.deprel = deprel.substr(0, deprel.find(':'));
    word.content = contains(kContent, word.deprel);
    word.functional = contains(kFunctional, word.deprel);
    treebank_.words.push_back(std::move(word));
  }

  void end_sentence() {
    const int words = static_cast<int>(heads_.size());
    const Place place{file_, sentence_line_, 0};
    if (words == 0) throw data_error("a sentence without words", place, "remove the empty line");
    treebank_.sentences.back().end = treebank_.text.size();
    in_sentence_ = false;
    if (std::ranges::all_of(heads_, [](const auto& h) { return h.first == UdWord::kNoHead; })) {
      for (std::size_t i = first_word_; i < treebank_.words.size(); ++i) {
        treebank_.words[i].parent = UdWord::kNoHead;
      }
      return;
    }
    DependencyTree tree(words);
    for (int i = 1; i <= words; ++i) {
      const auto& [head, line] = heads_[static_cast<std::size_t>(i) - 1];
      if (head == UdWord::kNoHead) {
        throw data_error("HEAD is '_' but other words of the sentence have heads",
                         {file_, line, 0});
      }
      if (head > words) {
        throw data_error(fmt::format("HEAD is {} but the sentence has {} words; expected 0 to {}",
                                     head, words, words),
                         {file_, line, 0});
      }
      tree.set_head(i, head);
    }
    if (tree.word_on_cycle() != 0) {
      throw data_error(fmt::format("the heads of this sentence form a cycle through word {}",
                                   tree.word_on_cycle()),
                       place);
    }
    if (tree.root_count() != 1) {
      throw data_error(fmt::format("this sentence has {} roots; expected one word with HEAD 0",
                                   tree.root_count()),
                       place);
    }
    link(tree);
  }

  void link(const DependencyTree& tree) {
    const std::size_t offset = first_word_;  // word i of the sentence has index offset + i - 1
    const auto index = [&](int word) { return offset + static_cast<std::size_t>(word) - 1; };
    for (int i = 1; i <= tree.words(); ++i) {
      UdWord& word = treebank_.words[index(i)];
      if (tree.head(i) == 0) continue;
      word.parent = static_cast<int>(index(tree.head(i)));
      if (!word.functional) continue;
      treebank_.words[index(tree.head(i))].functional_children.push_back(
          static_cast<int>(index(i)));
    }
  }

  const std::string& file_;
  Lines lines_;
  UdTreebank treebank_;
  bool in_sentence_ = false;
  std::size_t sentence_line_ = 0;
  std::size_t first_word_ = 0;
  std::vector<std::pair<int, std::size_t>> heads_;  // of the sentence being read, with lines
};

}  // namespace

UdTreebank read_ud_treebank(std::string_view bytes, const std::string& file) {
  return TreebankReader(bytes, file).read();
}

}  // namespace copse
