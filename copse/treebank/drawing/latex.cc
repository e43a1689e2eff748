#include "copse/treebank/drawing/latex.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "copse/treebank/drawing/arc_layout.h"
#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/scene.h"

namespace copse {
namespace {

constexpr std::string_view kPreamble = R"tex(\documentclass[multi=drawing,border=8pt]{standalone}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\else
  \usepackage{fontspec}
\fi
\usepackage{tikz-dependency}
\usepackage{forest}
\newenvironment{drawing}{}{}
\begin{document}
)tex";

std::string_view escape_of(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    case '$':
      return "\\$";
    case '&':
      return "\\&";
    case '#':
      return "\\#";
    case '%':
      return "\\%";
    case '_':
      return "\\_";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '"':
      return "\\textquotedbl{}";
    default:
      return {};
  }
}

// The code point that `text` begins with; it is whole.
char32_t first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0);
  if (byte(0) < 0xE0) return (byte(0) & 0x1FU) << 6 | (byte(1) & 0x3FU);
  if (byte(0) < 0xF0) {
    return (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
  }
  return (byte(0) & 0x07U) << 18 | (byte(1) & 0x3FU) << 12 | (byte(2) & 0x3FU) << 6 |
         (byte(3) & 0x3FU);
}

// Emoji, dingbats and the like: no text font has them, and pdfLaTeX stops at them.
bool is_pictograph(char32_t point) {
  return (point >= 0x2600 && point <= 0x27BF) || (point >= 0x1F000 && point <= 0x1FAFF) ||
         (point >= 0xE0000 && point <= 0xE01EF);
}

// Control pictures, pictographs and U+FFFD are in few text fonts: they are spelled out.
std::string spelled_out(std::string_view cluster) {
  if (cluster == "\uFFFD") return "\\fbox{?}";
  if (const char32_t point = first_code_point(cluster); is_pictograph(point)) {
    return fmt::format("\\fbox{{\\tiny {:X}}}", static_cast<std::uint32_t>(point));
  }
  if (cluster.size() == 3 && cluster[0] == '\xE2' && cluster[1] == '\x90') {  // U+2400..243F
    const int code = static_cast<unsigned char>(cluster[2]) - 0x80;
    return fmt::format("\\fbox{{\\tiny {:02X}}}", code == 0x21 ? 0x7F : code);
  }
  return {};
}

// The `&` of a table cell is \& inside tikz-dependency, so that one is said otherwise there.
std::string table_cell(std::string_view text) {
  std::string cell = latex_escape(text);
  for (auto found = cell.find("\\&"); found != std::string::npos;
       found = cell.find("\\&", found + 1)) {
    cell.replace(found, 2, "{\\char`&}");
    found += 7;
  }
  return "{" + cell + "}";
}

// Where words and arcs go, in points: the layout of the other drawings, in one row. The arcs of
// tikz-dependency itself run into each other, and stop TeX where they are long ("Dimension too
// large").
struct Placement {
  std::vector<int> gaps;    // before word i, beyond the usual distance
  std::vector<int> word_x;  // centres as the layout has them; [0] unused
  drawing::ArcRow row;
};

constexpr int kWordSize = 10;
constexpr int kLabelSize = 7;
constexpr int kUsualGap = 8;

Placement place(const drawing::Scene& scene) {
  using drawing::type_width;
  std::vector<drawing::WordShape> words;
  for (const drawing::SceneWord& word : scene.words) {
    words.push_back(
        {std::max(type_width(word.form, kWordSize), type_width(word.tag, kLabelSize)), 0});
  }
  std::vector<drawing::ArcShape> arcs;
  for (const drawing::SceneArc& arc : scene.arcs) {
    arcs.push_back({arc.head, arc.modifier, type_width(arc_text(arc), kLabelSize)});
  }
  drawing::ArcSpacing spacing;
  spacing.word_gap = kUsualGap;
  spacing.leg_pitch = 4;
  spacing.label_margin = 5;
  spacing.max_width = 0;
  const drawing::ArcLayout layout = drawing::lay_out_arcs(words, arcs, {}, spacing);
  Placement placement;
  placement.gaps.resize(words.size(), 0);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const int between = layout.word_x[i + 1] - layout.word_x[i];
    placement.gaps[i] =
        std::max(0, between - (words[i - 1].width + words[i].width) / 2 - kUsualGap);
  }
  placement.word_x = layout.word_x;
  if (!layout.rows.empty()) placement.row = layout.rows.front();
  return placement;
}

int height_of(int level) {
  return 6 + 11 * level;
}

// The place of a leg above a word.
std::string leg(int word, int x, const Placement& placement) {
  return fmt::format("[xshift={}pt]\\wordref{{1}}{{{}}}.north",
                     x - placement.word_x[static_cast<std::size_t>(word)], word);
}

