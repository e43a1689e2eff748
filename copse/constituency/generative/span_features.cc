#include "copse/constituency/generative/span_features.h"

#include <algorithm>
#include <string_view>

namespace copse::generative {
namespace {

constexpr std::uint64_t kNoWord = UINT32_MAX;
constexpr int kWholeSequence = 6;  // spans up to this length are seen by all their tags

int length_class(int length) {
  if (length <= 5) return length;
  if (length <= 7) return 6;
  if (length <= 10) return 7;
  if (length <= 15) return 8;
  if (length <= 25) return 9;
  return 10;
}

int up_to(int count, int most) {
  return std::clamp(count, -1, most);
}

class Keys {
 public:
  explicit Keys(std::vector<EventKey>& keys) : keys_(keys) { keys_.clear(); }

  template <class... Parts>
  void add(Parts... parts) {
    EventKey key = extend_key(0x2545F4914F6CDD1DULL, keys_.size());  // the template
    ((key = extend_key(key, static_cast<std::uint64_t>(parts))), ...);
    keys_.push_back(key);
  }

 private:
  std::vector<EventKey>& keys_;
};

}  // namespace

SpanSentence::SpanSentence(const std::vector<std::string>& words, const std::vector<LabelId>& tags,
                           const LabelSet& labels, const Lexicon& lexicon) {
  const std::size_t size = words.size();
  tags_.assign(size + 2 * kEdge, kNoLabel);
  words_.assign(size + 2 * kEdge, kNoWord);
  before_.resize(size + 1);
  for (std::size_t i = 0; i < size; ++i) {
    tags_[i + kEdge] = tags[i];
    words_[i + kEdge] = lexicon.future(words[i], i == 0);
    before_[i + 1] = before_[i];
    if (tags[i] == kNoLabel) continue;
    const std::string_view name = labels.name(tags[i]);
    const auto note = [&](Kind kind, bool is) { before_[i + 1][kind] += is ? 1 : 0; };
    note(kVerb, labels.is_verb(tags[i]));
    note(kConjunction, labels.previous_class(tags[i]) == Previous::conjunction);
    note(kComma, name == ",");
    note(kColon, name == ":");
    note(kOpen, name == "-LRB-");
    note(kClosing, name == "-RRB-");
    note(kQuote, name == "``");
    note(kUnquote, name == "''");
  }
}

void span_features(const SpanSentence& s, int begin, int end, std::vector<EventKey>& keys) {
  const int last = end - 1;
  const auto length = length_class(end - begin);
  const auto bt = s.tag(begin - 1), ft = s.tag(begin), lt = s.tag(last), at = s.tag(end);
  const auto bw = s.word(begin - 1), fw = s.word(begin), lw = s.word(last), aw = s.word(end);
  const auto verbs = up_to(s.count(SpanSentence::kVerb, begin, end), 2);
  const auto commas = up_to(s.count(SpanSentence::kComma, begin, end), 2);
  const auto inside =
      ((verbs * 4 + commas) * 4 + up_to(s.count(SpanSentence::kConjunction, begin, end), 2)) * 4 +
      up_to(s.count(SpanSentence::kColon, begin, end), 2);
  const int brackets =
      s.count(SpanSentence::kOpen, begin, end) - s.count(SpanSentence::kClosing, begin, end);
  const int quotes =
      s.count(SpanSentence::kQuote, begin, end) - s.count(SpanSentence::kUnquote, begin, end);
  const int balance = up_to(brackets, 1) * 4 + up_to(quotes, 1);

  Keys k(keys);
  k.add(0);
  k.add(length);
  k.add(length, s.size() - (end - begin) < 3 ? s.size() - (end - begin) : 3, begin == 0);
  k.add(bt, ft);
  k.add(lt, at);
  k.add(ft, lt);
  k.add(bt, at);
  k.add(bt, ft, lt, at);
  k.add(ft, lt, length);
  k.add(bt, at, length);
  k.add(ft, lt, at);
  k.add(bt, ft, lt);
  k.add(bt, lt, at);
  k.add(bt, ft, at);
  k.add(fw);
  k.add(lw);
  k.add(bw);
  k.add(aw);
  k.add(fw, length);
  k.add(lw, length);
  k.add(bw, length);
  k.add(aw, length);
  k.add(fw, lt);
  k.add(ft, lw);
  k.add(bw, ft);
  k.add(bt, fw);
  k.add(lw, at);
  k.add(lt, aw);
  k.add(bw, at);
  k.add(bt, aw);
  k.add(bw, fw);
  k.add(lw, aw);
  k.add(fw, lw);
  k.add(bw, aw);
  k.add(s.tag(begin - 2), bt, ft);
  k.add(bt, ft, s.tag(begin + 1));
  k.add(lt, at, s.tag(end + 1));
  k.add(s.tag(last - 1), lt, at);
  k.add(inside, length);
  k.add(inside, ft, lt);
  k.add(inside, bt, at);
  k.add(inside, ft, at);
  k.add(balance, length);
  k.add(balance, ft, lt);
  if (end - begin <= kWholeSequence) {
    EventKey tags = 0;
    for (int i = begin; i < end; ++i) tags = extend_key(tags, s.tag(i));
    k.add(tags);
    k.add(tags, bt, at);
  }
}

}  // namespace copse::generative
