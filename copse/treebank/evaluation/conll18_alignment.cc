#include "copse/treebank/evaluation/conll18_alignment.h"

#include <fmt/core.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "copse/base/error.h"
#include "copse/base/utf8.h"

namespace copse {
namespace {

using Words = std::vector<UdWord>;

// A half-open range of words on each side.
struct Region {
  std::size_t gold_begin, gold_end;
  std::size_t system_begin, system_end;
};

// Whether words[i] lies beyond a multiword span that ends at `end`. A word of a multiword token
// only has the span of its token, so that it belongs to the region when its token begins there.
bool beyond(const Words& words, std::size_t i, std::size_t end) {
  if (i >= words.size()) return true;
  return words[i].multiword ? words[i].span.begin >= end : words[i].span.end > end;
}

// The smallest region from (g, s) on that cuts no multiword token; one of the two words is part
// of one.
Region multiword_region(const Words& gold, const Words& system, std::size_t g, std::size_t s) {
  std::size_t end = 0;
  if (gold[g].multiword) {
    end = gold[g].span.end;
    if (!system[s].multiword && system[s].span.begin < gold[g].span.begin) ++s;
  } else {
    end = system[s].span.end;
    if (!gold[g].multiword && gold[g].span.begin < system[s].span.begin) ++g;
  }
  Region region{g, g, s, s};
  const auto extend = [&](const UdWord& word) {
    if (word.multiword) end = std::max(end, word.span.end);
  };
  while (!beyond(gold, region.gold_end, end) || !beyond(system, region.system_end, end)) {
    const bool gold_next =
        region.gold_end < gold.size() &&
        (region.system_end >= system.size() ||
         gold[region.gold_end].span.begin <= system[region.system_end].span.begin);
    if (gold_next) {
      extend(gold[region.gold_end++]);
    } else {
      extend(system[region.system_end++]);
    }
  }
  return region;
}

// Longest common subsequence of two sequences of numbers. Of the table only one fact per cell is
// needed to walk it: whether leaving out the gold word costs nothing.
class CommonSubsequence {
 public:
  CommonSubsequence(const std::vector<int>& gold, const std::vector<int>& system)
      : gold_(gold), system_(system), free_(gold.size() * system.size()) {
    std::vector<std::uint32_t> below(system.size() + 1, 0);
    std::vector<std::uint32_t> row(system.size() + 1, 0);
    for (std::size_t g = gold.size(); g-- > 0;) {
      for (std::size_t s = system.size(); s-- > 0;) {
        const std::uint32_t match = gold[g] == system[s] ? below[s + 1] + 1 : 0;
        row[s] = std::max({match, below[s], row[s + 1]});
        free_[g * system.size() + s] = row[s] == below[s];
      }
      std::swap(row, below);
    }
  }

  // Calls found(g, s) for each pair, in order.
  template <class Found>
  void walk(Found found) const {
    std::size_t g = 0;
    std::size_t s = 0;
    while (g < gold_.size() && s < system_.size()) {
      if (gold_[g] == system_[s]) {
        found(g++, s++);
      } else if (free_[g * system_.size() + s]) {
        ++g;
      } else {
        ++s;
      }
    }
  }

 private:
  const std::vector<int>& gold_;
  const std::vector<int>& system_;
  std::vector<bool> free_;
};

class Aligner {
 public:
  Aligner(const UdTreebank& gold, const UdTreebank& system)
      : gold_(gold.words), system_(system.words) {
    alignment_.gold_of_system.assign(system_.size(), WordAlignment::kNotAligned);
  }

  WordAlignment align() && {
    std::size_t g = 0;
    std::size_t s = 0;
    while (g < gold_.size() && s < system_.size()) {
      if (gold_[g].multiword || system_[s].multiword) {
        const Region region = multiword_region(gold_, system_, g, s);
        align_region(region);
        g = region.gold_end;
        s = region.system_end;
      } else if (gold_[g].span == system_[s].span) {
        add(g++, s++);
      } else if (gold_[g].span.begin <= system_[s].span.begin) {
        ++g;
      } else {
        ++s;
      }
    }
    return std::move(alignment_);
  }

 private:
  void add(std::size_t g, std::size_t s) {
    alignment_.pairs.emplace_back(static_cast<int>(g), static_cast<int>(s));
    alignment_.gold_of_system[s] = static_cast<int>(g);
  }

  void align_region(const Region& region) {
    const std::size_t rows = region.gold_end - region.gold_begin;
    const std::size_t columns = region.system_end - region.system_begin;
    if (rows == 0 || columns == 0) return;
    if (rows > (std::uint64_t{1} << 32) / columns) {
      throw data_error(fmt::format(
          "multiword tokens join {} gold and {} system words: too many to align", rows, columns));
    }
    std::unordered_map<std::string, int> number_of;
    const auto numbered = [&](const Words& words, std::size_t begin, std::size_t end) {
      std::vector<int> result;
      for (std::size_t i = begin; i < end; ++i) {
        const int fresh = static_cast<int>(number_of.size());
        result.push_back(number_of.try_emplace(python_lower(words[i].form), fresh).first->second);
      }
      return result;
    };
    const auto gold = numbered(gold_, region.gold_begin, region.gold_end);
    const auto system = numbered(system_, region.system_begin, region.system_end);
    CommonSubsequence(gold, system).walk([&](std::size_t g, std::size_t s) {
      add(region.gold_begin + g, region.system_begin + s);
    });
  }

  const Words& gold_;
  const Words& system_;
  WordAlignment alignment_;
};

bool is_cased(char32_t c) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
         category == UTF8PROC_CATEGORY_LT;
}

bool is_case_ignorable(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return std::u32string_view(
                 U"'.:\u00B7\u0387\u055F\u05F4\u2018\u2019\u2024\u2027"
                 U"\uFE13\uFE52\uFE55\uFF07\uFF0E\uFF1A")
                 .find(c) != std::u32string_view::npos;
  }
}

// Final_Sigma of SpecialCasing.txt: a cased letter before, none after, case-ignorable characters
// not looked at.
bool is_final_sigma(const std::u32string& points, std::size_t at) {
  std::size_t before = at;
  while (before > 0 && is_case_ignorable(points[before - 1])) --before;
  if (before == 0 || !is_cased(points[before - 1])) return false;
  std::size_t after = at + 1;
  while (after < points.size() && is_case_ignorable(points[after])) ++after;
  return after == points.size() || !is_cased(points[after]);
}

}  // namespace

WordAlignment align_words(const UdTreebank& gold, const UdTreebank& system) {
  return Aligner(gold, system).align();
}

std::string python_lower(std::string_view form) {
  std::u32string points;
  for_each_code_point(form, [&](char32_t c) { points.push_back(c); });
  std::string lower;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i] == U'\u0130') {
      lower += "i\u0307";
    } else if (points[i] == U'\u03A3') {
      lower += is_final_sigma(points, i) ? "\u03C2" : "\u03C3";
    } else {
      append_utf8(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(points[i]))),
                  lower);
    }
  }
  return lower;
}

}  // namespace copse
