// One word a line. All arcs of a head share one vertical line ("rail"), so that the drawing grows
// with the depth of the tree and not with its arcs:
//
//     ╭─▶ the    DET   det
//   ╭─┴─▶ cat    NOUN  nsubj
//   ┼───▶ sat    VERB  root
//
// The rails of the words below a head stand to the right of its own, and rails that share a line
// never share a column: they are stacked like arcs, deepest words first.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/skyline.h"
#include "copse/treebank/drawing/terminal_body.h"

namespace copse::drawing {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

struct Rail {
  int first = 0;  // lines it spans; 0: the word has no dependents
  int last = 0;
  int level = 0;  // 1 is next to the words
};

struct Rails {
  std::vector<Rail> of;     // of each word
  std::vector<int> arc_of;  // index of the arc into each word, or -1
  int levels = 0;
};

// Steps from the root; words on a cycle count from where the walk began.
std::vector<int> depths(const Scene& scene, const std::vector<int>& arc_of) {
  const int words = static_cast<int>(scene.words.size());
  std::vector<int> depth(at(words) + 1, -1);
  depth[0] = 0;
  std::vector<int> path;
  for (int word = 1; word <= words; ++word) {
    path.clear();
    int node = word;
    while (depth[at(node)] < 0) {
      depth[at(node)] = 0;  // ends the walk on a cycle
      path.push_back(node);
      node = arc_of[at(node)] < 0 ? 0 : scene.arcs[at(arc_of[at(node)])].head;
    }
    int steps = depth[at(node)];
    for (auto step = path.rbegin(); step != path.rend(); ++step) depth[at(*step)] = ++steps;
  }
  return depth;
}

Rails lay_rails(const Scene& scene) {
  const int words = static_cast<int>(scene.words.size());
  Rails rails;
  rails.of.resize(at(words) + 1);
  rails.arc_of.assign(at(words) + 1, -1);
  for (int i = 0; i < static_cast<int>(scene.arcs.size()); ++i) {
    const SceneArc& arc = scene.arcs[at(i)];
    rails.arc_of[at(arc.modifier)] = i;
    if (arc.head == 0 || arc.head == arc.modifier) continue;
    Rail& rail = rails.of[at(arc.head)];
    if (rail.first == 0) rail.first = rail.last = arc.head;
    rail.first = std::min(rail.first, arc.modifier);
    rail.last = std::max(rail.last, arc.modifier);
  }
  const std::vector<int> depth = depths(scene, rails.arc_of);
  std::vector<int> deepest_first(at(words));
  std::iota(deepest_first.begin(), deepest_first.end(), 1);
  std::stable_sort(deepest_first.begin(), deepest_first.end(),
                   [&](int a, int b) { return depth[at(a)] > depth[at(b)]; });
  Skyline skyline(words + 1);
  for (const int word : deepest_first) {
    Rail& rail = rails.of[at(word)];
    if (rail.first == 0) continue;
    rail.level = skyline.drop(rail.first, rail.last);
    rails.levels = std::max(rails.levels, rail.level);
  }
  return rails;
}

class ArcsBeside {
 public:
  ArcsBeside(const Scene& scene, const DrawingOptions& options)
      : scene_(scene),
        options_(options),
        rails_(lay_rails(scene)),
        canvas_(options.unicode, options.color) {
    // Rails of a very deep tree would leave no room for words: then heads are given by number.
    drawn_ = !scene.arcs.empty() && 2 * rails_.levels <= columns_of(options) / 2;
    words_x_ = drawn_ ? 2 * rails_.levels + 4 : 0;
  }

  std::string draw() {
    if (drawn_) draw_rails();
    const bool numbers = !drawn_ && !scene_.arcs.empty();
    int x = words_x_;
    if (numbers)
      x = column(
          x, [&](int word) { return std::to_string(word); }, Ink::faint);
    x = column(
        x, [&](int word) { return scene_.word(word).form; }, Ink::bold);
    x = column(
        x, [&](int word) { return scene_.word(word).tag; }, Ink::faint);
    x = column(
        x, [&](int word) { return relation(word); }, Ink::plain);
    if (numbers)
      x = column(
          x, [&](int word) { return head_name(word); }, Ink::plain);
    column(
        x, [&](int word) { return token_mark(word); }, Ink::faint);
    return canvas_.str();
  }

