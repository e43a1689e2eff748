#include "copse/rerank/hidden/hidden_list.h"

#include <fmt/core.h>
#include <tsl/robin_map.h>

#include <algorithm>

#include "copse/base/error.h"
#include "copse/rerank/sequence_ids.h"

namespace copse::hidden {
namespace {

// A word with more values than this says that something is wrong with its domain.
constexpr std::uint32_t kMostValues = 1000;

AtomValue code_of(std::span<const Family> families) {
  AtomValue code = families.size();
  for (const Family& family : families) code = join(join(code, family.atom), family.values);
  return code;
}

std::uint32_t values_of(std::span<const Family> families) {
  std::uint32_t values = 0;
  for (const Family& family : families) values += family.values;
  if (values == 0 || values > kMostValues) {
    throw data_error(
        fmt::format("a word has {} hidden values; expected 1 to {}", values, kMostValues));
  }
  return values;
}

std::string name_of(const Template& line, const TextFrame& text) {
  std::string name = line.name;
  for (const AtomSlot slot : line.atoms) {
    if (slot == kUpper || slot == kLower) continue;
    name += fmt::format(" {}", text[static_cast<std::size_t>(slot)]);
  }
  return name;
}

// A feature that is there more often counts as being there so often.
constexpr std::uint32_t kMostTimes = 20;

class Maker {
 public:
  // `list` must outlive this.
  Maker(const Extraction& extraction, const BlockOf& block_of, bool sharing, const Candidates& list)
      : extraction_(extraction),
        block_of_(block_of),
        sharing_(sharing),
        list_(list),
        contexts_(extraction.heads, extraction.graph),
        builder_(sharing) {
    if (extraction.whole == nullptr) return;
    whole_ = extraction.whole->features(list, {});
    times_ = find_extremes(whole_, kMostTimes);
  }

  void add(std::size_t number) {
    const Candidate& candidate = list_.items[number];
    contexts_.set(list_, candidate);
    families_.resize(std::max(families_.size(), contexts_.words()));
    variables_.clear();
    for (std::size_t w = 0; w < contexts_.words(); ++w) {
      extraction_.domains.families(contexts_.word(w), families_[w]);
    }
    for (const Contexts::Place& place : contexts_.order()) {
      BeliefGraphBuilder::Variable variable;
      variable.single = single(place.word);
      if (place.above != Contexts::kTop) {
        variable.parent = place.above;
        variable.pair = pair(place);
      }
      variables_.push_back(variable);
    }
    if (extraction_.whole != nullptr) {
      BeliefGraphBuilder::Variable variable;
      variable.single = whole(number);
      variables_.push_back(variable);
    }
    builder_.add(variables_, nodes_);
    result_.base.push_back(candidate.log_probability);
  }

  HiddenList finish() {
    result_.graph = builder_.finish();
    return std::move(result_);
  }

  // Names of blocks are wanted.
  std::vector<NamedBlock>* names = nullptr;

  const Contexts& contexts() const { return contexts_; }
  std::span<const Family> families(std::size_t w) const { return families_[w]; }
  std::span<const std::uint32_t> nodes() const { return nodes_; }

 private:
  std::uint32_t single(std::uint32_t word) {
    const std::span<const Family> families = families_[word];
    const AtomValue code = join(contexts_.code_of_word(word), code_of(families));
    if (const auto known = known_.find(code); sharing_ && known != known_.end()) {
      return known->second;
    }
    begin_table(1, values_of(families));
    std::vector<TextFrame> texts;
    if (names != nullptr) texts = contexts_.texts_of_word(word);
    std::uint32_t column = 0;
    for (const Family& family : families) {
      std::size_t unit_number = 0;
      contexts_.for_word(word, [&](Unit unit, const Frame& context) {
        Frame frame = context;
        frame[kLower] = family.atom;
        add_blocks(unit, frame, 1, family.values, names ? &texts[unit_number] : nullptr);
        ++unit_number;
      });
      end_segment(0, column, 1, family.values);
      column += family.values;
    }
    return end_table(code);
  }

