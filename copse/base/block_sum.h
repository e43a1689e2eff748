// Sums over examples, the same bytes for any number of processes and threads: the examples are cut
// into blocks whose number depends on the data alone, and the sums of the blocks are added along
// one binary tree,
//
//         0-7                   a node (level, index) covers block index * 2^level and the
//       /     \                 2^level - 1 that follow; its sum is that of its left child plus
//     0-3     4-7               that of its right child.
//    /   \   /   \              Member r of R has a range of about B / R blocks, and whoever has
//   0-1 2-3 4-5 6-7             the first block of a node has its sum.
//
// A member adds what lies within its own blocks; where a node's children are with two members, the
// one on the right sends its sum to the one on the left. The root is the leader's, who tells all.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "copse/base/group.h"
#include "copse/base/thread_team.h"

namespace copse {

// From begin to before end.
struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
  bool has(std::size_t i) const { return begin <= i && i < end; }
  bool operator==(const Range&) const = default;
};

// Part k of `parts` of a whole, as even as can be.
constexpr Range part_of(std::size_t whole, std::size_t k, std::size_t parts) {
  return {whole * k / parts, whole * (k + 1) / parts};
}

// How many blocks so many examples are cut into where no learner asks for another number: each is
// large enough that adding its sums costs little, and there are enough for many processes.
std::size_t blocks_for(std::size_t examples);

// Who has which blocks, and which sums have to travel.
class BlockTree {
 public:
  // `blocks` is a power of two.
  BlockTree(std::size_t blocks, int members)
      : blocks_(blocks), members_(static_cast<std::size_t>(members)) {}

  std::size_t blocks() const { return blocks_; }
  Range blocks_of(int member) const {
    const auto r = static_cast<std::size_t>(member);
    return {first_of(r), first_of(r + 1)};
  }
  int owner(std::size_t block) const;

  struct Node {
    int level = 0;
    std::size_t index = 0;
    bool operator==(const Node&) const = default;
    Node left() const { return {level - 1, 2 * index}; }
    Node right() const { return {level - 1, 2 * index + 1}; }
  };
  // The examples in them, of so many that are cut into blocks.
  Range examples_of(int member, std::size_t examples) const {
    const Range own = blocks_of(member);
    return {examples * own.begin / blocks_, examples * own.end / blocks_};
  }
  int owner(const Node& node) const { return owner(node.index << node.level); }
  // The nodes whose blocks are not all with one member, from the leaves up.
  std::vector<Node> shared_nodes() const;

 private:
  // Rounded up: the leader has a block even if there are more members than blocks.
  std::size_t first_of(std::size_t member) const {
    return (blocks_ * member + members_ - 1) / members_;
  }

  std::size_t blocks_, members_;
};

class BlockSum {
 public:
  using Sums = std::vector<double>;
  // Adds a block's examples to sums that are all 0.
  using Add = std::function<void(std::size_t block, Sums& sums)>;

  // `blocks`: a power of two, the same for all members. Both references must outlive it.
  BlockSum(std::size_t blocks, Group& group, ThreadTeam& team)
      : tree_(blocks, group.size()), group_(group), team_(team) {}

  const BlockTree& tree() const { return tree_; }
  // The blocks of this member.
  Range own() const { return tree_.blocks_of(group_.rank()); }
  // Writes all of `total`, on every member. Add is called by several threads at once for different
  // blocks. Memory: a few vectors as long as `total` for each thread.
  void evaluate(std::span<double> total, const Add& add);

 private:
  struct Part {
    BlockTree::Node node;
    Sums sums;
  };
  Sums take_zeros(std::size_t size);
  void add_own_blocks(std::size_t size, const Add& add);
  void push(Part part);
  void join(const BlockTree::Node& parent, Sums right);
  void add_of_others(std::size_t size);
  std::vector<Part>::iterator find(const BlockTree::Node& node);

  BlockTree tree_;
  Group& group_;
  ThreadTeam& team_;
  std::vector<Part> parts_;  // of the left to the right: what could not be added yet
  std::vector<Sums> free_;
};

}  // namespace copse
