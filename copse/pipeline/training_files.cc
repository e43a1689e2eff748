#include "copse/pipeline/training_files.h"

#include "copse/base/input.h"
#include "copse/treebank/formats.h"

namespace copse {

TreebankFile TrainingFiles::file(const std::string& path, const std::string& role) const {
  TreebankFile out{path, role, {}, limits};
  if (!format.empty()) out.format = format_named(format);
  return out;
}

TrainingSentences read_training_sentences(const TrainingFiles& files, const Accept& accept,
                                          const ReadReport& report) {
  TrainingSentences out;
  const auto read = [&](const TreebankFile& file) {
    TrainingTreebank treebank = read_training_treebank(file, accept, report);
    out.sources.push_back(treebank.source);
    return std::move(treebank).sentences();
  };
  out.train = read(files.train_file());
  if (!files.dev.empty()) out.dev = read(files.dev_file());
  return out;
}

ClusterFile read_clusters(const std::string& path) {
  if (path.empty()) return {};
  constexpr std::size_t kLargest = std::size_t{4} << 30;
  std::string bytes = Input::open(path).read_all(kLargest);
  ClusterFile out;
  out.source = {"clusters", file_name(path), checksum_text(bytes), 0, 0};
  Input input = Input::from_memory(std::move(bytes), path);
  out.clusters = std::make_shared<const WordClusters>(WordClusters::read(input));
  return out;
}

std::string read_table(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{16} << 20;
  return Input::open(path).read_all(kLargest);
}

}  // namespace copse
