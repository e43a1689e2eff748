#include "copse/treebank/evaluation/conll18.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "copse/base/error.h"
#include "copse/base/utf8.h"
#include "copse/treebank/evaluation/conll18_alignment.h"
#include "copse/treebank/evaluation/conll18_treebank.h"

namespace copse {
namespace {

double ratio(long part, long whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

Conll18Score score_spans(const std::vector<UdSpan>& gold, const std::vector<UdSpan>& system) {
  Conll18Score score{static_cast<long>(gold.size()), static_cast<long>(system.size()), 0, {}};
  for (std::size_t g = 0, s = 0; g < gold.size() && s < system.size();) {
    if (system[s].begin < gold[g].begin) {
      ++s;
    } else if (gold[g].begin < system[s].begin) {
      ++g;
    } else {
      if (gold[g++].end == system[s++].end) ++score.correct;
    }
  }
  return score;
}

// Questions about one aligned pair of words; system words are looked at through the alignment.
class Pair {
 public:
  Pair(const UdTreebank& gold, const UdTreebank& system, const WordAlignment& alignment, int g,
       int s)
      : gold_words_(gold.words),
        system_words_(system.words),
        alignment_(alignment),
        gold_(gold.words[static_cast<std::size_t>(g)]),
        system_(system.words[static_cast<std::size_t>(s)]) {}

  bool upos() const { return gold_.upos == system_.upos; }
  bool xpos() const { return gold_.xpos == system_.xpos; }
  bool feats() const { return gold_.feats == system_.feats; }
  bool all_tags() const { return upos() && xpos() && feats(); }
  bool lemma() const { return gold_.lemma == "_" || gold_.lemma == system_.lemma; }
  bool head() const {
    return system_.parent != UdWord::kNoHead && gold_.parent == gold_side(system_.parent);
  }
  bool head_and_deprel() const { return head() && gold_.deprel == system_.deprel; }
  bool with_lemma() const { return head_and_deprel() && lemma(); }
  bool with_morphology() const {
    return head_and_deprel() && upos() && feats() && functional_children();
  }

 private:
  int gold_side(int system_word) const {
    if (system_word == UdWord::kRoot) return UdWord::kRoot;
    return alignment_.gold_of_system[static_cast<std::size_t>(system_word)];
  }

  bool functional_children() const {
    return std::equal(gold_.functional_children.begin(), gold_.functional_children.end(),
                      system_.functional_children.begin(), system_.functional_children.end(),
                      [&](int g, int s) {
                        const UdWord& gold = gold_words_[static_cast<std::size_t>(g)];
                        const UdWord& system = system_words_[static_cast<std::size_t>(s)];
                        return g == gold_side(s) && gold.deprel == system.deprel &&
                               gold.upos == system.upos && gold.feats == system.feats;
                      });
  }

  const std::vector<UdWord>& gold_words_;
  const std::vector<UdWord>& system_words_;
  const WordAlignment& alignment_;
  const UdWord& gold_;
  const UdWord& system_;
};

using Question = bool (Pair::*)() const;

class Scorer {
 public:
  Scorer(const UdTreebank& gold, const UdTreebank& system)
      : gold_(gold), system_(system), alignment_(align_words(gold, system)) {}

  Conll18Score words() const {
    return {
        count(gold_.words), count(system_.words), static_cast<long>(alignment_.pairs.size()), {}};
  }

  Conll18Score all(Question question) const { return score(question, false); }
  // Looks only at words whose relation is one of content words.
  Conll18Score content(Question question) const { return score(question, true); }

 private:
  static long count(const std::vector<UdWord>& words) { return static_cast<long>(words.size()); }
  static long count_content(const std::vector<UdWord>& words) {
    return std::count_if(words.begin(), words.end(), [](const UdWord& w) { return w.content; });
  }

  Conll18Score score(Question question, bool content_only) const {
    Conll18Score score;
    score.gold = content_only ? count_content(gold_.words) : count(gold_.words);
    score.system = content_only ? count_content(system_.words) : count(system_.words);
    long aligned = 0;
    for (const auto& [g, s] : alignment_.pairs) {
      if (content_only && !gold_.words[static_cast<std::size_t>(g)].content) continue;
      ++aligned;
      if ((Pair(gold_, system_, alignment_, g, s).*question)()) ++score.correct;
    }
    score.aligned = aligned;
    return score;
  }

  const UdTreebank& gold_;
  const UdTreebank& system_;
  WordAlignment alignment_;
};

// Up to 20 characters from a byte on.
std::string excerpt(std::string_view text, std::size_t from) {
  std::string result;
  for (int i = 0; i < 20 && from < text.size(); ++i) {
    const CodePoint point = decode_utf8(text, from);
    result += text.substr(from, static_cast<std::size_t>(point.size));
    from += static_cast<std::size_t>(point.size);
  }
  return result;
}

std::size_t line_at(const UdTreebank& treebank, std::size_t position) {
  const auto after =
      std::upper_bound(treebank.tokens.begin(), treebank.tokens.end(), position,
                       [](std::size_t at, const UdSpan& span) { return at < span.end; });
  if (after == treebank.tokens.end()) {
    return treebank.token_lines.empty() ? 0 : treebank.token_lines.back();
  }
  return treebank.token_lines[static_cast<std::size_t>(after - treebank.tokens.begin())];
}

void check_same_text(const UdTreebank& gold, const UdTreebank& system, const std::string& gold_name,
                     const std::string& system_name) {
  if (gold.text == system.text) return;
  const std::size_t shorter = std::min(gold.text.size(), system.text.size());
  std::size_t at = static_cast<std::size_t>(
      std::mismatch(gold.text.begin(), gold.text.begin() + static_cast<std::ptrdiff_t>(shorter),
                    system.text.begin())
          .first -
      gold.text.begin());
  // Back to the beginning of the character.
  const auto inside = [&](const std::string& text) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (at > 0 && (inside(gold.text) || inside(system.text))) --at;
  const auto here = [&](const UdTreebank& treebank, const std::string& name) {
    if (at >= treebank.text.size()) return fmt::format("{} ends", name);
    return fmt::format("{} goes on '{}'", name, excerpt(treebank.text, at));
  };
  throw data_error(
      fmt::format("the two files are not the same text: after the same {} characters {} where {}",
                  count_code_points(std::string_view(gold.text).substr(0, at)),
                  here(system, system_name),
                  here(gold, fmt::format("{}:{}", gold_name, line_at(gold, at)))),
      {system_name, line_at(system, at), 0});
}

}  // namespace

double Conll18Score::precision() const {
  return ratio(correct, system);
}
double Conll18Score::recall() const {
  return ratio(correct, gold);
}
double Conll18Score::f1() const {
  return ratio(2 * correct, system + gold);
}
std::optional<double> Conll18Score::aligned_accuracy() const {
  if (!aligned) return std::nullopt;
  return ratio(correct, *aligned);
}

const Conll18Score& Conll18Report::operator[](std::string_view metric) const {
  const auto found = std::find(kConll18Metrics.begin(), kConll18Metrics.end(), metric);
  if (found == kConll18Metrics.end()) {
    throw usage_error(fmt::format("no CoNLL-18 metric is called '{}'", metric));
  }
  return scores[static_cast<std::size_t>(found - kConll18Metrics.begin())];
}

Conll18Report evaluate_conll18(std::string_view gold_text, std::string_view system_text,
                               const std::string& gold_name, const std::string& system_name) {
  const UdTreebank gold = read_ud_treebank(gold_text, gold_name);
  const UdTreebank system = read_ud_treebank(system_text, system_name);
  check_same_text(gold, system, gold_name, system_name);
  const Scorer scorer(gold, system);
  return {{
      score_spans(gold.tokens, system.tokens),        // Tokens
      score_spans(gold.sentences, system.sentences),  // Sentences
      scorer.words(),                                 // Words
      scorer.all(&Pair::upos),                        // UPOS
      scorer.all(&Pair::xpos),                        // XPOS
      scorer.all(&Pair::feats),                       // UFeats
      scorer.all(&Pair::all_tags),                    // AllTags
      scorer.all(&Pair::lemma),                       // Lemmas
      scorer.all(&Pair::head),                        // UAS
      scorer.all(&Pair::head_and_deprel),             // LAS
      scorer.content(&Pair::head_and_deprel),         // CLAS
      scorer.content(&Pair::with_morphology),         // MLAS
      scorer.content(&Pair::with_lemma),              // BLEX
  }};
}

}  // namespace copse