  std::uint32_t pair(const Contexts::Place& place) {
    const std::span<const Family> upper = families_[contexts_.order()[place.above].word];
    const std::span<const Family> lower = families_[place.word];
    const AtomValue code =
        join(contexts_.code_of_edge(place), join(code_of(upper), code_of(lower)));
    if (const auto known = known_.find(code); sharing_ && known != known_.end()) {
      return known->second;
    }
    begin_table(values_of(upper), values_of(lower));
    TextFrame text;
    if (names != nullptr) text = contexts_.text_of_edge(place);
    contexts_.for_edge(place, [&](Unit unit, Frame& frame) {
      std::uint32_t row = 0;
      for (const Family& u : upper) {
        frame[kUpper] = u.atom;
        std::uint32_t column = 0;
        for (const Family& v : lower) {
          frame[kLower] = v.atom;
          add_blocks(unit, frame, u.values, v.values, names ? &text : nullptr);
          end_segment(row, column, u.values, v.values);
          column += v.values;
        }
        row += u.values;
      }
    });
    return end_table(code);
  }

  std::uint32_t whole(std::size_t number) {
    begin_table(1, 1);
    for (const ListFeatures::Count& count : whole_.of(number)) {
      for (std::uint32_t times = times_.least[count.feature] + 1; times <= count.times; ++times) {
        const FeatureKey key = key_of_whole(whole_.keys[count.feature], times);
        const std::uint32_t block = block_of_(key, 1, 1);
        if (block == kNoBlock) continue;
        blocks_.push_back(block);
        if (names != nullptr) {
          names->push_back({name_of_times(whole_.name(count.feature), times), key});
        }
      }
    }
    if (names == nullptr) std::sort(blocks_.begin(), blocks_.end());  // for reading memory in order
    end_segment(0, 0, 1, 1);
    return end_table();
  }

  // Apart from all features of words.
  static FeatureKey key_of_whole(FeatureKey key, std::uint32_t times) {
    return join(key_of_times(key, times), atom_of("whole"));
  }

  void add_blocks(Unit unit, const Frame& frame, std::uint32_t rows, std::uint32_t columns,
                  const TextFrame* text) {
    for (const Template& line : extraction_.templates[static_cast<std::size_t>(unit)]) {
      const FeatureKey key = key_of(line, frame.data());
      if (key == kAbsent) continue;
      const std::uint32_t block = block_of_(key, rows, columns);
      if (block == kNoBlock) continue;
      blocks_.push_back(block);
      if (text != nullptr) names->push_back({name_of(line, *text), key});
    }
  }

  // --- the table being made: its content is compared before it is kept

  void begin_table(std::uint32_t rows, std::uint32_t columns) {
    content_.assign({rows, columns});
    segments_.clear();
    blocks_.clear();
  }
  void end_segment(std::uint32_t row, std::uint32_t column, std::uint32_t rows,
                   std::uint32_t columns) {
    const std::size_t begin = segments_.empty() ? 0 : segments_.back().block_end;
    if (blocks_.size() == begin) return;  // nothing is known of this family
    segments_.push_back({static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(column),
                         static_cast<std::uint8_t>(rows), static_cast<std::uint8_t>(columns),
                         static_cast<std::uint32_t>(blocks_.size())});
    content_.insert(content_.end(), {row, column, rows, columns,
                                     static_cast<std::uint32_t>(blocks_.size() - begin)});
    content_.insert(content_.end(), blocks_.begin() + static_cast<std::ptrdiff_t>(begin),
                    blocks_.end());
  }
  std::uint32_t end_table(AtomValue code) {
    const std::uint32_t number = end_table();
    if (sharing_) known_.emplace(code, number);
    return number;
  }
  std::uint32_t end_table() {
    const auto number = static_cast<std::uint32_t>(result_.tables.size());
    if (sharing_) {
      const std::uint32_t same = contents_.add(content_);
      if (same < number) return same;
    }
    const auto first = static_cast<std::uint32_t>(result_.blocks.size());
    for (HiddenList::Segment segment : segments_) {
      segment.block_end += first;
      result_.segments.push_back(segment);
    }
    result_.blocks.insert(result_.blocks.end(), blocks_.begin(), blocks_.end());
    result_.tables.push_back({static_cast<std::uint16_t>(content_[0]),
                              static_cast<std::uint16_t>(content_[1]),
                              static_cast<std::uint32_t>(result_.segments.size())});
    return number;
  }

  const Extraction& extraction_;
  const BlockOf& block_of_;
  bool sharing_;
  const Candidates& list_;
  ListFeatures whole_;
  FeatureExtremes times_;
  Contexts contexts_;
  BeliefGraphBuilder builder_;
  HiddenList result_;
  tsl::robin_map<AtomValue, std::uint32_t> known_;  // tables by context
  SequenceIds contents_;                            // tables by content

