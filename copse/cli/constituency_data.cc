#include "copse/cli/constituency_data.h"

#include "copse/pipeline/training_files.h"

namespace copse {
namespace {

void declare_spinal_options(CLI::App& app, spinal::TrainingOptions& options) {
  const std::string group = "The spinal model";
  const std::string both = "The spinal and the incremental model";
  const std::string all = "The spinal, the incremental and the history model";
  app.add_flag("!--first-order", options.model.second_order,
               "Without features of siblings and grandchildren: faster, less accurate")
      ->group(group);
  app.add_flag("!--merged-levels", options.model.exact_levels,
               "Sister and regular adjunction only, as in the paper; some trees lose a level")
      ->group(group);
  app.add_option(
         "--passes", options.epochs,
         "Passes of the perceptron over the trees; 0: 8, for the spinal model fewer, down to "
         "4, if there are many trees")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000))
      ->group(both);
  app.add_option("--batch", options.batch, "Sentences answered for the same weights")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000))
      ->group(both);
  app.add_option("--margin", options.cost,
                 "By which the right derivation has to win, for each wrong adjunction")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6))
      ->group(group);
  app.add_flag("!--perceptron", options.mira, "Steps of one length instead of those of MIRA")
      ->group(group);
  app.add_option("--aggressiveness", options.aggressiveness, "mira: the longest step")
      ->capture_default_str()
      ->check(CLI::Range(1e-9, 1e6))
      ->group(group);
  app.add_option(
         "--tag-folds", options.tag_folds,
         "Learn from tags by so many taggers that have not seen them; 0: those of the trees")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000))
      ->group(all);
  app.add_option("--clusters", options.clusters_name, "Word clusters, a file of 'copse cluster'")
      ->type_name("FILE")
      ->group(all);
  app.add_option("--training-alpha", options.training_alpha,
                 "--alpha of the trees that the pruner has learnt from, of which it is surer; less "
                 "gives more to be told from the right")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0))
      ->group(group);
  app.add_option("--pruner-trees", options.pruner.most_trees,
                 "Trees that the pruner is learnt from at most; 0: all")
      ->capture_default_str()
      ->check(CLI::Range(0, 1'000'000'000))
      ->group(group);
  app.add_option("--pruner-folds", options.pruner_folds,
                 "Learn from what so many pruners leave that have not seen it; 0: the model's own")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000))
      ->group(group);
  app.add_option("--prepared", options.prepared,
                 "Keep tags, tagger and pruner in a file; if it is there, take them from it: for "
                 "trainings on the same trees that differ in --first-order, --passes and the like")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--seed", options.seed, "Of the order of the sentences")
      ->capture_default_str()
      ->group(all);
}

void declare_incremental_options(CLI::App& app, incremental::TrainingOptions& options) {
  const std::string group = "The incremental model";
  app.add_option("--patience", options.patience, "Passes without gain on --dev before it stops")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000))
      ->group(group);
  app.add_option("--training-beam", options.beam, "--beam-size while learning")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000))
      ->group(group);
  app.add_option("--update", options.update,
                 "Where the right tree is compared with the best: early, where it falls out of the "
                 "beam; max-violation, where it is furthest behind; full, at the end")
      ->capture_default_str()
      ->check(CLI::IsMember({"early", "max-violation", "full"}))
      ->group(group);
  app.add_option("--cache-rounds", options.cache.rounds,
                 "Times that hypotheses of earlier sentences are learnt from again; 0: never")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000))
      ->group(group);
  app.add_option("--cache-uses", options.cache.uses, "Updates from those of a sentence, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000))
      ->group(group);
  app.add_option(
         "--mix", options.mix_grid,
         "Weight of a generative model of the same steps, 0 for none; of several, which take "
         "a training each, the best on --dev is kept")
      ->delimiter(',')
      ->type_name("FLOAT[,FLOAT...]")
      ->check(CLI::Range(0.0, 1e6))
      ->group(group);
  app.add_option("--tag-weight", options.model.tagging.weight,
                 "With --tag-share: of the logarithm of a tag's probability over the chosen one's")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6))
      ->group(group);
  app.add_option(
         "--lookahead", options.model.features.lookahead,
         "Words after the one being attached that features look at; 0: strictly incremental")
      ->capture_default_str()
      ->check(CLI::Range(0, 1))
      ->group(group);
  app.add_flag("!--no-punctuation-features", options.model.features.punctuation,
               "Without P1 to P3 of the paper")
      ->group(group);
  app.add_flag("!--paper-features", options.model.features.more,
               "F0 to F15 alone, without the smaller joints of their atoms")
      ->group(group);
}

