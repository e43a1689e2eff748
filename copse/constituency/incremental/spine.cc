#include "copse/constituency/incremental/spine.h"

#include "copse/model/feature_key.h"
#include "copse/treebank/label_escape.h"

namespace copse::incremental {
namespace {

constexpr std::size_t kMostProductions = 1 << 20;  // remembered between sentences

std::uint64_t bits_of(const HeadWord& word) {
  return std::uint64_t{static_cast<std::uint32_t>(word.word)} << 16 | word.tag;
}

}  // namespace

void HeadFinder::start(const Grammar& grammar, const HeadRules& rules) {
  const bool same = grammar_ == &grammar && rules_ == &rules && texts_.size() == grammar.labels();
  if (same && nodes_.size() < kMostProductions) return;
  grammar_ = &grammar;
  rules_ = &rules;
  nodes_.clear();
  numbers_.clear();
  texts_.clear();
  for (LabelId label = 0; label < grammar.end_label(); ++label) {
    texts_.push_back(unescape_label(grammar.names().text(label)));
  }
}

// What the table says of a phrase with these children: a tree of them is made and asked for its head.
int HeadFinder::head_of(std::uint32_t production) const {
  std::vector<std::string_view> labels;
  for (; nodes_[production].children > 0; production = nodes_[production].parent) {
    labels.push_back(texts_[grammar_->base(nodes_[production].label)]);
  }
  PhraseTreeBuilder builder;
  builder.open(texts_[nodes_[production].label]);
  for (std::size_t k = labels.size(); k-- > 0;) builder.leaf(labels[k], "_");
  builder.close();
  return rules_->head_child(std::move(builder).finish(), 0) - 1;
}

HeadFinder::Grown HeadFinder::add(std::uint64_t key, Node node) {
  const auto [where, is_new] = numbers_.emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (!is_new) return {where->second, nodes_[where->second].head};
  nodes_.push_back(node);
  if (node.children > 0) nodes_.back().head = head_of(where->second);
  return {where->second, nodes_.back().head};
}

std::uint32_t HeadFinder::production(LabelId parent) {
  return add(std::uint64_t{grammar_->base(parent)} << 48, {0, grammar_->base(parent), 0, 0})
      .production;
}

HeadFinder::Grown HeadFinder::grow(std::uint32_t production, LabelId child) {
  const std::uint64_t key = std::uint64_t{1} << 63 | std::uint64_t{production} << 16 | child;
  return add(key, {production, child, nodes_[production].children + 1, 0});
}

void Spines::start(const Grammar& grammar, const HeadRules& rules) {
  grammar_ = &grammar;
  heads_.start(grammar, rules);
  arena_.reset();
  free_ = {};
}

Cell* Spines::make() {
  if (free_.empty()) free_ = arena_.make<Cell>(kBlock);
  Cell* cell = &free_.front();
  free_ = free_.subspan(1);
  return cell;
}

const Cell* Spines::root() {
  Cell* cell = make();
  cell->production = heads_.production(kTop);
  cell->state = atom_of(std::uint64_t{kTop});
  return cell;
}

const Cell* Spines::open(const Cell* site, LabelId label) {
  Cell* cell = make();
  cell->label = label;
  cell->up = site;
  cell->production = heads_.production(label);
  cell->state = join(site->state, atom_of(std::uint64_t{label}));
  if (grammar_->is_slashed(label)) {
    // A -> A b: the mother as it is so far comes first.
    cell->production = heads_.grow(cell->production, grammar_->base(label)).production;
    cell->head = site->head;
  }
  return cell;
}

const Cell* Spines::append(const Cell* site, LabelId label, const HeadWord& head,
                           const HeadWord& first, int begin) {
  Cell* cell = make();
  *cell = *site;
  cell->closed = nullptr;
  cell->before = site;
  cell->last3 = site->last2;
  cell->last2 = site->last == kBegin ? kNull : site->last;
  cell->last = label;
  cell->last_head = head;
  cell->last_begin = begin;
  if (site->first.word == kNoWord) cell->first = first;
  const std::uint64_t words = join(bits_of(head), bits_of(first));
  cell->state = join(site->state, join(words, ~std::uint64_t{label}));
  if (grammar_->is_slashed(label) && site->last != kBegin &&
      grammar_->base(label) == grammar_->base(site->label)) {
    cell->head = head;
    cell->production =
        heads_.grow(heads_.production(site->label), grammar_->base(site->label)).production;
    return cell;
  }
  const auto grown = heads_.grow(site->production, label);
  cell->production = grown.production;
  const int count = heads_.children(grown.production);
  if (grown.head == count - 1) {
    cell->head = head;
  } else if (count > 1 && grown.head != heads_.head(site->production)) {
    const Cell* version = cell;
    for (int child = count - 1; child > grown.head && version->before != nullptr; --child) {
      version = version->before;
    }
    cell->head = version->last == kBegin ? version->head : version->last_head;
  }
  return cell;
}

const Cell* Spines::close(const Cell* cell) {
  if (cell->closed == nullptr) {
    cell->closed = append(cell->up, cell->label, cell->head, cell->first, cell->first.word);
  }
  return cell->closed;
}

const Cell* Spines::attach(const Cell* site, const Chain& chain, int word) {
  for (std::size_t k = 0; k + 1 < chain.size(); ++k) site = open(site, chain[k]);
  const HeadWord self{word, chain.back()};
  return append(site, chain.back(), self, self, word);
}

}  // namespace copse::incremental