  // Of the candidate at hand.
  std::vector<std::vector<Family>> families_;  // by word
  std::vector<BeliefGraphBuilder::Variable> variables_;
  std::vector<std::uint32_t> nodes_;
  // Of the table at hand.
  std::vector<std::uint32_t> content_, blocks_;
  std::vector<HiddenList::Segment> segments_;
};

// Moves over the cells of a segment: visit(place in the potential, place in a block).
template <class Visit>
void for_each_cell(const Potentials::Shape& shape, const HiddenList::Segment& segment,
                   Visit visit) {
  std::size_t in_block = 0;
  for (std::size_t r = 0; r < segment.rows; ++r) {
    std::size_t at = shape.begin + (segment.row + r) * shape.columns + segment.column;
    for (std::size_t c = 0; c < segment.columns; ++c) visit(at++, in_block++);
  }
}

}  // namespace

std::size_t HiddenList::bytes() const {
  return sizeof(*this) + tables.size() * sizeof(Table) + segments.size() * sizeof(Segment) +
         blocks.size() * sizeof(std::uint32_t) + base.size() * sizeof(double) +
         graph.nodes.size() * sizeof(BeliefGraph::Node) +
         graph.edges.size() * sizeof(BeliefGraph::Edge) +
         (graph.children.size() + graph.roots.size() + graph.tree_end.size()) * 4;
}

template <class Weight>
void HiddenList::fill(std::span<const Weight> weights, double scale, Potentials& out) const {
  out.clear();
  for (const Table& table : tables) out.add(table.rows, table.columns);
  double* values = out.all().data();
  for_each_segment([&](std::uint32_t t, const Segment& segment, std::span<const std::uint32_t> of) {
    const Potentials::Shape& shape = out.shape(t);
    for (const std::uint32_t block : of) {
      const Weight* weight = weights.data() + block;
      for_each_cell(shape, segment,
                    [&](std::size_t at, std::size_t i) { values[at] += double{weight[i]}; });
    }
  });
  if (scale == 1) return;
  for (double& value : out.all()) value *= scale;
}
template void HiddenList::fill(std::span<const float>, double, Potentials&) const;
template void HiddenList::fill(std::span<const double>, double, Potentials&) const;

void HiddenList::scatter(const Potentials& shapes, std::span<const double> slopes, double rate,
                         std::span<double> weights) const {
  for_each_segment([&](std::uint32_t t, const Segment& segment, std::span<const std::uint32_t> of) {
    const Potentials::Shape& shape = shapes.shape(t);
    for (const std::uint32_t block : of) {
      double* weight = weights.data() + block;
      for_each_cell(shape, segment,
                    [&](std::size_t at, std::size_t i) { weight[i] += rate * slopes[at]; });
    }
  });
}

void HiddenList::scatter_tied(const Potentials& shapes, std::span<const double> slopes, double rate,
                              std::span<double> weights) const {
  for_each_segment([&](std::uint32_t t, const Segment& segment, std::span<const std::uint32_t> of) {
    double sum = 0;
    for_each_cell(shapes.shape(t), segment,
                  [&](std::size_t at, std::size_t) { sum += slopes[at]; });
    const std::size_t size = std::size_t{segment.rows} * segment.columns;
    for (const std::uint32_t block : of) {
      for (std::size_t i = 0; i < size; ++i) weights[block + i] += rate * sum;
    }
  });
}

HiddenList make_hidden_list(const Extraction& extraction, const Candidates& list,
                            const BlockOf& block_of, bool sharing) {
  Maker maker(extraction, block_of, sharing, list);
  for (std::size_t j = 0; j < list.items.size(); ++j) maker.add(j);
  return maker.finish();
}

NamedCandidate name_candidate(const Extraction& extraction, const Candidates& list,
                              std::size_t candidate, const BlockOf& block_of) {
  NamedCandidate result;
  Maker maker(extraction, block_of, false, list);
  maker.names = &result.blocks;
  maker.add(candidate);
  const Contexts& contexts = maker.contexts();
  result.word_of.assign(maker.nodes().size(), NamedCandidate::kNoWord);
  for (std::size_t v = 0; v < contexts.order().size(); ++v) {
    result.word_of[maker.nodes()[v]] = contexts.order()[v].word;
  }
  for (std::size_t w = 0; w < contexts.words(); ++w) {
    auto& families = result.families.emplace_back();
    extraction.domains.names(contexts.word(w), families);
    auto& values = result.values.emplace_back();
    for (std::size_t f = 0; f < families.size(); ++f) {
      for (std::uint32_t k = 1; k <= maker.families(w)[f].values; ++k) {
        values.push_back(fmt::format("{}_{}", families[f], k));
      }
    }
  }
  result.list = maker.finish();
  return result;
}

}  // namespace copse::hidden
