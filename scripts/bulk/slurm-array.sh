#!/bin/sh
# The shards of a job (bulk.py) by the tasks of a Slurm array, or of any scheduler that numbers tasks:
#
#   bulk.py split DIR book*.txt -- copse parse -q --threads "$CORES"
#   sbatch --array=0-15 --cpus-per-task="$CORES" slurm-array.sh DIR
#
# One task a machine, with all its cores, holds one copy of the model. A task that ended early is
# started again with the same line; the last one to find nothing left joins:
#
#   bulk.py verify DIR && bulk.py join DIR -o all.conllu
#
#SBATCH --job-name=copse
#SBATCH --requeue
set -eu
# Slurm runs a copy of this script: say where bulk.py is.
exec python3 "${COPSE_BULK:-$(dirname "$0")/bulk.py}" work "$1"
