#include "copse/treebank/evaluation/entities.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "copse/base/error.h"
#include "copse/treebank/evaluation/lines.h"

namespace copse {
namespace {

struct LabelledWord {
  std::string_view word;
  char position = 'O';    // B I E S or O
  std::string_view type;  // empty for O
  std::size_t line = 0;
  bool starts_sentence = false;
};

struct LabelledFile {
  std::string name;
  std::vector<LabelledWord> words;
  long sentences = 0;
};

struct Entity {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view type;

  bool operator<(const Entity& other) const {
    return std::tie(begin, end, type) < std::tie(other.begin, other.end, other.type);
  }
};

// A file whose labels contain C is in SCO: there S begins an entity. Everywhere else S is an
// entity of one word, and a file without C reads the same either way.
bool uses_sco(const std::vector<std::string_view>& labels) {
  return std::any_of(labels.begin(), labels.end(), [](std::string_view label) {
    return label == "C" || label.starts_with("C-");
  });
}

char position_of(char letter, bool sco) {
  switch (letter) {
    case 'B':
    case 'I':
    case 'E':
    case 'O':
      return letter;
    case 'S':
      return sco ? 'B' : 'S';
    case 'C':
    case 'M':
      return 'I';
    case 'L':
      return 'E';
    case 'U':
    case 'W':
      return 'S';
    default:
      return '\0';
  }
}

void set_label(LabelledWord& word, std::string_view label, bool sco, const std::string& file) {
  const std::size_t dash = label.find('-');
  const std::string_view letter = label.substr(0, dash);
  word.position = letter.size() == 1 ? position_of(letter[0], sco) : '\0';
  if (word.position == '\0') {
    throw data_error(fmt::format("label '{}'; expected O or B-, I-, E-, S-, C- and a type", label),
                     {file, word.line, 0});
  }
  if (word.position != 'O' && dash != std::string_view::npos) word.type = label.substr(dash + 1);
}

LabelledFile read_labels(std::string_view text, const std::string& name) {
  LabelledFile file{name, {}, 0};
  std::vector<std::string_view> labels;
  bool inside = false;
  Lines lines(text);
  while (const auto line = lines.next()) {
    const auto fields = split_blanks(*line);
    if (fields.empty()) {
      inside = false;
      continue;
    }
    if (fields.size() < 2) {
      throw data_error(fmt::format("'{}' has no label; expected a word and a label", fields[0]),
                       {name, lines.number(), 0});
    }
    if (!inside) ++file.sentences;
    file.words.push_back({fields.front(), 'O', {}, lines.number(), !inside});
    labels.push_back(fields.back());
    inside = true;
  }
  const bool sco = uses_sco(labels);
  for (std::size_t i = 0; i < labels.size(); ++i) set_label(file.words[i], labels[i], sco, name);
  return file;
}

void check_same_words(const LabelledFile& gold, const LabelledFile& system) {
  const std::size_t both = std::min(gold.words.size(), system.words.size());
  for (std::size_t i = 0; i < both; ++i) {
    const LabelledWord& g = gold.words[i];
    const LabelledWord& s = system.words[i];
    if (g.word != s.word) {
      throw data_error(
          fmt::format("word is '{}' but '{}' in {}:{}", s.word, g.word, gold.name, g.line),
          {system.name, s.line, 0});
    }
    if (g.starts_sentence != s.starts_sentence) {
      throw data_error(fmt::format("'{}' {} a sentence here but not in {}:{}", s.word,
                                   s.starts_sentence ? "begins" : "continues", gold.name, g.line),
                       {system.name, s.line, 0});
    }
  }
  if (gold.words.size() != system.words.size()) {
    throw data_error(
        fmt::format("{} words but {} in {}", system.words.size(), gold.words.size(), gold.name),
        {system.name, 0, 0});
  }
}

// Whether an entity begins at `word`, as conlleval has it; `before` is nullptr at the beginning
// of a sentence.
bool begins(const LabelledWord* before, const LabelledWord& word) {
  if (word.position == 'O') return false;
  if (word.position == 'B' || word.position == 'S') return true;
  return before == nullptr || before->position == 'O' || before->position == 'E' ||
         before->position == 'S' || before->type != word.type;
}

std::vector<Entity> entities_of(const LabelledFile& file, long& unmarked) {
  std::vector<Entity> entities;
  bool open = false;
  for (std::size_t i = 0; i < file.words.size(); ++i) {
    const LabelledWord& word = file.words[i];
    const LabelledWord* before = word.starts_sentence ? nullptr : &file.words[i - 1];
    const bool starts = begins(before, word);
    if (open && (before == nullptr || starts || word.position == 'O')) open = false;
    if (starts) {
      entities.push_back({i, i + 1, word.type});
      open = true;
      if (word.position == 'I') ++unmarked;
    } else if (open) {
      entities.back().end = i + 1;
    }
  }
  return entities;
}

}  // namespace

double EntityReport::accuracy() const {
  return words > 0 ? 100.0 * static_cast<double>(correct_labels) / static_cast<double>(words) : 0.0;
}

EntityReport evaluate_entities(std::string_view gold_text, std::string_view system_text,
                               const std::string& gold_name, const std::string& system_name) {
  const LabelledFile gold = read_labels(gold_text, gold_name);
  const LabelledFile system = read_labels(system_text, system_name);
  check_same_words(gold, system);
  EntityReport report;
  report.sentences = gold.sentences;
  report.words = static_cast<long>(gold.words.size());
  for (std::size_t i = 0; i < gold.words.size(); ++i) {
    if (gold.words[i].position == system.words[i].position &&
        gold.words[i].type == system.words[i].type) {
      ++report.correct_labels;
    }
  }
  const auto gold_entities = entities_of(gold, report.gold_unmarked);
  const auto system_entities = entities_of(system, report.system_unmarked);
  const std::set<Entity> wanted(gold_entities.begin(), gold_entities.end());
  for (const Entity& entity : gold_entities) {
    ++report.total.gold;
    ++report.types[std::string(entity.type)].gold;
  }
  for (const Entity& entity : system_entities) {
    FoundCounts& type = report.types[std::string(entity.type)];
    ++report.total.system;
    ++type.system;
    if (!wanted.contains(entity)) continue;
    ++report.total.correct;
    ++type.correct;
  }
  return report;
}

}  // namespace copse
