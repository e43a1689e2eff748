// copse cluster: word clusters from raw text, and looking at them.
#include <fmt/core.h>

#include <cstdio>

#include "copse/base/output.h"
#include "copse/cli/cluster_views.h"
#include "copse/cli/commands.h"
#include "copse/cli/process_group.h"
#include "copse/cli/treebank_stream.h"
#include "copse/cluster/brown.h"
#include "copse/cluster/cluster_tree.h"
#include "copse/cluster/corpus.h"

namespace copse {
namespace {

struct Tree {
  std::vector<std::string> forms;
  std::vector<int> heads;
};
using Trees = std::vector<Tree>;

class ClusterCommand : public Command {
 public:
  std::string_view name() const override { return "cluster"; }
  std::string_view summary() const override {
    return "Cluster the words of raw text (Brown clusters); look words up, draw the tree";
  }
  std::vector<Example> examples() const override {
    return {
        {"cluster --clusters 1000 news.txt.gz -o news.paths",
         "one sentence a line, words separated by blanks"},
        {"cluster --clusters 200 --min-count 2 --from conllu < train.conllu > train.paths",
         "the word forms of a treebank"},
        {"cluster --pairs both parsed.conllu -o parsed.paths",
         "text that 'copse parse' has parsed: heads and modifiers count, too"},
        {"cluster --show 0110 news.paths", "the words below a branch, most frequent first"},
        {"cluster --show 0110 --json news.paths", "the same for a program"},
        {"cluster --map news.paths new.txt", "the bit string of every word of a text"},
        {"cluster --tree --depth 4 news.paths", "the top of the tree as a listing"},
        {"cluster --svg tree.svg news.paths", "the same as a picture"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("IN", paths_,
                   "Files to read; standard input when there are none. .gz and .zst are unpacked. "
                   "Text to cluster or to map; clusters for --show, --tree and --svg");
    app.add_option("-o,--output", output_, "Where to write; - is standard output")
        ->capture_default_str()
        ->type_name("FILE");
    app.add_flag("--json", json_,
                 "Print JSON: with --show, --tree and --map what they list, else, beside -o, a "
                 "report of the clustering");
    declare_clustering(app);
    declare_views(app);
  }

  ExitCode run(const CommonOptions& common) override {
    if (paths_.empty()) paths_ = {"-"};
    Output::check(output_);  // before the work, not after it
    if (!map_.empty()) {
      map_words(read_clusters(map_, common.quiet), corpus_.form, paths_, output_, json_);
    } else if (show_) {
      show_words(read_clusters(only_path(), common.quiet), *show_, output_, json_);
    } else if (tree_ || !svg_.empty()) {
      draw(read_clusters(only_path(), common.quiet));
    } else {
      return cluster(common);
    }
    return ExitCode::fine;
  }

 private:
  void declare_clustering(CLI::App& app) {
    const std::string group = "Clustering";
    app.add_option("-c,--clusters", brown_.clusters, "How many clusters")
        ->capture_default_str()
        ->check(CLI::Range(2U, kMostClusters))
        ->group(group);
    app.add_option("--min-count", vocabulary_.min_count,
                   "Leave out rarer words; 0: 1 below 50 million words of text, else 3")
        ->capture_default_str()
        ->group(group);
    app.add_option("--max-vocab", vocabulary_.max_words,
                   "Only so many of the most frequent words; 0: all")
        ->capture_default_str()
        ->group(group);
    app.add_option("--restrict", restrict_, "Cluster only the words in this file")
        ->type_name("FILE")
        ->group(group);
    app.add_flag("--lower", corpus_.form.lower, "Lower case first; also with --map")->group(group);
    app.add_flag("--digits", corpus_.form.digits, "Make every digit 0 first; also with --map")
        ->group(group);
    app.add_option("--from", format_name_,
                   "Format of the text: text, conllu or conllx. By the file's ending if not given")
        ->type_name("FORMAT")
        ->group(group);
    app.add_option("--pairs", pairs_,
                   "What makes two words a pair: neighbours in a line, arcs of the trees of CoNLL "
                   "files, or both")
        ->capture_default_str()
        ->check(CLI::IsMember({"neighbours", "arcs", "both"}))
        ->group(group);
    app.add_flag("--across-lines", corpus_.across_lines,
                 "The last word of a line and the first of the next are neighbours, as for "
                 "programs that take a text for one long line")
        ->group(group);
    app.add_flag("--symmetric-marginals", brown_.symmetric_marginals,
                 "One count for a word on the left and on the right, as some programs have it")
        ->group(group);
  }

  void declare_views(CLI::App& app) {
    const std::string group = "Looking at clusters";
    auto* map = app.add_option("--map", map_, "Write the bits of every word of the text; - if none")
                    ->type_name("PATHS")
                    ->group(group);
    auto* show = app.add_option("--show", show_, "List the words whose bits start with BITS")
                     ->type_name("BITS")
                     ->excludes(map)
                     ->group(group);
    auto* tree = app.add_flag("--tree", tree_, "List the top of the tree with example words")
                     ->excludes(map)
                     ->excludes(show)
                     ->group(group);
    app.add_option("--svg", svg_, "Draw the top of the tree; - is standard output")
        ->type_name("FILE")
        ->excludes(map)
        ->excludes(show)
        ->excludes(tree)
        ->group(group);
    app.add_option("--depth", view_.depth, "Levels of the tree shown")
        ->capture_default_str()
        ->check(CLI::Range(0, 40))
        ->group(group);
    app.add_option("--examples", view_.examples, "Words shown for a branch")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000))
        ->group(group);
  }

