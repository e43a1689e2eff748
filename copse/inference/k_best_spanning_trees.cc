#include "copse/inference/k_best_spanning_trees.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace copse {

bool SpanningTreeRanking::Later::operator()(const Waiting& a, const Waiting& b) const {
  if (a.bound != b.bound) return a.bound < b.bound;
  if (a.is_solved != b.is_solved) return b.is_solved;
  return a.age > b.age;
}

SpanningTreeRanking::SpanningTreeRanking(const ArcScores& scores, const ArcMask& mask,
                                         RootRule root)
    : words_(scores.words()),
      root_(root),
      weight_(words_),
      branching_row_(static_cast<std::size_t>(words_) + 1) {
  require_same_words(words_, mask.words());
  for (int m = 1; m <= words_; ++m) best_label_scores(scores, mask, m, weight_.heads(m));
  solve({});
}

std::optional<Scored<std::vector<int>>> SpanningTreeRanking::next() {
  while (!queue_.empty()) {
    const Waiting first = queue_.top();
    queue_.pop();
    if (first.is_solved) {
      branch(first.index, first.bound);
      return Scored<std::vector<int>>{solved_[first.index].heads, first.bound};
    }
    solve(std::move(parts_[first.index]));
  }
  return std::nullopt;
}

// The weights of the part: forced words have one head, the branching word lacks the banned ones.
void SpanningTreeRanking::fill_row(const Part& part, int m, std::span<double> row) const {
  if (m < part.word) {
    const int h = solved_[part.base].heads[m];
    std::fill(row.begin(), row.end(), kMinusInfinity);
    row[h] = weight_(h, m);
    return;
  }
  const auto weights = weight_.heads(m);
  std::copy(weights.begin(), weights.end(), row.begin());
  if (m == part.word)
    for (const int h : part.banned) row[h] = kMinusInfinity;
}

// Queues the best tree of the part under its score; an empty part vanishes.
void SpanningTreeRanking::solve(Part part) {
  ++problems_solved_;
  search_.start(words_);
  for (int m = 1; m <= words_; ++m) fill_row(part, m, search_.row(m));
  if (!search_.solve(root_)) return;

  Solved solved;
  double score = 0;
  solved.heads.assign(static_cast<std::size_t>(words_) + 1, -1);
  for (int m = 1; m <= words_; ++m) {
    solved.heads[m] = search_.head(m);
    score += weight_(search_.head(m), m);
  }
  solved.loss.resize(static_cast<std::size_t>(words_) + 1);
  search_.losses_of_change(
      [&](int m) -> std::span<const double> {
        if (m < part.word) return {};
        if (m > part.word) return weight_.heads(m);
        fill_row(part, m, branching_row_);
        return branching_row_;
      },
      solved.loss);
  solved.part = std::move(part);
  solved_.push_back(std::move(solved));
  enqueue(score, true, static_cast<int>(solved_.size()) - 1);
}

// Splits what remains of a part once its best tree has been taken out.
void SpanningTreeRanking::branch(int index, double score) {
  const Solved& best = solved_[index];
  for (int word = best.part.word; word <= words_; ++word) {
    if (best.loss[word] == -kMinusInfinity) continue;  // the word has no other head
    Part child{index, word, {}};
    if (word == best.part.word) child.banned = best.part.banned;
    child.banned.push_back(best.heads[word]);
    parts_.push_back(std::move(child));
    enqueue(score - best.loss[word], false, static_cast<int>(parts_.size()) - 1);
  }
}

void SpanningTreeRanking::enqueue(double bound, bool is_solved, int index) {
  queue_.push({bound, is_solved, age_++, index});
}

namespace {

// The label choices of the trees drawn so far, merged by score. A choice is its tree and, for each
// word, the rank of its label on the arc; choice -> choices with one rank raised by one, at or
// after the word raised last, so that each is reached once and never before a better one.
class LabelRanking {
 public:
  LabelRanking(const ArcScores& scores, const ArcMask& mask, RootRule root)
      : scores_(scores), trees_(scores, mask, root), upcoming_(trees_.next()) {}

  bool has_tree() const { return upcoming_.has_value(); }

