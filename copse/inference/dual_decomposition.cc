#include "copse/inference/dual_decomposition.h"

#include <algorithm>
#include <cmath>

#include "copse/base/error.h"
#include "copse/inference/arc_scores.h"

namespace copse {
namespace {

void require_sense(const DualOptions& options) {
  if (options.iterations < 1) throw usage_error("dual decomposition needs at least one iteration");
  if (!(options.gamma >= 0 && options.gamma <= 1)) {
    throw usage_error("the share of arc scores in the tree problem must be between 0 and 1");
  }
  if (!(options.gap >= 0) || !(options.tolerance >= 0) || !(options.unit >= 0)) {
    throw usage_error("a gap to be reached must not be negative");
  }
}

// Steps after which Polyak's rule is halved if the bound has not fallen.
constexpr int kPatience = 10;

// A tree without a certificate, improved by hanging one word at a time on another head as long as
// that gains; arcs of the root stay under a single root. Nothing is proved by it.
class Climber {
 public:
  Climber(const PartIndex& index, const HeadAutomata& automata, std::span<const double> tree_scores,
          std::vector<int>& tree)
      : index_(index),
        automata_(automata),
        tree_scores_(tree_scores),
        tree_(tree),
        in_tree_(static_cast<std::size_t>(index.arcs()), 0) {
    for (int m = 1; m <= index.words(); ++m) in_tree_[tree_[m]] = 1;
  }

  // By how much the tree is better at the end.
  double run() {
    double gained = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (int m = 1; m <= index_.words(); ++m) {
        const double gain = move(m);
        gained += gain;
        moved = moved || gain > 0;
      }
    }
    return gained;
  }

 private:
  // Gives m the head that gains most; by how much.
  double move(int m) {
    const int own = tree_[m];
    int best = own;
    double most = kLeastGain;
    for (int h = 0; h <= index_.words(); ++h) {
      const int a = h == m ? PartIndex::kNone : index_.find_arc(h, m);
      if (a == PartIndex::kNone || a == own || !is_possible(a)) continue;
      const double before = value_around(own, a);
      hang(own, a);
      const double gain = value_around(own, a) - before;
      hang(a, own);
      if (gain > most) {
        most = gain;
        best = a;
      }
    }
    if (best == own) return 0;
    hang(own, best);
    return most;
  }
  bool is_possible(int a) const {
    const auto [h, m, side] = index_.arc(a);
    if (tree_scores_[a] == kMinusInfinity) return false;
    const bool at_root = h == 0 || index_.arc(tree_[m]).h == 0;
    if (at_root && index_.rule() == RootRule::single) return false;
    for (int up = h; up != 0; up = index_.arc(tree_[up]).h) {
      if (up == m) return false;
    }
    return true;
  }
  void hang(int from, int to) {
    in_tree_[from] = 0;
    in_tree_[to] = 1;
    tree_[index_.arc(to).m] = to;
  }
  // What depends on which of two arcs of one word the tree has.
  double value_around(int a, int b) {
    const int m = index_.arc(a).m;
    double sum = tree_scores_[tree_[m]] + value(index_.arc(a).h) + value(index_.arc(b).h);
    if (index_.has_lanes()) sum += value(m);
    return sum;
  }
  double value(int h) {
    const int lane = index_.has_lanes() && h > 0 ? index_.lane_of_head(tree_[h]) : 0;
    return automata_.value_of(2 * h, lane, in_tree_, scratch_) +
           automata_.value_of(2 * h + 1, lane, in_tree_, scratch_);
  }

  static constexpr double kLeastGain = 1e-9;

  const PartIndex& index_;
  const HeadAutomata& automata_;
  std::span<const double> tree_scores_;
  std::vector<int>& tree_;             // arcs
  std::vector<std::uint8_t> in_tree_;  // [arc]
  std::vector<double> scratch_;
};

// The answer for a better tree under the same bound.
void improve(const PartIndex& index, const HeadAutomata& automata,
             std::span<const double> tree_scores, const DualOptions& options,
             std::vector<int>& tree, DualAnswer& answer) {
  DualCertificate& certificate = answer.certificate;
  if (answer.status != SearchStatus::ok || certificate.optimal) return;
  if (options.crossing == Crossing::never) return;
  answer.score += Climber(index, automata, tree_scores, tree).run();
  for (int m = 1; m <= index.words(); ++m) answer.heads[m] = index.arc(tree[m]).h;
  const double bound = std::max(certificate.bound, answer.score);
  certificate.gap = bound - answer.score;
  certificate.optimal = certificate.gap <= options.tolerance * std::max(1.0, std::abs(bound)) ||
                        certificate.gap < options.unit;
  certificate.bound = bound;
  if (certificate.optimal) certificate.gap = 0;
}

}  // namespace

