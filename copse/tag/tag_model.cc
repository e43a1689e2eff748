#include "copse/tag/tag_model.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace copse {
namespace {

// Adds the `count` best by score of the labels that are not among the first ones of the result, ties
// by number.
void add_best(std::span<const Label> labels, std::size_t count, std::span<const float> scores,
              std::vector<Label>& result) {
  const std::size_t first = result.size();
  const auto is_there = [&](Label label) {
    return std::find(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(first), label) !=
           result.begin() + static_cast<std::ptrdiff_t>(first);
  };
  for (const Label label : labels) {
    const bool full = result.size() - first == count;
    if (full && scores[label] <= scores[result.back()]) continue;
    if (is_there(label)) continue;
    if (full) result.pop_back();
    std::size_t at = result.size();
    result.push_back(label);
    for (; at > first && scores[result[at - 1]] < scores[label]; --at) {
      result[at] = result[at - 1];
    }
    result[at] = label;
  }
}

// Piece number `index` of every label; the whole label where there are fewer.
std::vector<std::string> pieces(const std::vector<std::string>& labels, std::size_t index) {
  std::vector<std::string> out;
  for (const std::string& label : labels) {
    std::size_t begin = 0;
    for (std::size_t k = 0; k < index && begin != std::string::npos; ++k) {
      begin = label.find('\t', begin);
      if (begin != std::string::npos) ++begin;
    }
    out.push_back(
        begin == std::string::npos ? label : label.substr(begin, label.find('\t', begin) - begin));
  }
  return out;
}

// The second piece, XPOS of a whole label, tells more than the first; with very many values it is too
// fine.
std::vector<std::string> class_names(const std::vector<std::string>& labels) {
  constexpr std::size_t kMostClasses = 64;
  std::vector<std::string> fine = pieces(labels, 1);
  const std::set<std::string> values(fine.begin(), fine.end());
  return values.size() > 1 && values.size() <= kMostClasses ? fine : pieces(labels, 0);
}

TagModel::History history_of(const std::vector<std::string>& names) {
  TagModel::History history;
  std::map<std::string_view, Label> numbers;
  for (const std::string& name : names) {
    const auto [at, is_new] = numbers.emplace(name, static_cast<Label>(numbers.size()));
    if (is_new) history.atoms.push_back(atom_of(name));
    history.values.push_back(at->second);
  }
  history.values.push_back(static_cast<Label>(history.atoms.size()));
  history.atoms.push_back(atom_of("<before>"));
  return history;
}

}  // namespace

void TagModel::make_histories() {
  whole = history_of(labels);
  classes = history_of(class_names(labels));
}

void TagModel::check(const ModelFile& file, const std::string& prefix,
                     std::size_t weight_labels) const {
  if (labels.empty() || labels.size() >= std::numeric_limits<Label>::max()) {
    throw file.damaged(prefix + "labels", "holds no labels, or too many");
  }
  if (weight_labels != outputs() || dictionary.labels() != labels.size()) {
    throw file.damaged(prefix + "labels", "does not fit the weights");
  }
  if (!allowed.empty() && allowed.size() != (labels.size() + 1) * labels.size()) {
    throw file.damaged(prefix + "allowed", "does not fit the labels");
  }
}

bool TagModel::only_label(TagDictionary::Row word, std::vector<Label>& result) const {
  result.clear();
  float count = 0;
  dictionary.for_each_tag(word, [&](Label tag, float times) {
    if (result.empty()) result.push_back(tag);
    count += tag == result.front() ? times : -std::numeric_limits<float>::infinity();
  });
  return count >= static_cast<float>(candidates.sure_from);
}

void TagModel::find_candidates(TagDictionary::Row word, std::span<float> local,
                               std::vector<Label>& result) const {
  result.clear();
  float count = 0;
  dictionary.for_each_tag(word, [&](Label tag, float times) {
    result.push_back(tag);
    count += times;
  });
  const bool common = count >= static_cast<float>(dictionary.options().rare_below);
  const auto seen = static_cast<int>(result.size());
  int more = common ? candidates.extra_common : std::max(1, candidates.max_rare - seen);
  if (count >= static_cast<float>(candidates.sure_from)) more = 0;
  if (more == 0) {
    for (const Label label : result) local[label] = traits.score(label, local);
  } else {
    traits.add_to_labels(local.first(labels.size()), local);
    add_best(dictionary.open_class(), static_cast<std::size_t>(more), local, result);
    std::ranges::sort(result);
  }
  drop_hopeless(local, result);
}

void TagModel::drop_hopeless(std::span<const float> local, std::vector<Label>& tried) const {
  if (candidates.reach <= 0 || tried.empty()) return;
  float best = local[tried.front()];
  for (const Label label : tried) best = std::max(best, local[label]);
  std::erase_if(tried, [&](Label label) { return local[label] < best - candidates.reach; });
}

}  // namespace copse
