// Contexts that were met while a word is attached, numbered from 0: each is worked out once, however
// many hypotheses share it. A context is known by its 64 bits. Forgetting them all costs nothing.
#pragma once

#include <cstdint>
#include <vector>

namespace copse::incremental {

class ContextCache {
 public:
  void clear() {
    size_ = 0;
    if (++round_ == 0) {
      slots_.assign(slots_.size(), {});
      round_ = 1;
    }
  }
  // The number of a context, and whether it was given out just now.
  struct Found {
    std::uint32_t number;
    bool is_new;
  };
  Found find(std::uint64_t hash) {
    if ((std::size_t{size_} + 1) * 2 > slots_.size()) grow();
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.round != round_) {
        slot = {hash, round_, size_++};
        return {slot.number, true};
      }
      if (slot.hash == hash) return {slot.number, false};
    }
  }
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t round = 0;
    std::uint32_t number = 0;
  };
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.round != round_) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].round == round_) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::uint32_t size_ = 0;
  std::uint32_t round_ = 1;
};

}  // namespace copse::incremental
