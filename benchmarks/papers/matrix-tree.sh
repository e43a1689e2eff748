#!/usr/bin/env bash
# The tables of Koo, Globerson, Carreras & Collins 2007 (structured prediction via the Matrix-Tree
# theorem) on four treebanks: three learners, each trained with projective and with non-projective
# trees and decoding both kinds; first order, unlabelled, nothing pruned.
#   benchmarks/papers/matrix-tree.sh DATA WORK
# Every learner has the same budget: three trainings (of three C; the perceptron, which has none,
# of three orders of the sentences) of at most PASSES (30) passes each. Of dev, the odd sentences choose pass,
# training and kind of trees; the even ones are reported. LANGUAGES: which treebanks. MOST (1500):
# sentences to learn from, at most.
set -euo pipefail
# shellcheck source=benchmarks/papers/shared.sh
source "$(dirname "$0")/shared.sh"
languages=${LANGUAGES:-slovene turkish basque dutch}
passes=${PASSES:-30}
most=${MOST:-1500}

settings() { # settings LEARNER: "name option..."
  case $1 in
    perceptron) printf '%s\n' 'seed1 --batch 1 --seed 1' 'seed2 --batch 1 --seed 2' \
      'seed3 --batch 1 --seed 3' ;;
    eg-maxmargin) printf '%s\n' 'C0.003 -C 0.003' 'C0.01 -C 0.01' 'C0.03 -C 0.03' ;;
    loglinear) printf '%s\n' 'C0.03 -C 0.03' 'C0.1 -C 0.1' 'C0.3 -C 0.3' ;;
  esac
}

for language in $languages; do
  dev=$data/$language/dev.conllu
  make_once "$work/$language.odd.conllu" half "$dev" 1
  make_once "$work/$language.even.conllu" half "$dev" 0
  make_once "$work/$language.train.conllu" first "$data/$language/train.conllu" "$most"
  for learner in perceptron eg-maxmargin loglinear; do
    settings "$learner" | while read -r setting options; do
      for tree in projective nonprojective; do
        name=$language-$learner-$setting-$tree
        train_once "$name" --train "$work/$language.train.conllu" --dev "$work/$language.odd.conllu" \
          --order first --tree "$tree" --unlabeled --prune 0 --no-filter --learner "$learner" \
          --passes "$passes" --patience 5 $options < /dev/null
        [ -z "${ONLY_TRAIN:-}" ] || continue
        for decoded in projective nonprojective; do
          parse_once "$name.$decoded" "$name" "$dev" --tree "$decoded" < /dev/null
          make_once "$work/$name.$decoded.odd.conllu" half "$work/$name.$decoded.conllu" 1
          make_once "$work/$name.$decoded.even.conllu" half "$work/$name.$decoded.conllu" 0
        done
      done
    done
  done
done
[ -n "${ONLY_TRAIN:-}" ] || python3 "$here/matrix_tree.py" "$copse" "$work" $languages
