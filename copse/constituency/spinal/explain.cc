#include "copse/constituency/spinal/explain.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "copse/base/error.h"
#include "copse/dependency/feature_text.h"

namespace copse::spinal {
namespace {

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

std::string_view role_text(RolePart::Role role) {
  switch (role) {
    case RolePart::spine:
      return "spine";
    case RolePart::begin:
      return "begin";
    case RolePart::end:
      return "end";
    case RolePart::sib:
      return "sib";
    case RolePart::grand:
      return "grand";
    case RolePart::edge:
      return "edge";
    default:
      return "dep";
  }
}

std::string_view side_text(const RolePart& edge) {
  return edge.part.side == Side::left ? "left" : "right";
}

// "VP/S", from the bottom; "-" without phrases.
std::string chain_text(const Inventory& inventory, int chain) {
  std::string out;
  for (const LabelId label : inventory.chains()[at(chain)]) {
    if (!out.empty()) out += '/';
    out += inventory.labels().text(label);
  }
  return out.empty() ? "-" : out;
}

}  // namespace

AttachmentExplainer::AttachmentExplainer(const SpinalParser& parser, const WordsToParse& sentence,
                                         const SearchOptions& search)
    : parser_(parser), options_(search) {
  if (sentence.words.empty()) throw data_error("the sentence has no words");
  const int n = static_cast<int>(sentence.words.size());
  if (n > search.max_length) throw data_error("the sentence is too long");
  sentence_ = parser.prepare(sentence, workspace_);
  workspace_.search.set_limits({search.max_items, search.max_edges});
  for (const Rung rung : kSearchedRungs) {
    std::optional<SpinalParts> parts = parser.parts_on(rung, sentence_, search, workspace_);
    if (!parts) continue;
    second_order_ = parser.is_second_order(rung, n, search);
    parser.score(*parts, second_order_, workspace_);
    const SpinalAnswer best = workspace_.search.best(*parts, workspace_.scores);
    if (best.status != SearchStatus::ok) continue;
    rung_ = rung;
    note_ = spinal::note_of(rung);
    best_ = analysis_of(*parts, best.derivation);
    best_tree_ = explained(best_);
    scores_ = workspace_.scores;
    parts_.emplace(*std::move(parts));
    return;
  }
  throw data_error(spinal::note_of(Rung::flat));
}

std::vector<std::string> AttachmentExplainer::labels(const SpinalParser& parser) {
  const SpinalParser::Parts& parts = parser.parts();
  std::vector<std::string> out;
  for (std::size_t k = 0; k < parts.inventory->adjunctions().size(); ++k) {
    out.push_back(parts.features.view_text(parts.features.views(static_cast<int>(k))[0]));
  }
  return out;
}

// The best derivation in which `word` is adjoined to `head`, or in any way but its best one.
std::optional<Analysis> AttachmentExplainer::search(const SpinalParts& parts, SpinalScores& scores,
                                                    int word, std::optional<int> head) {
  std::vector<std::pair<std::size_t, float>> before;
  for (int a = 0; a < parts.arcs(); ++a) {
    const SpinalArc& arc = parts.arc(a);
    if (arc.m != word || (head ? arc.h == *head : !best_.has(arc))) continue;
    before.emplace_back(at(a), scores.dep[at(a)]);
    scores.dep[at(a)] = -std::numeric_limits<float>::infinity();
  }
  const SpinalAnswer found = workspace_.search.best(parts, scores);
  for (const auto& [a, score] : before) scores.dep[a] = score;
  if (found.status != SearchStatus::ok) return std::nullopt;
  return analysis_of(parts, found.derivation);
}

// Every kind of adjunction to every head for the word, every kind for what survives of the others.
std::vector<SpinalArc> AttachmentExplainer::every_arc(int word) const {
  const SpinalParser::Parts& parts = parser_.parts();
  Pruner::Scratch scratch;
  std::vector<SpinalArc> out =
      parts.pruner.prune(sentence_.views->words(), workspace_.atoms, 0, scratch);
  std::erase_if(out, [&](const SpinalArc& arc) { return arc.m == word; });
  const int kinds = static_cast<int>(parts.inventory->adjunctions().size());
  const auto root = parts.inventory->labels().find(kRootTag);
  for (int h = 0; h <= best_.words(); ++h) {
    if (h == word) continue;
    for (int k = 0; k < kinds; ++k) {
      const bool of_root = parts.inventory->adjunctions()[at(k)].y == root;
      if (of_root == (h == 0)) out.push_back({h, word, k});
    }
  }
  return out;
}

AttachmentExplainer::Candidate AttachmentExplainer::find_other(int word, std::optional<int> head) {
  if (auto found = search(*parts_, scores_, word, head)) {
    return {OtherTree::survived, *std::move(found)};
  }
  const auto among = [&](const SpinalParts& parts) -> std::optional<Analysis> {
    if (parts.score_count(second_order_) > options_.max_scores) return std::nullopt;
    parser_.score(parts, second_order_, workspace_);
    return search(parts, workspace_.scores, word, head);
  };
  if (const auto loose = parser_.parts_on(Rung::loose, sentence_, options_, workspace_)) {
    if (auto found = among(*loose)) return {OtherTree::filtered, *std::move(found)};
  }
  if (best_.words() > options_.max_second_order) return {};
  if (auto found = among(parser_.parts_with(sentence_, every_arc(word)))) {
    return {OtherTree::added, *std::move(found)};
  }
  return {};
}

ArcExplanation AttachmentExplainer::explain(int word, std::optional<int> head) {
  check_question(best_tree_.heads, word, head);
  ArcExplanation out;
  out.word = word;
  out.best = best_tree_;
  const Candidate other = find_other(word, head);
  out.where = other.where;
  if (other.where == OtherTree::nowhere) {
    if (head) {
      throw data_error(fmt::format("no derivation has {} as the head of word {}", *head, word));
    }
    return out;
  }
  out.other = explained(other.analysis);
  const Inventory& inventory = *parser_.parts().inventory;
  const auto mine = parts_of(best_, inventory, second_order_);
  const auto theirs = parts_of(other.analysis, inventory, second_order_);
  add_parts(only_in(mine, theirs), true, out);
  add_parts(only_in(theirs, mine), false, out);
  return out;
}

void AttachmentExplainer::add_parts(const std::vector<RolePart>& parts, bool chosen,
                                    ArcExplanation& out) const {
  for (const RolePart& part : parts) out.parts.push_back(explained(part, chosen));
}

ExplainedTree AttachmentExplainer::explained(const Analysis& analysis) const {
  ExplainedTree out{analysis.head, analysis.adjunction, 0};
  for (const RolePart& part : parts_of(analysis, *parser_.parts().inventory, second_order_)) {
    for_each_weight(part,
                    [&](int, FeatureCopy, int, Label, double weight) { out.score += weight; });
  }
  return out;
}

template <class Visit>
void AttachmentExplainer::for_each_weight(const RolePart& part, Visit&& visit) const {
  const Features& features = parser_.parts().features;
  const std::vector<Label> joined = features.joined(part);
  const FrozenWeights& weights = parser_.weights();
  features.table(part.role).for_each_member(
      static_cast<int>(part.part.family), workspace_.atoms, part.part,
      [&](FeatureKey key, int number, FeatureCopy copy, int member) {
        weights.for_each(weights.find(key), [&](Label label, float weight) {
          if (weight == 0 || std::ranges::find(joined, label) == joined.end()) {
            return;
          }
          visit(number, copy, member, label, double{weight});
        });
      });
}

std::string AttachmentExplainer::phrase_text(const RolePart& edge) const {
  return std::string(parser_.parts().inventory->labels().text(static_cast<Symbols::Id>(edge.what)));
}

std::string AttachmentExplainer::joined_text(const RolePart& part, Label label) const {
  const Features& features = parser_.parts().features;
  if (label == Features::kNothing) return "";
  switch (part.role) {
    case RolePart::spine:
      return " chain=" + chain_text(*parser_.parts().inventory, part.what);
    case RolePart::begin:
    case RolePart::end:
      return fmt::format(" label={} dir={}", features.view_text(features.views(part.what)[1]),
                         part.part.g < part.part.m ? "right" : "left");
    case RolePart::edge:
      return fmt::format(" phrase={} side={}", phrase_text(part), side_text(part));
    default:
      return " label=" + features.view_text(label);
  }
}

std::string AttachmentExplainer::name_of(const RolePart& part) const {
  const auto word = [this](int position) {
    return word_text(position,
                     [this](int m) -> std::string_view { return sentence_.words[at(m) - 1]; });
  };
  if (part.role == RolePart::spine) {
    return fmt::format("spine({}) {}", word(part.part.h),
                       chain_text(*parser_.parts().inventory, part.what));
  }
  if (part.role == RolePart::edge) {
    return fmt::format("edge({},{}) {} {}", word(part.part.h), word(part.part.m), phrase_text(part),
                       side_text(part));
  }
  const Features& features = parser_.parts().features;
  const std::string label = features.view_text(features.views(part.what)[0]);
  if (part.role == RolePart::begin || part.role == RolePart::end) {
    return fmt::format("{}({},{}) {}", role_text(part.role), word(part.part.m), word(part.part.h),
                       label);
  }
  return fmt::format("{} {}", part_text(part.part, word), label);
}

ExplainedPart AttachmentExplainer::explained(const RolePart& part, bool chosen) const {
  ExplainedPart out;
  out.part = part.part;
  const bool of_arc = part.role != RolePart::spine && part.role != RolePart::edge;
  out.label = of_arc ? part.what : ExplainedPart::kNoLabel;
  out.name = name_of(part);
  out.chosen = chosen;
  const PartTemplates& table = parser_.parts().features.table(part.role).templates();
  const FeatureText text(table, sentence_.views->words(), workspace_.atoms, parser_.clusters());
  const int section = static_cast<int>(part.part.family);
  for_each_weight(part, [&](int number, FeatureCopy copy, int member, Label label, double weight) {
    const std::string& name = table.of(part.part.family)[at(number)].name;
    out.score += weight;
    out.features.push_back(
        {fmt::format("{} {}", role_text(part.role), name),
         text.values(section, number, copy, member, part.part) + joined_text(part, label), weight});
  });
  return out;
}

}  // namespace copse::spinal