bool DualDecomposition::prepare(const PartIndex& index, const PartScores& scores,
                                const DualOptions& options, DualAnswer& answer) {
  require_sense(options);
  if (auto bad = find_bad_score(index, scores)) {
    answer.status = SearchStatus::bad_score;
    answer.culprit = std::move(*bad);
    return false;
  }
  compile_automata(index, scores, 1 - options.gamma, automata_);
  tree_scores_.resize(static_cast<std::size_t>(index.arcs()));
  for (int a = 0; a < index.arcs(); ++a) {
    const double score = arc_score(scores, a);
    tree_scores_[static_cast<std::size_t>(a)] =
        score == kMinusInfinity ? score : options.gamma * score;
  }
  return true;
}

DualAnswer DualDecomposition::best(const PartIndex& index, const PartScores& scores,
                                   const DualOptions& options) {
  DualAnswer answer;
  if (!prepare(index, scores, options, answer)) return answer;
  relaxation_.start(index, automata_, tree_scores_, options.crossing, options.lazy);
  answer = search(index, options);
  improve(index, automata_, tree_scores_, options, best_tree_, answer);
  if (answer.status != SearchStatus::ok || scores.labels() == 0) return answer;
  answer.labels.assign(answer.heads.size(), -1);
  for (int m = 1; m <= index.words(); ++m) {
    const auto row = scores.label_row(best_tree_[m]);
    answer.labels[m] = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  }
  return answer;
}

DualAnswer DualDecomposition::best(const PartIndex& index, const HeadAutomata& automata,
                                   std::span<const double> tree_scores,
                                   const DualOptions& options) {
  require_sense(options);
  relaxation_.start(index, automata, tree_scores, options.crossing, options.lazy);
  DualAnswer answer = search(index, options);
  improve(index, automata, tree_scores, options, best_tree_, answer);
  return answer;
}

double DualDecomposition::arc_scores(const PartIndex& index, const PartScores& scores,
                                     const DualOptions& options, DualAnswer& answer,
                                     std::vector<double>& out) {
  DualOptions plain = options;
  plain.reduce_every = 0;
  plain.branch_after = 0;
  answer = best(index, scores, plain);
  out.assign(static_cast<std::size_t>(index.arcs()), kMinusInfinity);
  if (answer.status != SearchStatus::ok) return 0;
  const auto loss = relaxation_.losses();
  for (std::size_t a = 0; a < out.size(); ++a) out[a] = -loss[a];
  return relaxation_.dual();
}

double DualDecomposition::slack(double bound) const {
  return options_.tolerance * std::max(1.0, std::abs(bound));
}

// No tree under this bound is better than the best one.
bool DualDecomposition::is_closed(double bound) const {
  return bound <= best_ + slack(bound) || bound - best_ < options_.unit;
}

// Best bound first: what is left at the end then has the lowest bound that could be shown.
DualAnswer DualDecomposition::search(const PartIndex& index, const DualOptions& options) {
  index_ = &index;
  options_ = options;
  best_ = kMinusInfinity;
  best_tree_.clear();
  iterations_ = 0;
  relaxations_ = 0;
  open_.clear();
  open_.push_back({relaxation_.point(), -kMinusInfinity, -1, 0});
  double bound = kMinusInfinity;  // of what is closed without being searched to the end
  const auto lower = [](const Node& x, const Node& y) { return x.bound < y.bound; };
  while (!open_.empty()) {
    const auto next = std::max_element(open_.begin(), open_.end(), lower);
    Node node = std::move(*next);
    open_.erase(next);
    if (is_closed(node.bound)) continue;
    if (relaxations_++ > 0) relaxation_.go_to(node.point);
    const Outcome outcome = run(node);
    const bool enough = node.bound - best_ <= options_.gap;
    if (outcome == Outcome::closed || enough) {
      if (enough) bound = std::max(bound, node.bound);
      continue;
    }
    if (outcome == Outcome::open) {
      split(node);
      continue;
    }
    bound = std::max(bound, node.bound);
    for (const Node& left : open_) bound = std::max(bound, left.bound);
    break;
  }
  DualAnswer answer;
  if (best_ == kMinusInfinity) {
    answer.status = SearchStatus::no_tree;
    return answer;
  }
  answer.heads.assign(static_cast<std::size_t>(index.words()) + 1, kNobody);
  for (int m = 1; m <= index.words(); ++m) answer.heads[m] = index.arc(best_tree_[m]).h;
  answer.score = best_;
  DualCertificate& certificate = answer.certificate;
  certificate.optimal = is_closed(bound);
  certificate.bound = std::max(bound, best_);
  certificate.gap = certificate.optimal ? 0 : certificate.bound - best_;
  certificate.iterations = iterations_;
  certificate.relaxations = relaxations_;
  certificate.automata = std::int64_t{iterations_} * (index.words() + 1);
  certificate.recomputed = relaxation_.automata_solved();
  return answer;
}

