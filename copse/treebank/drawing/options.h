// What every drawing writer can be told. Each field is honoured by the writers it makes sense for.
#pragma once

namespace copse {

struct DrawingOptions {
  // Lines wrap, or the layout changes, beyond this: pixels for SVG and HTML, columns for the
  // terminal. 0 takes the writer's own default (1200 pixels, 100 columns).
  int width = 0;
  bool color = false;              // terminal: ANSI colours
  bool unicode = true;             // terminal: box-drawing characters; false keeps to ASCII
  bool show_tags = true;           // part-of-speech tags with the words
  bool show_labels = true;         // relation names on arcs
  bool show_probabilities = true;  // arc probabilities, where MISC has Prob=
  bool show_tokens = true;         // surface tokens under the words they are made of
  int max_form = 40;               // longer words are abbreviated, in character cells
};

}  // namespace copse
