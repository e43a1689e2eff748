#include "copse/cluster/cluster_tree.h"

#include <fmt/core.h>

#include <algorithm>

#include "copse/base/error.h"
#include "copse/cluster/visible_text.h"

namespace copse {
namespace {

bool is_more_frequent(const WordClusters::Word& a, const WordClusters::Word& b) {
  return a.count != b.count ? a.count > b.count : a.text < b.text;
}

class TreeMaker {
 public:
  TreeMaker(const WordClusters& clusters, const TreeViewOptions& options)
      : clusters_(clusters), options_(options) {}

  ClusterBranch branch(WordClusters::Range range, int depth) const {
    ClusterBranch branch;
    const std::string_view first = clusters_.bits(range.first);
    const std::string_view last = clusters_.bits(range.last - 1);
    const auto shared = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
    branch.bits = std::string(first.begin(), shared);
    branch.clusters = range.last - range.first;
    describe(range, branch);
    if (depth < options_.depth && branch.clusters > 1) {
      for (const WordClusters::Range& part : split(range, branch.bits.size())) {
        branch.children.push_back(this->branch(part, depth + 1));
      }
    }
    return branch;
  }

 private:
  // A cluster whose string ends here, then those that go on with 0, then with 1: any may be empty.
  std::vector<WordClusters::Range> split(WordClusters::Range range, std::size_t length) const {
    std::vector<WordClusters::Range> parts;
    WordClusters::Id first = range.first;
    while (first < range.last) {
      const auto start = clusters_.bits(first).substr(0, length + 1);
      WordClusters::Id end = first + 1;
      while (end < range.last && start.size() > length &&
             clusters_.bits(end).substr(0, length + 1) == start) {
        ++end;
      }
      parts.push_back({first, end});
      first = end;
    }
    return parts;
  }

  void describe(WordClusters::Range range, ClusterBranch& branch) const {
    const std::uint32_t begin = clusters_.words_of(range.first).first;
    const std::uint32_t end = clusters_.words_of(range.last - 1).last;
    branch.words = end - begin;
    std::vector<WordClusters::Word> words;
    words.reserve(branch.words);
    for (std::uint32_t i = begin; i < end; ++i) {
      words.push_back(clusters_.word(i));
      branch.tokens += words.back().count;
    }
    const auto shown = std::min(words.size(), static_cast<std::size_t>(options_.examples));
    const auto middle = words.begin() + static_cast<std::ptrdiff_t>(shown);
    std::partial_sort(words.begin(), middle, words.end(), is_more_frequent);
    for (auto word = words.begin(); word != middle; ++word) branch.examples.push_back(word->text);
  }

  const WordClusters& clusters_;
  TreeViewOptions options_;
};

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

class Listing {
 public:
  explicit Listing(const ClusterBranch& root) : root_(root) {
    out_ =
        fmt::format("{} clusters, {} words, {} tokens\n", root.clusters, root.words, root.tokens);
    if (root.children.empty()) {
      line(root, "");
    } else {
      below(root, "");
    }
  }
  std::string take() { return std::move(out_); }

 private:
  void below(const ClusterBranch& branch, const std::string& indent) {
    for (const ClusterBranch& child : branch.children) {
      const bool last = &child == &branch.children.back();
      line(child, indent + (last ? "╰─ " : "├─ "));
      below(child, indent + (last ? "   " : "│  "));
    }
  }

  void line(const ClusterBranch& branch, const std::string& lead) {
    out_ += fmt::format("{}{}  {:.1f}%  {}:", lead, branch.bits,
                        percent(branch.tokens, root_.tokens), branch.words);
    for (const std::string_view word : branch.examples) out_ += " " + visible_text(word);
    if (branch.words > branch.examples.size()) out_ += " ...";
    out_ += '\n';
  }

  const ClusterBranch& root_;
  std::string out_;
};

}  // namespace

ClusterBranch cluster_tree(const WordClusters& clusters, const TreeViewOptions& options) {
  if (clusters.clusters() == 0) throw data_error("there are no clusters to show");
  return TreeMaker(clusters, options).branch({0, clusters.clusters()}, 0);
}

std::vector<WordClusters::Word> words_below(const WordClusters& clusters, std::string_view bits) {
  std::vector<WordClusters::Word> words;
  const WordClusters::Range range = clusters.clusters_below(bits);
  if (range.first == range.last) return words;
  const std::uint32_t end = clusters.words_of(range.last - 1).last;
  for (std::uint32_t i = clusters.words_of(range.first).first; i < end; ++i) {
    words.push_back(clusters.word(i));
  }
  std::sort(words.begin(), words.end(), is_more_frequent);
  return words;
}

std::string render_tree(const ClusterBranch& root) {
  return Listing(root).take();
}

}  // namespace copse