void DualDecomposition::take_tree() {
  if (!best_tree_.empty() && relaxation_.primal() <= best_) return;
  best_ = relaxation_.primal();
  best_tree_.assign(relaxation_.tree().begin(), relaxation_.tree().end());
}

// The loop of the paper, on one relaxation.
DualDecomposition::Outcome DualDecomposition::run(Node& node) {
  double last = -kMinusInfinity;
  double theta = 1;
  int stale = 0;
  relaxation_.forget_disagreements();
  for (int own = 1; iterations_ < options_.iterations; ++own) {
    stop_.check();
    ++iterations_;
    if (!relaxation_.solve()) return Outcome::closed;  // no tree in here, or none better
    const double dual = relaxation_.dual();
    take_tree();
    stale = dual < node.bound ? 0 : stale + 1;
    node.bound = std::min(node.bound, dual);
    const int disagreements = relaxation_.disagreements();
    const bool closed = disagreements == 0 || is_closed(node.bound);
    const double step = closed ? 0 : step_length(node, dual, last, theta, stale);
    if (watcher_) watcher_({iterations_, dual, relaxation_.primal(), step, &relaxation_});
    if (closed) return Outcome::closed;
    if (node.bound - best_ <= options_.gap) return Outcome::open;
    if (options_.reduce_every > 0 && own % options_.reduce_every == 0) {
      relaxation_.reduce(best_ + slack(best_));
    }
    if (options_.branch_after > 0 && own >= options_.branch_after && arc_to_split() >= 0) {
      return Outcome::open;
    }
    if (iterations_ == options_.iterations) break;
    if (own == options_.branch_after / 2) relaxation_.forget_disagreements();
    relaxation_.move(step);
    last = dual;
  }
  return Outcome::out_of_iterations;
}

double DualDecomposition::step_length(Node& node, double dual, double& last, double& theta,
                                      int& stale) {
  if (node.delta < 0) {
    node.delta = relaxation_.difference();
    if (!std::isfinite(node.delta)) node.delta = std::max(1.0, std::abs(dual));
  }
  if (options_.step == StepRule::paper || best_ == kMinusInfinity) {
    if (dual > last) ++node.rises;
    return node.delta / (1 + node.rises);
  }
  if (stale >= kPatience) {
    theta /= 2;
    stale = 0;
  }
  return theta * (dual - best_) / relaxation_.disagreements();
}

// The arc about which the halves disagreed most often, of a word that can choose.
int DualDecomposition::arc_to_split() const {
  const auto counts = relaxation_.disagreement_counts();
  int best = -1;
  int most = 0;
  for (int a = 0; a < index_->arcs(); ++a) {
    if (counts[a] <= most || !relaxation_.is_allowed(a)) continue;
    if (relaxation_.arcs_left(index_->arc(a).m) < 2) continue;
    best = a;
    most = counts[a];
  }
  return best;
}

void DualDecomposition::split(const Node& node) {
  const int a = arc_to_split();
  const int m = index_->arc(a).m;
  Node without{relaxation_.point(), node.bound, node.delta, node.rises};
  Node with = without;
  without.point.allowed[a] = 0;
  for (int h = 0; h <= index_->words(); ++h) {
    const int other = h == m ? PartIndex::kNone : index_->find_arc(h, m);
    if (other != PartIndex::kNone && other != a) with.point.allowed[other] = 0;
  }
  open_.push_back(std::move(without));
  open_.push_back(std::move(with));
}

}  // namespace copse
