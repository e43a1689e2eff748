// The model file: what is written is read back, and every kind of damage has its own sentence.
#include "copse/model/model_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "copse/base/random.h"

namespace copse {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kHeader = 64;
constexpr std::size_t kRow = 64;

ModelWriter small_model() {
  ModelWriter writer("toy", {{"order", 2}});
  const std::vector<std::uint32_t> numbers{1, 2, 3, 4, 5};
  writer.add_array<std::uint32_t>("numbers", numbers);
  writer.add_strings("words", std::vector<std::string>{"the", "", "cöpse"});
  writer.add("nothing", "");
  writer.add("block", std::string(64, 'x'));  // needs no padding
  return writer;
}

// The error that opening these bytes gives; empty when they open.
std::string failure_of(const std::string& bytes) {
  try {
    ModelFile::from_bytes(bytes, "m.copse");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    EXPECT_EQ(error.place().file, "m.copse");
    return error.message();
  }
  return {};
}

template <class T>
T number_at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}
template <class T>
void put_number(std::string& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// Makes the checksums of sections, table and header right again, as a forger would.
std::string resealed(std::string bytes) {
  const auto sections = number_at<std::uint32_t>(bytes, 12);
  for (std::size_t i = 0; i < sections && kHeader + (i + 1) * kRow <= bytes.size(); ++i) {
    const std::size_t row = kHeader + i * kRow;
    const auto offset = number_at<std::uint64_t>(bytes, row + 40);
    const auto size = (number_at<std::uint64_t>(bytes, row + 48) + 63) / 64 * 64;
    if (offset <= bytes.size() && size <= bytes.size() - offset) {
      put_number(bytes, row + 56, XXH3_64bits(bytes.data() + offset, size));
    }
  }
  if (kHeader + sections * kRow <= bytes.size()) {
    put_number(bytes, 24, XXH3_64bits(bytes.data() + kHeader, sections * kRow));
  }
  put_number(bytes, 32, XXH3_64bits(bytes.data(), 32));
  return bytes;
}

TEST(ModelFile, SectionsArraysAndStringsComeBack) {
  const ModelFile model = ModelFile::from_bytes(small_model().bytes(), "m.copse");
  EXPECT_EQ(model.kind(), "toy");
  EXPECT_EQ(model.config().at("order"), 2);
  const auto numbers = model.array<std::uint32_t>("numbers");
  EXPECT_EQ(std::vector(numbers.begin(), numbers.end()),
            (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(model.strings("words"), (std::vector<std::string>{"the", "", "cöpse"}));
  EXPECT_EQ(model.text("nothing"), "");
  EXPECT_TRUE(model.strings("nothing").empty());
  EXPECT_EQ(model.text("block"), std::string(64, 'x'));
  EXPECT_TRUE(model.has("block"));
  EXPECT_FALSE(model.has("bloc"));
  EXPECT_EQ(model.size(), small_model().bytes().size());
}

TEST(ModelFile, TheSameModelIsTheSameBytes) {
  EXPECT_EQ(small_model().bytes(), small_model().bytes());
}

TEST(ModelFile, SectionsAreAlignedInMemoryAndInFiles) {
  const ModelFile model = ModelFile::from_bytes(small_model().bytes(), "m.copse");
  for (const auto& section : model.sections()) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(section.bytes.data()) % 64, 0U) << section.name;
  }
}

TEST(ModelFile, ResealingLeavesAGoodFileAsItIs) {
  EXPECT_EQ(resealed(small_model().bytes()), small_model().bytes());
}

TEST(ModelFile, BytesOutliveTheFileThroughItsOwner) {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
  {
    const ModelFile model = ModelFile::from_bytes(small_model().bytes(), "m.copse");
    owner = model.owner();
    bytes = model.section("block");
  }
  EXPECT_EQ(bytes[63], std::byte{'x'});
}

TEST(ModelFile, AnEmptyFileIsCalledEmpty) {
  EXPECT_EQ(failure_of(""), "the file is empty; expected a copse model");
}

TEST(ModelFile, AForeignFileIsNotAModel) {
  for (const std::string foreign : {"P", "PK\x03\x04", "# sent_id = 1\n1\tthe\n"}) {
    EXPECT_EQ(failure_of(foreign), "not a copse model: it does not begin like one");
  }
}

TEST(ModelFile, LineEndsRewrittenOnTheWayAreNoticedAtOnce) {
  std::string bytes = small_model().bytes();
  bytes.erase(6, 1);  // "\r\n" to "\n"
  EXPECT_EQ(failure_of(bytes), "not a copse model: it does not begin like one");
}

TEST(ModelFile, EveryTruncationSaysCutShort) {
  const std::string bytes = small_model().bytes();
  ASSERT_EQ(failure_of(bytes), "");
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    const std::string wanted = size < kHeader ? "at least 64" : std::to_string(bytes.size());
    ASSERT_EQ(failure_of(bytes.substr(0, size)),
              "the model is cut short: " + std::to_string(size) + " bytes of " + wanted);
  }
}

