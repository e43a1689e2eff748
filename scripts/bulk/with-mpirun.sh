#!/bin/sh
# The shards of a job (bulk.py) by processes that mpirun starts: with-mpirun.sh DIR MPIRUN-OPTIONS...
#
#   with-mpirun.sh DIR -n 16 --hostfile hosts --map-by node
#
# The processes send each other nothing: mpirun only starts them and tells each its number. It ends all
# when one dies; start it again, and it goes on with what is left.
set -eu
directory=$1
shift
exec mpirun "$@" python3 "$(dirname "$0")/bulk.py" work "$directory"
