#!/bin/sh
# A mapper as a program of its own: external_mapper.sh GUEST NETWORK SLOTS MAPPING
# Reads the guest (METIS graph with edge weights), the hops between hosts and the slots of each, and puts
# rank after rank on the free slot that costs the fewest hop-bytes. On line r+1 of MAPPING stands the host of
# rank r. Try it:
#   vtopo compare --topology cart:4x4 --network mesh:4x4 --mapper block,external:command=examples/external_mapper.sh
set -eu
exec awk '
  FILENAME == ARGV[1] && FNR == 1 { num_ranks = $1; next }
  FILENAME == ARGV[1] { partners[FNR - 2] = $0; next }
  FILENAME == ARGV[2] && FNR == 1 { num_hosts = $1; next }
  FILENAME == ARGV[2] { for (h = 0; h < num_hosts; ++h) hops[FNR - 2, h] = $(h + 1); next }
  { slots[FNR - 1] = $1 }

  function hop_bytes(rank, host,    i, n, words, sum) {
    n = split(partners[rank], words)
    for (i = 1; i < n; i += 2)
      if ((words[i] - 1) in place) sum += words[i + 1] * hops[host, place[words[i] - 1]]
    return sum + 0
  }

  END {
    for (r = 0; r < num_ranks; ++r) {
      best = -1
      for (h = 0; h < num_hosts; ++h) {
        if (slots[h] == 0) continue
        sum = hop_bytes(r, h)
        if (best < 0 || sum < least) { best = h; least = sum }
      }
      place[r] = best
      --slots[best]
      print best
    }
  }' "$1" "$2" "$3" >"$4"
