// Input and Output: compression, crash safety, clear failures.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/base/mapped_file.h"
#include "copse/base/output.h"
#include "copse/base/watched_files.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("copse-files-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string get(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  int files_in_folder() const {
    return static_cast<int>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

std::string long_text() {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += "line " + std::to_string(i * 7919 % 1000) + "\n";
  return text;
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd_packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string read_whole(const std::string& path) {
  return Input::open(path).read_all(std::size_t{1} << 30);
}

TEST_F(Files, ReadsPlainGzipAndZstdAlike) {
  const std::string text = long_text();
  put("plain.txt", text);
  put("packed.gz", gzipped(text));
  put("packed.zst", zstd_packed(text));
  put("two-members.gz", gzipped(text.substr(0, 1000)) + gzipped(text.substr(1000)));
  for (const char* name : {"plain.txt", "packed.gz", "packed.zst", "two-members.gz"}) {
    EXPECT_EQ(read_whole(path(name)), text) << name;
  }
}

TEST_F(Files, ShortFilesAreRead) {
  for (const std::string text : {"", "a", "ab", "abc\n", "\x1f"}) {
    put("short", text);
    EXPECT_EQ(read_whole(path("short")), text);
  }
}

TEST_F(Files, DamagedCompressionIsADataErrorWithTheFileName) {
  const std::string text = long_text();
  for (const std::string& packed : {gzipped(text), zstd_packed(text)}) {
    std::string flipped = packed;
    for (std::size_t i = flipped.size() / 2; i < flipped.size() / 2 + 40; ++i) flipped[i] ^= 0x55;
    for (const std::string& bad : {packed.substr(0, packed.size() / 2), flipped}) {
      put("bad", bad);
      try {
        read_whole(path("bad"));
        ADD_FAILURE() << "damaged data was read";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
        EXPECT_EQ(error.place().file, path("bad"));
      }
    }
  }
}

TEST_F(Files, MissingFilesAndFoldersAreMachineErrors) {
  for (const std::string& bad : {path("missing"), folder_.string()}) {
    try {
      Input::open(bad);
      ADD_FAILURE() << bad << " was opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::machine);
      EXPECT_NE(std::string(error.what()).find(bad), std::string::npos);
    }
  }
}

std::string mapped_text(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST_F(Files, MappedFilesHoldTheBytes) {
  for (const std::string& text : {std::string("a"), std::string(4096, 'p'), long_text()}) {
    put("mapped", text);
    MappedFile first = MappedFile::open(path("mapped"));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.bytes().data()) % 64, 0U);
    const MappedFile second = std::move(first);
    EXPECT_EQ(mapped_text(second), text);
    fs::remove(path("mapped"));
    EXPECT_EQ(mapped_text(second), text);  // for as long as somebody looks at it
  }
}

TEST_F(Files, AnEmptyFileIsMappedToNothing) {
  put("empty", "");
  EXPECT_TRUE(MappedFile::open(path("empty")).bytes().empty());
}

TEST_F(Files, OnlyPlainFilesAreMapped) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);  // nobody writes: must not wait for it
  for (const std::string& bad :
       {path("missing"), folder_.string(), path("pipe"), std::string("/dev/null")}) {
    try {
      MappedFile::open(bad);
      ADD_FAILURE() << bad << " was mapped";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::machine);
      EXPECT_NE(std::string(error.what()).find(bad), std::string::npos);
    }
  }
}

