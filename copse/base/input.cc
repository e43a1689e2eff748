#include "copse/base/input.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/watched_files.h"

namespace copse {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

// Bytes as they lie in the file (or in memory).
class RawBytes {
 public:
  RawBytes(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  RawBytes(std::string bytes, std::string name)
      : name_(std::move(name)), memory_(std::move(bytes)) {}
  RawBytes(const RawBytes&) = delete;
  RawBytes& operator=(const RawBytes&) = delete;
  ~RawBytes() {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  }

  // Up to `buffer.size()` bytes; 0 only at the end.
  std::size_t read_some(std::span<char> buffer) {
    if (descriptor_ < 0) {
      const std::size_t size = std::min(buffer.size(), memory_.size() - consumed_);
      std::memcpy(buffer.data(), memory_.data() + consumed_, size);
      consumed_ += size;
      return size;
    }
    while (true) {
      const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
      if (got >= 0) {
        consumed_ += static_cast<std::size_t>(got);
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) throw machine_error("cannot read", errno, {name_});
    }
  }

  std::optional<std::size_t> size() const {
    if (descriptor_ < 0) return memory_.size();
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    return static_cast<std::size_t>(info.st_size);
  }

  const std::string& name() const { return name_; }
  std::size_t consumed() const { return consumed_.load(std::memory_order_relaxed); }

 private:
  int descriptor_ = -1;
  std::string name_;
  std::string memory_;
  std::atomic<std::size_t> consumed_ = 0;  // progress is asked for from other threads
};

// A decoder turns raw bytes into text; `read_some` returns 0 only at the end.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual std::size_t read_some(std::span<char> buffer) = 0;
};

// Hands out the bytes looked at to recognise the format, then the rest.
class PlainDecoder : public Decoder {
 public:
  PlainDecoder(RawBytes& raw, std::string head) : raw_(raw), head_(std::move(head)) {}
  std::size_t read_some(std::span<char> buffer) override {
    if (used_ == head_.size()) return raw_.read_some(buffer);
    const std::size_t size = std::min(buffer.size(), head_.size() - used_);
    std::memcpy(buffer.data(), head_.data() + used_, size);
    used_ += size;
    return size;
  }

 private:
  RawBytes& raw_;
  std::string head_;
  std::size_t used_ = 0;
};

class GzipDecoder : public Decoder {
 public:
  GzipDecoder(RawBytes& raw, std::string head)
      : name_(raw.name()), compressed_(raw, std::move(head)), chunk_(kChunk) {
    constexpr int kGzipOnly = 15 + 16;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw machine_error("cannot start unpacking");
  }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;
  ~GzipDecoder() override { inflateEnd(&stream_); }

  std::size_t read_some(std::span<char> buffer) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(buffer.size(), 1U << 30));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0 && !refill()) {
        if (inside_member_) throw data_error("the gzip data ends early", {name_});
        return 0;
      }
      const int status = inflate(&stream_, Z_NO_FLUSH);
      inside_member_ = status != Z_STREAM_END;
      if (status == Z_STREAM_END) {
        inflateReset(&stream_);  // a file may hold several members
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        throw data_error("the gzip data is damaged", {name_});
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  bool refill() {
    const std::size_t got = compressed_.read_some(chunk_);
    stream_.next_in = reinterpret_cast<Bytef*>(chunk_.data());
    stream_.avail_in = static_cast<uInt>(got);
    return got != 0;
  }

  std::string name_;
  PlainDecoder compressed_;
  std::vector<char> chunk_;
  z_stream stream_{};
  bool inside_member_ = false;
};

class ZstdDecoder : public Decoder {
 public:
  ZstdDecoder(RawBytes& raw, std::string head)
      : name_(raw.name()),
        compressed_(raw, std::move(head)),
        chunk_(kChunk),
        stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (!stream_) throw machine_error("cannot start unpacking");
  }

  std::size_t read_some(std::span<char> buffer) override {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size) {
        in_ = {chunk_.data(), compressed_.read_some(chunk_), 0};
        if (in_.size == 0) {
          if (inside_frame_) throw data_error("the zstd data ends early", {name_});
          return 0;
        }
      }
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(status) != 0) {
        throw data_error(fmt::format("the zstd data is damaged ({})", ZSTD_getErrorName(status)),
                         {name_});
      }
      inside_frame_ = status != 0;
    }
    return out.pos;
  }

 private:
  std::string name_;
  PlainDecoder compressed_;
  std::vector<char> chunk_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool inside_frame_ = false;
};