  std::optional<Scored<ArcTree>> next() {
    while (upcoming_ && (queue_.empty() || upcoming_->score > queue_.top().score)) {
      add_tree(std::move(upcoming_->item));
      upcoming_ = trees_.next();
    }
    if (queue_.empty()) return std::nullopt;
    const Choice choice = queue_.top();
    queue_.pop();
    const std::vector<int> ranks = ranks_of(choice);
    branch(choice, ranks);
    return Scored<ArcTree>{spell_out(choice.tree, ranks), choice.score};
  }

 private:
  struct Choice {
    double score;
    int tree;
    int parent;  // index into history_, -1 for the best labels
    int raised;  // word whose rank is one above the parent's
    int age;
    bool operator<(const Choice& other) const {
      return score != other.score ? score < other.score : age > other.age;
    }
  };
  struct DrawnTree {
    std::vector<int> heads;
    std::vector<std::vector<int>> labels;  // [word]: allowed labels, best first
  };

  void add_tree(std::vector<int> heads) {
    DrawnTree tree{std::move(heads), {{}}};
    for (int m = 1; m <= scores_.words(); ++m)
      tree.labels.push_back(ranked_labels(tree.heads[m], m));
    drawn_.push_back(std::move(tree));
    const int index = static_cast<int>(drawn_.size()) - 1;
    push({0, index, -1, 1, 0}, std::vector<int>(drawn_[index].heads.size(), 0));
  }

  std::vector<int> ranked_labels(int h, int m) const {
    const auto row = scores_.row(h, m);
    std::vector<int> labels(row.size());
    std::iota(labels.begin(), labels.end(), 0);
    std::erase_if(labels, [&](int l) { return row[l] == kMinusInfinity; });
    std::stable_sort(labels.begin(), labels.end(), [&](int a, int b) { return row[a] > row[b]; });
    return labels;
  }

  std::vector<int> ranks_of(const Choice& choice) const {
    std::vector<int> ranks(drawn_[choice.tree].heads.size(), 0);
    const Choice* step = &choice;
    for (; step->parent >= 0; step = &history_[step->parent]) ++ranks[step->raised];
    return ranks;
  }

  void branch(const Choice& choice, std::vector<int> ranks) {
    history_.push_back(choice);
    const int parent = static_cast<int>(history_.size()) - 1;
    for (int m = choice.raised; m <= scores_.words(); ++m) {
      ++ranks[m];
      if (ranks[m] < static_cast<int>(drawn_[choice.tree].labels[m].size()))
        push({0, choice.tree, parent, m, 0}, ranks);
      --ranks[m];
    }
  }

  void push(Choice choice, const std::vector<int>& ranks) {
    const DrawnTree& tree = drawn_[choice.tree];
    for (int m = 1; m <= scores_.words(); ++m)
      choice.score += scores_(tree.heads[m], m, tree.labels[m][ranks[m]]);
    choice.age = age_++;
    queue_.push(choice);
  }

  ArcTree spell_out(int index, const std::vector<int>& ranks) const {
    const DrawnTree& tree = drawn_[index];
    ArcTree result{tree.heads, {}};
    if (scores_.labels() == 1) return result;
    result.labels.assign(tree.heads.size(), -1);
    for (int m = 1; m <= scores_.words(); ++m) result.labels[m] = tree.labels[m][ranks[m]];
    return result;
  }

  const ArcScores& scores_;
  SpanningTreeRanking trees_;
  std::optional<Scored<std::vector<int>>> upcoming_;
  std::vector<DrawnTree> drawn_;
  std::vector<Choice> history_;
  std::priority_queue<Choice> queue_;
  int age_ = 0;
};

}  // namespace

TreeList k_best_spanning_trees(const ArcScores& scores, const ArcMask& mask, RootRule root, int k,
                               const ArcSearchLimits& limits) {
  require_same_words(scores.words(), mask.words());
  TreeList result;
  if (scores.words() > limits.words) {
    result.status = SearchStatus::too_long;
    return result;
  }
  if (const auto bad = find_bad_score(scores, mask)) {
    result.status = SearchStatus::bad_score;
    result.culprit = *bad;
    return result;
  }
  LabelRanking ranking(scores, mask, root);
  if (!ranking.has_tree()) result.status = SearchStatus::no_tree;
  while (static_cast<int>(result.trees.size()) < k) {
    std::optional<Scored<ArcTree>> tree = ranking.next();
    if (!tree) break;
    result.trees.push_back(std::move(*tree));
  }
  // A bound may be off by a rounding error; what is handed out is in order to the last bit.
  std::stable_sort(result.trees.begin(), result.trees.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return result;
}

}  // namespace copse
