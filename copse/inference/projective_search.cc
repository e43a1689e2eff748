#include "copse/inference/projective_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "copse/inference/charts/carreras.h"
#include "copse/inference/charts/derivation.h"
#include "copse/inference/charts/first_order.h"
#include "copse/inference/charts/k_best.h"
#include "copse/inference/charts/linear_sum.h"
#include "copse/inference/charts/log_sum.h"
#include "copse/inference/charts/max_inside.h"
#include "copse/inference/charts/model0.h"
#include "copse/inference/charts/model1.h"
#include "copse/inference/charts/model2.h"
#include "copse/inference/charts/sibling.h"
#include "copse/inference/lane_kernels.h"
#include "copse/inference/linear_scale.h"

namespace copse {
namespace {

using charts::Edge;
using charts::Item;
using charts::kNoItem;
using charts::Row;

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

// The label with the best score, the smallest of equal ones.
int best_label(std::span<const float> row) {
  return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

double log_sum_of(std::span<const float> row) {
  const double largest = *std::max_element(row.begin(), row.end());
  if (largest == kMinusInfinity) return largest;
  double sum = 0;
  for (const float x : row) sum += std::exp(static_cast<double>(x) - largest);
  return largest + std::log(sum);
}

// A tree being read off a derivation.
class TreeReader {
 public:
  TreeReader(const PartIndex& index, const PartScores& scores) : index_(index), scores_(scores) {
    tree.heads.assign(at(index.words()) + 1, kNobody);
    if (scores.labels() > 0) tree.labels.assign(at(index.words()) + 1, kNobody);
  }
  void arc(int a, int label) {
    tree.heads[at(index_.arc(a).m)] = index_.arc(a).h;
    score += static_cast<double>(scores_[index_.dep(a)]);
    if (scores_.labels() == 0) return;
    tree.labels[at(index_.arc(a).m)] = label;
    score += static_cast<double>(scores_.label_row(a)[at(label)]);
  }
  void part(PartIndex::Id id) { score += static_cast<double>(scores_[id]); }

  ArcTree tree;
  double score = 0;

 private:
  const PartIndex& index_;
  const PartScores& scores_;
};

}  // namespace

struct Workspace::Memory {
  std::vector<float> best;       // max inside
  std::vector<float> best_arcs;  // arcs with their best label
  std::vector<double> arcs;      // arcs with all labels (or the best one, for k-best)
  std::vector<double> inside, outside;
  std::vector<double> linear_arcs, linear_parts;
  std::vector<double> sums;
  std::vector<Item> stack;
  charts::LinearBuffers buffers;
  LinearScale scale;
  Stop stop;
};

Workspace::Workspace() : memory_(std::make_unique<Memory>()) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

void Workspace::set_stop(const Stop& stop) {
  memory_->stop = stop;
}

std::size_t Workspace::bytes() const {
  const Memory& m = *memory_;
  return (m.best.capacity() + m.best_arcs.capacity()) * sizeof(float) +
         (m.arcs.capacity() + m.inside.capacity() + m.outside.capacity() +
          m.linear_arcs.capacity() + m.linear_parts.capacity() + m.sums.capacity()) *
             sizeof(double) +
         m.stack.capacity() * sizeof(Item);
}

struct ProjectiveSearch::Chart {
  std::variant<std::monostate, charts::FirstOrder, charts::Sibling, charts::Carreras,
               charts::Model0, charts::Model1, charts::Model2>
      any;

