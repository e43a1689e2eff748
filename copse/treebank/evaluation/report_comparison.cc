#include <fmt/core.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "copse/treebank/evaluation/report.h"

namespace copse {
namespace {

std::string_view decision_of(const Comparison& comparison) {
  return comparison.metric == "f1" ? "sentences" : "words";
}

void add_sign_test(const SignTest& test, std::string_view of, std::string& out) {
  fmt::format_to(std::back_inserter(out),
                 "{:<25}{:>9.3g}   A alone is better on {} {}, B alone on {}\n",
                 fmt::format("p, sign test, {}", of), test.p, test.a_only, of, test.b_only);
}

nlohmann::ordered_json sign_json(const SignTest& test) {
  return {{"p", test.p}, {"a_only", test.a_only}, {"b_only", test.b_only}};
}

}  // namespace

std::string comparison_text(const Comparison& c) {
  std::string out;
  auto sink = std::back_inserter(out);
  fmt::format_to(sink, "{:<25}{:9.2f}\n", fmt::format("{} of A", c.metric), c.a);
  fmt::format_to(sink, "{:<25}{:9.2f}\n", fmt::format("{} of B", c.metric), c.b);
  fmt::format_to(sink, "{:<25}{:+9.2f}   95% interval {:+.2f} to {:+.2f}\n", "B - A",
                 c.difference(), c.interval.low, c.interval.high);
  if (c.metric != "f1") add_sign_test(c.words, "words", out);
  add_sign_test(c.sentences, "sentences", out);
  fmt::format_to(sink, "{:<25}{:>9.3g}   {} rounds over {}\n", "p, shuffling", c.shuffling.p_f1,
                 c.random.rounds, c.stratum == Stratum::word ? "words" : "sentences");
  if (c.metric == "f1") {
    fmt::format_to(sink, "{:<25}{:>9.3g}\n{:<25}{:>9.3g}\n", "p, precision",
                   c.shuffling.p_precision, "p, recall", c.shuffling.p_recall);
  }
  fmt::format_to(sink, "\n{} {} compared, {} left out; seed {}\n", c.n, decision_of(c), c.left_out,
                 c.random.seed);
  return out;
}

std::string comparison_json(const Comparison& c) {
  nlohmann::ordered_json json = {{"metric", c.metric},
                                 {"a", c.a},
                                 {"b", c.b},
                                 {"difference", c.difference()},
                                 {"p_shuffling", c.shuffling.p_f1},
                                 {"interval", {c.interval.low, c.interval.high}},
                                 {"sign_sentences", sign_json(c.sentences)},
                                 {"n", c.n},
                                 {"left_out", c.left_out},
                                 {"stratum", c.stratum == Stratum::word ? "word" : "sentence"},
                                 {"rounds", c.random.rounds},
                                 {"seed", c.random.seed}};
  if (c.metric != "f1") json["sign_words"] = sign_json(c.words);
  if (c.metric == "f1") {
    json["p_precision"] = c.shuffling.p_precision;
    json["p_recall"] = c.shuffling.p_recall;
  }
  return json.dump(2) + "\n";
}

}  // namespace copse
