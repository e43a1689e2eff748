// What can be chosen about tagging.
#pragma once

#include "copse/base/stop.h"

namespace copse {

struct TagOptions {
  bool keep = false;          // tags that are there already stay, and guide the others
  bool plain_labels = false;  // entities: without "NE=" where a sentence has no labels yet
  Stop stop = {};             // throws Stopped, before each column
};

}  // namespace copse
