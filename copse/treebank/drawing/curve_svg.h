// Line charts as SVG: how a parser gets better pass by pass, or with more training data. Panels
// stand below each other. Light and dark pages, no scripts, no outside resources.
#pragma once

#include <string>
#include <vector>

namespace copse {

struct ChartPoint {
  double x = 0;
  double y = 0;
};

struct CurveSeries {
  std::string name;
  std::vector<ChartPoint> points;  // in rising order of x; those that are no numbers are left out
};

struct CurvePanel {
  std::string x_title, y_title;
  std::vector<CurveSeries> series;
  bool doubling_x = false;  // logarithmic, with a tick at every x that occurs; needs x > 0
};

struct CurveChart {
  std::string title;
  std::vector<CurvePanel> panels;
};

std::string curve_svg(const CurveChart& chart);

// Round numbers, 1, 2 or 5 times a power of ten apart, that cover low..high in about `steps` steps.
std::vector<double> round_ticks(double low, double high, int steps);

}  // namespace copse
