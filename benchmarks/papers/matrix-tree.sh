#!/usr/bin/env bash
# The tables of Koo, Globerson, Carreras & Collins 2007 (structured prediction via the Matrix-Tree
# theorem) on four treebanks: three learners, each trained with projective and with non-projective
# trees and decoding both kinds; first order, unlabelled, nothing pruned.
#   benchmarks/papers/matrix-tree.sh DATA WORK
# Every learner has the same budget: three trainings (of three C; the perceptron, which has none,
# of three orders of the sentences) of at most PASSES (30) passes each, ended after
# PATIENCE (5) without gain. Of dev, the odd sentences choose pass
# and training, then the kind of trees decoded; the even ones are reported. LANGUAGES: which treebanks.
# MOST (1500) and MOST_DEV: sentences to learn from and of dev, at most.
set -euo pipefail
# shellcheck source=benchmarks/papers/shared.sh
source "$(dirname "$0")/shared.sh"
languages=${LANGUAGES:-slovene turkish basque dutch}
passes=${PASSES:-30}
most=${MOST:-1500}
most_dev=${MOST_DEV:-100000}
patience=${PATIENCE:-5}

settings() { # settings LEARNER: "name option..."
  case $1 in
    perceptron) printf '%s\n' 'seed1 --batch 1 --seed 1' 'seed2 --batch 1 --seed 2' \
      'seed3 --batch 1 --seed 3' ;;
    eg-maxmargin) printf '%s\n' 'C0.003 -C 0.003' 'C0.01 -C 0.01' 'C0.03 -C 0.03' ;;
    loglinear) printf '%s\n' 'C0.03 -C 0.03' 'C0.1 -C 0.1' 'C0.3 -C 0.3' ;;
  esac
}

uas_of() { sed -n 's/^dev, as saved: UAS //p' "$work/$1.log"; } # on the odd sentences

best_of() { # best_of LANGUAGE LEARNER TREE: the name of the training; the first of equals
  settings "$2" | while read -r setting _; do
    echo "$(uas_of "$1-$2-$setting-$3") $1-$2-$setting-$3"
  done | sort -s -k 1,1nr | head -1 | cut -d ' ' -f 2
}

for language in $languages; do
  make_once "$work/$language.dev.conllu" first "$data/$language/dev.conllu" "$most_dev"
  make_once "$work/$language.odd.conllu" half "$work/$language.dev.conllu" 1
  make_once "$work/$language.even.conllu" half "$work/$language.dev.conllu" 0
  make_once "$work/$language.train.conllu" first "$data/$language/train.conllu" "$most"
  for learner in perceptron eg-maxmargin loglinear; do
    for tree in projective nonprojective; do
      settings "$learner" | while read -r setting options; do
        train_once "$language-$learner-$setting-$tree" --train "$work/$language.train.conllu" \
          --dev "$work/$language.odd.conllu" --order first --tree "$tree" --unlabeled --prune 0 \
          --no-filter --learner "$learner" --passes "$passes" --patience "$patience" $options < /dev/null
      done
      for decoded in projective nonprojective; do
        name=$language-$learner-$tree.$decoded
        parse_once "$name" "$(best_of "$language" "$learner" "$tree")" "$work/$language.dev.conllu" \
          --tree "$decoded"
        make_once "$work/$name.odd.conllu" half "$work/$name.conllu" 1
        make_once "$work/$name.even.conllu" half "$work/$name.conllu" 0
      done
    done
  done
done
python3 "$here/matrix_tree.py" "$copse" "$work" $languages
