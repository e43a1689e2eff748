#include "copse/base/group.h"

#include <fmt/format.h>

#include <cstring>

#include "copse/base/error.h"

namespace copse {
namespace {

std::span<std::byte> bytes_of(std::string& text) {
  return std::as_writable_bytes(std::span(text.data(), text.size()));
}
std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

void send_text(Group& group, int to, std::string_view text) {
  const std::uint64_t size = text.size();
  group.send(to, std::as_bytes(std::span(&size, 1)));
  group.send(to, bytes_of(text));
}

std::string receive_text(Group& group, int from) {
  std::uint64_t size = 0;
  group.receive(from, std::as_writable_bytes(std::span(&size, 1)));
  std::string text(size, '\0');
  group.receive(from, bytes_of(text));
  return text;
}

// Several texts as one, and back.
std::string packed(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    const std::uint64_t size = text.size();
    append_values(out, std::span(&size, 1));
    out += text;
  }
  return out;
}

std::vector<std::string> unpacked(std::string_view bytes) {
  std::vector<std::string> out;
  while (!bytes.empty()) {
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    out.emplace_back(bytes.substr(sizeof size, size));
    bytes.remove_prefix(sizeof size + size);
  }
  return out;
}

}  // namespace

void Group::send(int to, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  do_send(to, bytes);
  sent_bytes_ += bytes.size();
}

void Group::receive(int from, std::span<std::byte> bytes) {
  if (!bytes.empty()) do_receive(from, bytes);
}

void broadcast(Group& group, std::span<std::byte> bytes) {
  const int rank = group.rank();
  int bit = 1;
  while (bit < group.size() && (rank & bit) == 0) bit <<= 1;
  if (rank != 0) group.receive(rank - bit, bytes);
  for (bit >>= 1; bit > 0; bit >>= 1) {
    if (rank + bit < group.size()) group.send(rank + bit, bytes);
  }
}

void broadcast(Group& group, std::string& text) {
  std::uint64_t size = text.size();
  broadcast(group, std::span(&size, 1));
  text.resize(size);
  broadcast(group, bytes_of(text));
}

std::vector<std::string> gather(Group& group, std::string_view mine) {
  if (!group.leads()) {
    send_text(group, 0, mine);
    return {};
  }
  std::vector<std::string> out{std::string(mine)};
  for (int from = 1; from < group.size(); ++from) out.push_back(receive_text(group, from));
  return out;
}

std::vector<std::string> gather_for_all(Group& group, std::string_view mine) {
  if (group.size() == 1) return {std::string(mine)};
  std::string all = packed(gather(group, mine));
  broadcast(group, all);
  return unpacked(all);
}

void require_same(Group& group, std::string_view mine, std::string_view what) {
  const std::vector<std::string> all = gather_for_all(group, mine);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    throw usage_error(fmt::format("process {} has other {} than process 0", rank, what),
                      "all processes need the same files and options");
  }
}

std::vector<std::string> share_jobs(Group& group, std::size_t jobs,
                                    const std::function<std::string(std::size_t)>& job,
                                    AnswersFor whom) {
  const auto size = static_cast<std::size_t>(group.size());
  std::vector<std::string> mine;
  for (auto i = static_cast<std::size_t>(group.rank()); i < jobs; i += size) {
    mine.push_back(job(i));
  }
  std::vector<std::vector<std::string>> by_member;
  const std::vector<std::string> all =
      whom == AnswersFor::all ? gather_for_all(group, packed(mine)) : gather(group, packed(mine));
  if (all.empty()) return {};
  by_member.reserve(all.size());
  for (const std::string& bytes : all) by_member.push_back(unpacked(bytes));
  std::vector<std::string> out(jobs);
  for (std::size_t i = 0; i < jobs; ++i) out[i] = std::move(by_member[i % size][i / size]);
  return out;
}

}  // namespace copse