 private:
  int words() const { return static_cast<int>(scene_.words.size()); }
  const SceneArc* arc_into(int word) const {
    const int arc = rails_.arc_of[at(word)];
    return arc < 0 ? nullptr : &scene_.arcs[at(arc)];
  }
  int rail_x(int head) const { return 2 * (rails_.levels - rails_.of[at(head)].level) + 1; }

  void draw_rails() {
    for (int word = 1; word <= words(); ++word) {
      const Rail& rail = rails_.of[at(word)];
      if (rail.first > 0) canvas_.vertical(rail_x(word), rail.first - 1, rail.last - 1, Ink::faint);
    }
    std::vector<std::vector<bool>> passed(at(words()) + 1);
    mark_passing_rails(passed);
    for (int word = 1; word <= words(); ++word) draw_line(word, passed[at(word)]);
  }

  // passed[line][level]: a rail that has nothing to do with the line's word goes through it.
  void mark_passing_rails(std::vector<std::vector<bool>>& passed) const {
    for (auto& line : passed) line.assign(at(rails_.levels) + 1, false);
    for (int head = 1; head <= words(); ++head) {
      const Rail& rail = rails_.of[at(head)];
      if (rail.first == 0) continue;
      for (int line = rail.first; line <= rail.last; ++line) {
        const SceneArc* arc = arc_into(line);
        const bool stops = line == head || (arc != nullptr && arc->head == head);
        if (!stops) passed[at(line)][at(rail.level)] = true;
      }
    }
  }

  // From the head's rail, or the word's own, to the word; under rails that only pass by.
  void draw_line(int word, const std::vector<bool>& passed) {
    const SceneArc* arc = arc_into(word);
    const bool heads = rails_.of[at(word)].first > 0;
    if (arc == nullptr && !heads) return;
    const int y = word - 1;
    const int end = words_x_ - 2;
    int start = heads ? rail_x(word) : end - 1;
    if (arc != nullptr && arc->head == 0) start = 0;
    if (arc != nullptr && arc->head > 0 && arc->head != word) {
      start = std::min(start, rail_x(arc->head));
    }
    int from = start;
    for (int level = rails_.levels; level >= 1; --level) {
      const int x = 2 * (rails_.levels - level) + 1;
      if (x <= start || !passed[at(level)]) continue;
      canvas_.horizontal(y, from, x - 1, Ink::faint);
      from = x + 1;
    }
    canvas_.horizontal(y, from, end, Ink::faint);
    const std::string_view tip = options_.unicode ? "▶" : ">";
    if (arc != nullptr) canvas_.text(end, y, tip, Ink::faint);
  }

  // Prints one value per line from x on; returns where the next column starts.
  template <class Value>
  int column(int x, Value value, Ink ink) {
    int width = 0;
    for (int word = 1; word <= words(); ++word) {
      const std::string text = value(word);
      const SceneArc* arc = arc_into(word);
      canvas_.text(x, word - 1, text, ink == Ink::plain && arc != nullptr ? ink_of(*arc) : ink);
      width = std::max(width, cell_width(text));
    }
    return width == 0 ? x : x + width + 2;
  }

  std::string relation(int word) const {
    const SceneArc* arc = arc_into(word);
    if (arc == nullptr) return {};
    const std::string itself = options_.unicode ? " ↺" : " (itself)";
    return arc_text(*arc) + (arc->head == word ? itself : "");
  }

  std::string head_name(int word) const {
    const SceneArc* arc = arc_into(word);
    if (arc == nullptr || arc->head == 0) return {};
    return fmt::format("{} {} {}", options_.unicode ? "←" : "<-", arc->head,
                       abbreviate(scene_.word(arc->head).form, 16));
  }

  // A bracket beside the words of a surface token, its form on the first line.
  std::string token_mark(int word) const {
    const auto token =
        std::find_if(scene_.tokens.begin(), scene_.tokens.end(), [&](const SceneToken& candidate) {
          return candidate.first <= word && word <= candidate.last;
        });
    if (token == scene_.tokens.end()) return {};
    const bool unicode = options_.unicode;
    if (word == token->first) return (unicode ? "╮ " : ". ") + token->form;
    if (word == token->last) return unicode ? "╯" : "'";
    return unicode ? "│" : "|";
  }

  const Scene& scene_;
  const DrawingOptions& options_;
  Rails rails_;
  Canvas canvas_;
  bool drawn_ = false;
  int words_x_ = 0;
};

}  // namespace

std::string draw_arcs_beside(const Scene& scene, const DrawingOptions& options) {
  return scene.empty() ? std::string() : ArcsBeside(scene, options).draw();
}

}  // namespace copse::drawing