// Looking is not reading: whatever was looked at, and however often, the bytes are all there.
TEST_F(Files, WhatWasPeekedAtStaysToBeRead) {
  const std::string text = long_text();
  put("plain", text);
  put("packed.gz", gzipped(text));
  for (const char* name : {"plain", "packed.gz"}) {
    for (const std::size_t look : {1U, 5U, 70'000U, 1'000'000U}) {
      Input input = Input::open(path(name));
      EXPECT_EQ(input.peek(look), text.substr(0, look)) << name << ' ' << look;
      std::string first(3, '\0');
      EXPECT_EQ(input.read(first), 3U);
      EXPECT_EQ(input.peek(look), text.substr(3, look)) << name << ' ' << look;
      EXPECT_EQ(first + input.read_all(text.size()), text) << name << ' ' << look;
      EXPECT_EQ(input.peek(10), "");
    }
  }
}

// Somebody writes a line and waits for the answer before anything else comes.
TEST_F(Files, AWaitingPipeIsNotKeptWaiting) {
  for (const std::string line : {"a\n", "\x1f\n", "(\xb5\n"}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(::write(ends[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    Input input = Input::open("/dev/fd/" + std::to_string(ends[0]));
    EXPECT_EQ(input.peek_line(1 << 16), line);
    std::string buffer(100, '\0');
    buffer.resize(input.read_some(buffer));
    EXPECT_EQ(buffer, line);
    ::close(ends[1]);
    EXPECT_EQ(input.read_some(buffer), 0U);
    ::close(ends[0]);
  }
}

TEST_F(Files, ReadAllStopsAtTheLimit) {
  put("large", long_text());
  EXPECT_THROW(Input::open(path("large")).read_all(1000), Error);
}

TEST_F(Files, OutputAppearsOnlyWhenCommitted) {
  put("target", "old");
  {
    Output output = Output::open(path("target"));
    output.write("new");
    EXPECT_EQ(get("target"), "old");
  }
  EXPECT_EQ(get("target"), "old");  // never committed: nothing lost
  EXPECT_EQ(files_in_folder(), 1);  // and nothing left behind
  Output output = Output::open(path("target"));
  output.write("new");
  output.commit();
  EXPECT_EQ(get("target"), "new");
  EXPECT_EQ(files_in_folder(), 1);
}

TEST_F(Files, OutputKeepsPermissionsAndFollowsLinks) {
  put("real", "old");
  fs::permissions(path("real"), fs::perms::owner_all);
  fs::create_symlink(path("real"), path("link"));
  Output output = Output::open(path("link"));
  output.write("new");
  output.commit();
  EXPECT_EQ(get("real"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms::owner_all);
}

TEST_F(Files, OutputToANoPlaceIsAMachineError) {
  EXPECT_THROW(Output::open(path("no/such/folder/file")), Error);
  EXPECT_THROW(Output::open(folder_.string()), Error);
}

TEST_F(Files, DevicesAreWrittenDirectly) {
  Output output = Output::open("/dev/null");
  output.write("gone");
  output.commit();
  EXPECT_TRUE(fs::exists("/dev/null"));
  EXPECT_THROW(
      {
        Output full = Output::open("/dev/full");
        full.write("no room");
      },
      Error);
}

TEST_F(Files, AMappedFileThatIsChangedIsNoticedBeforeAnythingIsKept) {
  put("model", long_text());
  {
    const MappedFile file = MappedFile::open(path("model"));
    EXPECT_EQ(WatchedFiles::changed(), nullptr);
    // Replaced by a rename: who has it open keeps the old one.
    put("other", "other");
    fs::rename(path("other"), path("model"));
    EXPECT_EQ(WatchedFiles::changed(), nullptr);
    EXPECT_EQ(file.bytes().size(), long_text().size());
  }
  for (const bool longer : {false, true}) {
    put("model", long_text());
    const MappedFile file = MappedFile::open(path("model"));
    Output output = Output::open(path("out"));
    output.write("some");
    put("model", longer ? long_text() + long_text() : "");
    EXPECT_EQ(WatchedFiles::changed(), path("model"));
    try {
      output.commit();
      ADD_FAILURE() << "was written";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::machine);
      EXPECT_EQ(error.message(), path("model") + " was changed while it was in use");
    }
    EXPECT_FALSE(fs::exists(path("out")));
  }
  EXPECT_EQ(WatchedFiles::changed(), nullptr) << "no longer in use";
}

TEST_F(Files, ManyFilesCanBeMapped) {
  put("model", "x");
  std::vector<MappedFile> files;
  for (int i = 0; i < 300; ++i) files.push_back(MappedFile::open(path("model")));
  put("model", "yy");
  EXPECT_EQ(WatchedFiles::changed(), path("model"));
  files.clear();
  EXPECT_EQ(WatchedFiles::changed(), nullptr);
}

}  // namespace
}  // namespace copse
