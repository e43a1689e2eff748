// Dual decomposition beside the linear and integer programs, on the same sentences in one run.
//   bench_dual_decomposition MODEL SENTENCES.conllu          the scores of a trained parser
//   bench_dual_decomposition MODEL SENTENCES.conllu growth   the integer program and ours only
//   bench_dual_decomposition random sibling|model1 COUNT     random scores, ten words, all arcs
// Prints a table (proved: certificates, or integral solutions), then seconds by length. Seconds are
// CPU time. The integer program is given up after a minute by the clock, and then is not proved.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/dependency/parser.h"
#include "copse/inference/dual_decomposition.h"
#include "copse/treebank/treebank.h"
#include "tests/inference/dual_ilp.h"

namespace copse {
namespace {

struct Found {
  bool proved = false;
  std::vector<int> heads;
  int iterations = 0;
  std::int64_t automata = 0, recomputed = 0;
};

struct Method {
  std::string name;
  std::function<Found(const PartIndex&, const PartScores&)> solve;
  int sentences = 0, proved = 0, compared = 0, same = 0;
  double seconds = 0, iterations = 0, automata = 0, recomputed = 0;
  std::map<int, std::pair<int, double>> by_length;  // tens of words: sentences, seconds
};

double now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

DualOptions of_the_paper(int iterations) {
  DualOptions options;
  options.iterations = iterations;
  options.step = StepRule::paper;
  options.reduce_every = 0;
  options.branch_after = 0;
  return options;
}

Method dual(const std::string& name, const DualOptions& options) {
  Method method;
  method.name = name;
  method.solve = [options, search = std::make_shared<DualDecomposition>()](
                     const PartIndex& index, const PartScores& scores) {
    const DualAnswer answer = search->best(index, scores, options);
    const DualCertificate& proof = answer.certificate;
    return Found{proof.optimal, answer.heads, proof.iterations, proof.automata, proof.recomputed};
  };
  return method;
}

Method linear(const std::string& name, reference::Flow flow) {
  Method method;
  method.name = name;
  method.solve = [flow](const PartIndex& index, const PartScores& scores) {
    const auto answer = reference::solve_lp(index, scores, flow);
    return Found{answer.integral, answer.heads};
  };
  return method;
}

Method integer() {
  constexpr double kPatience = 60;
  Method method;
  method.name = "ILP";
  method.solve = [](const PartIndex& index, const PartScores& scores) {
    const auto answer = reference::solve_ilp(index, scores, kPatience);
    return Found{answer.feasible, answer.heads};
  };
  return method;
}

std::vector<Method> all_methods() {
  DualOptions ours;
  DualOptions short_run;
  short_run.iterations = 250;
  DualOptions polyak = of_the_paper(5000);
  polyak.step = StepRule::polyak;
  DualOptions eager = of_the_paper(5000);
  eager.lazy = false;
  std::vector<Method> methods;
  methods.push_back(integer());
  methods.push_back(linear("LP single", reference::Flow::single));
  methods.push_back(linear("LP multi", reference::Flow::multi));
  methods.push_back(dual("paper 5000", of_the_paper(5000)));
  methods.push_back(dual("paper 250", of_the_paper(250)));
  methods.push_back(dual("not lazy", eager));
  methods.push_back(dual("Polyak 5000", polyak));
  methods.push_back(dual("ours 5000", ours));
  methods.push_back(dual("ours 250", short_run));
  return methods;
}

void run(std::vector<Method>& methods, const PartIndex& index, const PartScores& scores) {
  std::vector<int> exact;  // of the first method, the integer program, if it came to an end
  for (Method& method : methods) {
    const double before = now();
    const Found found = method.solve(index, scores);
    const double seconds = now() - before;
    ++method.sentences;
    method.proved += found.proved ? 1 : 0;
    if (&method == &methods.front() && found.proved) exact = found.heads;
    method.compared += exact.empty() ? 0 : 1;
    method.same += !exact.empty() && found.heads == exact ? 1 : 0;
    method.seconds += seconds;
    method.iterations += found.iterations;
    method.automata += static_cast<double>(found.automata);
    method.recomputed += static_cast<double>(found.recomputed);
    auto& [sentences, time] = method.by_length[(index.words() + 9) / 10 * 10];
    ++sentences;
    time += seconds;
  }
}

void print(const std::vector<Method>& methods) {
  fmt::print("{:<12} {:>8} {:>8} {:>12} {:>10} {:>10} {:>9}\n", "", "proved", "as ILP",
             "s/sentence", "times ILP", "iterations", "automata");
  for (const Method& method : methods) {
    const double count = method.sentences;
    fmt::print("{:<12} {:>7.2f}% {:>7.2f}% {:>12.6f} {:>10.1f} {:>10.1f} {:>8.1f}%\n", method.name,
               100 * method.proved / count, 100.0 * method.same / std::max(1, method.compared),
               method.seconds / count, methods.front().seconds / std::max(1e-9, method.seconds),
               method.iterations / count,
               method.automata > 0 ? 100 * method.recomputed / method.automata : 0.0);
  }
  fmt::print("\n{:<12}", "words up to");
  for (const auto& [length, times] : methods.front().by_length) fmt::print(" {:>9}", length);
  fmt::print("\n");
  for (const Method& method : methods) {
    fmt::print("{:<12}", method.name);
    for (const auto& [length, times] : method.by_length) {
      fmt::print(" {:>9.6f}", times.second / times.first);
    }
    fmt::print("\n");
  }
}

std::vector<Method> growth_methods() {
  std::vector<Method> methods;
  methods.push_back(integer());
  methods.push_back(dual("paper 5000", of_the_paper(5000)));
  methods.push_back(dual("ours 5000", {}));
  return methods;
}

void run_model(const std::string& model, const std::string& treebank,
               std::vector<Method>&& methods) {
  const DependencyParser parser = DependencyParser::load(ModelFile::open(model));
  DependencyParser::Scratch scratch;
  for (const Entry& entry : read_treebank(treebank)) {
    if (entry.sentence.words() == 0) continue;
    const SearchSpace space = parser.search_space(entry.sentence, {}, scratch);
    parser.score(space.index, scratch, scratch.scores);
    run(methods, space.index, scratch.scores);
  }
  print(methods);
}

void run_random(const std::string& order, int count) {
  std::vector<Method> methods = all_methods();
  Random random(1);
  for (int k = 0; k < count; ++k) {
    const PartIndex index(ArcMask(10), parse_order(order), RootRule::multi, Crossing::allowed);
    PartScores scores(index);
    for (float& score : scores.values()) score = static_cast<float>(random.normal());
    run(methods, index, scores);
  }
  print(methods);
}

}  // namespace
}  // namespace copse

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2 || arguments.size() > 3) {
    fmt::print(stderr,
               "usage: bench_dual_decomposition MODEL SENTENCES.conllu [growth]\n"
               "       bench_dual_decomposition random sibling|model1 COUNT\n");
    return 2;
  }
  try {
    if (arguments[0] == "random") {
      const int count = arguments.size() == 3 ? std::atoi(arguments[2].c_str()) : 100;
      copse::run_random(arguments[1], count);
    } else {
      const bool growth = arguments.size() == 3 && arguments[2] == "growth";
      copse::run_model(arguments[0], arguments[1],
                       growth ? copse::growth_methods() : copse::all_methods());
    }
  } catch (const copse::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
