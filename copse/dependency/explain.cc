#include "copse/dependency/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "copse/base/error.h"
#include "copse/inference/tree_parts.h"

namespace copse {
namespace {

auto identity(const ExplainedPart& each) {
  const Part& part = each.part;
  return std::tuple(each.label != ExplainedPart::kNoLabel, part.family, part.h, part.m, part.g,
                    part.s, part.t, part.side, each.label);
}

bool comes_before(const ExplainedPart& a, const ExplainedPart& b) {
  return identity(a) < identity(b);
}

void require_tree(SearchStatus status, const std::string& culprit) {
  if (status == SearchStatus::ok) return;
  if (status == SearchStatus::bad_score) {
    throw data_error(fmt::format("the model gives {} a score that is no number", culprit));
  }
  throw data_error("the sentence is too long for the memory limit");
}

// Words on the word before them, and words on the word behind them. Whatever the head of one word
// is, the others can hang along these, so that there is a tree under any root rule.
void allow_chains(ArcMask& mask) {
  const int n = mask.words();
  for (int m = 1; m <= n; ++m) {
    mask.allow(m - 1, m);
    mask.allow(m == n ? 0 : m + 1, m);
  }
}

}  // namespace

ArcExplainer::ArcExplainer(const DependencyParser& parser, const Sentence& sentence,
                           const DependencyParseOptions& options)
    : parser_(parser), sentence_(sentence), kind_(parser.parts().kind) {
  if (sentence.words() == 0) throw data_error("the sentence has no words");
  SearchSpace found = parser.search_space(sentence, options, scratch_);
  kind_ = found.kind;
  degraded_ = std::move(found.degraded);
  space_ = {std::move(found.mask), std::move(found.index), PartScores()};
  parser.score(space_->index, scratch_, space_->scores);
  const BestTree best = scratch_.search.best(kind_, space_->index, space_->scores);
  require_tree(best.status, best.culprit);
  best_ = explained(best.tree);
}

ArcExplainer::Space ArcExplainer::space_of(ArcMask mask) {
  PartIndex index = kind_.index(mask);
  Space space{std::move(mask), std::move(index), PartScores()};
  parser_.score(space.index, scratch_, space.scores);
  return space;
}

// The best tree in which `word` hangs on `head`, or on anything but its best head.
std::optional<ArcTree> ArcExplainer::search(Space& space, int word, std::optional<int> head) {
  const int taken = best_.heads[static_cast<std::size_t>(word)];
  std::vector<std::pair<PartIndex::Id, float>> before;
  for (const int h : space.mask.heads(word)) {
    if (head ? h == *head : h != taken) continue;
    const PartIndex::Id id = space.index.dep(space.index.find_arc(h, word));
    before.emplace_back(id, space.scores[id]);
    space.scores[id] = -std::numeric_limits<float>::infinity();
  }
  BestTree found = scratch_.search.best(kind_, space.index, space.scores);
  for (const auto& [id, score] : before) space.scores[id] = score;
  if (found.status == SearchStatus::no_tree) return std::nullopt;
  require_tree(found.status, found.culprit);
  return std::move(found.tree);
}

ArcExplainer::Candidate ArcExplainer::find_other(int word, std::optional<int> head) {
  if (!head || space_->mask.allowed(*head, word)) {
    if (auto tree = search(*space_, word, head)) return {OtherTree::survived, std::move(*tree)};
  }
  ArcMask mask = space_->mask;
  const ArcMask filter =
      parser_.parts().pruner.filtered(scratch_.words.words(), nullptr, scratch_.search);
  for (const int h : filter.heads(word)) mask.allow(h, word);
  if (!head || mask.allowed(*head, word)) {
    Space space = space_of(mask);
    if (auto tree = search(space, word, head)) return {OtherTree::filtered, std::move(*tree)};
  }
  for (int h = 0; h <= mask.words(); ++h) {
    if (h != word) mask.allow(h, word);
  }
  allow_chains(mask);
  Space space = space_of(std::move(mask));
  if (auto tree = search(space, word, head)) return {OtherTree::added, std::move(*tree)};
  return {};
}

ArcExplanation ArcExplainer::explain(int word, std::optional<int> head) {
  check_question(best_.heads, word, head);
  ArcExplanation out;
  out.word = word;
  out.best = best_;
  Candidate other = find_other(word, head);
  out.where = other.where;
  if (other.where == OtherTree::nowhere) {
    if (head) {
      throw data_error(fmt::format("no tree has {} as the head of word {}", *head, word));
    }
    return out;
  }
  out.other = explained(other.tree);
  std::vector<ExplainedPart> best = parts_of(out.best.heads, out.best.labels);
  std::vector<ExplainedPart> rival = parts_of(out.other.heads, out.other.labels);
  std::set_difference(best.begin(), best.end(), rival.begin(), rival.end(),
                      std::back_inserter(out.parts), comes_before);
  const std::size_t own = out.parts.size();
  std::set_difference(rival.begin(), rival.end(), best.begin(), best.end(),
                      std::back_inserter(out.parts), comes_before);
  for (std::size_t k = 0; k < out.parts.size(); ++k) {
    out.parts[k].chosen = k < own;
    name_features(out.parts[k]);
  }
  return out;
}

ExplainedTree ArcExplainer::explained(const ArcTree& tree) const {
  ExplainedTree out{tree.heads, tree.labels, 0};
  for (ExplainedPart& part : parts_of(tree.heads, tree.labels)) {
    weigh(part);
    out.score += part.score;
  }
  return out;
}

// In the order of comes_before().
std::vector<ExplainedPart> ArcExplainer::parts_of(const std::vector<int>& heads,
                                                  const std::vector<int>& labels) const {
  ArcMask mask = ArcMask::none(static_cast<int>(heads.size()) - 1);
  for (int m = 1; m <= mask.words(); ++m) mask.allow(heads[static_cast<std::size_t>(m)], m);
  const PartIndex index = kind_.index(mask);
  std::vector<PartIndex::Id> ids;
  append_parts_of_tree(index, heads, ids);
  std::vector<ExplainedPart> out;
  for (const PartIndex::Id id : ids) {
    ExplainedPart next;
    next.part = index.part(id);
    out.push_back(std::move(next));
  }
  for (std::size_t m = 1; m < labels.size(); ++m) {
    ExplainedPart next;
    next.part = {.h = heads[m], .m = static_cast<int>(m)};
    next.label = labels[m];
    out.push_back(std::move(next));
  }
  std::sort(out.begin(), out.end(), comes_before);
  return out;
}

// visit(section, template number, copy, member, weight), absent and zero weights left out.
template <class Visit>
void ArcExplainer::for_each_weight(const ExplainedPart& part, Visit&& visit) const {
  const PartScorer& scorer = parser_.parts().scorer;
  const bool is_label = part.label != ExplainedPart::kNoLabel;
  const int section = is_label ? kLabelSection : static_cast<int>(part.part.family);
  scorer.features().for_each_member(
      section, scratch_.atoms, part.part,
      [&](FeatureKey key, int number, FeatureCopy copy, int member) {
        double weight = 0;
        if (is_label) {
          const FrozenWeights& table = scorer.label_weights();
          table.for_each(table.find(key), [&](Label label, float value) {
            if (static_cast<int>(label) == part.label) weight = value;
          });
        } else {
          weight = double{scorer.weights().scale()} * scorer.weights().find(key);
        }
        if (weight != 0) visit(section, number, copy, member, weight);
      });
}

void ArcExplainer::weigh(ExplainedPart& part) const {
  part.score = 0;
  for_each_weight(part, [&](int, int, FeatureCopy, int, double weight) { part.score += weight; });
}

void ArcExplainer::name_features(ExplainedPart& part) const {
  const FeatureText text(parser_.parts().scorer.features().templates(), scratch_.words.words(),
                         scratch_.atoms, parser_.parts().clusters.get());
  const auto word = [this](int position) {
    return word_text(position, [this](int m) { return sentence_.form(m); });
  };
  part.name = part.label == ExplainedPart::kNoLabel
                  ? part_text(part.part, word)
                  : fmt::format("label({},{}) {}", word(part.part.h), word(part.part.m),
                                parser_.labels()[static_cast<std::size_t>(part.label)]);
  part.score = 0;
  for_each_weight(part, [&](int section, int number, FeatureCopy copy, int member, double weight) {
    std::string values = text.values(section, number, copy, member, part.part);
    if (part.label != ExplainedPart::kNoLabel) {
      values += " label=" + parser_.labels()[static_cast<std::size_t>(part.label)];
    }
    part.score += weight;
    part.features.push_back({text.name(section, number), std::move(values), weight});
  });
}

}  // namespace copse
