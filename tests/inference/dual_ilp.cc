#include "tests/inference/dual_ilp.h"

#include <glpk.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace copse::reference {
namespace {

// Rows are equations; they are gathered and handed over at once.
class Program {
 public:
  Program(const PartIndex& index, const PartScores& scores, Flow flow)
      : index_(index), scores_(scores) {
    glp_term_out(GLP_OFF);
    glp_set_obj_dir(problem_.get(), GLP_MAX);
    for (int a = 0; a < index.arcs(); ++a) y_.push_back(variable(0, 1, 0, true));
    add_tree();
    if (flow == Flow::single) {
      add_flow();
    } else {
      for (int w = 1; w <= index.words(); ++w) add_flow_to(w);
    }
    for (int h = 0; h <= index.words(); ++h) add_paths(h);
    glp_load_matrix(problem_.get(), static_cast<int>(rows_.size()) - 1, rows_.data(),
                    columns_.data(), values_.data());
  }

  bool solve_lp() {
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    options.presolve = GLP_ON;
    return glp_simplex(problem_.get(), &options) == 0 && glp_get_status(problem_.get()) == GLP_OPT;
  }
  double lp_value() const { return glp_get_obj_val(problem_.get()); }

  // False if an arc is neither there nor not there.
  bool lp_heads(std::vector<int>& heads) const {
    heads.assign(static_cast<std::size_t>(index_.words()) + 1, kNobody);
    for (int a = 0; a < index_.arcs(); ++a) {
      const double y = glp_get_col_prim(problem_.get(), y_[a]);
      if (y > 1e-6 && y < 1 - 1e-6) return false;
      if (y > 0.5) heads[index_.arc(a).m] = index_.arc(a).h;
    }
    return true;
  }

  bool solve_ilp(double seconds) {
    glp_iocp options;
    glp_init_iocp(&options);
    options.msg_lev = GLP_MSG_OFF;
    if (seconds > 0) options.tm_lim = static_cast<int>(1000 * seconds);
    options.presolve = GLP_ON;
    return glp_intopt(problem_.get(), &options) == 0 && glp_mip_status(problem_.get()) == GLP_OPT;
  }
  double ilp_value() const { return glp_mip_obj_val(problem_.get()); }
  std::vector<int> heads() const {
    std::vector<int> heads(static_cast<std::size_t>(index_.words()) + 1, kNobody);
    for (int a = 0; a < index_.arcs(); ++a) {
      if (glp_mip_col_val(problem_.get(), y_[a]) > 0.5) heads[index_.arc(a).m] = index_.arc(a).h;
    }
    return heads;
  }

 private:
  struct Free {
    void operator()(glp_prob* problem) const { glp_delete_prob(problem); }
  };

  int variable(double low, double high, double score, bool whole) {
    const int column = glp_add_cols(problem_.get(), 1);
    glp_set_col_bnds(problem_.get(), column, low == high ? GLP_FX : GLP_DB, low, high);
    glp_set_obj_coef(problem_.get(), column, score);
    if (whole) glp_set_col_kind(problem_.get(), column, GLP_BV);
    return column;
  }
  int row(int kind, double low, double high) {
    const int row = glp_add_rows(problem_.get(), 1);
    glp_set_row_bnds(problem_.get(), row, kind, low, high);
    return row;
  }
  int equation(double value) { return row(GLP_FX, value, value); }
  void term(int row, int column, double value) {
    rows_.push_back(row);
    columns_.push_back(column);
    values_.push_back(value);
  }

  void add_tree() {
    for (int m = 1; m <= index_.words(); ++m) {
      const int one = equation(1);
      for (int a = 0; a < index_.arcs(); ++a) {
        if (index_.arc(a).m == m) term(one, y_[a], 1);
      }
    }
    if (index_.rule() == RootRule::multi) return;
    const int one = equation(1);
    for (int a = 0; a < index_.arcs(); ++a) {
      if (index_.arc(a).h == 0) term(one, y_[a], 1);
    }
  }

  void add_flow() {
    const double n = index_.words();
    const auto balance = [&](int m) { return equation(m == 0 ? -n : 1); };
    std::vector<int> at;
    for (int m = 0; m <= index_.words(); ++m) at.push_back(balance(m));
    for (int a = 0; a < index_.arcs(); ++a) {
      const int phi = variable(0, n, 0, false);
      term(at[index_.arc(a).m], phi, 1);
      term(at[index_.arc(a).h], phi, -1);
      const int limit = row(GLP_UP, 0, 0);
      term(limit, phi, 1);
      term(limit, y_[a], -n);
    }
  }

