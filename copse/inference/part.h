// The parts that a tree is scored by, and which parts each factorisation has.
//
// Words are 1..n, 0 is the root; h is a head, m its modifier, s the next modifier of h towards h
// on the same side, t the one inside s, g the head of h; kNobody stands where there is none.
//
//   dep(h,m)        every arc
//   stop(h,side,m)  m is the outermost modifier on that side, or nobody when the side is empty
//   sib(h,m,s)      every arc; s is nobody when m is the innermost
//   grand(g,h,m)    h >= 1: every m in Models 0 and 1; the outermost m of each side in Carreras,
//                   where m may be nobody; the two outermost in Model 2
//   gsib(g,h,m,s)   h >= 1: every m in Model 1, the outermost m in Model 2
//   tsib(h,m,s,t)   every arc
#pragma once

#include <string>

namespace copse {

enum class Factorisation {
  first,     // dep                                Eisner 1996
  sibling,   // dep stop sib                       McDonald & Pereira 2006
  carreras,  // dep sib grand (outermost)          Carreras 2007
  model0,    // dep grand                          Koo & Collins 2010, Model 0
  model1,    // dep stop sib grand gsib            Koo & Collins 2010, Model 1
  model2,    // dep stop sib tsib grand gsib       Koo & Collins 2010, Model 2
};

enum class PartFamily { dep, stop, sib, grand, gsib, tsib };
inline constexpr int kPartFamilies = 6;

enum class Side { left, right };

// May arcs cross? Where they may, a head's head can stand anywhere, between the head and its
// modifier too, and every modifier has its grand and gsib parts, in Model 2 as in Model 1.
enum class Crossing { never, allowed };

inline constexpr int kNobody = -1;

struct Part {
  PartFamily family = PartFamily::dep;
  int g = kNobody;
  int h = 0;
  int m = kNobody;
  int s = kNobody;
  int t = kNobody;
  // The side of h on which the part lies: it says something only where m is nobody.
  Side side = Side::right;

  bool operator==(const Part&) const = default;
};

bool has_family(Factorisation factorisation, PartFamily family);

// "model1", as the command line spells it.
const char* name(Factorisation factorisation);
// "gsib(0,3,5,-)", for messages.
std::string str(const Part& part);

}  // namespace copse
