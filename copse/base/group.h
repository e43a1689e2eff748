// Processes that work on one thing together. A group moves bytes and nothing else; what is built on
// it here (broadcast, gather, sums in block_sum.h) fixes every order itself, so that results
// depend on the data alone, never on the number of processes or on which of them was quicker.
//
// All members run the same program over the same options and call the same functions in the same
// order. Nothing here knows how the bytes travel: one process needs no way, the tests use threads,
// and the command line uses MPI where it was built with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace copse {

class Group {
 public:
  virtual ~Group() = default;
  virtual int rank() const = 0;  // from 0
  virtual int size() const = 0;
  bool leads() const { return rank() == 0; }  // writes the files, speaks to the user

  // Bytes between two members, in the order in which they were sent. Both know how many there are.
  // A send may wait until the other side receives. Called by one thread of a member at a time;
  // throws a machine error when the other side is gone.
  void send(int to, std::span<const std::byte> bytes);
  void receive(int from, std::span<std::byte> bytes);

  // What this member has sent so far.
  std::uint64_t sent_bytes() const { return sent_bytes_; }

 protected:
  Group() = default;
  Group(const Group&) = default;
  Group& operator=(const Group&) = default;

 private:
  virtual void do_send(int to, std::span<const std::byte> bytes) = 0;
  virtual void do_receive(int from, std::span<std::byte> bytes) = 0;

  std::uint64_t sent_bytes_ = 0;
};

// The group of one.
class Alone final : public Group {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }

 private:
  void do_send(int, std::span<const std::byte>) override {}
  void do_receive(int, std::span<std::byte>) override {}
};

// From the leader to all, along a binomial tree: log2(size) sends one after the other.
void broadcast(Group& group, std::span<std::byte> bytes);
template <class T>
void broadcast(Group& group, std::span<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  broadcast(group, std::as_writable_bytes(values));
}
// Bytes of which only the leader knows how many there are.
void broadcast(Group& group, std::string& text);

// What each member gives, by rank: for the leader; the others get nothing.
std::vector<std::string> gather(Group& group, std::string_view mine);
// The same for all.
std::vector<std::string> gather_for_all(Group& group, std::string_view mine);

// Throws a usage error on all members unless all give the same.
void require_same(Group& group, std::string_view mine, std::string_view what);

// Jobs that have nothing to do with each other: job number i is done by member i mod size, and
// everybody gets all answers, in the order of the jobs; or the leader alone does, and the others
// nothing.
enum class AnswersFor { all, leader };
std::vector<std::string> share_jobs(Group& group, std::size_t jobs,
                                    const std::function<std::string(std::size_t)>& job,
                                    AnswersFor whom = AnswersFor::all);

// Numbers as bytes, behind those that are there.
template <class T>
void append_values(std::string& out, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

}  // namespace copse