  const std::string& only_path() const {
    if (paths_.size() > 1) throw usage_error("expected one file of clusters");
    return paths_[0];
  }

  void draw(const WordClusters& clusters) const {
    const ClusterBranch root = cluster_tree(clusters, view_);
    Output output = Output::open(tree_ ? output_ : svg_);
    output.write(!tree_ ? render_svg(root) : json_ ? tree_json(root) : render_tree(root));
    output.commit();
  }

  Format format_of(const std::string& path) const {
    const Format format = format_name_.empty() ? format_of_file(path).value_or(Format::text)
                                               : format_named(format_name_);
    if (format == Format::conllu || format == Format::conllx || format == Format::text) {
      return format;
    }
    throw usage_error(fmt::format("{}: expected text, conllu or conllx", name_of(format)),
                      "copse convert --to text makes text of the other formats");
  }

  ExitCode cluster(const CommonOptions& common) {
    if (json_ && output_ == "-") {
      throw usage_error("--json prints a report where the clusters would go",
                        "name a file for the clusters with -o");
    }
    if (!restrict_.empty()) corpus_.only = read_restriction();
    corpus_.neighbours = pairs_ != "arcs";
    corpus_.arcs = pairs_ != "neighbours";
    const std::unique_ptr<Group> group = join_processes();
    if (group && !group->leads()) {
      CommonOptions silent = common;
      silent.quiet = true;
      return cluster_by(group.get(), silent);
    }
    return cluster_by(group.get(), common);
  }

  // The processes of a group, if there is one, count the words of every so many files each; the
  // leader does the rest.
  ExitCode cluster_by(Group* group, const CommonOptions& common) {
    CorpusCounter counter(corpus_);
    ProblemLog log(common);
    const auto first = static_cast<std::size_t>(group == nullptr ? 0 : group->rank());
    const auto step = static_cast<std::size_t>(group == nullptr ? 1 : group->size());
    for (std::size_t file = first; file < paths_.size(); file += step) {
      const std::string& path = paths_[file];
      if (format_of(path) == Format::text) {
        if (corpus_.arcs) {
          throw usage_error(fmt::format("--pairs {} needs trees, and {} is text", pairs_,
                                        path == "-" ? "standard input" : path),
                            "copse parse makes trees; --from conllu says that there are some");
        }
        count_text(path, common, counter);
      } else {
        count_treebank(path, common, log, counter);
      }
    }
    if (group != nullptr) counter.gather_counts(*group);
    if (group != nullptr && !group->leads()) return ExitCode::fine;  // the leader answers
    if (corpus_.arcs && counter.tokens() > 0 && counter.arcs() == 0) {
      throw data_error(fmt::format("--pairs {}: no word has a head", pairs_), {},
                       "copse parse makes trees");
    }
    if (!common.quiet) warn(counter);
    const Bigrams bigrams = counter.finish(vocabulary_);
    const BrownClusters clusters = find_clusters(bigrams, common);
    Output output = Output::open(output_);
    output.write(write_paths(bigrams, clusters));
    output.commit();
    if (json_) {
      Output report = Output::open("-");
      report.write(
          fmt::format("{{\"words\": {}, \"pairs\": {}, \"counted\": \"{}\", \"clusters\": {}, "
                      "\"information\": {:.6f}, \"information_lost\": {:.6f}}}\n",
                      bigrams.words.size(), bigrams.total, what_is_counted(), clusters.clusters,
                      clusters.information, clusters.information_lost));
      report.commit();
    } else if (!common.quiet) {
      fmt::print(stderr,
                 "copse: V {} words, N {} {}, c {} clusters: AMI {:.6f} bits, {:.6f} of them "
                 "lost in the final phase\n",
                 bigrams.words.size(), bigrams.total, what_is_counted(), clusters.clusters,
                 clusters.information, clusters.information_lost);
    }
    return log.finish("left out");
  }

