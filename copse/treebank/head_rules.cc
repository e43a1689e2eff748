#include "copse/treebank/head_rules.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cassert>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/treebank/label.h"
#include "treebank/collins_heads.h"
#include "treebank/yamada_matsumoto_heads.h"

namespace copse {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> split_at_blanks(std::string_view text) {
  std::vector<std::string> parts = split(text, " \t\r");
  parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
  return parts;
}

}  // namespace

// Reads the table line by line; every error names its line.
class HeadTableParser {
 public:
  explicit HeadTableParser(const std::string& file) : place_{file, 0, 0} {}

  HeadRules parse(std::string_view text) {
    for (const std::string& line : split(text, "\n")) {
      ++place_.line;
      const std::vector<std::string> fields = split_at_blanks(line);
      if (!fields.empty() && fields[0].front() != '#') read_line(fields);
    }
    place_.line = 0;
    if (rules_.name_.empty()) fail("the table has no name", "add a line such as: table my-heads");
    if (!has_default_) fail("the table has no default", "add a line: default left");
    return std::move(rules_);
  }

 private:
  using Fields = std::vector<std::string>;
  using Scan = HeadRules::Scan;

  [[noreturn]] void fail(std::string message, std::string hint = {}) const {
    throw data_error(std::move(message), place_, std::move(hint));
  }

  void read_line(const Fields& fields) {
    const std::string& first = fields[0];
    const Fields rest(fields.begin() + 1, fields.end());
    if (first == "table") {
      rules_.name_ = only_value(fields);
    } else if (first == "default") {
      rules_.default_.end = direction(only_value(fields));
      has_default_ = true;
    } else if (first == "punctuation") {
      rules_.punctuation_ = rest;
    } else if (first == "skip-punctuation") {
      rules_.skip_punctuation_ = on_or_off(only_value(fields));
    } else if (first == "coordination") {
      read_coordination(rest);
    } else {
      read_rule(fields);
    }
  }

  const std::string& only_value(const Fields& fields) const {
    if (fields.size() != 2) {
      fail(fmt::format("\"{}\" takes one value; found {}", fields[0], fields.size() - 1));
    }
    return fields[1];
  }

  bool on_or_off(const std::string& value) const {
    if (value != "on" && value != "off") {
      fail(fmt::format("found \"{}\"; expected on or off", value));
    }
    return value == "on";
  }

  Scan direction(const std::string& value) const {
    if (value == "left") return Scan::from_left;
    if (value == "right") return Scan::from_right;
    fail(fmt::format("the direction is \"{}\"; expected left or right", value));
  }

  void read_coordination(const Fields& fields) {
    const auto except = std::find(fields.begin(), fields.end(), "except");
    rules_.conjunctions_.assign(fields.begin(), except);
    if (except != fields.end()) rules_.without_coordination_.assign(except + 1, fields.end());
    if (rules_.conjunctions_.empty()) fail("coordination needs the tag of conjunctions");
  }

  void read_rule(const Fields& fields) {
    if (fields.size() < 2) {
      fail(fmt::format("the rule of {} has no direction; expected: LABEL left|right STEP...",
                       fields[0]));
    }
    HeadRules::Rule rule;
    rule.end = direction(fields[1]);
    for (std::size_t i = 2; i < fields.size(); ++i) {
      rule.steps.push_back(read_step(fields[i], rule.end));
      check_reachable(rule);
    }
    for (const std::string& label : split(fields[0], ",")) {
      if (label.empty()) fail(fmt::format("an empty label in \"{}\"", fields[0]));
      if (!rules_.rules_.emplace(label, rule).second) {
        fail(fmt::format("a second rule for {}; expected one per label", label));
      }
    }
  }

  HeadRules::Step read_step(std::string_view text, Scan end) const {
    HeadRules::Step step{end, {}};
    for (Scan scan : {Scan::from_left, Scan::from_right, Scan::first_only, Scan::last_only}) {
      const std::string prefix = fmt::format("{}:", HeadRules::scan_name(scan));
      if (!text.starts_with(prefix)) continue;
      step.scan = scan;
      text.remove_prefix(prefix.size());
      break;
    }
    step.labels = split(text, "|");
    if (contains(step.labels, "")) fail("an empty label in a step");
    return step;
  }

  // The last step must not be one that earlier steps leave nothing for.
  void check_reachable(const HeadRules::Rule& rule) const {
    const HeadRules::Step& last = rule.steps.back();
    for (const std::string& label : last.labels) {
      if (std::count(last.labels.begin(), last.labels.end(), label) > 1) {
        fail(fmt::format("{} stands twice in one step", label));
      }
      for (std::size_t i = 0; i + 1 < rule.steps.size(); ++i) {
        const HeadRules::Step& step = rule.steps[i];
        const bool takes_all = step.scan == Scan::from_left || step.scan == Scan::from_right;
        if ((takes_all || step.scan == last.scan) && contains(step.labels, label)) {
          fail(fmt::format("{} stands in two steps; the second can never be reached", label));
        }
      }
    }
  }

  Place place_;
  HeadRules rules_;
  bool has_default_ = false;
};

HeadRules HeadRules::parse(std::string_view text, const std::string& file) {
  return HeadTableParser(file).parse(text);
}

HeadRules HeadRules::builtin(std::string_view name) {
  if (name == "collins") return parse(embedded::collins_heads, "collins.heads");
  if (name == "yamada-matsumoto") {
    return parse(embedded::yamada_matsumoto_heads, "yamada-matsumoto.heads");
  }
  throw usage_error(fmt::format("unknown head table \"{}\"", name),
                    "expected collins, yamada-matsumoto or the path of a table");
}

