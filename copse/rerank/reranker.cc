#include "copse/rerank/reranker.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "copse/rerank/hidden/hidden_reranker.h"
#include "copse/rerank/kernel_reranker.h"
#include "copse/rerank/linear_reranker.h"
#include "copse/rerank/mixture.h"
#include "copse/rerank/top_kernel.h"

namespace copse {

std::vector<std::size_t> ranking(const Candidates& list, std::span<const double> scores) {
  std::vector<std::size_t> order(list.items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (scores[a] != scores[b]) return scores[a] > scores[b];
    return list.items[a].log_probability > list.items[b].log_probability;
  });
  return order;
}

std::unique_ptr<Reranker> load_reranker(const ModelFile& file) {
  file.require_kind(kRerankerKind);
  const nlohmann::json& config = file.config();
  const auto method = config.find("method");
  if (method == config.end() || !method->is_string()) {
    throw file.damaged("config", "does not name the method of the reranker");
  }
  const auto& name = method->get_ref<const std::string&>();
  if (LinearReranker::knows(name))
    return std::make_unique<LinearReranker>(LinearReranker::load(file));
  if (name == hidden::kMethod) return hidden::HiddenReranker::load(file);
  if (is_top_method(name)) return TopReranker::load(file);
  if (name == kMixtureMethod) return MixtureReranker::load(file);
  if (auto reranker = load_kernel_reranker(file, name)) return reranker;
  throw file.damaged("config",
                     "names the method \"" + name + "\", which this program does not know");
}

}  // namespace copse