  std::string_view what_is_counted() const {
    if (corpus_.arcs) return corpus_.neighbours ? "bigrams and arcs" : "arcs";
    return corpus_.across_lines ? "bigrams across lines" : "bigrams inside lines";
  }

  tsl::robin_set<std::string> read_restriction() const {
    tsl::robin_set<std::string> only;
    Input input = Input::open(restrict_);
    TextWords words(input);
    std::string scratch;
    for (auto event = words.next(); event != TextWords::Event::end; event = words.next()) {
      if (event != TextWords::Event::word) continue;
      only.emplace(corpus_.form.apply(words.word(), scratch));
    }
    return only;
  }

  void count_text(const std::string& path, const CommonOptions& common, CorpusCounter& counter) {
    constexpr std::uint64_t kWordsBetween = 1 << 16;
    Input input = Input::open(path);
    Progress progress("read", "words", !common.quiet);
    std::uint64_t next = 0;
    counter.add_text(input, common.threads, [&] {
      if (counter.tokens() < next) return;
      next = counter.tokens() + kWordsBetween;
      std::optional<double> share;
      if (const auto size = input.file_size(); size && *size > 0) {
        share = static_cast<double>(input.bytes_consumed()) / static_cast<double>(*size);
      }
      progress.update(counter.tokens(), share);
    });
  }

  void count_treebank(const std::string& path, const CommonOptions& common, ProblemLog& log,
                      CorpusCounter& counter) {
    stream_treebank<Trees>(
        {{path}, std::string(name_of(format_of(path)))}, common, "read", log,
        [](Entry&& entry, Trees& trees) {
          auto& [forms, heads] = trees.emplace_back();
          for (int i = 1; i <= entry.sentence.words(); ++i) {
            forms.emplace_back(entry.sentence.form(i));
            heads.push_back(entry.sentence.head(i));
          }
        },
        [](const std::string&, Trees&) {},
        [&](Trees&& trees) {
          for (const auto& [forms, heads] : trees) counter.add_tree(forms, heads);
        });
    counter.end_text();
  }

  static void warn(const CorpusCounter& counter) {
    if (counter.repaired() > 0) {
      fmt::print(stderr, "copse: warning: {} words were not UTF-8; bad bytes became U+FFFD\n",
                 counter.repaired());
    }
    if (counter.unusable() > 0) {
      fmt::print(stderr,
                 "copse: warning: {} words were left out: longer than {} bytes, empty or with "
                 "blanks inside\n",
                 counter.unusable(), TextWords::kLongestWord);
    }
  }

  BrownClusters find_clusters(const Bigrams& bigrams, const CommonOptions& common) {
    Progress progress("cluster", "words", !common.quiet);
    brown_.threads = common.threads;
    brown_.progress = [&](std::size_t words, double share) { progress.update(words, share); };
    return brown_clusters(bigrams, brown_);
  }

  std::vector<std::string> paths_;
  std::string output_ = "-";
  BrownOptions brown_;
  VocabularyOptions vocabulary_;
  CorpusOptions corpus_;
  std::string restrict_;
  std::string format_name_;
  std::string pairs_ = "neighbours";
  std::string map_;
  std::optional<std::string> show_;
  bool tree_ = false;
  std::string svg_;
  TreeViewOptions view_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_cluster_command() {
  return std::make_unique<ClusterCommand>();
}

}  // namespace copse