std::unique_ptr<Decoder> make_decoder(RawBytes& raw) {
  constexpr std::string_view kGzip = "\x1f\x8b";
  constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";
  std::array<char, 4> magic{};
  std::string head;
  // Only as far as it may be one of them: somebody may type "a" and wait.
  while (head.size() < kZstd.size() && (kGzip.starts_with(head) || kZstd.starts_with(head))) {
    const std::size_t got = raw.read_some(std::span(magic).first(magic.size() - head.size()));
    if (got == 0) break;
    head.append(magic.data(), got);
  }
  if (head.starts_with(kGzip)) return std::make_unique<GzipDecoder>(raw, std::move(head));
  if (head == kZstd) return std::make_unique<ZstdDecoder>(raw, std::move(head));
  return std::make_unique<PlainDecoder>(raw, std::move(head));
}

int open_for_reading(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw machine_error(fmt::format("cannot open {}", path), errno);
  struct stat info {};
  if (::fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(descriptor);
    throw machine_error(fmt::format("{} is a directory; expected a file", path));
  }
  return descriptor;
}

}  // namespace

class Input::Source {
 public:
  template <class T>
  Source(T&& bytes, std::string name) : raw(std::forward<T>(bytes), std::move(name)) {}
  RawBytes raw;
  std::unique_ptr<Decoder> decoder;  // made at the first read: opening never blocks on a pipe
  std::string peeked;                // looked at, not yet read
  std::size_t peeked_used = 0;

  // Bytes that nobody has looked at; 0 only at the end.
  std::size_t fresh(std::span<char> buffer) {
    if (!decoder) decoder = make_decoder(raw);
    return decoder->read_some(buffer);
  }

  template <class Enough>
  std::string_view peek(std::size_t bytes, const Enough& enough) {
    peeked.erase(0, peeked_used);
    peeked_used = 0;
    while (peeked.size() < bytes && !enough(peeked)) {
      const std::size_t have = peeked.size();
      peeked.resize(bytes);
      const std::size_t got = fresh(std::span(peeked).subspan(have));
      peeked.resize(have + got);
      if (got == 0) break;
    }
    return peeked;
  }
};

Input::Input(std::unique_ptr<Source> source) : source_(std::move(source)) {}
Input::Input(Input&&) noexcept = default;
Input& Input::operator=(Input&&) noexcept = default;
Input::~Input() = default;

Input Input::open(const std::string& path) {
  if (path == "-") return Input(std::make_unique<Source>(STDIN_FILENO, "standard input"));
  return Input(std::make_unique<Source>(open_for_reading(path), path));
}

Input Input::from_memory(std::string bytes, std::string name) {
  return Input(std::make_unique<Source>(std::move(bytes), std::move(name)));
}

std::size_t Input::read(std::span<char> buffer) {
  std::size_t have = 0;
  while (have < buffer.size()) {
    const std::size_t got = read_some(buffer.subspan(have));
    if (got == 0) break;
    have += got;
  }
  return have;
}

std::size_t Input::read_some(std::span<char> buffer) {
  Source& source = *source_;
  if (buffer.empty()) return 0;
  const std::size_t left = source.peeked.size() - source.peeked_used;
  if (left == 0) {
    const std::size_t got = source.fresh(buffer);
    // Waiting for it may have taken long: what it is to be worked on with must still be there.
    if (got > 0) WatchedFiles::check();
    return got;
  }
  const std::size_t size = std::min(buffer.size(), left);
  std::memcpy(buffer.data(), source.peeked.data() + source.peeked_used, size);
  source.peeked_used += size;
  if (size == left) {
    source.peeked.clear();
    source.peeked_used = 0;
  }
  return size;
}

std::string_view Input::peek(std::size_t bytes) {
  return source_->peek(bytes, [](const std::string&) { return false; });
}

std::string_view Input::peek_line(std::size_t bytes) {
  return source_->peek(
      bytes, [](const std::string& have) { return have.find('\n') != std::string::npos; });
}

std::string Input::read_all(std::size_t limit) {
  std::string text;
  std::size_t got = kChunk;
  while (got == kChunk) {
    const std::size_t have = text.size();
    text.resize(have + kChunk);
    got = read(std::span(text).subspan(have));
    text.resize(have + got);
    if (text.size() > limit) {
      throw data_error(fmt::format("larger than the limit of {} bytes", limit), {name()});
    }
  }
  return text;
}

const std::string& Input::name() const {
  return source_->raw.name();
}
std::optional<std::size_t> Input::file_size() const {
  return source_->raw.size();
}
std::size_t Input::bytes_consumed() const {
  return source_->raw.consumed();
}

}  // namespace copse