// Up from one word to the level, along to the other, and down; the label on the level.
void write_arc(const drawing::SceneArc& arc, const drawing::PlacedArc& placed,
               const Placement& placement, std::string& out) {
  auto end = std::back_inserter(out);
  const std::string label = latex_escape(arc_text(arc));
  if (arc.head == 0) {
    fmt::format_to(end,
                   "\\draw[->] ({0} |- level{1}) node[above, inner sep=1pt] {{{2}}} -- ({0});\n",
                   leg(arc.modifier, placed.left, placement), placement.row.levels + 1, label);
    return;
  }
  const std::string left = leg(std::min(arc.head, arc.modifier), placed.left, placement);
  const std::string right = leg(std::max(arc.head, arc.modifier), placed.right, placement);
  const double share =
      static_cast<double>(placed.label_x - placed.left) / (placed.right - placed.left);
  fmt::format_to(end,
                 "\\draw[{0}] ({1}) -- ({1} |- level{3}) -- node[pos={4:.2f}, fill=white, inner "
                 "sep=1pt] {{{5}}} ({2} |- level{3}) -- ({2});\n",
                 placed.arrow_left ? "<-" : "->", left, right, placed.level, share, label);
}

void write_arcs(const drawing::Scene& scene, const Placement& placement, std::string& out) {
  auto end = std::back_inserter(out);
  for (int level = 1; level <= placement.row.levels + 1; ++level) {
    fmt::format_to(end, "\\coordinate (level{}) at ([yshift={}pt]\\wordref{{1}}{{1}}.north);\n",
                   level, height_of(level));
  }
  out += "\\begin{scope}[rounded corners=2pt, font=\\scriptsize]\n";
  for (const drawing::PlacedArc& placed : placement.row.arcs) {
    write_arc(scene.arcs[static_cast<std::size_t>(placed.arc)], placed, placement, out);
  }
  out += "\\end{scope}\n";
}

void write_dependencies(const drawing::Scene& scene, std::string& out) {
  const Placement placement = place(scene);
  const auto separator = [&](std::size_t i) {
    if (i == 0) return std::string();
    return placement.gaps[i] == 0 ? std::string(" \\& ")
                                  : fmt::format(" \\&[{}pt] ", placement.gaps[i]);
  };
  out += fmt::format(
      "\\begin{{drawing}}\n\\begin{{dependency}}[theme=simple]\n"
      "\\begin{{deptext}}[column sep={}pt]\n",
      kUsualGap);
  bool tags = false;
  for (std::size_t i = 0; i < scene.words.size(); ++i) {
    out += separator(i) + table_cell(scene.words[i].form);
    tags = tags || !scene.words[i].tag.empty();
  }
  out += " \\\\\n";
  for (std::size_t i = 0; tags && i < scene.words.size(); ++i) {
    out += separator(i) + ("\\scriptsize " + table_cell(scene.words[i].tag));
  }
  out += tags ? " \\\\\n" : "";
  out += "\\end{deptext}\n";
  auto end = std::back_inserter(out);
  write_arcs(scene, placement, out);
  for (const drawing::SceneToken& token : scene.tokens) {
    fmt::format_to(end, "\\wordgroup{{1}}{{{0}}}{{{1}}}{{token{0}}}\n", token.first, token.last);
  }
  out += "\\end{dependency}\n\\end{drawing}\n\n";
}

void write_phrases(const PhraseTree& tree, std::string& out) {
  out +=
      "\\begin{drawing}\n\\begin{forest}\nfor tree={s sep=6pt, inner sep=2pt},\n"
      "where n children=0{tier=word}{}\n";
  std::vector<int> ends;  // of the open phrases
  auto end = std::back_inserter(out);
  for (int node = 0; node < tree.size(); ++node) {
    for (; !ends.empty() && ends.back() == node; ends.pop_back()) out += ']';
    fmt::format_to(end, "{}[{{{}}}", node == 0 ? "" : "\n  ", latex_escape(tree.label(node)));
    if (tree.is_leaf(node)) {
      fmt::format_to(end, " [{{{}}}]]", latex_escape(tree.word(node)));
    } else {
      ends.push_back(tree.next(node));
    }
  }
  out.append(ends.size(), ']');
  out += "\n\\end{forest}\n\\end{drawing}\n\n";
}

class LatexWriter final : public Writer {
 public:
  explicit LatexWriter(const DrawingOptions& options) : options_(options) {
    options_.unicode = true;
  }

  std::string begin() const override { return std::string(kPreamble); }

  void write(const Entry& entry, std::string& out) const override {
    const drawing::Scene scene = drawing::make_scene(entry.sentence, options_);
    if (!scene.empty() && (!scene.arcs.empty() || entry.tree.empty())) {
      write_dependencies(scene, out);
    }
    if (!entry.tree.empty()) write_phrases(drawing::drawn_tree(entry.tree), out);
  }

  std::string end() const override { return "\\end{document}\n"; }

 private:
  DrawingOptions options_;
};

}  // namespace

std::string latex_escape(std::string_view bytes) {
  const std::string text = drawing::drawable(bytes);
  std::string_view rest = text;
  std::string out;
  while (!rest.empty()) {
    const std::string_view cluster = drawing::take_cluster(rest);
    // Specials are single bytes; a mark may follow one in its cluster.
    const std::string_view special = escape_of(cluster[0]);
    const std::string spelled = spelled_out(cluster);
    if (!special.empty()) {
      out.append(special).append(cluster.substr(1));
    } else {
      out += spelled.empty() ? std::string(cluster) : spelled;
    }
  }
  return out;
}

std::unique_ptr<Writer> make_latex_writer(const DrawingOptions& options) {
  return std::make_unique<LatexWriter>(options);
}

}  // namespace copse