HeadRules HeadRules::load(const std::string& name_or_path) {
  constexpr std::size_t kMaxTableBytes = std::size_t{1} << 20;
  if (name_or_path == "collins" || name_or_path == "yamada-matsumoto") return builtin(name_or_path);
  Input input = Input::open(name_or_path);
  return parse(input.read_all(kMaxTableBytes), input.name());
}

std::string_view HeadRules::scan_name(Scan scan) {
  switch (scan) {
    case Scan::from_left:
      return "left";
    case Scan::from_right:
      return "right";
    case Scan::first_only:
      return "first";
    case Scan::last_only:
      return "last";
  }
  return {};
}

std::string HeadRules::str(const Rule& rule) {
  std::string out(scan_name(rule.end));
  for (const Step& step : rule.steps) {
    out += ' ';
    if (step.scan != rule.end) out += fmt::format("{}:", scan_name(step.scan));
    out += joined(step.labels, "|");
  }
  return out;
}

std::string HeadRules::str() const {
  std::string out =
      fmt::format("table {}\ndefault {}\npunctuation {}\nskip-punctuation {}\n", name_,
                  str(default_), joined(punctuation_, " "), skip_punctuation_ ? "on" : "off");
  if (!conjunctions_.empty()) {
    out += fmt::format("coordination {}", joined(conjunctions_, " "));
    if (!without_coordination_.empty()) {
      out += fmt::format(" except {}", joined(without_coordination_, " "));
    }
    out += '\n';
  }
  std::vector<std::string> rows;
  for (const auto& [label, rule] : rules_) rows.push_back(fmt::format("{} {}\n", label, str(rule)));
  std::sort(rows.begin(), rows.end());
  return out + joined(rows, "");
}

std::uint64_t HeadRules::hash() const {
  const std::string text = str();
  return XXH3_64bits(text.data(), text.size());
}

std::string HeadRules::provenance() const {
  return fmt::format("{} {:016x}", name_, hash());
}

bool HeadRules::is_punctuation(std::string_view tag) const {
  return contains(punctuation_, tag);
}

int HeadRules::match(const Step& step, const Labels& children) {
  const int count = static_cast<int>(children.size());
  const auto matches = [&](int child) {
    return contains(step.labels, children[static_cast<std::size_t>(child)]);
  };
  switch (step.scan) {
    case Scan::from_left:
      for (int i = 0; i < count; ++i)
        if (matches(i)) return i;
      return -1;
    case Scan::from_right:
      for (int i = count - 1; i >= 0; --i)
        if (matches(i)) return i;
      return -1;
    case Scan::first_only:
      return matches(0) ? 0 : -1;
    case Scan::last_only:
      return matches(count - 1) ? count - 1 : -1;
  }
  return -1;
}

int HeadRules::fall_back(Scan end, const Labels& children) const {
  const int count = static_cast<int>(children.size());
  const int first = end == Scan::from_left ? 0 : count - 1;
  const int step = end == Scan::from_left ? 1 : -1;
  if (!skip_punctuation_) return first;
  for (int i = first; i >= 0 && i < count; i += step)
    if (!is_punctuation(children[static_cast<std::size_t>(i)])) return i;
  return first;
}

int HeadRules::before_conjunction(std::string_view label, const Labels& children, int head) const {
  if (conjunctions_.empty() || head < 2 || contains(without_coordination_, label)) return head;
  if (!contains(conjunctions_, children[static_cast<std::size_t>(head) - 1])) return head;
  for (int i = head - 2; i >= 0; --i)
    if (!is_punctuation(children[static_cast<std::size_t>(i)])) return i;
  return head;
}

int HeadRules::choose(std::string_view label, const Labels& children) const {
  const auto found = rules_.find(label);
  const Rule& rule = found == rules_.end() ? default_ : found->second;
  int head = -1;
  for (std::size_t i = 0; i < rule.steps.size() && head < 0; ++i) {
    head = match(rule.steps[i], children);
  }
  if (head < 0) head = fall_back(rule.end, children);
  return before_conjunction(label, children, head);
}

int HeadRules::head_child(const PhraseTree& tree, int node, Children& scratch) const {
  const int first = tree.first_child(node);
  if (tree.is_leaf(node) || first == tree.next(node)) return node;
  if (tree.next(first) == tree.next(node)) return first;
  scratch.labels.clear();
  scratch.nodes.clear();
  for (int child : tree.children(node)) {
    scratch.labels.push_back(base_label(tree.label(child)));
    scratch.nodes.push_back(child);
  }
  const int head = choose(base_label(tree.label(node)), scratch.labels);
  return scratch.nodes[static_cast<std::size_t>(head)];
}

int HeadRules::head_child(const PhraseTree& tree, int node) const {
  Children scratch;
  return head_child(tree, node, scratch);
}

std::vector<int> HeadRules::head_words(const PhraseTree& tree) const {
  // Children follow their parent in preorder, so from the right every child comes first.
  std::vector<int> words(static_cast<std::size_t>(tree.size()), -1);
  Children scratch;
  for (int node = tree.size() - 1; node >= 0; --node) {
    words[static_cast<std::size_t>(node)] =
        tree.is_leaf(node) ? tree.begin(node)
                           : words[static_cast<std::size_t>(head_child(tree, node, scratch))];
  }
  return words;
}

}  // namespace copse
