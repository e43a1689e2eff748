#include "copse/rerank/tag_kernel_kind.h"

#include <algorithm>

namespace copse {

std::vector<double> TagKernelKind::self(const List& list, const KernelOptions& options) {
  std::vector<double> result;
  for (std::size_t j = 0; j < list.size(); ++j) {
    result.push_back(tagging_kernel(list, j, list, j, options.lambda, options.tags));
  }
  return result;
}

double TagKernelKind::squared_norm(const List& list,
                                   std::span<const RankingCoefficient> coefficients,
                                   std::span<const double> scales, const KernelOptions& options) {
  const auto weight = [&](const RankingCoefficient& c) {
    return c.weight * (scales.empty() ? 1.0 : scales[c.candidate]);
  };
  double sum = 0;
  for (const auto& a : coefficients) {
    for (const auto& b : coefficients) {
      sum += weight(a) * weight(b) *
             tagging_kernel(list, a.candidate, list, b.candidate, options.lambda, options.tags);
    }
  }
  return sum;
}

namespace {

std::vector<std::string> texts(const Symbols& symbols) {
  std::vector<std::string> result;
  for (Symbols::Id id = 0; id < symbols.size(); ++id) result.emplace_back(symbols.text(id));
  return result;
}

Symbols symbols(const ModelFile& file, std::string_view section) {
  Symbols result;
  const std::vector<std::string> names = file.strings(section);
  for (const std::string& name : names) result.add(name);
  if (result.size() != names.size()) throw file.damaged(section, "has a name twice");
  return result;
}

template <class T>
std::vector<T> column(const ModelFile& file, std::string_view section) {
  const auto values = file.array<T>(section);
  return {values.begin(), values.end()};
}

}  // namespace

void TagKernelKind::save(const Vocabulary& vocabulary, ModelWriter& writer) {
  writer.add_strings("words", texts(vocabulary.words));
  writer.add_strings("labels", texts(vocabulary.labels));
}

TagVocabulary TagKernelKind::load_vocabulary(const ModelFile& file) {
  return {symbols(file, "words"), symbols(file, "labels")};
}

void TagKernelKind::Sum::save(ModelWriter& writer) const {
  const MergedTags::Columns columns = tags_.columns();
  writer.add_array<std::uint32_t>("node-labels", columns.label);
  writer.add_array<std::uint32_t>("node-words", columns.word);
  writer.add_array<std::uint8_t>("node-classes", columns.word_class);
  writer.add_array<std::uint32_t>("node-next", columns.next);
  writer.add_array<double>("node-weights", columns.weight);
  writer.add_array<std::uint64_t>("piece-ends", columns.piece_end);
}

TagKernelKind::Sum TagKernelKind::Sum::load(const ModelFile& file, const KernelOptions& options,
                                            bool updates, const Vocabulary& vocabulary) {
  MergedTags::Columns columns;
  columns.label = column<std::uint32_t>(file, "node-labels");
  columns.word = column<std::uint32_t>(file, "node-words");
  columns.word_class = column<std::uint8_t>(file, "node-classes");
  columns.next = column<std::uint32_t>(file, "node-next");
  columns.weight = column<double>(file, "node-weights");
  columns.piece_end = column<std::uint64_t>(file, "piece-ends");
  const auto outside = [](std::span<const std::uint32_t> numbers, Symbols::Id size) {
    return std::ranges::any_of(numbers, [&](std::uint32_t number) { return number >= size; });
  };
  if (outside(columns.label, vocabulary.labels.size()) ||
      outside(columns.word, vocabulary.words.size())) {
    throw file.damaged("node-labels", "has a word or label that is not there");
  }
  Sum sum(options, updates);
  try {
    sum.tags_ = MergedTags::from(columns, options.lambda, options.tags);
  } catch (const Error& error) {
    throw file.damaged("node-next", error.message());
  }
  return sum;
}

}  // namespace copse
