// A treebank entry by entry, from a file, from memory or from anywhere, with flat memory: what a loop
// that takes one sentence after the other holds.
//
//   TreebankReader reader(Input::open("train.conllu.gz"));
//   while (const auto entry = reader.next()) ...
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "copse/base/input.h"
#include "copse/treebank/formats.h"

namespace copse {

class TreebankReader {
 public:
  // Without a format it is told by the input, as read_treebank() does; nothing is read before
  // next(), unless the format has to be looked for.
  explicit TreebankReader(Input input, std::optional<Format> format = std::nullopt,
                          const Limits& limits = {});
  TreebankReader(TreebankReader&&) noexcept;
  TreebankReader& operator=(TreebankReader&&) noexcept;
  ~TreebankReader();

  // The next entry, nothing at the end. Throws the data_error of one that cannot be read; the call
  // after that goes on behind it.
  std::optional<Entry> next();

  Format format() const;
  const std::string& name() const;  // of the input

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace copse
