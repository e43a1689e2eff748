#!/usr/bin/env bash
# The tables of Koo & Collins 2010 (efficient third-order dependency parsers) on the Penn Treebank
# sample: Models 0, 1 and 2, their ablations, the features of the article beside the built-in ones, the
# pruner's threshold, exponentiated gradient as the pruner's learner, seeds.
#   benchmarks/papers/third-order.sh DATA WORK
# Unlabelled, predicted tags, PASSES (8) passes of MIRA; the pruner's threshold is PRUNE (0.01) where
# nothing else is said. Nothing is chosen on the development sentences. What is in WORK already is not
# made again; a table shows what is there. TABLES: which are made; THRESHOLDS: of the sweep; ORDERS: of
# the features of the article; SEEDS: of what was tried to put Model 1 above Carreras
# (the threshold of the default has four).
set -euo pipefail
# shellcheck source=benchmarks/papers/shared.sh
source "$(dirname "$0")/shared.sh"
seeds=${SEEDS:-1 2}
tables=${TABLES:-seeds tried orders ablations paper sweep pruner}
prune=${PRUNE:-0.01}
templates=$here/../../copse/dependency/templates
wants() { [[ " $tables " == *" $1 "* ]]; }

prepare_wsj
for seed in 1 2 3 4; do # Model 1 over Carreras over the first order
  ! wants seeds || for order in first carreras model1; do
    train_wsj "$order-seed$seed" --order "$order" --prune "$prune" --seed "$seed"
  done
done
tried() { # tried NAME PASSES OPTION...: another setting, the same for all orders
  for seed in $seeds; do
    for order in first carreras model1; do
      PASSES=$2 train_wsj "$order-seed$seed-$1" --order "$order" --seed "$seed" "${@:3}"
    done
  done
}
if wants tried; then
  seeds="1 2 3 4" tried p001 8 --prune 0.001
  tried p001-4 4 --prune 0.001
  tried q15 15 --prune 0.001
  tried mc1 8 --prune "$prune" --min-count 1 --model-size 0
  tried perc 8 --prune "$prune" --learner perceptron
fi
! wants orders || for order in sibling model0 model2; do
  train_wsj "$order-seed1" --order "$order" --prune "$prune"
done
if wants ablations; then # the parts stay, without features
  without "$templates/default.templates" gsib tsib > "$work/no-third.templates"
  without "$templates/default.templates" grand gsib > "$work/no-grand.templates"
  awk '/^\[/ { third = ($1 == "[gsib]") } third && /\.w/ { next } 1' "$templates/default.templates" \
    > "$work/gsib-tags.templates"
  without "$templates/default.templates" stop > "$work/no-stop.templates"
  train_wsj model1-gsib-tags --order model1 --prune "$prune" --features "$work/gsib-tags.templates"
  train_wsj model1-no-stop --order model1 --prune "$prune" --features "$work/no-stop.templates"
  train_wsj model1-no-third --order model1 --prune "$prune" --features "$work/no-third.templates"
  train_wsj model2-no-third --order model2 --prune "$prune" --features "$work/no-third.templates"
  train_wsj model2-no-grand --order model2 --prune "$prune" --features "$work/no-grand.templates"
fi
of_pruner() { # of_pruner NAME OPTION...: what a pruner keeps and loses of dev; nothing else is used
  train_once "pruner-$1" --train "$work/train.conllu" --dev "$work/tagged.conllu" --unlabeled \
    --tree projective --order first --passes 1 "${@:2}"
}
if wants sweep; then
  for threshold in ${THRESHOLDS:-0.001 0.0001} "$prune"; do
    of_pruner "$threshold" --prune "$threshold"
    [ "$threshold" = "$prune" ] || train_wsj "model1-$threshold" --order model1 --prune "$threshold"
  done
fi
if wants pruner; then # ten passes, as in the article
  eg=(--prune "$prune" --pruner-learner eg-loglinear --pruner-passes 10)
  of_pruner eg "${eg[@]}"
  train_wsj model1-eg --order model1 "${eg[@]}"
fi
! wants paper || for order in ${ORDERS:-first sibling carreras model0 model1 model2}; do
  train_wsj "$order-paper" --order "$order" --prune "$prune" --features "$templates/paper.templates"
done
python3 "$here/third_order.py" "$copse" "$work"
