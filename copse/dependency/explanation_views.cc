#include "copse/dependency/explanation_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "copse/base/utf8.h"

namespace copse {
namespace {

constexpr int kFeaturesPerTemplate = 6;

// Without what could steer a terminal.
std::string plain(std::string_view text) {
  std::string out = replace_invalid_utf8(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) c = '?';
  }
  return out;
}

std::string padded(std::string text, int width) {
  const int missing = width - terminal_width(text);
  if (missing > 0) text.append(static_cast<std::size_t>(missing), ' ');
  return text;
}

std::string_view name_of(OtherTree where) {
  switch (where) {
    case OtherTree::survived:
      return "survivors";
    case OtherTree::filtered:
      return "filter";
    default:
      return "all";
  }
}

std::string_view remark(OtherTree where) {
  switch (where) {
    case OtherTree::survived:
      return "";
    case OtherTree::filtered:
      return ", which the pruner had left out";
    default:
      return ", which pruner and filter had left out";
  }
}

void add_features(const TemplateShare& share, std::string& out) {
  for (std::size_t k = 0; k < share.features.size(); ++k) {
    if (k == kFeaturesPerTemplate) {
      out += fmt::format("{:35}... {} more\n", "", share.features.size() - k);
      return;
    }
    out += fmt::format("{:35}{:+.4f}  {}\n", "", share.features[k].difference(),
                       plain(share.features[k].values));
  }
}

void add_templates(const ArcExplanation& explained, std::size_t top, std::string& out) {
  const auto shares = shares_by_template(explained);
  out += "\n     best     other  difference  template\n";
  double rest = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const TemplateShare& share = shares[k];
    if (k >= top) {
      rest += share.difference();
      continue;
    }
    out += fmt::format("{:>9.4f} {:>9.4f}   {:>9.4f}  {}\n", share.chosen, share.other,
                       share.difference(), share.name);
    add_features(share, out);
  }
  if (shares.size() > top) {
    out += fmt::format("{:>31.4f}  {} more\n", rest, shares.size() - top);
  }
  out += fmt::format("{:>31.4f}  sum\n", explained.difference());
}

}  // namespace

std::string ExplanationViews::lines(const std::vector<ArcExplanation>& words) const {
  int arcs = 0, rivals = 0;
  for (const ArcExplanation& each : words) {
    arcs = std::max(arcs, terminal_width(arc(each.word, each.best)));
    rivals = std::max(rivals, terminal_width(rival(each)));
  }
  std::string out;
  for (const ArcExplanation& each : words) {
    const std::string start = padded(arc(each.word, each.best), arcs);
    if (each.where == OtherTree::nowhere) {
      out += fmt::format("{}  {}\n", start, rival(each));
      continue;
    }
    const auto shares = shares_by_template(each);
    out +=
        fmt::format("{}  {}  {:>9.4f}{}{}\n", start, padded(rival(each), rivals), each.difference(),
                    shares.empty() ? "" : "  ", shares.empty() ? "" : shares.front().name);
  }
  return out;
}

std::string ExplanationViews::page(const ArcExplanation& explained, std::size_t top) const {
  std::string out = arc(explained.word, explained.best) + '\n';
  if (explained.where == OtherTree::nowhere) return out + "There is no other tree.\n";
  out += fmt::format("rather than {}{}\n", arc(explained.word, explained.other),
                     remark(explained.where));
  out += fmt::format("score {:.4f} against {:.4f}: better by {:.4f}\n", explained.best.score,
                     explained.other.score, explained.difference());
  add_moved_words(explained, out);
  add_parts(explained, out);
  add_templates(explained, top, out);
  return out;
}

