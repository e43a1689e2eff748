// Scores against gold, and whether two systems differ.
#include <fmt/format.h>

#include <functional>
#include <optional>

#include "copse/base/input.h"
#include "copse/python/bind.h"
#include "copse/python/keywords.h"
#include "copse/python/report.h"
#include "copse/python/values.h"
#include "copse/treebank/evaluation/report.h"
#include "copse/treebank/evaluation/scored_sentences.h"

namespace copse::python {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 30;

// What is asked of any of the scorers; each looks at its own.
struct Asked {
  AttachmentOptions attachment;
  EvalbOptions evalb;
  CompareOptions compare;
  std::optional<Format> format;
  std::string train;  // of tags: where known words are from
  bool details = false, rows = false, counts = false;
  std::size_t confusions = 10;
};

EvalbParameters evalb_parameters(const std::string& path) {
  Input input = Input::open(path);
  return parse_evalb_parameters(input.read_all(kMaxFileBytes), path);
}
EvalbOuter outer_named(const std::string& name) {
  if (name == "agree") return EvalbOuter::agree;
  if (name == "evalb") return EvalbOuter::as_evalb;
  if (name == "top") return EvalbOuter::top;
  throw usage_error("unknown outer '" + name + "'", "expected agree, evalb or top");
}
Stratum stratum_named(const std::string& name) {
  if (name == "sentence") return Stratum::sentence;
  if (name == "word") return Stratum::word;
  throw usage_error("unknown strata '" + name + "'", "expected sentence or word");
}

const Keywords<Asked>& score_keywords() {
  using O = Asked;
  static const Keywords<O> table = {
      {"params", named(
                     [](O & o) -> auto& { return o.evalb.parameters; }, evalb_parameters)},
      {"max_errors", field([](O & o) -> auto& { return o.evalb.parameters.max_errors; })},
      {"cutoff", field([](O & o) -> auto& { return o.evalb.parameters.cutoff; })},
      {"outer", named(
                    [](O & o) -> auto& { return o.evalb.outer; }, outer_named)},
      {"punctuation",
       named(
           [](O & o) -> auto& { return o.attachment.punctuation; }, punctuation_policy_named)},
      {"ignore_subtypes", field([](O & o) -> auto& { return o.attachment.ignore_subtypes; })},
      {"format", named(
                     [](O & o) -> auto& { return o.format; }, format_named)},
      {"train", field([](O & o) -> auto& { return o.train; })},
      {"details", field([](O & o) -> auto& { return o.details; })},
      {"per_sentence", field([](O & o) -> auto& { return o.rows; })},
      {"counts", field([](O & o) -> auto& { return o.counts; })},
      {"confusions", field([](O & o) -> auto& { return o.confusions; })},
      {"strata", named(
                     [](O & o) -> auto& { return o.compare.stratum; }, stratum_named)},
      {"rounds", field([](O & o) -> auto& { return o.compare.random.rounds; })},
      {"seed", field([](O & o) -> auto& { return o.compare.random.seed; })},
  };
  return table;
}

// One side: a file, or sentences that are here.
class ScoredSide {
 public:
  ScoredSide(const py::object& given, std::string name) : name_(std::move(name)) {
    if (is_path(given)) {
      path_ = text_or_path(given);
    } else {
      entries_ = entries_of(given);
    }
  }
  ScoredSentences sentences(const Asked& asked) const {
    return path_ ? read_scored(*path_, asked.format) : scored_sentences(entries_, name_);
  }
  ScoredSentences tagged(const Asked& asked) const {
    return path_ ? read_tagged(*path_, asked.format) : scored_sentences(entries_, name_);
  }
  std::string text(Format format) const {
    if (!path_) return written(entries_, format);
    Input input = Input::open(*path_);
    return input.read_all(kMaxFileBytes);
  }
  const std::string& name() const { return path_ ? *path_ : name_; }

