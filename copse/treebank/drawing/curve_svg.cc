#include "copse/treebank/drawing/curve_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "copse/treebank/drawing/drawable.h"

namespace copse {
namespace {

constexpr double kWidth = 720;
constexpr double kPlotHeight = 220;
constexpr double kMargin = 18;
constexpr double kTitle = 34;
constexpr double kLegend = 30;
constexpr double kBelow = 46;       // ticks and title of the x axis
constexpr double kCharacter = 6.6;  // about the width of one in 12 px
constexpr std::size_t kStyles = 6;

// Custom properties would be shorter, but not every renderer of SVG knows them. Lines differ in
// colour and in dashes, so that they can be told apart without colours.
constexpr std::string_view kStyle = R"css(<style>
.copse-curve text { font: 12px "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; fill: #59636e; }
.copse-curve .title { font-size: 15px; font-weight: 600; fill: #1b1f24; }
.copse-curve .name { fill: #1b1f24; }
.copse-curve .end { text-anchor: end; } .copse-curve .middle { text-anchor: middle; }
.copse-curve .paper { fill: #ffffff; }
.copse-curve .grid { stroke: #e3e7ec; stroke-width: 1; } .copse-curve .axis { stroke: #a9b2bd; stroke-width: 1; }
.copse-curve polyline, .copse-curve .key { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.copse-curve .s0 { stroke: #1f6fc4; } .copse-curve .d0 { fill: #1f6fc4; }
.copse-curve .s1 { stroke: #c26a12; stroke-dasharray: 7 4; } .copse-curve .d1 { fill: #c26a12; }
.copse-curve .s2 { stroke: #24895a; } .copse-curve .d2 { fill: #24895a; }
.copse-curve .s3 { stroke: #8a4bb8; stroke-dasharray: 7 4; } .copse-curve .d3 { fill: #8a4bb8; }
.copse-curve .s4 { stroke: #b3364b; stroke-dasharray: 2 4; } .copse-curve .d4 { fill: #b3364b; }
.copse-curve .s5 { stroke: #717b87; } .copse-curve .d5 { fill: #717b87; }
@media (prefers-color-scheme: dark) {
.copse-curve text { fill: #9aa4b0; } .copse-curve .title, .copse-curve .name { fill: #e8ebef; }
.copse-curve .paper { fill: #14171c; }
.copse-curve .grid { stroke: #2a3038; } .copse-curve .axis { stroke: #525b66; }
.copse-curve .s0 { stroke: #5ba3ee; } .copse-curve .d0 { fill: #5ba3ee; }
.copse-curve .s1 { stroke: #e39a4a; } .copse-curve .d1 { fill: #e39a4a; }
.copse-curve .s2 { stroke: #4fbf8b; } .copse-curve .d2 { fill: #4fbf8b; }
.copse-curve .s3 { stroke: #b98be0; } .copse-curve .d3 { fill: #b98be0; }
.copse-curve .s4 { stroke: #ee7a8c; } .copse-curve .d4 { fill: #ee7a8c; }
.copse-curve .s5 { stroke: #8b95a1; } .copse-curve .d5 { fill: #8b95a1; }
}
</style>
)css";

std::string escaped(std::string_view text) {
  return drawing::xml_escape(drawing::drawable(text));
}

// "12,000", "88.5": as many decimals as the step between ticks has.
std::string number(double value, double step) {
  const int decimals = step >= 1 || step <= 0
                           ? 0
                           : std::min(9, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const std::size_t end = std::min(text.find('.'), text.size());
  const std::size_t begin = text.starts_with('-') ? 1 : 0;
  for (std::size_t at = end; at > begin + 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

bool is_drawable(const CurvePanel& panel, const ChartPoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y) && (!panel.doubling_x || point.x > 0);
}

struct Extent {
  double low = 0, high = 0;
  bool empty = true;

  void add(double value) {
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    empty = false;
  }
};

class Panel {
 public:
  Panel(const CurvePanel& panel, double top) : panel_(panel), top_(top + kLegend) {
    Extent x, y;
    for (const CurveSeries& series : panel.series) {
      for (const ChartPoint& point : series.points) {
        if (!is_drawable(panel, point)) continue;
        x.add(point.x);
        y.add(point.y);
        if (panel.doubling_x) places_.insert(point.x);
      }
    }
    empty_ = x.empty;
    y_ticks_ = round_ticks(y.low, y.high, 5);
    x_ticks_ = panel.doubling_x ? std::vector<double>(places_.begin(), places_.end())
                                : round_ticks(x.low, x.high, 10);
    // Passes and sentences are counted: no ticks between them.
    std::erase_if(x_ticks_, [&](double tick) {
      return tick != std::floor(tick) || tick < x.low || tick > x.high;
    });
    x_low_ = scaled(x.low);
    x_high_ = std::max(scaled(x.high), x_low_ + 1e-9);
    std::size_t widest = 0;
    for (const double tick : y_ticks_) widest = std::max(widest, number(tick, y_step()).size());
    left_ = kMargin + 22 + kCharacter * static_cast<double>(widest) + 8;
  }

  std::string draw() {
    draw_legend();
    draw_axes();
    if (empty_) text("middle", (left_ + right()) / 2, top_ + kPlotHeight / 2, "no data");
    for (std::size_t k = 0; k < panel_.series.size(); ++k) draw_series(k);
    return std::move(out_);
  }
  static constexpr double height() { return kLegend + kPlotHeight + kBelow; }

 private:
  double scaled(double x) const { return panel_.doubling_x && x > 0 ? std::log2(x) : x; }
  double y_step() const { return y_ticks_.size() > 1 ? y_ticks_[1] - y_ticks_[0] : 1; }
  static double right() { return kWidth - kMargin - 14; }
  double x_at(double x) const {
    const double share = (scaled(x) - x_low_) / (x_high_ - x_low_);
    return left_ + 10 + share * (right() - left_ - 10);
  }
  double y_at(double y) const {
    const double low = y_ticks_.front();
    return top_ + kPlotHeight * (1 - (y - low) / (y_ticks_.back() - low));
  }

  void text(std::string_view classes, double x, double y, std::string_view content) {
    fmt::format_to(std::back_inserter(out_),
                   "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", classes, x, y,
                   escaped(content));
  }
  void line(std::string_view classes, double x1, double y1, double x2, double y2) {
    fmt::format_to(std::back_inserter(out_),
                   "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                   classes, x1, y1, x2, y2);
  }

  void draw_legend() {
    double x = left_;
    for (std::size_t k = 0; k < panel_.series.size(); ++k) {
      const std::string& name = panel_.series[k].name;
      line(fmt::format("key s{}", k % kStyles), x, top_ - 18, x + 26, top_ - 18);
      text("name", x + 33, top_ - 14, name);
      x += 33 + kCharacter * static_cast<double>(name.size()) + 22;
    }
  }

  void draw_axes() {
    for (const double tick : y_ticks_) {
      line("grid", left_, y_at(tick), right(), y_at(tick));
      text("end", left_ - 8, y_at(tick) + 4, number(tick, y_step()));
    }
    const double floor = top_ + kPlotHeight;
    line("axis", left_, floor, right(), floor);
    double taken = left_ - kMargin;  // by the numbers so far
    for (const double tick : x_ticks_) {
      const std::string label = number(tick, 1);
      const double half = kCharacter * static_cast<double>(label.size()) / 2;
      line("axis", x_at(tick), floor, x_at(tick), floor + 4);
      if (x_at(tick) - half < taken) continue;
      text("middle", x_at(tick), floor + 18, label);
      taken = x_at(tick) + half + 6;
    }
    text("middle", (left_ + right()) / 2, floor + 36, panel_.x_title);
    const double middle = top_ + kPlotHeight / 2;
    fmt::format_to(std::back_inserter(out_),
                   "<text class=\"middle\" transform=\"translate({:.1f} {:.1f}) rotate(-90)\">{}"
                   "</text>\n",
                   kMargin + 8, middle, escaped(panel_.y_title));
  }

  void draw_series(std::size_t k) {
    std::string points, dots;
    for (const ChartPoint& point : panel_.series[k].points) {
      if (!is_drawable(panel_, point)) continue;
      const double x = x_at(point.x), y = y_at(point.y);
      fmt::format_to(std::back_inserter(points), "{}{:.1f},{:.1f}", points.empty() ? "" : " ", x,
                     y);
      fmt::format_to(std::back_inserter(dots),
                     "<circle class=\"d{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}: {:g}, "
                     "{:.6g}</title></circle>\n",
                     k % kStyles, x, y, escaped(panel_.series[k].name), point.x, point.y);
    }
    if (points.empty()) return;
    fmt::format_to(std::back_inserter(out_), "<polyline class=\"s{}\" points=\"{}\"/>\n{}",
                   k % kStyles, points, dots);
  }

  const CurvePanel& panel_;
  double top_;
  double left_ = 0, x_low_ = 0, x_high_ = 1;
  bool empty_ = true;
  std::set<double> places_;
  std::vector<double> x_ticks_, y_ticks_;
  std::string out_;
};

}  // namespace

std::vector<double> round_ticks(double low, double high, int steps) {
  if (!(high > low)) {
    const double room = low == 0 ? 1 : std::abs(low) * 0.05;
    low -= room;
    high += room;
  }
  const double rough = (high - low) / std::max(1, steps);
  if (!std::isfinite(rough)) return {0, 1};
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough * (1 - 1e-9)) step = factor * power;
  }
  const double first = std::floor(low / step + 1e-9);
  const double last = std::ceil(high / step - 1e-9);
  // Where neighbouring numbers lie farther apart than the steps, nothing can be told apart.
  if (!(last > first) || first + 1 == first) return {low, high};
  std::vector<double> ticks;
  for (double k = first; k <= last; ++k) ticks.push_back(k * step);
  return ticks;
}

std::string curve_svg(const CurveChart& chart) {
  std::string inside;
  double top = kMargin + (chart.title.empty() ? 0 : kTitle);
  for (const CurvePanel& panel : chart.panels) {
    inside += Panel(panel, top).draw();
    top += Panel::height();
  }
  const double height = top + kMargin / 2;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"copse-curve\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n{2}<title>{3}</title>\n"
      "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
      kWidth, height, kStyle, escaped(chart.title));
  if (!chart.title.empty()) {
    out += fmt::format("<text class=\"title\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", kMargin,
                       kMargin + 10, escaped(chart.title));
  }
  return out + inside + "</svg>\n";
}

}  // namespace copse
