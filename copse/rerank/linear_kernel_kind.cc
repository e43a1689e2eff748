#include "copse/rerank/linear_kernel_kind.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace copse {
namespace {

std::uint32_t number(Symbols& symbols, std::string_view text) {
  return symbols.add(text);
}
std::uint32_t number(const Symbols& symbols, std::string_view text) {
  return symbols.find(text);
}

template <class Vocabulary>
LinearKernelKind::List make_list(const Candidates& list, Vocabulary& vocabulary) {
  std::vector<std::uint32_t> names;
  for (const std::string& name : list.names) names.push_back(number(vocabulary, name));
  LinearKernelKind::List result;
  for (const Candidate& candidate : list.items) {
    for (const SparseEntry& entry : candidate.features) {
      if (names[entry.name] != Symbols::kUnknown) {
        result.entries.push_back({names[entry.name], entry.value});
      }
    }
    result.begin.push_back(result.entries.size());
  }
  return result;
}

// sum_j c_j scale_j h(x_j), by feature.
std::map<std::uint32_t, double> combined(const LinearKernelKind::List& list,
                                         std::span<const RankingCoefficient> coefficients,
                                         std::span<const double> scales) {
  std::map<std::uint32_t, double> sum;
  for (const auto& c : coefficients) {
    const double weight = c.weight * (scales.empty() ? 1.0 : scales[c.candidate]);
    for (const SparseEntry& entry : list.of(c.candidate)) sum[entry.name] += weight * entry.value;
  }
  std::erase_if(sum, [](const auto& entry) { return entry.second == 0; });
  return sum;
}

}  // namespace

LinearKernelKind::List LinearKernelKind::make(const Candidates& list, Vocabulary& vocabulary) {
  return make_list(list, vocabulary);
}
LinearKernelKind::List LinearKernelKind::make(const Candidates& list,
                                              const Vocabulary& vocabulary) {
  return make_list(list, vocabulary);
}

std::vector<double> LinearKernelKind::self(const List& list, const KernelOptions& /*options*/) {
  std::vector<double> result;
  for (std::size_t j = 0; j < list.size(); ++j) {
    double sum = 0;
    for (const SparseEntry& entry : list.of(j)) sum += entry.value * entry.value;
    result.push_back(sum);
  }
  return result;
}

double LinearKernelKind::squared_norm(const List& list,
                                      std::span<const RankingCoefficient> coefficients,
                                      std::span<const double> scales,
                                      const KernelOptions& /*options*/) {
  double sum = 0;
  for (const auto& [feature, value] : combined(list, coefficients, scales)) sum += value * value;
  return sum;
}

void LinearKernelKind::Sum::add(const List& list, std::span<const RankingCoefficient> coefficients,
                                std::span<const double> scales) {
  for (const auto& [feature, value] : combined(list, coefficients, scales)) {
    if (feature >= weights_.size()) weights_.resize(feature + std::size_t{1}, 0.0);
    weights_[feature] += value;
    if (keeps_) changes_.push_back({feature, value});
  }
  if (keeps_) ends_.push_back(changes_.size());
}

void LinearKernelKind::Sum::score(const List& list, std::span<double> out,
                                  Scratch& /*scratch*/) const {
  for (std::size_t j = 0; j < list.size(); ++j) {
    double sum = 0;
    for (const SparseEntry& entry : list.of(j)) sum += weight(entry.name) * entry.value;
    out[j] = sum;
  }
}

std::vector<double> LinearKernelKind::Sum::score_updates(const List& list,
                                                         Scratch& /*scratch*/) const {
  std::vector<double> out(updates() * list.size(), 0.0);
  std::vector<std::vector<SparseEntry>> owners(weights_.size());  // candidate and value
  for (std::uint32_t j = 0; j < list.size(); ++j) {
    for (const SparseEntry& entry : list.of(j)) {
      if (entry.name < owners.size()) owners[entry.name].push_back({j, entry.value});
    }
  }
  std::uint64_t change = 0;
  for (std::size_t m = 0; m < updates(); ++m) {
    for (; change < ends_[m]; ++change) {
      for (const auto& [j, value] : owners[changes_[change].name]) {
        out[m * list.size() + j] += changes_[change].value * value;
      }
    }
  }
  return out;
}

void LinearKernelKind::Sum::keep_within(double budget) {
  for (double& weight : weights_) {
    if (std::abs(weight) < budget) weight = 0;
  }
}

std::size_t LinearKernelKind::Sum::size() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(weights_, [](double weight) { return weight != 0; }));
}

void LinearKernelKind::Sum::save(ModelWriter& writer) const {
  writer.add_array<double>("weights", weights_);
  if (!keeps_) return;
  std::vector<std::uint32_t> features;
  std::vector<double> values;
  for (const SparseEntry& change : changes_) {
    features.push_back(change.name);
    values.push_back(change.value);
  }
  writer.add_array<std::uint32_t>("update-features", features);
  writer.add_array<double>("update-values", values);
  writer.add_array<std::uint64_t>("update-ends", ends_);
}

LinearKernelKind::Sum LinearKernelKind::Sum::load(const ModelFile& file,
                                                  const KernelOptions& options, bool updates,
                                                  const Vocabulary& vocabulary) {
  Sum sum(options, updates);
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto weights = file.array<double>("weights");
  if (weights.size() > vocabulary.size() || !std::ranges::all_of(weights, finite)) {
    throw file.damaged("weights", "does not fit the features");
  }
  sum.weights_.assign(weights.begin(), weights.end());
  if (!updates) return sum;
  const auto features = file.array<std::uint32_t>("update-features");
  const auto values = file.array<double>("update-values");
  const auto ends = file.array<std::uint64_t>("update-ends");
  if (features.size() != values.size() || !std::ranges::is_sorted(ends) ||
      (ends.empty() ? !features.empty() : ends.back() != features.size()) ||
      !std::ranges::all_of(values, finite) ||
      std::ranges::any_of(features, [&](auto feature) { return feature >= weights.size(); })) {
    throw file.damaged("update-ends", "does not fit the updates");
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    sum.changes_.push_back({features[i], values[i]});
  }
  sum.ends_.assign(ends.begin(), ends.end());
  return sum;
}

void LinearKernelKind::save(const Vocabulary& vocabulary, ModelWriter& writer) {
  std::vector<std::string> names;
  for (Symbols::Id id = 0; id < vocabulary.size(); ++id) names.emplace_back(vocabulary.text(id));
  writer.add_strings("features", names);
}

Symbols LinearKernelKind::load_vocabulary(const ModelFile& file) {
  Symbols result;
  const std::vector<std::string> names = file.strings("features");
  for (const std::string& name : names) result.add(name);
  if (result.size() != names.size()) throw file.damaged("features", "has a name twice");
  return result;
}

}  // namespace copse