 private:
  std::optional<std::string> path_;
  std::vector<Entry> entries_;
  std::string name_;
};

AttachmentReport attachment(const ScoredSentences& gold, const ScoredSide& system,
                            const Asked& asked) {
  return evaluate_attachment(gold.file(), system.sentences(asked).file(), asked.attachment);
}

EvalbReport score_brackets(const std::string& gold, const ScoredSide& system, const Asked& asked) {
  EvalbReport report = evaluate_constituency(gold, system.text(Format::ptb), asked.evalb);
  if (report.stopped) {
    throw data_error(fmt::format("stopped at error {}: MAX_ERROR is {}", report.messages.size(),
                                 report.parameters.max_errors));
  }
  return report;
}

Report score_dependency(const ScoredSide& gold, const ScoredSide& system, const Asked& asked) {
  const auto report = attachment(gold.sentences(asked), system, asked);
  return {attachment_text(report, asked.details), attachment_json(report, asked.rows)};
}
Report score_constituency(const ScoredSide& gold, const ScoredSide& system, const Asked& asked) {
  const auto report = score_brackets(gold.text(Format::ptb), system, asked);
  std::string text = evalb_text(report, true);
  if (asked.details) text += "\n" + evalb_details_text(report);
  return {std::move(text), evalb_json(report, asked.rows), report.messages};
}
Report score_conll18(const ScoredSide& gold, const ScoredSide& system, const Asked& asked) {
  const auto report = evaluate_conll18(gold.text(Format::conllu), system.text(Format::conllu),
                                       gold.name(), system.name());
  return {conll18_text(report, asked.counts), conll18_json(report)};
}
Report score_tags(const ScoredSide& gold, const ScoredSide& system, const Asked& asked) {
  Vocabulary vocabulary;
  const bool known = !asked.train.empty();
  if (known) vocabulary = vocabulary_of(read_tagged(asked.train, asked.format).sentences);
  const auto report = evaluate_tags(gold.tagged(asked).file(), system.tagged(asked).file(),
                                    known ? &vocabulary : nullptr);
  return {tags_text(report, asked.confusions), tags_json(report)};
}
Report score_entities(const ScoredSide& gold, const ScoredSide& system, const Asked&) {
  const auto report = evaluate_entities(gold.text(Format::columns), system.text(Format::columns),
                                        gold.name(), system.name());
  return {entities_text(report), entities_json(report)};
}

using ScoreFunction = Report (*)(const ScoredSide&, const ScoredSide&, const Asked&);
ScoreFunction scorer_named(const std::string& what) {
  static const std::vector<std::pair<std::string, ScoreFunction>> scorers = {
      {"dependency", &score_dependency}, {"constituency", &score_constituency},
      {"conll18", &score_conll18},       {"tags", &score_tags},
      {"ner", &score_entities},
  };
  for (const auto& [name, scorer] : scorers) {
    if (name == what) return scorer;
  }
  throw usage_error("cannot evaluate '" + what + "'",
                    "expected dependency, constituency, conll18, tags or ner");
}

Report evaluate(const std::string& what, const py::object& gold, const py::object& system,
                const py::kwargs& given) {
  Asked asked;
  score_keywords().fill(asked, given, "evaluate()");
  const ScoreFunction scorer = scorer_named(what);
  const ScoredSide right(gold, "gold"), scored(system, "system");
  const py::gil_scoped_release unlocked;
  return scorer(right, scored, asked);
}

Comparison comparison(const ScoredSide& gold, const ScoredSide& a, const ScoredSide& b,
                      const std::string& metric, const Asked& asked) {
  if (metric == "f1") {
    const std::string text = gold.text(Format::ptb);
    return compare_constituency(score_brackets(text, a, asked), score_brackets(text, b, asked),
                                asked.compare);
  }
  if (metric != "uas" && metric != "las") {
    throw usage_error("unknown metric '" + metric + "'", "expected uas, las or f1");
  }
  const ScoredSentences right = gold.sentences(asked);
  return compare_attachment(attachment(right, a, asked), attachment(right, b, asked),
                            metric == "las", asked.compare);
}

Report compare(const py::object& gold, const py::object& a, const py::object& b,
               const std::string& metric, const py::kwargs& given) {
  Asked asked;
  score_keywords().fill(asked, given, "compare()");
  const ScoredSide right(gold, "gold"), first(a, "a"), second(b, "b");
  const py::gil_scoped_release unlocked;
  const Comparison found = comparison(right, first, second, metric, asked);
  return {comparison_text(found), comparison_json(found)};
}

}  // namespace

void bind_evaluation(py::module_& module) {
  py::class_<Report>(module, "Report", "What people (``text``) and programs read of a result.")
      .def_property_readonly("text", [](const Report& it) { return str_of(it.text); })
      .def_property_readonly("json", [](const Report& it) { return str_of(it.json); })
      .def_property_readonly(
          "figures", [](const Report& it) { return from_json(it.json); }, "The JSON as a dict.")
      .def_readonly("problems", &Report::problems, "What could not be scored, a line for each.")
      .def("__getitem__", [](const Report& it,
                             const py::object& key) { return py::object(from_json(it.json)[key]); })
      .def("__str__", [](const Report& it) { return str_of(it.text); });
  module.def("evaluate", &evaluate, py::arg("what"), py::arg("gold"), py::arg("system"),
             R"doc(Scores against gold: "dependency", "constituency", "conll18", "tags" or "ner".

Both sides are paths, Documents or iterables of Sentences. Options: ``punctuation`` ("all", "ptb",
"ud", "conllx"), ``ignore_subtypes``, ``format``, ``train`` (tags: known words), ``details``,
``per_sentence``, ``counts``, ``confusions``, ``params``, ``max_errors``, ``cutoff``, ``outer``.

>>> gold = list(copse.read("fixtures/english.conllu"))
>>> copse.evaluate("dependency", gold, gold)["las"]
100.0)doc");
  module.def("compare", &compare, py::arg("gold"), py::arg("a"), py::arg("b"), py::arg("metric"),
             R"doc(Is the difference of two systems significant? ``metric`` is "uas", "las" or "f1".

Options: those of evaluate(), ``strata`` ("sentence", "word"), ``rounds``, ``seed``.

>>> gold = list(copse.read("fixtures/english.conllu"))
>>> copse.compare(gold, gold, gold, "uas", rounds=100)["difference"]
0.0)doc");
}

}  // namespace copse::python
