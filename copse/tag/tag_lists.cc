#include "copse/tag/tag_lists.h"

#include <fmt/core.h>

#include <algorithm>

#include "copse/tag/entity_labels.h"
#include "copse/treebank/counted_quality.h"
#include "copse/treebank/json.h"

namespace copse {

std::string tag_list(const SequenceTagger& tagger, const Sentence& sentence, bool entities, int k,
                     TagScratch& scratch) {
  const SentenceWords words(sentence, entities && has_parts_of_speech(sentence));
  const auto list = tagger.k_best_with_probabilities(words.input(), k, scratch);
  std::string block = fmt::format("{}\n", list.size());
  for (const auto& sequence : list) {
    block += fmt::format("{:.17g}\n", sequence.score);
    for (std::size_t i = 0; i < sequence.item.size(); ++i) {
      std::string label = tagger.label(sequence.item[i]);
      std::ranges::replace(label, '\t', '+');
      block +=
          fmt::format("{}{}/{}", i == 0 ? "" : " ", sentence.form(static_cast<int>(i) + 1), label);
    }
    block += '\n';
  }
  return block + "\n";
}

std::string tag_list_json(const SequenceTagger& tagger, const Sentence& sentence, bool entities,
                          int k, TagScratch& scratch) {
  const SentenceWords words(sentence, entities && has_parts_of_speech(sentence));
  std::string out = "[";
  for (const auto& sequence : tagger.k_best_with_probabilities(words.input(), k, scratch)) {
    out += fmt::format("{}{{\"log_probability\": {:.17g}, \"tags\": [", out.size() > 1 ? ", " : "",
                       sequence.score);
    for (std::size_t i = 0; i < sequence.item.size(); ++i) {
      std::string label = tagger.label(sequence.item[i]);
      std::ranges::replace(label, '\t', '+');
      out += (i == 0 ? "" : ", ") + json_string(label);
    }
    out += "]}";
  }
  return out + "]";
}

Candidates tag_candidates(const TaggerPart& part, const Sentence& sentence, bool entities, int k,
                          TagScratch& scratch) {
  const SentenceWords words(sentence, entities && has_parts_of_speech(sentence));
  Candidates list;
  list.id = sentence.comment("sent_id").value_or("");
  for (int word = 1; word <= sentence.words(); ++word) {
    std::string text;
    for (const char c : sentence.form(word)) {
      if (c == ' ') {
        text += "\u00A0";
      } else {
        text += c;
      }
    }
    list.words.push_back(std::move(text));
  }
  for (const auto& sequence : part.tagger.k_best_with_probabilities(words.input(), k, scratch)) {
    Candidate candidate;
    candidate.log_probability = sequence.score;
    for (const Label number : sequence.item) {
      std::string label = part.tagger.label(number);
      std::ranges::replace(label, '\t', '+');
      if (!candidate.text.empty()) candidate.text += ' ';
      candidate.text += label;
    }
    list.items.push_back(std::move(candidate));
  }
  return list;
}

namespace {

StratumCounts entity_counts(std::span<const EntitySpan> found, std::span<const EntitySpan> gold) {
  StratumCounts counts{0, static_cast<std::int64_t>(gold.size()),
                       static_cast<std::int64_t>(found.size())};
  for (const EntitySpan& span : found) {
    counts.correct += std::ranges::find(gold, span) != gold.end() ? 1 : 0;
  }
  return counts;
}

}  // namespace

void grade_tags(Candidates& list, const TaggerPart& part, const Sentence& gold, bool entities) {
  if (entities) {
    std::vector<EntitySpan> right = entity_spans(labels_of_sentence(gold));
    const bool typed = std::ranges::any_of(part.tagger.model().labels, [](const auto& label) {
      return label.find('-') != std::string::npos;
    });
    for (EntitySpan& span : right) {
      if (!typed) span.type.clear();
    }
    for (Candidate& candidate : list.items) {
      const auto tags = tags_of(candidate);
      candidate.counts =
          entity_counts(entity_spans(std::vector<std::string>(tags.begin(), tags.end())), right);
      candidate.score = quality_of(*candidate.counts);
    }
    return;
  }
  for (Candidate& candidate : list.items) {
    double right = 0;
    int word = 0;
    for (const std::string_view tag : tags_of(candidate)) {
      std::string label = joint_label(gold, ++word, part.columns);
      std::ranges::replace(label, '\t', '+');
      right += label == tag ? 1 : 0;
    }
    candidate.score = right;
  }
}

std::string with_id(std::string_view block, std::string_view id) {
  const std::size_t end = block.find('\n');
  return fmt::format("{} {}{}", block.substr(0, end), id, block.substr(end));
}

}  // namespace copse
