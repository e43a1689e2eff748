#!/usr/bin/env bash
# The tables of Koo, Carreras & Collins 2008 (simple semi-supervised dependency parsing) on the Penn
# Treebank sample: clusters by order, with less data, features taken away, no tags, less text.
#   benchmarks/papers/clusters.sh DATA WORK
# Unlabelled, predicted tags, PASSES (8) passes of MIRA; nothing is chosen on the development
# sentences. What is in WORK already is not made again. TABLES: which are made. Clusters are made of DATA/raw/en.txt.gz (WORK/paths if it is there).
set -euo pipefail
# shellcheck source=benchmarks/papers/shared.sh
source "$(dirname "$0")/shared.sh"
tables=${TABLES:-orders ablations tags text reduced limit tagger}
prune=${PRUNE:-0.01}
templates=$here/../../copse/dependency/templates
wants() { [[ " $tables " == *" $1 "* ]]; }

both() { # both NAME OPTION...: without clusters and with them
  train_wsj "$1" --prune "$prune" "${@:2}"
  train_wsj "$1-clusters" --prune "$prune" "${@:2}" --clusters "$work/paths"
}
of_text() { # of_text SHARE: clusters of the first SHARE of the sentences, spread over the text
  [ -s "$work/paths-$1" ] && return
  zcat "$data/raw/en.txt.gz" | awk -v every="$1" 'NR % every == 1' > "$work/text-$1"
  "$copse" cluster -q --threads 1 --clusters 1000 "$work/text-$1" -o "$work/paths-$1"
}
table() { # table NAME AWK-CONDITION: the built-in features, and those of clusters for which it holds
  cat "$templates/default.templates" > "$work/$1.templates"
  awk "/=/ && !/copies/ && !($2) { next } 1" "$templates/clusters.templates" >> "$work/$1.templates"
}

prepare_wsj
[ -s "$work/paths" ] || "$copse" cluster -q --threads 1 --clusters 1000 "$data/raw/en.txt.gz" -o "$work/paths"
! wants orders || for order in first carreras model1; do both "$order" --order "$order"; done
if wants ablations; then # hybrids join clusters with words and tags, full strings are .k
  table no-hybrids '!/\.(t|w|T)( |$)/'
  table no-strings '!/\.k( |$)/'
  for name in no-hybrids no-strings; do
    train_wsj "first-$name" --order first --prune "$prune" --clusters "$work/paths" \
      --features "$work/$name.templates"
  done
fi
! wants tags || both first-no-tags --order first --no-tags
! wants text || for every in 4 16; do
  of_text "$every"
  train_wsj "first-text$every" --order first --prune "$prune" --clusters "$work/paths-$every"
done
! wants reduced || for count in 500 1000 2000; do
  make_once "$work/train.gold$count.conllu" first "$work/train.gold.conllu" "$count"
  tag_from "$work/train.gold$count.conllu" "$work/tagger$count"
  make_once "$work/train$count.conllu" first "$work/train.conllu" "$count"
  # The tagger has seen all of the treebank, or only these sentences.
  TRAIN=$work/train$count.conllu both "first-$count" --order first
  TRAIN=$work/tagger$count/train.conllu TAGGED=$work/tagger$count/tagged.conllu \
    both "first-$count-reduced" --order first
done
! wants limit || for limit in 200 0; do
  train_wsj "first-limit$limit" --order first --prune "$prune" --clusters "$work/paths" \
    --lexical-limit "$limit"
done
if wants tagger; then # the tagger has the clusters, too
  tag_from "$work/train.gold.conllu" "$work/tagger-clusters" --clusters "$work/paths"
  for order in first carreras model1; do
    TRAIN=$work/tagger-clusters/train.conllu TAGGED=$work/tagger-clusters/tagged.conllu \
      train_wsj "$order-both" --order "$order" --prune "$prune" --clusters "$work/paths"
  done
fi
python3 "$here/clusters.py" "$copse" "$work"
