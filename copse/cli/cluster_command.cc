// copse cluster: word clusters from raw text, and looking at them.
#include <fmt/format.h>

#include <cstdio>

#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/treebank_stream.h"
#include "copse/cluster/brown.h"
#include "copse/cluster/corpus.h"
#include "copse/cluster/word_clusters.h"

namespace copse {
namespace {

class ClusterCommand : public Command {
 public:
  std::string_view name() const override { return "cluster"; }
  std::string_view summary() const override {
    return "Cluster the words of raw text (Brown clusters), look words up, draw the tree";
  }
  std::vector<Example> examples() const override {
    return {
        {"cluster --clusters 1000 news.txt.gz -o news.paths", "one sentence a line, words apart"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("IN", paths_, "Files to read; standard input when there are none");
    app.add_option("-c,--clusters", brown_.clusters, "How many clusters")
        ->capture_default_str()
        ->check(CLI::Range(2U, kMostClusters));
    app.add_option("-o,--output", output_, "Where to write")->capture_default_str();
  }

  ExitCode run(const CommonOptions& common) override {
    CorpusOptions co; co.across_lines = getenv("ACROSS"); CorpusCounter counter(co); brown_.symmetric_marginals = getenv("SYM");
    for (const std::string& path : paths_) {
      Input input = Input::open(path);
      counter.add_text(input, [] {});
    }
    const Bigrams bigrams = counter.finish({});
    brown_.threads = common.threads;
    Progress progress("cluster", "words", !common.quiet);
    brown_.progress = [&](double share) {
      progress.update(static_cast<std::size_t>(share * 1000), share);
    };
    const BrownClusters clusters = brown_clusters(bigrams, brown_);
    fmt::print(stderr, "V={} N={} c={} AMI={:.6f} lost={:.6f}\n", bigrams.words.size(),
               bigrams.total, clusters.clusters, clusters.information, clusters.information_lost);
    Output output = Output::open(output_);
    output.write(write_paths(bigrams, clusters));
    output.commit();
    return ExitCode::fine;
  }

 private:
  std::vector<std::string> paths_;
  std::string output_ = "-";
  BrownOptions brown_;
};

}  // namespace

std::unique_ptr<Command> make_cluster_command() {
  return std::make_unique<ClusterCommand>();
}

}  // namespace copse