nlohmann::json ExplanationViews::json(const ArcExplanation& explained) const {
  nlohmann::json out = {{"word", explained.word},
                        {"form", sentence_.form(explained.word)},
                        {"best", tree_json(explained.word, explained.best)}};
  if (explained.where == OtherTree::nowhere) return out;
  out["other"] = tree_json(explained.word, explained.other);
  out["found_among"] = name_of(explained.where);
  out["difference"] = explained.difference();
  nlohmann::json parts = nlohmann::json::array();
  for (const ExplainedPart& part : explained.parts) parts.push_back(part_json(part));
  nlohmann::json templates = nlohmann::json::array();
  for (const TemplateShare& share : shares_by_template(explained)) {
    templates.push_back({{"template", share.name},
                         {"best", share.chosen},
                         {"other", share.other},
                         {"difference", share.difference()}});
  }
  out["parts"] = std::move(parts);
  out["templates"] = std::move(templates);
  return out;
}

std::string ExplanationViews::word(int position) const {
  return plain(word_text(position, [this](int m) { return sentence_.form(m); }));
}

std::string ExplanationViews::label(const ExplainedTree& tree, int m) const {
  if (tree.labels.empty()) return "";
  const int number = tree.labels[static_cast<std::size_t>(m)];
  return plain(labels_[static_cast<std::size_t>(number)]);
}

// "4 dog <- 2 saw (obj)"
std::string ExplanationViews::arc(int m, const ExplainedTree& tree) const {
  const int h = tree.heads[static_cast<std::size_t>(m)];
  std::string out = fmt::format("{} {} <- {} {}", m, word(m), h, word(h));
  if (!tree.labels.empty()) out += fmt::format(" ({})", label(tree, m));
  return out;
}

std::string ExplanationViews::rival(const ArcExplanation& explained) const {
  if (explained.where == OtherTree::nowhere) return "no other head";
  const int h = explained.other_head();
  // The same head: what differs is how.
  const std::string how =
      h == explained.head() ? fmt::format(" ({})", label(explained.other, explained.word)) : "";
  return fmt::format("not {} {}{}{}", h, word(h), how,
                     explained.where == OtherTree::survived ? "" : " (pruned)");
}

void ExplanationViews::add_moved_words(const ArcExplanation& explained, std::string& out) const {
  for (int m = 1; m < static_cast<int>(explained.best.heads.size()); ++m) {
    const auto at = static_cast<std::size_t>(m);
    if (m == explained.word || explained.best.heads[at] == explained.other.heads[at]) continue;
    out += fmt::format("  with it {}\n", arc(m, explained.other));
  }
}

void ExplanationViews::add_parts(const ArcExplanation& explained, std::string& out) const {
  out += "\nparts that only one of the trees has\n";
  std::size_t silent = 0;
  for (const ExplainedPart& part : explained.parts) {
    if (part.features.empty()) {
      ++silent;
      continue;
    }
    out +=
        fmt::format("  {} {:>9.4f}  {}\n", part.chosen ? '+' : '-', part.score, plain(part.name));
  }
  if (silent > 0) out += fmt::format("    {:>9}  {} without a weight\n", "", silent);
  out += fmt::format("    {:>9.4f}  sum\n", explained.difference());
}

nlohmann::json ExplanationViews::tree_json(int m, const ExplainedTree& tree) const {
  nlohmann::json out = {{"head", tree.heads[static_cast<std::size_t>(m)]}, {"score", tree.score}};
  if (!tree.labels.empty()) out["label"] = label(tree, m);
  out["heads"] = std::vector<int>(tree.heads.begin() + 1, tree.heads.end());
  return out;
}

nlohmann::json ExplanationViews::part_json(const ExplainedPart& part) const {
  nlohmann::json features = nlohmann::json::array();
  for (const ExplainedFeature& feature : part.features) {
    features.push_back(
        {{"template", feature.name}, {"values", feature.values}, {"weight", feature.weight}});
  }
  return {{"part", part.name},
          {"in", part.chosen ? "best" : "other"},
          {"score", part.score},
          {"features", std::move(features)}};
}

}  // namespace copse
