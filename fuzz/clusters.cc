// Files of word clusters: any bytes are clusters or a data error, and clusters survive writing.
#include <string>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/cluster/cluster_tree.h"
#include "copse/cluster/word_clusters.h"
#include "fuzz/promise.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

void check(const WordClusters& clusters) {
  for (WordClusters::Id id = 0; id < clusters.clusters(); ++id) {
    const WordClusters::Range words = clusters.words_of(id);
    promise(words.first < words.last, "every cluster has a word");
    for (std::uint32_t i = words.first; i < words.last; ++i) {
      promise(clusters.find(clusters.word(i).text) == id, "every word is found");
    }
    for (const int length : {0, 4, 6, 30}) {
      promise(clusters.prefix(id, length) < clusters.prefixes(length), "prefixes are dense");
    }
  }
  if (clusters.clusters() > 0) {
    const ClusterBranch root = cluster_tree(clusters, {});
    render_tree(root);
    render_svg(root);
  }
  const std::string text = clusters.paths();
  Input input = Input::from_memory(text, "fuzz");
  promise(WordClusters::read(input).paths() == text, "text is read back the same");
  promise(WordClusters::from_bytes(clusters.bytes()).paths() == text,
          "bytes are read back the same");
}

template <class Read>
void only_data_errors(Read read) {
  try {
    check(read());
  } catch (const Error& error) {
    promise(error.kind() == ErrorKind::data, "bad data is a data error");
  }
}

}  // namespace

void clusters(std::string_view bytes) {
  only_data_errors([&] {
    Input input = Input::from_memory(std::string(bytes), "fuzz");
    return WordClusters::read(input);
  });
  only_data_errors([&] { return WordClusters::from_bytes(bytes); });
}

}  // namespace copse::fuzz