TEST(ModelFile, EveryFlippedByteIsFoundAndItsRegionNamed) {
  const std::string bytes = small_model().bytes();
  const std::size_t table_end = kHeader + kRow * number_at<std::uint32_t>(bytes, 12);
  const ModelFile good = ModelFile::from_bytes(bytes, "m.copse");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const char change : {'\x01', '\x80', '\xFF'}) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ change);
      std::string wanted = "damaged model: its header was changed";
      if (i < 8) wanted = "not a copse model: it does not begin like one";
      if (i >= kHeader) wanted = "damaged model: its table of sections was changed";
      for (std::size_t s = 0; s < good.sections().size(); ++s) {
        const auto begin = number_at<std::uint64_t>(bytes, kHeader + s * kRow + 40);
        if (i < table_end || i < begin) continue;
        wanted = "damaged model: section '" + good.sections()[s].name +
                 "' was changed (its checksum differs)";
      }
      ASSERT_EQ(failure_of(flipped), wanted) << "byte " << i;
    }
  }
}

TEST(ModelFile, ANewerFormatNamesBothFormats) {
  std::string bytes = small_model().bytes();
  put_number(bytes, 8, kModelFormat + 6);
  const std::string message = failure_of(resealed(bytes));
  EXPECT_NE(message.find("the model has format 7; copse "), std::string::npos) << message;
  EXPECT_NE(message.find("reads up to format 1"), std::string::npos) << message;
}

TEST(ModelFile, TrailingBytesAreCounted) {
  EXPECT_EQ(failure_of(small_model().bytes() + "abc"), "damaged model: 3 bytes follow its end");
}

TEST(ModelFile, ForgedTablesAreRefused) {
  const std::string good = small_model().bytes();
  const auto forged = [&](auto change) {
    std::string bytes = good;
    change(bytes);
    return failure_of(resealed(bytes));
  };
  const std::size_t second = kHeader + kRow;
  EXPECT_EQ(forged([](std::string& b) { put_number<std::uint32_t>(b, 8, 0); }),
            "damaged model: its header was changed");
  EXPECT_EQ(forged([](std::string& b) { put_number<std::uint32_t>(b, 12, 0); }),
            "damaged model: it has bytes that belong to no section");
  EXPECT_EQ(forged([](std::string& b) { put_number<std::uint32_t>(b, 12, UINT32_MAX); }),
            "damaged model: its table of sections was changed");
  EXPECT_EQ(forged([&](std::string& b) { put_number<std::uint64_t>(b, second + 40, 64); }),
            "damaged model: section 'numbers' lies outside of the file");
  for (const std::uint64_t size : {UINT64_MAX, UINT64_MAX - 64, std::uint64_t{1} << 40}) {
    EXPECT_EQ(forged([&](std::string& b) { put_number(b, second + 48, size); }),
              "damaged model: section 'numbers' lies outside of the file");
  }
  EXPECT_EQ(forged([&](std::string& b) { b.replace(second, 8, "config\0\0", 8); }),
            "damaged model: two sections are named 'config'");
  EXPECT_EQ(forged([&](std::string& b) { b[second] = '\0'; }),
            "damaged model: a section has no proper name");
  EXPECT_EQ(forged([&](std::string& b) { b[second] = '\x1B'; }),
            "damaged model: a section has no proper name");
  EXPECT_EQ(forged([&](std::string& b) { b.replace(second, 40, std::string(40, 'n')); }),
            "damaged model: a section has no proper name");
}

TEST(ModelFile, AnythingButAnObjectWithAKindIsNoConfig) {
  // Same length as the real text, so that only the section has to be sealed again.
  const std::string good = small_model().bytes();
  const auto offset = number_at<std::uint64_t>(good, kHeader + 40);
  const auto size = number_at<std::uint64_t>(good, kHeader + 48);
  for (std::string text : {"", "[1]", "{}", "{\"kind\": 7}", "\"kind\"", "{\"kind\": \"a\xFF\"}"}) {
    text.resize(size, ' ');
    std::string bytes = good;
    bytes.replace(offset, size, text);
    EXPECT_EQ(failure_of(resealed(bytes)),
              "damaged model: section 'config' does not say what the model is")
        << text;
  }
}

TEST(ModelFile, AConfigNestedWithoutEndIsRefused) {
  json deep = 1;
  for (int i = 0; i < 100; ++i) deep = json::array({deep});
  EXPECT_EQ(failure_of(ModelWriter("toy", {{"deep", deep}}).bytes()),
            "damaged model: section 'config' does not say what the model is");
  json flat = 1;
  for (int i = 0; i < 50; ++i) flat = json::array({flat});
  EXPECT_EQ(failure_of(ModelWriter("toy", {{"deep", flat}}).bytes()), "");
}

