# What the scripts of this folder share; they source it with DATA and WORK as their arguments.
# Sets `data`, `work`, `copse` and `here`. What is in WORK already is not made again.
# shellcheck shell=bash
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
copse=$(realpath "${COPSE:-$here/../../build/copse}")
data=$(realpath "${1:?usage: $(basename "$0") DATA WORK}")
mkdir -p "${2:?usage: $(basename "$0") DATA WORK}"
work=$(realpath "$2")

half() { # half FILE PARITY: every other sentence
  awk -v parity="$2" 'BEGIN { RS = ""; ORS = "\n\n" } NR % 2 == parity' "$1"
}
first() { # first FILE COUNT: so many sentences
  awk -v most="$2" 'BEGIN { RS = ""; ORS = "\n\n" } NR <= most' "$1"
}

make_once() { # make_once FILE COMMAND...: what the command prints
  [ -s "$1" ] && return
  "${@:2}" > "$1.new"
  mv "$1.new" "$1"
}

train_once() { # train_once NAME OPTION...: WORK/NAME.copse, its .log, and its .time: user seconds, KB
  local name=$work/$1
  [ -s "$name.copse" ] && return
  /usr/bin/time -o "$name.time" -f '%U %M' "$copse" train dependency --threads 1 "${@:2}" \
    -o "$name.copse" 2> "$name.log"
}

parse_once() { # parse_once NAME MODEL FILE OPTION...: WORK/NAME.conllu, and its .seconds of user time
  local name=$work/$1
  [ -s "$name.conllu" ] && return
  /usr/bin/time -o "$name.seconds" -f %U "$copse" parse -q --threads 1 -m "$work/$2.copse" "$3" \
    "${@:4}" -o "$name.conllu"
}

tag_from() { # tag_from GOLD FOLDER OPTION...: ten taggers that have not seen what they tag, one of all
  local train=("$copse" train tagger -q --threads 1 --train "$1" "${@:3}")
  mkdir -p "$2"
  [ -s "$2/train.conllu" ] || "${train[@]}" --jackknife 10 -o "$2/train.conllu"
  [ -s "$2/tagger.copse" ] || "${train[@]}" -o "$2/tagger.copse"
  make_once "$2/tagged.conllu" "$copse" tag -q --threads 1 -m "$2/tagger.copse" "$work/gold.conllu"
}

# The Penn Treebank sample as dependencies: WORK/train.gold.conllu, WORK/gold.conllu (development);
# with predicted tags WORK/train.conllu and WORK/tagged.conllu.
prepare_wsj() {
  local convert=("$copse" convert -q --to conllu --heads yamada-matsumoto --unlabelled)
  make_once "$work/train.gold.conllu" "${convert[@]}" "$data/wsj-sample/train.mrg"
  make_once "$work/gold.conllu" "${convert[@]}" "$data/wsj-sample/dev.mrg"
  tag_from "$work/train.gold.conllu" "$work"
}

# train_wsj NAME OPTION...: unlabelled, projective, a fixed number of passes: nothing is chosen on the
# development sentences, all of which are then parsed: WORK/NAME.conllu. TRAIN, TAGGED: other files.
train_wsj() {
  train_once "$1" --train "${TRAIN:-$work/train.conllu}" --unlabeled --tree projective \
    --passes "${PASSES:-8}" "${@:2}"
  parse_once "$1" "$1" "${TAGGED:-$work/tagged.conllu}"
}

without() { # without TABLE SECTION...: a table of features without these sections
  awk -v out=" ${*:2} " '/^\[/ { name = substr($1, 2, length($1) - 2); skip = index(out, " " name " ") }
    !skip' "$1"
}
