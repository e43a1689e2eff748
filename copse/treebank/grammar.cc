#include "copse/treebank/grammar.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "copse/base/error.h"
#include "copse/base/symbols.h"
#include "copse/treebank/lines.h"
#include "treebank/english_grammar.h"

namespace copse {
namespace {

constexpr std::string_view kStart = "TOP";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    const std::string_view part = text.substr(0, at);
    if (!part.empty() || separator != ' ') parts.push_back(part);
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// "NP-sg-SBJ" -> "NP-SBJ"; tags such as -LRB- and ":" stay as they are.
std::string tree_label(std::string_view name) {
  if (name.starts_with('-')) return std::string(name);
  std::string label;
  for (const std::string_view part : split(name, '-')) {
    const bool selects = !label.empty() && !part.empty() && part[0] >= 'a' && part[0] <= 'z';
    if (selects) continue;
    if (!label.empty()) label += '-';
    label += part;
  }
  return label;
}

// "NP-sg-SBJ" -> "NP-sg" -> "NP" -> nothing.
std::optional<std::string_view> without_last_suffix(std::string_view name) {
  const auto dash = name.rfind('-');
  if (name.starts_with('-') || dash == std::string_view::npos) return std::nullopt;
  return name.substr(0, dash);
}

std::optional<double> parse_weight(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0' || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

}  // namespace

class GrammarParser {
 public:
  explicit GrammarParser(const std::string& file) : file_(file) {}

  Grammar parse(std::string_view text) {
    for_each_line(text, 1, [&](std::string_view line, std::size_t number) {
      line_ = number;
      if (line.empty() || line[0] == '#') return;
      if (const auto arrow = line.find(" -> "); arrow != std::string_view::npos) {
        add_rule(line.substr(0, arrow), line.substr(arrow + 4));
      } else if (const auto is = line.find(" := "); is != std::string_view::npos) {
        add_words(line.substr(0, is), line.substr(is + 4));
      } else {
        fail("neither a rule (LHS -> ...) nor a lexicon line (TAG := ...)");
      }
    });
    resolve();
    return std::move(grammar_);
  }

 private:
  [[noreturn]] void fail(std::string message) const {
    throw data_error(std::move(message), {file_, line_});
  }

  Grammar::Symbol symbol(std::string_view name) {
    const auto id = symbols_.add(name);
    if (id == grammar_.names_.size()) {
      grammar_.names_.emplace_back(name);
      grammar_.labels_.push_back(tree_label(name));
      grammar_.expansions_.emplace_back();
      first_line_.push_back(line_);
    }
    return id;
  }

  void add_rule(std::string_view left, std::string_view right) {
    const auto colon = right.rfind(" : ");
    const auto weight =
        colon == std::string_view::npos ? std::nullopt : parse_weight(right.substr(colon + 3));
    if (!weight) fail("a rule without a weight; expected it to end in \" : NUMBER\"");
    Grammar::Rule rule;
    int heads = 0;
    for (const std::string_view text : split(right.substr(0, colon), ' ')) {
      Grammar::Child child;
      if (text.size() > 1 && text.ends_with('*')) {
        ++heads;
        rule.head = static_cast<int>(rule.children.size());
        child.symbol = symbol(text.substr(0, text.size() - 1));
      } else {
        const auto slash = text.rfind('/');
        if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size()) {
          fail(fmt::format("child {} is neither the head (*) nor has a relation (/rel)", text));
        }
        child.symbol = symbol(text.substr(0, slash));
        child.relation = text.substr(slash + 1);
      }
      rule.children.push_back(std::move(child));
    }
    if (heads != 1) fail(fmt::format("a rule with {} heads (*); expected exactly one", heads));
    Grammar::Expansion& expansion = grammar_.expansions_[symbol(left)];
    if (!expansion.words.empty()) fail(fmt::format("{} has words and rules", left));
    expansion.rules.push_back(std::move(rule));
    expansion.weights.push_back(*weight);
  }

  void add_words(std::string_view tag, std::string_view entries) {
    Grammar::Expansion& expansion = grammar_.expansions_[symbol(tag)];
    if (!expansion.rules.empty()) fail(fmt::format("{} has words and rules", tag));
    for (std::string_view entry : split(entries, ' ')) {
      double weight = 1;
      if (const auto hat = entry.rfind('^'); hat != std::string_view::npos && hat > 0) {
        const auto given = parse_weight(entry.substr(hat + 1));
        if (!given) fail(fmt::format("{}: the weight after ^ is not a positive number", entry));
        weight = *given;
        entry = entry.substr(0, hat);
      }
      const auto parts = split(entry, '/');
      if (parts.size() != 4) fail(fmt::format("{}: expected word/lemma/UPOS/Feats", entry));
      expansion.words.push_back({std::string(parts[0]), std::string(parts[1]),
                                 std::string(parts[2]), std::string(parts[3])});
      expansion.weights.push_back(weight);
    }
  }

  void resolve() {
    const auto known = static_cast<Grammar::Symbol>(grammar_.names_.size());
    grammar_.resolved_.resize(known);
    for (Grammar::Symbol id = 0; id < known; ++id) {
      std::optional<std::string_view> name = grammar_.names_[id];
      Grammar::Symbol found = Symbols::kUnknown;
      for (; name && found == Symbols::kUnknown; name = without_last_suffix(*name)) {
        const auto candidate = symbols_.find(*name);
        if (candidate != Symbols::kUnknown && !grammar_.expansions_[candidate].weights.empty()) {
          found = candidate;
        }
      }
      line_ = first_line_[id];
      if (found == Symbols::kUnknown) {
        fail(fmt::format("{} has neither rules nor words", grammar_.names_[id]));
      }
      grammar_.resolved_[id] = found;
    }
    grammar_.start_ = symbols_.find(kStart);
    line_ = 0;
    if (grammar_.start_ == Symbols::kUnknown) fail(fmt::format("no rule for {}", kStart));
  }

  std::string file_;
  std::size_t line_ = 0;
  Grammar grammar_;
  Symbols symbols_;
  std::vector<std::size_t> first_line_;
};

Grammar Grammar::english() {
  return parse(embedded::english_grammar, "english.grammar");
}

Grammar Grammar::parse(std::string_view text, const std::string& file) {
  return GrammarParser(file).parse(text);
}

}  // namespace copse
