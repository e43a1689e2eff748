// What can be chosen about tagging.
#pragma once

namespace copse {

struct TagOptions {
  bool keep = false;          // tags that are there already stay, and guide the others
  bool plain_labels = false;  // entities: without "NE=" where a sentence has no labels yet
};

}  // namespace copse