  void add_flow_to(int w) {
    std::vector<int> at;
    for (int m = 0; m <= index_.words(); ++m) at.push_back(equation(m == 0 ? -1 : m == w ? 1 : 0));
    for (int a = 0; a < index_.arcs(); ++a) {
      const int phi = variable(0, 1, 0, false);
      term(at[index_.arc(a).m], phi, 1);
      term(at[index_.arc(a).h], phi, -1);
      const int limit = row(GLP_UP, 0, 0);
      term(limit, phi, 1);
      term(limit, y_[a], -1);
    }
  }

  double score(PartIndex::Id id) const { return double{scores_[id]}; }
  // Taking a after the sibling in that slot.
  double transition(int a, int slot, int lane, bool lanes) const {
    double q = score(index_.dep(a));
    if (index_.has(PartFamily::sib)) q += score(index_.sib(a, slot));
    if (lanes) q += score(index_.grand(a) + lane);
    if (lanes && index_.has(PartFamily::gsib)) q += score(index_.gsib(a, slot) + lane);
    if (scores_.labels() == 0) return q;
    const auto row = scores_.label_row(a);
    return q + double{*std::max_element(row.begin(), row.end())};
  }

  void add_paths(int h) {
    const bool lanes = index_.has_lanes() && h != 0;
    for (const Side side : {Side::left, Side::right}) {
      if (h == 0 && side == Side::left) continue;
      const PartIndex::Range arcs = index_.arcs_of(h, side);
      std::vector<int> entered;  // what enters each candidate, over all k, is its arc
      for (int a = arcs.first; a < arcs.last; ++a) {
        entered.push_back(equation(0));
        term(entered.back(), y_[a], -1);
      }
      const int count = lanes ? static_cast<int>(index_.heads(h).size()) : 1;
      for (int lane = 0; lane < count; ++lane) add_paths(h, side, lane, lanes, entered);
    }
  }

  void add_paths(int h, Side side, int lane, bool lanes, const std::vector<int>& entered) {
    const PartIndex::Range arcs = index_.arcs_of(h, side);
    const int k = lanes ? index_.heads(h)[lane] : kNobody;
    // Balance of START and of every candidate.
    std::vector<int> at{equation(lanes ? 0 : 1)};
    if (lanes) term(at[0], y_[index_.find_arc(k, h)], -1);
    for (int a = arcs.first; a < arcs.last; ++a) at.push_back(equation(0));
    for (int from = 0; from <= arcs.size(); ++from) {
      const int last = arcs.first + from - 1;
      double stops = 0;
      if (index_.has(PartFamily::stop)) {
        stops = score(from == 0 ? index_.stop(h, side) : index_.stop(last));
      }
      term(at[from], variable(0, 1, stops, false), 1);
      if (from > 0 && index_.arc(last).m == k) continue;
      if (from > 0 && h == 0 && index_.rule() == RootRule::single) continue;
      for (int to = from + 1; to <= arcs.size(); ++to) {
        const int a = arcs.first + to - 1;
        if (index_.arc(a).m == k) continue;
        const int move = variable(0, 1, transition(a, from, lane, lanes), false);
        term(at[from], move, 1);
        term(at[to], move, -1);
        term(entered[to - 1], move, 1);
      }
    }
  }

  const PartIndex& index_;
  const PartScores& scores_;
  std::unique_ptr<glp_prob, Free> problem_{glp_create_prob()};
  std::vector<int> y_;
  std::vector<int> rows_{0}, columns_{0};  // counted from 1
  std::vector<double> values_{0};
};

}  // namespace

IlpAnswer solve_ilp(const PartIndex& index, const PartScores& scores, double seconds) {
  Program program(index, scores, Flow::single);
  IlpAnswer answer;
  answer.feasible = program.solve_ilp(seconds);
  if (!answer.feasible) return answer;
  answer.value = program.ilp_value();
  answer.heads = program.heads();
  return answer;
}

LpAnswer solve_lp(const PartIndex& index, const PartScores& scores, Flow flow) {
  Program program(index, scores, flow);
  LpAnswer answer;
  answer.feasible = program.solve_lp();
  if (!answer.feasible) return answer;
  answer.value = program.lp_value();
  answer.integral = program.lp_heads(answer.heads);
  return answer;
}

}  // namespace copse::reference