  // The one place where the factorisation is looked at; everything below it is a template.
  template <class Use>
  auto with(const Use& use) const {
    using Answer = decltype(use(std::get<charts::FirstOrder>(any)));
    return std::visit(
        [&](const auto& chart) -> Answer {
          if constexpr (std::is_same_v<std::decay_t<decltype(chart)>, std::monostate>)
            return Answer{};
          else
            return use(chart);
        },
        any);
  }
};

ProjectiveSearch::ProjectiveSearch(const PartIndex& index)
    : index_(index), chart_(std::make_unique<Chart>()) {
  switch (index.factorisation()) {
    case Factorisation::first:
      chart_->any.emplace<charts::FirstOrder>(index);
      break;
    case Factorisation::sibling:
      chart_->any.emplace<charts::Sibling>(index);
      break;
    case Factorisation::carreras:
      chart_->any.emplace<charts::Carreras>(index);
      break;
    case Factorisation::model0:
      chart_->any.emplace<charts::Model0>(index);
      break;
    case Factorisation::model1:
      chart_->any.emplace<charts::Model1>(index);
      break;
    case Factorisation::model2:
      chart_->any.emplace<charts::Model2>(index);
      break;
  }
}
ProjectiveSearch::~ProjectiveSearch() = default;

std::size_t ProjectiveSearch::items() const {
  return chart_->with([](const auto& chart) { return static_cast<std::size_t>(chart.items()); });
}

std::size_t ProjectiveSearch::edges() const {
  struct Counter : charts::RunByRun<Counter> {
    std::size_t edges = 0;
    void run(const charts::Run& r) { edges += at(r.count); }
  };
  return chart_->with([](const auto& chart) {
    Counter counter;
    rows_upwards(chart, Stop(), [&](const Row& row) { chart.edges_into(row, counter); });
    return counter.edges;
  });
}

std::size_t ProjectiveSearch::best_bytes() const {
  return items() * sizeof(float) + at(index_.arcs()) * sizeof(float);
}

std::size_t ProjectiveSearch::answer_bytes() const {
  const auto low = at(index_.first(PartFamily::gsib));
  return low * sizeof(double) + (at(index_.size()) - low) * sizeof(float);
}

std::size_t ProjectiveSearch::marginal_bytes() const {
  const auto low = at(index_.first(PartFamily::gsib));
  return (2 * items() + 2 * at(index_.arcs()) + low) * sizeof(double) + answer_bytes();
}

BestTree ProjectiveSearch::best(const PartScores& scores, Workspace& workspace) const {
  BestTree answer;
  if (auto culprit = find_bad_score(index_, scores)) {
    answer.status = SearchStatus::bad_score;
    answer.culprit = std::move(*culprit);
    return answer;
  }
  Workspace::Memory& memory = workspace.memory();
  charts::Weights<float> weights{scores.values().data(), scores.values().data()};
  if (scores.labels() > 0) {
    memory.best_arcs.resize(at(index_.arcs()));
    for (int a = 0; a < index_.arcs(); ++a) {
      const auto row = scores.label_row(a);
      memory.best_arcs[at(a)] =
          scores[index_.dep(a)] + lane_kernels().best(row.data(), scores.labels());
    }
    weights.arc = memory.best_arcs.data();
  }
  chart_->with([&](const auto& chart) {
    memory.best.assign(at(chart.items() + charts::kPadding),
                       -std::numeric_limits<float>::infinity());
    charts::max_inside(chart, weights, memory.best, memory.stop);
    if (std::isinf(memory.best[at(chart.goal())])) {
      answer.status = SearchStatus::no_tree;
      return 0;
    }
    TreeReader reader(index_, scores);
    charts::walk(
        chart, chart.goal(), memory.stack,
        [&](const Row& row, Item item) {
          return charts::best_edge(chart, weights, memory.best.data(), row, item);
        },
        [&](int a) { reader.arc(a, scores.labels() == 0 ? 0 : best_label(scores.label_row(a))); },
        [&](PartIndex::Id id) { reader.part(id); });
    answer.tree = std::move(reader.tree);
    answer.score = reader.score;
    return 0;
  });
  return answer;
}

TreeList ProjectiveSearch::k_best(const PartScores& scores, int k, Workspace& workspace) const {
  TreeList answer;
  if (auto culprit = find_bad_score(index_, scores)) {
    answer.status = SearchStatus::bad_score;
    answer.culprit = std::move(*culprit);
    return answer;
  }
  Workspace::Memory& memory = workspace.memory();
  memory.arcs.resize(at(index_.arcs()));
  for (int a = 0; a < index_.arcs(); ++a) {
    const auto row = scores.label_row(a);
    memory.arcs[at(a)] = static_cast<double>(scores[index_.dep(a)]) +
                         (row.empty() ? 0.0 : static_cast<double>(row[at(best_label(row))]));
  }
  const charts::Weights<double> weights{scores.values().data(), memory.arcs.data()};
  chart_->with([&](const auto& chart) {
    memory.inside.assign(at(chart.items()), kMinusInfinity);
    charts::best_inside(chart, weights, memory.inside, memory.stop);
    if (memory.inside[at(chart.goal())] == kMinusInfinity) {
      answer.status = SearchStatus::no_tree;
      return 0;
    }
    charts::KBest<std::decay_t<decltype(chart)>> list(chart, scores, weights, memory.inside);
    std::vector<std::pair<Item, int>> pending;
    for (int rank = 0; rank < k && list.get(chart.goal(), rank) != nullptr; ++rank) {
      memory.stop.check();
      TreeReader reader(index_, scores);
      pending.assign(1, {chart.goal(), rank});
      while (!pending.empty()) {
        const auto [item, which] = pending.back();
        pending.pop_back();
        const charts::Ranked found = *list.get(item, which);
        const Row row = chart.row_of(item);
        const charts::OwnParts own = chart.own_parts(row);
        if (own.arc != charts::kNoPart)
          reader.arc(own.arc, scores.labels() == 0 ? 0 : list.label(own.arc, found.rank[2]));
        if (found.edge.a != kNoItem) pending.emplace_back(found.edge.a, found.rank[0]);
        if (found.edge.b != kNoItem) pending.emplace_back(found.edge.b, found.rank[1]);
      }
      answer.trees.push_back({std::move(reader.tree), list.get(chart.goal(), rank)->score});
    }
    return 0;
  });
  return answer;
}

namespace {

// Everything a sum needs, and the sum itself: inside values in the domain that suffices.
struct Inside : LogSum {
  charts::LinearWeights linear;
  charts::Weights<double> log;
};

void fill_linear_weights(const PartIndex& index, const PartScores& scores, Inside& sum,
                         Workspace::Memory& memory) {
  const LaneKernels& kernels = lane_kernels();
  const int split = index.first(PartFamily::gsib);
  memory.linear_parts.resize(at(split));
  if (split > index.arcs())  // the arcs themselves are scaled, below
    kernels.exp_parts(memory.linear_parts.data() + index.arcs(),
                      scores.values().data() + index.arcs(), nullptr, split - index.arcs());
  memory.linear_arcs.resize(at(index.arcs()));
  for (int a = 0; a < index.arcs(); ++a)
    memory.linear_arcs[at(a)] = memory.arcs[at(a)] - memory.scale.gamma[at(index.arc(a).m)];
  kernels.exp_values(memory.linear_arcs.data(), index.arcs());
  sum.linear = {.arc = memory.linear_arcs.data(),
                .low = memory.linear_parts.data(),
                .score = scores.values().data(),
                .split = split};
}

template <class Chart>
Inside inside_sum(const Chart& chart, const PartIndex& index, const PartScores& scores,
                  Workspace::Memory& memory) {
  Inside sum;
  if (auto culprit = find_bad_score(index, scores)) {
    sum.status = SearchStatus::bad_score;
    sum.culprit = std::move(*culprit);
    return sum;
  }
  memory.arcs.resize(at(index.arcs()));
  for (int a = 0; a < index.arcs(); ++a) {
    const auto row = scores.label_row(a);
    memory.arcs[at(a)] =
        static_cast<double>(scores[index.dep(a)]) + (row.empty() ? 0.0 : log_sum_of(row));
  }
  sum.log = {scores.values().data(), memory.arcs.data()};
  find_linear_scale(index, scores, memory.arcs, memory.scale);
  if (memory.scale.possible()) {
    fill_linear_weights(index, scores, sum, memory);
    memory.buffers.reserve(index.words());
    memory.inside.assign(at(chart.items()), 0.0);
    charts::linear_inside(chart, sum.linear, memory.buffers, memory.inside, memory.stop);
    const double scaled = std::log(memory.inside[at(chart.goal())]);
    if (std::isfinite(scaled) && scaled > memory.scale.least_log_z()) {
      sum.log_z = scaled + memory.scale.total;
      return sum;
    }
  }
  sum.domain = SumDomain::log;
  memory.inside.assign(at(chart.items()), kMinusInfinity);
  charts::log_inside(chart, sum.log, memory.inside, memory.sums, memory.stop);
  sum.log_z = memory.inside[at(chart.goal())];
  if (sum.log_z == kMinusInfinity) sum.status = SearchStatus::no_tree;
  return sum;
}

}  // namespace

LogSum ProjectiveSearch::log_sum(const PartScores& scores, Workspace& workspace) const {
  return chart_->with([&](const auto& chart) {
    return static_cast<LogSum>(inside_sum(chart, index_, scores, workspace.memory()));
  });
}

Marginals ProjectiveSearch::marginals(const PartScores& scores, Workspace& workspace) const {
  Workspace::Memory& memory = workspace.memory();
  return chart_->with([&](const auto& chart) {
    Inside sum = inside_sum(chart, index_, scores, memory);
    Marginals answer;
    static_cast<LogSum&>(answer) = sum;
    if (sum.status != SearchStatus::ok) return answer;
    answer.mu.reset(index_, scores.labels());
    memory.outside.assign(at(chart.items()), 0.0);
    if (sum.domain == SumDomain::linear)
      charts::linear_outside(chart, sum.linear, memory.buffers, memory.inside, memory.outside,
                             answer.mu, memory.stop);
    else
      charts::log_flow(chart, sum.log, memory.inside, memory.outside, answer.mu, memory.stop);
    answer.mu.split_labels(index_, scores);
    answer.entropy = answer.log_z - expectation(index_, answer.mu, scores);
    return answer;
  });
}

TreeList ProjectiveSearch::sample(const PartScores& scores, int count, Random& random,
                                  Workspace& workspace) const {
  Workspace::Memory& memory = workspace.memory();
  return chart_->with([&](const auto& chart) {
    Inside sum = inside_sum(chart, index_, scores, memory);
    TreeList answer;
    static_cast<SearchAnswer&>(answer) = sum;
    if (sum.status != SearchStatus::ok) return answer;
    const double* const inside = memory.inside.data();
    std::vector<Edge> edges;
    std::vector<double> masses;
    std::vector<double> label_masses;
    const auto mass = [&](const Edge& edge) {
      if (sum.domain == SumDomain::linear) {
        double x = edge.a == kNoItem ? 1.0 : inside[edge.a];
        if (edge.b != kNoItem) x *= inside[edge.b];
        for (const auto id : {edge.each, edge.lanes, edge.more})
          x *= charts::linear_weight(sum.linear, id);
        return x;
      }
      double v = charts::edge_weight(sum.log, edge);
      if (edge.a != kNoItem) v += inside[edge.a];
      if (edge.b != kNoItem) v += inside[edge.b];
      return v;
    };
    const auto choose = [&](const Row& row, Item item) {
      edges.clear();
      masses.clear();
      charts::for_each_edge(chart, row, item, [&](const Edge& edge) {
        edges.push_back(edge);
        masses.push_back(mass(edge));
      });
      if (sum.domain == SumDomain::log) {
        const double largest = *std::max_element(masses.begin(), masses.end());
        for (double& x : masses) x = std::exp(x - largest);
      }
      return edges[random.draw(masses)];
    };
    const auto draw_label = [&](int a) {
      const auto row = scores.label_row(a);
      if (row.empty()) return 0;
      const double largest = *std::max_element(row.begin(), row.end());
      label_masses.clear();
      for (const float x : row) label_masses.push_back(std::exp(static_cast<double>(x) - largest));
      return static_cast<int>(random.draw(label_masses));
    };
    for (int drawn = 0; drawn < count; ++drawn) {
      TreeReader reader(index_, scores);
      charts::walk(
          chart, chart.goal(), memory.stack, choose, [&](int a) { reader.arc(a, draw_label(a)); },
          [&](PartIndex::Id id) { reader.part(id); });
      answer.trees.push_back({std::move(reader.tree), reader.score});
    }
    return answer;
  });
}

double ProjectiveSearch::count_trees(Workspace& workspace) const {
  Workspace::Memory& memory = workspace.memory();
  const PartScores zero(index_);
  return chart_->with([&](const auto& chart) {
    Inside sum;
    memory.arcs.assign(at(index_.arcs()), 0.0);
    memory.scale.gamma.assign(at(index_.words()) + 1, 0.0);
    fill_linear_weights(index_, zero, sum, memory);
    memory.buffers.reserve(index_.words());
    memory.inside.assign(at(chart.items()), 0.0);
    charts::linear_inside(chart, sum.linear, memory.buffers, memory.inside, memory.stop);
    return memory.inside[at(chart.goal())];
  });
}

double expectation(const PartIndex& index, const PartMarginals& mu, const PartScores& value) {
  double total = 0;
  for (PartIndex::Id id = 0; id < index.size(); ++id)
    if (const double p = mu[id]; p != 0) total += p * static_cast<double>(value[id]);
  for (int a = 0; a < index.arcs() && mu.labels() > 0 && value.labels() == mu.labels(); ++a)
    for (std::size_t l = 0; l < at(mu.labels()); ++l)
      if (const double p = mu.label_row(a)[l]; p != 0)
        total += p * static_cast<double>(value.label_row(a)[l]);
  return total;
}

BestTree minimum_risk_tree(const PartIndex& index, const PartMarginals& mu, Workspace& workspace) {
  ArcMask mask = ArcMask::none(index.words());
  for (int a = 0; a < index.arcs(); ++a) mask.allow(index.arc(a).h, index.arc(a).m);
  const PartIndex arcs(mask, Factorisation::first, index.rule());
  PartScores scores(arcs, mu.labels());
  for (int a = 0; a < arcs.arcs(); ++a) {
    const int from = index.find_arc(arcs.arc(a).h, arcs.arc(a).m);
    if (mu.labels() == 0) {
      scores[arcs.dep(a)] = static_cast<float>(mu[index.dep(from)]);
      continue;
    }
    const auto row = mu.label_row(from);
    std::transform(row.begin(), row.end(), scores.label_row(a).begin(),
                   [](double p) { return static_cast<float>(p); });
  }
  return ProjectiveSearch(arcs).best(scores, workspace);
}

}  // namespace copse
