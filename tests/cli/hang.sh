#!/bin/sh
# An external mapper that never ends.
echo "still thinking"
exec sleep 1000