TEST(ModelFile, RandomForgeriesNeverDoMoreThanFail) {
  const std::string good = small_model().bytes();
  const std::size_t head = kHeader + kRow * number_at<std::uint32_t>(good, 12);
  Random random(3);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (int changes = random.between(1, 3); changes > 0; --changes) {
      bytes[random.below(head)] = static_cast<char>(random.below(256));
    }
    if (!failure_of(resealed(bytes)).empty()) ++refused;
  }
  EXPECT_GT(refused, 10000);
}

TEST(ModelFile, KindsAreComparedAndNamed) {
  const ModelFile model = ModelFile::from_bytes(small_model().bytes(), "m.copse");
  EXPECT_NO_THROW(model.require_kind("toy"));
  try {
    model.require_kind("tagger");
    ADD_FAILURE() << "a toy was taken for a tagger";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "this is a model of kind 'toy'; expected 'tagger'");
  }
}

TEST(ModelFile, MissingAndMisshapenSectionsAreDataErrors) {
  const ModelFile model = ModelFile::from_bytes(small_model().bytes(), "m.copse");
  const auto message = [](auto call) {
    try {
      call();
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(message([&] { model.section("gone"); }), "damaged model: section 'gone' is missing");
  EXPECT_EQ(message([&] { model.array<std::uint64_t>("numbers"); }),
            "damaged model: section 'numbers' is not made of whole elements");
  EXPECT_EQ(message([&] { model.strings("block"); }),
            "damaged model: section 'block' does not end with a line end");
}

void ExpectUsageError(const auto& call) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
  }
}

TEST(ModelWriter, NamesAreCheckedWhenTheyAreGiven) {
  ModelWriter writer = small_model();
  ExpectUsageError([&] { writer.add("", "x"); });
  ExpectUsageError([&] { writer.add(std::string(40, 'n'), "x"); });
  ExpectUsageError([&] { writer.add("line\nfeed", "x"); });
  ExpectUsageError([&] { writer.add("numbers", "x"); });
  ExpectUsageError([&] { writer.add("config", "{}"); });
  writer.add(std::string(39, 'n'), "x");
  const ModelFile model = ModelFile::from_bytes(writer.bytes(), "m.copse");
  EXPECT_EQ(model.text(std::string(39, 'n')), "x");
}

TEST(ModelWriter, ConfigMustBeAnObject) {
  ExpectUsageError([] { ModelWriter("toy", json::array({1})); });
  EXPECT_EQ(failure_of(ModelWriter("toy", nullptr).bytes()), "");
}

TEST(ModelWriter, StringsWithLineFeedsAreRefused) {
  ModelWriter writer = small_model();
  EXPECT_THROW(writer.add_strings("more", std::vector<std::string>{"a\nb"}), Error);
}

TEST(ModelWriter, MoreSectionsThanAFileHoldsAreRefused) {
  ModelWriter writer("toy", nullptr);  // adds "config"
  for (int i = 1; i < 4096; ++i) writer.add("section " + std::to_string(i), "");
  ExpectUsageError([&] { writer.add("one more", ""); });
  EXPECT_EQ(failure_of(writer.bytes()), "");
}

class ModelOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("copse-model-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string bytes_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

TEST_F(ModelOnDisk, TheFileHoldsTheBytes) {
  small_model().save(path("m.copse"));
  EXPECT_EQ(bytes_of("m.copse"), small_model().bytes());
  const ModelFile model = ModelFile::open(path("m.copse"));
  EXPECT_EQ(model.strings("words")[2], "cöpse");
  EXPECT_EQ(model.name(), path("m.copse"));
}

TEST_F(ModelOnDisk, AModelInUseStaysWhatItWasWhenItIsReplaced) {
  small_model().save(path("m.copse"));
  const ModelFile old = ModelFile::open(path("m.copse"));
  ModelWriter("other", nullptr).save(path("m.copse"));
  EXPECT_EQ(old.text("block"), std::string(64, 'x'));
  EXPECT_EQ(ModelFile::open(path("m.copse")).kind(), "other");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);  // nothing left beside it
}

TEST_F(ModelOnDisk, DamageOnDiskIsADataErrorWithThePath) {
  small_model().save(path("m.copse"));
  fs::resize_file(path("m.copse"), 100);
  try {
    ModelFile::open(path("m.copse"));
    ADD_FAILURE() << "half a model was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.place().file, path("m.copse"));
  }
}

TEST_F(ModelOnDisk, WhatIsNoFileIsAMachineError) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);  // nobody writes: must not wait for it
  for (const std::string& bad : {path("missing"), folder_.string(), path("pipe")}) {
    try {
      ModelFile::open(bad);
      ADD_FAILURE() << bad << " was opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::machine);
      EXPECT_NE(std::string(error.what()).find(bad), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace copse