void declare_history_options(CLI::App& app, history::TrainingOptions& options) {
  const std::string group = "The history model";
  app.add_flag("!--plain-cells", options.gated,
               "Cells of one sigmoid, as in the paper, instead of those with gates")
      ->group(group);
  app.add_option("--hidden", options.hidden, "Size of the vectors of histories")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096))
      ->group(group);
  app.add_option("--embedding", options.embedding, "Size of the vectors of words")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096))
      ->group(group);
  app.add_option("--words-ahead", options.steps.lookahead,
                 "Words ahead that are read; more than 0: words are given and not predicted")
      ->capture_default_str()
      ->check(CLI::Range(0, history::kMostLookahead))
      ->group(group);
  app.add_flag("!--words-by-pairs", options.vocabulary.traits,
               "Words are read as tag and word, rare ones as unknown, as in the paper, instead of "
               "by form, endings, shape and clusters")
      ->group(group);
  app.add_flag("--letters", options.vocabulary.letters,
               "Words are also read by their runs of three letters")
      ->group(group);
  app.add_option("--pair-threshold", options.vocabulary.pair_threshold,
                 "Words seen less often with a tag are unknown when they are predicted")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000))
      ->group(group);
  app.add_flag("!--few-features", options.steps.more,
               "Without the features of counts and of more distant nodes")
      ->group(group);
  app.add_flag("--flat-softmax", options.steps.flat,
               "One distribution of all actions, instead of kind, label, tag and word in turn")
      ->group(group);
  app.add_option("--optimiser", options.optimiser, "adam, or sgd of one sentence a step")
      ->capture_default_str()
      ->check(CLI::IsMember({"adam", "sgd"}))
      ->group(group);
  app.add_option("--descent-passes", options.epochs, "Passes over the trees, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000))
      ->group(group);
  app.add_option("--mini-batch", options.batch, "adam: sentences a step")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000))
      ->group(group);
  app.add_option("--rate", options.rate, "Of the descent; 0: 0.002 for adam, 0.05 for sgd")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0))
      ->group(group);
  app.add_option("--weight-decay", options.decay,
                 "Of weights at a step, times the rate (default: 0.0001 for sgd, 0 for adam)")
      ->check(CLI::Range(0.0, 1.0))
      ->group(group);
  app.add_option("--dropout", options.dropout,
                 "Share left out while learning of what is known of words and predicted from")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.9))
      ->group(group);
  app.add_option("--trait-dropout", options.trait_dropout,
                 "Share left out while learning of the traits of words")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.9))
      ->group(group);
  app.add_option("--role-dropout", options.role_dropout,
                 "Share left out while learning of what steps read from earlier ones")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.9))
      ->group(group);
  app.add_option("--networks", options.networks,
                 "Networks with seeds of their own whose probabilities are averaged")
      ->capture_default_str()
      ->check(CLI::Range(1, 64))
      ->group(group);
}

}  // namespace

void declare_training_options(CLI::App& app, PhraseTraining& recipe, std::string& path) {
  generative::ModelOptions& options = recipe.generative.model;
  app.add_option("--model", recipe.model,
                 "What to train: generative, history, incremental or spinal")
      ->capture_default_str();
  app.add_option("--train", path, "Bracketed trees to learn from")->required()->type_name("TREES");
  const std::string group = "The generative model";
  app.add_option("--heads", recipe.generative.heads,
                 "Head table: collins, yamada-matsumoto or a file; auto, of the generative model: "
                 "guessed from the trees")
      ->capture_default_str()
      ->type_name("TABLE");
  app.add_flag("!--no-npb-repair", options.preparation.npb_repair,
               "Leave clauses at the end of base noun phrases where they are")
      ->group(group);
  app.add_option("--rare-below", options.lexicon.rare_below,
                 "Words seen less often are generated by their shape")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000))
      ->group(group);
  app.add_option("--diversity", options.diversity,
                 "How much a history with many different futures is distrusted")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1000.0))
      ->group(group);
  app.add_flag("!--collins-levels", options.extra_levels,
               "Only the back-off levels of Collins, not the coarser one below them")
      ->group(group);
  app.add_option("--least-history", options.least_history,
                 "Histories seen less often are left to coarser ones: a smaller model")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000))
      ->group(group);
  app.add_option("--least-span-feature", options.spans.least_count,
                 "Features of spans seen less often are left out; 0: by the size of the treebank")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000))
      ->group(group);
  app.add_option("--prune-tagger", options.tagger.prune,
                 "Weights of the parser's tagger of at most this magnitude are left out")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6))
      ->group(group);
  declare_spinal_options(app, recipe.spinal);
  declare_incremental_options(app, recipe.incremental);
  declare_history_options(app, recipe.history);
}

void finish_training_options(const PhraseRunOptions& run, const CommonOptions& common,
                             PhraseTraining& recipe) {
  recipe.search = run.search;
  recipe.spinal.heads = recipe.generative.heads;
  recipe.spinal.clusters = read_clusters(recipe.spinal.clusters_name).clusters;
  recipe.incremental.heads = recipe.generative.heads;
  recipe.incremental.clusters = recipe.spinal.clusters;
  recipe.incremental.clusters_name = recipe.spinal.clusters_name;
  recipe.incremental.model.tagging.share = run.search.incremental.tag_share.value_or(0);
  if (recipe.spinal.epochs > 0) recipe.incremental.epochs = recipe.spinal.epochs;
  recipe.incremental.batch = recipe.spinal.batch;
  recipe.incremental.tag_folds = recipe.spinal.tag_folds;
  recipe.incremental.seed = recipe.spinal.seed;
  recipe.incremental.checkpoint = recipe.spinal.checkpoint;
  recipe.history.clusters = recipe.spinal.clusters;
  recipe.history.clusters_name = recipe.spinal.clusters_name;
  recipe.history.tag_folds = recipe.spinal.tag_folds;
  recipe.history.seed = recipe.spinal.seed;
  recipe.history.checkpoint = recipe.spinal.checkpoint;
  if (run.search.spinal.alpha) recipe.spinal.model.alpha = *run.search.spinal.alpha;
  recipe.use_tags = run.use_tags;
  recipe.threads = common.threads;
  recipe.show_progress = !common.quiet;
}

TrainingTreebank read_tree_file(const std::string& path, const std::string& role,
                                const CommonOptions& common, ProblemLog& log) {
  return read_training_treebank(
      {.path = path, .role = role, .limits = common.limits}, accept_phrase_trees(),
      [&log](const std::vector<Error>& errors, const std::vector<Warning>& warnings) {
        log.take(errors, warnings);
      });
}

TreeData tree_data(const TrainingTreebank& treebank) {
  return {treebank.entries, treebank.source};
}

}  // namespace copse
