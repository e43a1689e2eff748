#include "copse/rerank/top_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/error.h"
#include "copse/model/settings.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, 3> kMethods = {"fisher", "top", "top-efficient"};
constexpr double kLargestWeight = 1e200;

}  // namespace

bool is_top_method(std::string_view method) {
  return std::ranges::find(kMethods, method) != kMethods.end();
}

DerivedKernel kernel_of(std::string_view method) {
  return method == "fisher" ? DerivedKernel::fisher : DerivedKernel::top;
}

bool wants_exact(std::string_view method) {
  return method != "top-efficient";
}

std::size_t RowWeights::place(std::uint64_t row) {
  const auto [at, is_new] = index_.emplace(row, keys_.size());
  if (is_new) {
    keys_.push_back(row);
    values_.resize(values_.size() + columns_, 0.0);
  }
  return at->second * columns_;
}

double RowWeights::dot(const SparseRows& rows) const {
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const auto found = index_.find(rows.rows[i]);
    if (found == index_.end()) continue;
    const double* weights = values_.data() + found->second * columns_;
    const float* values = rows.values.data() + i * columns_;
    for (std::size_t k = 0; k < columns_; ++k) sum += weights[k] * static_cast<double>(values[k]);
  }
  return sum;
}

void RowWeights::add(const SparseRows& rows, double times) {
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const std::size_t to = place(rows.rows[i]);
    double* weights = values_.data() + to;
    const float* values = rows.values.data() + i * columns_;
    for (std::size_t k = 0; k < columns_; ++k) weights[k] += times * static_cast<double>(values[k]);
  }
}

void RowWeights::scale(double times) {
  for (double& each : values_) each *= times;
}

void RowWeights::add(const RowWeights& other, double times) {
  for (std::size_t i = 0; i < other.keys_.size(); ++i) {
    const std::size_t to = place(other.keys_[i]);
    for (std::size_t k = 0; k < columns_; ++k) {
      values_[to + k] += times * other.values_[i * columns_ + k];
    }
  }
}

void RowWeights::read(std::span<const std::uint64_t> rows, std::span<const double> values) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t to = place(rows[i]);
    std::ranges::copy(values.subspan(i * columns_, columns_),
                      values_.begin() + static_cast<std::ptrdiff_t>(to));
  }
}

TopReranker::Parts TopReranker::parts(const Candidates& list) const {
  const std::size_t count = list.items.size();
  const std::vector<double> none(count, 0.0);
  Parts out{none, none, voters_ ? none : std::vector<double>()};
  if (count < 2) return out;
  std::vector<double> log_probability;
  for (const Candidate& each : list.items) log_probability.push_back(each.log_probability);
  const DerivedList derived = derived_list(kernel_of(method_), log_probability, cap_);
  const std::vector<SparseRows> gradients = gradients_->of(list, wants_exact(method_));
  if (voters_) out.votes = voters_->votes(derived, gradients);
  std::vector<double> products;
  for (const SparseRows& rows : gradients) products.push_back(weights_.dot(rows));
  for (std::size_t k = 0; k < count; ++k) {
    out.base[k] = derived.base[k];
    out.gradient[k] = derived.score(k, 0, products);
    if (!std::isfinite(out.gradient[k])) {
      throw data_error("the score of a candidate is larger than a double can hold", {},
                       "choose a smaller cap");
    }
  }
  return out;
}

std::vector<double> TopReranker::scores(const Candidates& list) const {
  const Parts each = parts(list);
  if (voters_) return each.votes;
  std::vector<double> out;
  for (std::size_t k = 0; k < each.base.size(); ++k) {
    out.push_back(each.gradient[k] + base_weight_ * each.base[k]);
  }
  return out;
}

std::vector<Reason> TopReranker::reasons(const Candidates& list, std::size_t candidate) const {
  const Parts each = parts(list);
  if (voters_) return {{"votes", 1, each.votes[candidate]}};
  const double base = each.base[candidate], gradient = each.gradient[candidate];
  return {{std::string(kLogProbabilityReason), base, base_weight_ * base},
          {"gradient", 1, gradient}};
}

ModelWriter TopReranker::save(nlohmann::json config) const {
  config["method"] = method_;
  config["cap"] = cap_;
  config["base_weight"] = base_weight_;
  config["gradients"] = gradients_->name();
  config["voted"] = voters_ != nullptr;
  ModelWriter writer(kRerankerKind, config);
  writer.add_array<std::uint64_t>("rows", weights_.keys());
  writer.add_array<double>("weights", weights_.values());
  if (voters_) voters_->save(writer);
  if (std::string bytes = gradients_->bytes(); !bytes.empty())
    writer.add("model", std::move(bytes));
  return writer;
}

std::unique_ptr<TopReranker> TopReranker::load(const ModelFile& file) {
  const Settings settings(file, "config", file.config());
  const std::string name = settings.text("gradients");
  std::shared_ptr<const StepGradients> gradients;
  if (name == "rules") {
    gradients = rule_gradients();
  } else if (name == "history" || name == "generative") {
    try {
      gradients = gradients_of(file.nested("model"));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      throw file.damaged("model", "has no gradients");
    }
    if (gradients->name() != name) throw file.damaged("model", "is another parser");
  } else {
    throw file.damaged("config", "names gradients that are not known here");
  }
  const auto rows = file.array<std::uint64_t>("rows");
  const auto values = file.array<double>("weights");
  RowWeights weights(gradients->columns());
  if (values.size() != rows.size() * weights.columns()) {
    throw file.damaged("weights", "has another number of weights than the rows");
  }
  const auto good = [](double weight) { return std::abs(weight) <= kLargestWeight; };
  if (!std::ranges::all_of(values, good))
    throw file.damaged("weights", "has a weight out of range");
  weights.read(rows, values);
  if (weights.size() != rows.size()) throw file.damaged("rows", "has a row twice");
  std::shared_ptr<const VotedRows> voters;
  if (file.config().contains("voted") && settings.flag("voted")) {  // earlier builds had none
    voters = std::make_shared<VotedRows>(VotedRows::load(file, gradients->columns()));
  }
  return std::make_unique<TopReranker>(settings.text("method"), settings.number("cap", 0, 1e30),
                                       settings.number("base_weight", -1e200, 1e200),
                                       std::move(weights), std::move(gradients), std::move(voters));
}

}  // namespace copse
