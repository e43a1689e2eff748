// Helpers for tests of drawings: sentences from a few words, random heads, whole documents.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "copse/base/random.h"
#include "copse/treebank/format.h"

namespace copse::drawing_testing {

struct TestWord {
  std::string_view form;
  std::string_view tag;
  int head;
  std::string_view label;
  std::string_view token = {};  // a surface token over this word and the next
};

inline Entry entry_of(const std::vector<TestWord>& words) {
  Entry entry;
  for (const TestWord& word : words) {
    const int number = entry.sentence.words() + 1;
    if (!word.token.empty()) entry.sentence.add_multiword(number, number + 1, word.token);
    entry.sentence.add_word(word.form);
    entry.sentence.set(number, Column::upos, word.tag);
    entry.sentence.set(number, Column::deprel, word.label);
    entry.sentence.set_head(number, word.head);
  }
  return entry;
}

// Heads drawn at random: cycles, self-loops, several roots, words without a head.
inline std::vector<int> random_heads(Random& random, int words) {
  std::vector<int> heads;
  for (int i = 0; i < words; ++i) heads.push_back(random.between(-1, words));
  return heads;
}

// A random projective tree: every span is split at its head.
inline std::vector<int> random_projective_heads(Random& random, int words) {
  struct Span {
    int first, last, head;
  };
  std::vector<int> heads(static_cast<std::size_t>(words));
  std::vector<Span> spans{{1, words, 0}};
  while (!spans.empty()) {
    const Span span = spans.back();
    spans.pop_back();
    if (span.first > span.last) continue;
    const int head = random.between(span.first, span.last);
    heads[static_cast<std::size_t>(head) - 1] = span.head;
    // Each side is cut into one or two spans with their own heads.
    const auto cut = [&](int first, int last) {
      const int middle = random.between(first, last + 1);
      spans.push_back({first, middle - 1, head});
      spans.push_back({middle, last, head});
    };
    if (span.first < head) cut(span.first, head - 1);
    if (head < span.last) cut(head + 1, span.last);
  }
  return heads;
}

// begin, the sentences, end: what a command would put out.
inline std::string document(const Writer& writer, const std::vector<Entry>& entries) {
  std::string sentences;
  for (const Entry& entry : entries) writer.write(entry, sentences);
  return writer.begin() + writer.assemble(std::move(sentences)) + writer.end();
}

// The first violation of XML's nesting or escaping rules, or "" when there is none.
inline std::string xml_complaint(std::string_view xml) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < xml.size();) {
    if (xml[i] == '&') {
      const auto end = xml.find(';', i);
      if (end == std::string_view::npos || end - i > 8) return "a bare & at " + std::to_string(i);
    } else if (static_cast<unsigned char>(xml[i]) < 0x20 && xml[i] != '\n') {
      return "a control character at " + std::to_string(i);
    }
    if (xml[i] != '<') {
      ++i;
      continue;
    }
    const auto end = xml.find('>', i);
    if (end == std::string_view::npos) return "an unfinished tag at " + std::to_string(i);
    const std::string_view tag = xml.substr(i + 1, end - i - 1);
    i = end + 1;
    if (tag.empty() || tag.find('<') != std::string_view::npos) return "a stray <";
    if (tag[0] == '!' || tag[0] == '?') continue;
    const std::string name(
        tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" \n/", 1) - (tag[0] == '/' ? 1 : 0)));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name) return "an unexpected </" + name + ">";
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "a missing </" + open.back() + ">";
}

}  // namespace copse::drawing_testing
