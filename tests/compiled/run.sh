#!/bin/sh
# Random programs of the model, compiled: partial orders, ends and races are those of brute force.
# cpu: 15
exec "$(dirname "$0")/run" --programs 6 --seed "${SEED:-1}"
