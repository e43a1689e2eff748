#include "copse/treebank/evaluation/comparison.h"

#include <algorithm>
#include <cassert>

#include "copse/base/error.h"

namespace copse {
namespace {

void count(double a, double b, SignTest& test) {
  test.a_only += a > b ? 1 : 0;
  test.b_only += b > a ? 1 : 0;
}

void run_tests(const std::vector<PairedStratum>& sentences,
               const std::vector<PairedStratum>& shuffled, const RandomTestOptions& random,
               Comparison& result) {
  result.random = random;
  for (const PairedStratum& each : sentences) count(f1_of(each.a), f1_of(each.b), result.sentences);
  for (SignTest* test : {&result.words, &result.sentences}) {
    test->p = sign_test(test->a_only, test->b_only);
  }
  result.shuffling = stratified_shuffling(shuffled, random);
  result.interval = paired_bootstrap(sentences, random);
}

StratumCounts counts_of(const EvalbSentence& sentence) {
  return {sentence.matched, sentence.gold, sentence.system};
}

void check_usable(const EvalbReport& report) {
  if (report.stopped) {
    throw data_error("too many lines of the two files cannot be compared: " +
                     report.messages.back());
  }
  if (report.missing > 0 || report.extra > 0) {
    throw data_error("the files do not have the same number of lines");
  }
}

}  // namespace

Comparison compare_attachment(const AttachmentReport& a, const AttachmentReport& b, bool labeled,
                              const CompareOptions& options) {
  assert(a.per_word.size() == b.per_word.size() && a.per_sentence.size() == b.per_sentence.size());
  Comparison result;
  result.metric = labeled ? "las" : "uas";
  result.a = labeled ? a.total.las() : a.total.uas();
  result.b = labeled ? b.total.las() : b.total.uas();
  result.n = a.total.words;
  result.stratum = options.stratum;
  const unsigned bit = labeled ? 2 : 1;
  std::vector<PairedStratum> words;
  for (std::size_t i = 0; i < a.per_word.size(); ++i) {
    const bool a_right = (a.per_word[i] & bit) != 0;
    const bool b_right = (b.per_word[i] & bit) != 0;
    count(a_right, b_right, result.words);
    words.push_back({{a_right, 1, 1}, {b_right, 1, 1}});
  }
  std::vector<PairedStratum> sentences;
  for (std::size_t i = 0; i < a.per_sentence.size(); ++i) {
    const AttachmentCounts& x = a.per_sentence[i];
    const AttachmentCounts& y = b.per_sentence[i];
    sentences.push_back({{labeled ? x.both : x.heads, x.words, x.words},
                         {labeled ? y.both : y.heads, y.words, y.words}});
  }
  run_tests(sentences, options.stratum == Stratum::word ? words : sentences, options.random,
            result);
  return result;
}

Comparison compare_constituency(const EvalbReport& a, const EvalbReport& b,
                                const CompareOptions& options) {
  if (options.stratum == Stratum::word) {
    throw usage_error("brackets are shuffled by the sentence, not by the word");
  }
  check_usable(a);
  check_usable(b);
  assert(a.sentences.size() == b.sentences.size());
  Comparison result;
  result.metric = "f1";
  std::vector<PairedStratum> sentences;
  StratumCounts sum_a;
  StratumCounts sum_b;
  const auto add = [](StratumCounts& sum, const StratumCounts& counts) {
    sum.correct += counts.correct;
    sum.gold += counts.gold;
    sum.system += counts.system;
  };
  for (std::size_t i = 0; i < a.sentences.size(); ++i) {
    if (a.sentences[i].status != EvalbStatus::valid ||
        b.sentences[i].status != EvalbStatus::valid) {
      ++result.left_out;
      continue;
    }
    const PairedStratum pair{counts_of(a.sentences[i]), counts_of(b.sentences[i])};
    add(sum_a, pair.a);
    add(sum_b, pair.b);
    sentences.push_back(pair);
  }
  result.a = f1_of(sum_a);
  result.b = f1_of(sum_b);
  result.n = static_cast<long>(sentences.size());
  run_tests(sentences, sentences, options.random, result);
  return result;
}

}  // namespace copse
