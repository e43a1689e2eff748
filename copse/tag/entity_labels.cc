#include "copse/tag/entity_labels.h"

#include <fmt/core.h>

#include <algorithm>

#include "copse/base/error.h"

namespace copse {
namespace {

constexpr std::string_view kMiscKey = "NE=";

// What a label says, whatever the encoding.
struct Part {
  bool outside = false;
  bool begins = false;  // B, S
  bool ends = false;    // E of BIOES; the S of BIOES is told apart by `single`
  std::string_view type;
};

std::string_view type_of(std::string_view label) {
  return label.size() >= 2 && label[1] == '-' ? label.substr(2) : std::string_view();
}

bool is_label(std::string_view label) {
  if (label == "O") return true;
  if (label.empty() || (label.size() > 1 && label[1] != '-')) return false;
  return std::string_view("BIESCLUMW").find(label[0]) != std::string_view::npos;
}

Part part_of(std::string_view label) {
  if (!is_label(label)) {
    throw data_error(
        fmt::format("'{}' is no label of an entity; expected O, or B, I, E, S or C "
                    "with or without a type",
                    label));
  }
  Part part;
  part.outside = label == "O";
  part.begins = label[0] == 'B' || label[0] == 'S' || label[0] == 'U' || label[0] == 'W';
  part.ends = label[0] == 'E' || label[0] == 'L';
  part.type = type_of(label);
  return part;
}

// The value of "NE=" in MISC; empty if there is none.
std::string_view label_in_misc(std::string_view misc) {
  std::size_t begin = 0;
  while (begin <= misc.size()) {
    const std::size_t end = std::min(misc.find('|', begin), misc.size());
    const std::string_view item = misc.substr(begin, end - begin);
    if (item.starts_with(kMiscKey)) return item.substr(kMiscKey.size());
    begin = end + 1;
  }
  return {};
}

std::string_view last_field(std::string_view text) {
  return text.substr(text.rfind(' ') + 1);
}

enum class Home { misc_key, misc, xpos };

// Where a sentence keeps its labels. Simple columns: MISC if there are three, else XPOS.
Home home_of(const Sentence& sentence) {
  for (int word = 1; word <= sentence.words(); ++word) {
    const std::string_view misc = sentence.misc(word);
    if (!label_in_misc(misc).empty()) return Home::misc_key;
    if (misc != "_") return is_label(last_field(misc)) ? Home::misc : Home::misc_key;
  }
  bool labels = sentence.words() > 0;
  for (int word = 1; word <= sentence.words(); ++word) {
    labels = labels && is_label(sentence.xpos(word));
  }
  return labels ? Home::xpos : Home::misc_key;
}

}  // namespace

EntityEncoding entity_encoding_named(std::string_view name) {
  if (name == "sco") return EntityEncoding::sco;
  if (name == "bio") return EntityEncoding::bio;
  if (name == "bioes") return EntityEncoding::bioes;
  throw usage_error(fmt::format("unknown encoding '{}'; expected sco, bio or bioes", name));
}

std::vector<EntitySpan> entity_spans(std::span<const std::string> labels, long* repaired) {
  // The S of SCO begins an entity that C continues; the S of BIOES stands alone, which comes to the
  // same, since nothing continues it.
  std::vector<EntitySpan> spans;
  bool open = false;
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    const Part part = part_of(labels[static_cast<std::size_t>(i)]);
    if (part.outside) {
      open = false;
      continue;
    }
    const bool continues = open && !part.begins && spans.back().type == part.type;
    if (continues) {
      spans.back().end = i + 1;
    } else {
      if (!part.begins && repaired != nullptr) ++*repaired;
      spans.push_back({i, i + 1, std::string(part.type)});
    }
    open = !part.ends;
  }
  return spans;
}

std::vector<std::string> entity_labels(std::span<const EntitySpan> spans, int words,
                                       EntityEncoding encoding, bool typed) {
  std::vector<std::string> labels(static_cast<std::size_t>(words), "O");
  for (const EntitySpan& span : spans) {
    const std::string type = typed && !span.type.empty() ? "-" + span.type : "";
    for (int i = span.begin; i < span.end; ++i) {
      const bool first = i == span.begin;
      const bool last = i + 1 == span.end;
      char letter = first ? 'B' : 'I';
      if (encoding == EntityEncoding::sco) letter = first ? 'S' : 'C';
      if (encoding == EntityEncoding::bioes && last) letter = first ? 'S' : 'E';
      labels[static_cast<std::size_t>(i)] = letter + type;
    }
  }
  return labels;
}

bool entity_label_may_follow(const std::string& before, const std::string& label) {
  const auto letter = [](const std::string& text) { return text.empty() ? 'O' : text[0]; };
  const char next = letter(label);
  const bool continues = next == 'I' || next == 'E' || next == 'C';
  // A B of BIOES must go on; that of BIO need not. Labels do not tell which it is, so only
  // continuations are checked: they need something of their type to continue.
  if (!continues) return true;
  const char last = letter(before);
  const bool can_go_on = last == 'B' || last == 'I' || last == 'C' || (last == 'S' && next == 'C');
  return can_go_on && type_of(before) == type_of(label);
}

std::vector<std::string> labels_of_sentence(const Sentence& sentence) {
  std::vector<std::string> labels;
  const Home home = home_of(sentence);
  for (int word = 1; word <= sentence.words(); ++word) {
    switch (home) {
      case Home::misc_key: {
        const auto label = label_in_misc(sentence.misc(word));
        labels.emplace_back(label.empty() ? "O" : label);
        break;
      }
      case Home::misc:
        labels.emplace_back(last_field(sentence.misc(word)));
        break;
      case Home::xpos:
        labels.emplace_back(sentence.xpos(word));
        break;
    }
  }
  return labels;
}

void set_entity_labels(Sentence& sentence, std::span<const std::string> labels, bool plain) {
  const Home home = home_of(sentence);
  for (int word = 1; word <= sentence.words(); ++word) {
    const std::string& label = labels[static_cast<std::size_t>(word) - 1];
    if (home == Home::xpos) {
      sentence.set(word, Column::xpos, label);
      continue;
    }
    const std::string_view misc = sentence.misc(word);
    if (home == Home::misc) {
      const std::string before(misc.substr(0, misc.size() - last_field(misc).size()));
      sentence.set(word, Column::misc, before + label);
      continue;
    }
    if (plain && misc == "_") {
      sentence.set(word, Column::misc, label);
      continue;
    }
    std::string items;
    std::size_t begin = 0;
    while (misc != "_" && begin <= misc.size()) {
      const std::size_t end = std::min(misc.find('|', begin), misc.size());
      const std::string_view item = misc.substr(begin, end - begin);
      if (!item.starts_with(kMiscKey)) items += std::string(item) + "|";
      begin = end + 1;
    }
    sentence.set(word, Column::misc, fmt::format("{}{}{}", items, kMiscKey, label));
  }
}

void recode_entities(Sentence& sentence, EntityEncoding encoding, bool typed) {
  const auto spans = entity_spans(labels_of_sentence(sentence));
  set_entity_labels(sentence, entity_labels(spans, sentence.words(), encoding, typed));
}

bool has_parts_of_speech(const Sentence& sentence) {
  if (home_of(sentence) == Home::xpos) return false;
  for (int word = 1; word <= sentence.words(); ++word) {
    if (sentence.xpos(word) != "_") return true;
  }
  return false;
}

}  // namespace copse
