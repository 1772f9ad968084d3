#!/bin/sh
# Many random programs of the model, compiled, by every strategy that ends.
exec "$(dirname "$0")/run" --programs 200 --seed 1000000 --strategy optimal --strategy source --strategy dpor-cr-sleep
