// A group by MPI. Only messages between two processes are used: the order of all sums is the
// library's own (block_sum.h).
#define OMPI_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

#include "copse/base/error.h"
#include "copse/cli/process_group.h"

namespace copse {
namespace {

constexpr int kTag = 1;
constexpr std::size_t kPiece = std::size_t{1} << 30;  // MPI counts with int

class MpiGroup final : public Group {
 public:
  MpiGroup() {
    int level = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "start");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "find its place");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "count the processes");
  }
  MpiGroup(const MpiGroup&) = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;
  // After an error the others still wait for this process, and to finish would wait for them: the
  // program ends without, with an exit code at which the launcher ends all.
  ~MpiGroup() override {
    if (std::uncaught_exceptions() == failures_) MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

 private:
  static void check(int code, const char* what) {
    if (code != MPI_SUCCESS) throw machine_error(fmt::format("MPI could not {}", what));
  }

  void do_send(int to, std::span<const std::byte> bytes) override {
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
      const std::size_t size = std::min(kPiece, bytes.size() - at);
      check(MPI_Send(bytes.data() + at, static_cast<int>(size), MPI_BYTE, to, kTag, MPI_COMM_WORLD),
            "send to another process");
    }
  }

  void do_receive(int from, std::span<std::byte> bytes) override {
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
      const std::size_t size = std::min(kPiece, bytes.size() - at);
      wait_for_message(from);
      check(MPI_Recv(bytes.data() + at, static_cast<int>(size), MPI_BYTE, from, kTag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE),
            "receive from another process");
    }
  }

  // MPI waits by looking again and again. That is quickest for a message that is nearly there; for
  // one that is seconds away it takes a core from whoever could be working on it.
  static void wait_for_message(int from) {
    constexpr int kLooks = 2000;
    for (int look = 0, there = 0;; ++look) {
      check(MPI_Iprobe(from, kTag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), "wait");
      if (there != 0) return;
      if (look < kLooks) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
  }

  int rank_ = 0, size_ = 1;
  int failures_ = std::uncaught_exceptions();
};

}  // namespace

std::unique_ptr<Group> join_processes() {
  if (!is_launched()) return nullptr;
  return std::make_unique<MpiGroup>();
}

}  // namespace copse
