#!/usr/bin/env bash
# Writes the platform files of the machines below: platforms/generate.sh VTOPO [FOLDER]
# VTOPO is the command; FOLDER is this one by default. A test compares what it writes with what is
# committed. Figures with "assumed" are not verified; the README says what does not fit.
set -euo pipefail
vtopo=$1
folder=${2:-$(dirname "$0")}

# name network bandwidth latency form comment-line...; with host names if $names lists them, and with
# $properties; with SimGrid's routes unless a property states a rule
names=
properties=()
platform() {
  local name=$1 network=$2 bandwidth=$3 latency=$4 form=$5 options=() line
  shift 5
  for line in "$@"; do options+=(--comment "$line"); done
  [ -z "$names" ] || options+=(--host-names "$names")
  for line in "${properties[@]}"; do options+=(--property "$line"); done
  echo "$name" >&2
  "$vtopo" platform generate --network "$network" --bandwidth "$bandwidth" --latency "$latency" \
    --routing simgrid --form "$form" "${options[@]}" -o "$folder/$name.xml"
}

# Numbers of the nodes of a rack: the number before its first node, then ranges counted from there.
rack() {
  local before=$1 range
  shift
  for range in "$@"; do
    printf '%04d-%04d,' $((before + ${range%-*})) $((before + ${range#*-}))
  done
}

# The nodes of Leonardo, leaf switch by leaf switch: four kinds of racks.
leonardo_nodes() {
  local r booster='1-8 13-14 15-16 21-28 9-12 17-20 29-30' hybrid='1-8 13-14 15-16 9-12 17-18'
  local first_leaf='1-26 28-29 31-32 34-35 38-39 41-42 44-45 47-48'
  local second_leaf='27-27 30-30 33-33 36-37 40-40 43-43 46-46'
  for r in {0..113}; do rack $((30 * r)) $booster; done
  for r in {0..1}; do rack $((3420 + 18 * r)) $hybrid; done
  for r in {0..5}; do rack $((3456 + 48 * r)) $first_leaf $second_leaf; done
  for r in {0..15}; do rack $((3744 + 78 * r)) $first_leaf $second_leaf 49-78; done
}

platform mira torus:8x12x16x16x2 2GBps 40ns cluster \
  'Mira (ALCF), IBM Blue Gene/Q: 48 racks, 5-D torus A x B x C x D x E, A fastest; 2 GB/s raw.' \
  'Source: IBM, Blue Gene/Q hardware overview; as of 2026-11. Assumed: the five sizes.'

# Found by vtopo calibrate, see tests/bench/measured.md.
properties=('job-network=folded:a=2m,b=3,c=2m,X<=24,Y<=23,Z<=24;aX/Yb/cZ;aYb/cXZ;aXYZbc'
  injection=6.8GBps/101ns
  extraction=inf
  overhead=2830ns
  gap=150ns
  eager-limit=16KiB
  handshake=5860ns
  reduction-bandwidth=16.1GBps
  memory-bandwidth=23.8GBps)
platform fugaku torus:24x23x24x2mx3x2m 6.35GBps 100ns property \
  'Fugaku (RIKEN), TofuD: 6-D mesh/torus X x Y x Z x A x B x C, X fastest; 10 links of a node.' \
  'Sources: RIKEN R-CCS user guide; Ajima et al., The Tofu Interconnect D, CLUSTER 2018; as of 2026-11.' \
  'A link of 6.8 GB/s puts 6.35 GB/s of payload (the latter).' \
  'Assumed: the six sizes; X, Y and Z are rings; 100 ns; a gap of 150 ns.' \
  'A rank sends by one of its six interfaces, as measured; it receives by all links.'
properties=()

platform titan-gemini torus:25x16x24,bandwidth=9.4GBps/4.7GBps/9.4GBps 9.4GBps 100ns property \
  'Titan (ORNL), Cray Gemini: the 9,600 routers of the 3-D torus X x Y x Z, X fastest.' \
  'Source: ORNL; as of 2026-11. Assumed: 9.4, 4.7 and 9.4 GB/s in X, Y and Z (4.7 to 9.4 GB/s are quoted).' \
  'Does not fit: the two nodes of a router are one host.'

platform tpu-v4-pod torus:16x16x16 50GBps 100ns cluster \
  'TPU v4 pod (Google): 4,096 chips on a 3-D torus.' \
  'Source: public descriptions of TPU v4; as of 2026-11. Assumed: 100 ns.' \
  'Does not fit: twisted tori, and the optical switches that join the cubes anew for each job.'

platform edison 'dragonfly:15,10;6,3;16,1;4' 5.25GBps 100ns property \
  'Edison (NERSC), Cray XC30: 15 groups of 6 chassis of 16 blades of 4 nodes.' \
  'Sources: CODES and SST/macro configurations of Edison; as of 2026-11.' \
  'Assumed: optical cables as fast as electrical ones (4.7 GB/s are quoted); all ports taken.' \
  'Does not fit: one router per group holds all cables to another group; adaptive routing.'

platform perlmutter-gpu 'dragonfly:24,4;1,1;32,1;16' 25GBps 350ns cluster \
  'Perlmutter (NERSC), GPU partition, HPE Slingshot: 24 groups of 32 switches; a host is one NIC.' \
  'Source: NERSC documentation; as of 2026-11.' \
  'Assumed: 16 NICs on every switch; 4 cables between two groups, at one switch of each; 350 ns.' \
  'Does not fit: a node with several NICs; NVLink; adaptive routing.'

platform lumi-c 'dragonfly:6,8;1,1;16,1;16' 25GBps 350ns cluster \
  'LUMI-C (CSC), HPE Slingshot: 6 groups of 16 switches of 16 nodes.' \
  'Source: LUMI documentation; as of 2026-11.' \
  'Assumed: 8 cables between two groups, at one switch of each; 350 ns.' \
  'Does not fit: adaptive routing.'

platform lumi-g 'dragonfly:20,4;1,1;32,1;16' 25GBps 350ns cluster \
  'LUMI-G (CSC), HPE Slingshot: 20 groups of 32 switches; a host is one NIC.' \
  'Source: LUMI documentation; as of 2026-11.' \
  'Assumed: 16 NICs on every switch; 4 cables between two groups, at one switch of each; 350 ns.' \
  'Does not fit: a node with several NICs; links between GPUs of a node; adaptive routing.'

names='nid[001000-003047],nid[005000-007977]'
# Found by vtopo calibrate, see tests/bench/measured.md.
properties=(routing=adaptive
  injection=6.21GBps/918ns
  extraction=6.21GBps
  overhead=878ns
  gap=150ns
  eager-limit=16KiB
  handshake=3590ns
  reduction-bandwidth=4.59GBps
  memory-bandwidth=49.6GBps)
platform lumi 'dragonfly:32,1;1,1;32,1;16,pair_links=4,arrangement=relative,groups=8:16*16/23:31*4+0/31*4+2' \
  25GBps 350ns property \
  'LUMI (CSC), HPE Slingshot, a group per cabinet: 8 of CPU nodes, 24 of GPU nodes; 5,026 nodes.' \
  'Source: LUMI documentation; as of 2026-11. Cabinets of GPU nodes as in host lists of jobs.' \
  'Assumed: 16 switches of 16 nodes in a cabinet of CPU nodes, 256 nodes in the order of their numbers;' \
  '32 switches, 31 of them with four nodes, in one of GPU nodes; 4 cables between two groups; 350 ns; a gap of 150 ns.' \
  'Does not fit: three of the four NICs of a GPU node; links between its GPUs.'
properties=()

nodes=$(leonardo_nodes)
names="lrdn[${nodes%,}]"
leaves=40+8 more_leaves=40+38
# Found by vtopo calibrate, see tests/bench/measured.md.
properties=(injection=19.2GBps/250ns
  extraction=19.2GBps
  overhead=1680ns
  gap=150ns
  eager-limit=16KiB
  handshake=3860ns
  reduction-bandwidth=5GBps
  memory-bandwidth=5GBps)
platform leonardo "dragonfly-plus:22;18,18;40,links=18,cells=19:18*10/10+2+6+10+2+6$(
  printf '+%s' $leaves $leaves $leaves $leaves $leaves $leaves)/2:$more_leaves$(
  printf '+%s' $more_leaves $more_leaves $more_leaves $more_leaves $more_leaves $more_leaves $more_leaves)$(
  ),bandwidth=50GBps/25GBps/25GBps" 25GBps 130ns property \
  'Leonardo (CINECA), HDR InfiniBand, Dragonfly+: 19 cells of 18 leaf switches of 10 booster nodes,' \
  'one cell of booster and general-purpose nodes, two of general-purpose nodes; 4,992 nodes.' \
  'Sources: CINECA, Leonardo user guide; De Sensi et al., node map of PICO (github HLC-Lab/pico); as of 2026-11.' \
  'Assumed: 18 spines in each cell, each with one cable to each other cell; 130 ns; general-purpose' \
  'nodes as fast as booster nodes, whose four HDR100 ports are one of 50 GB/s here; a gap of 150 ns.' \
  'Does not fit: a NIC per pair of GPUs; NVLink inside a node; the cell of storage; adaptive routing.'
properties=()

names='as[01-07]r[1-5]b[01-32]'
# Found by vtopo calibrate, see tests/bench/measured.md.
properties=(injection=23.8GBps/1830ns
  extraction=23.8GBps
  overhead=570ns
  gap=150ns
  eager-limit=16KiB
  handshake=4800ns
  reduction-bandwidth=7.38GBps
  memory-bandwidth=6.48GBps)
platform mare-nostrum-5-acc 'fat-tree:3;32,5,7;1,32,1;1,1,1,taper=1/2' 100GBps 130ns property \
  'MareNostrum 5 ACC (BSC), NDR InfiniBand: 7 islands of 5 racks of 32 nodes, 1,120 nodes.' \
  'Source: BSC, MareNostrum 5 overview; as of 2026-11.' \
  'Assumed: a leaf switch stands for the leaf switches of a rack; islands without taper, 2:1 between' \
  'them; 130 ns; a gap of 150 ns. The four NDR200 ports of a node are one of 100 GB/s here.' \
  'Does not fit: a NIC per GPU; NVLink inside a node; adaptive routing.'
names=
properties=()

platform frontier 'dragonfly:74,4;1,1;32,1;16' 25GBps 350ns property \
  'Frontier (ORNL), HPE Slingshot: 74 groups of 32 switches; a host is one NIC.' \
  'Source: public descriptions of Frontier; as of 2026-11.' \
  'Assumed: 4 cables between two groups, at one switch of each; all ports taken; 350 ns.' \
  'Does not fit: a node with four NICs; links between GPUs of a node; adaptive routing.'

platform summit 'fat-tree:2;18,256;1,18;1,1' 12.5GBps 90ns cluster \
  'Summit (ORNL), EDR InfiniBand: 4,608 nodes, 256 leaf switches of 18, full bisection.' \
  'Sources: IBM Journal of Research and Development on Summit; ORNL; as of 2026-11.' \
  'Assumed: 90 ns (60 to 90 ns are quoted); the levels above the leaves as one level of switches.' \
  'Does not fit: the second rail of every node.'

platform sierra 'fat-tree:2;18,240;1,9;1,1' 12.5GBps 90ns cluster \
  'Sierra (LLNL), EDR InfiniBand: 4,320 nodes, 240 leaf switches of 18, taper 2:1.' \
  'Source: ORNL; as of 2026-11.' \
  'Assumed: 90 ns (60 to 90 ns are quoted); the levels above the leaves as one level of switches.' \
  'Does not fit: the second rail of every node.'

platform t2hx hyperx:12x8,per_router=7 4GBps 100ns property \
  'T2HX (Tokyo Tech), the first HyperX that was built: 12 x 8 switches of 7 nodes, QDR InfiniBand.' \
  'Source: Domke et al., HyperX Topology: First At-Scale Implementation and Comparison to the' \
  'Fat-Tree, SC19; as of 2026-11. Assumed: 4 GB/s, which is 32 Gbit/s of data; 100 ns.' \
  'Does not fit: routing by tables of OpenSM, with ways around the direct cable.'

platform taihulight 'fat-tree:2;256,160;1,64;1,1' 16GBps 1us cluster \
  'Sunway TaihuLight (Wuxi): 40,960 nodes, 160 supernodes of 256.' \
  'Source: Dongarra, Report on the Sunway TaihuLight System, UT-EECS-16-742 (2016); as of 2026-11.' \
  'Assumed: taper 4:1 above the supernodes; 16 GB/s, which is the injection, on all cables; 1 us.'

platform dgx-superpod-h100 'fat-tree:2;32,32;1,16;1,2' 50GBps 130ns cluster \
  'DGX SuperPOD with H100 (NVIDIA), four units: 1,024 GPUs, a host is one GPU with its NIC.' \
  'Source: NVIDIA, reference architecture of the DGX SuperPOD with H100; as of 2026-11.' \
  'GPUs count rail by rail: those below one leaf switch have the same number in their nodes.' \
  'Assumed: 130 ns. Does not fit: NVLink inside a node.'

platform teaching-torus-4x4 torus:4x4 1GBps 1us cluster \
  'For teaching, made up: 16 hosts in a square whose edges are joined. host-5 is at (1, 1): the first' \
  'coordinate is the fastest. Try: a ring of 16 ranks, block against random.'

platform teaching-fat-tree-16 'fat-tree:2;4,4;1,2;1,2' 1GBps 1us explicit \
  'For teaching, made up: 16 hosts below 4 leaf switches (s1.0 to s1.3) below 2 roots (s2.0, s2.1),' \
  'two cables (#0, #1) from every leaf to every root. Look which cable leads up: D-mod-k chooses it' \
  'by the destination. In a cluster of SimGrid the same routes stay hidden.'

platform teaching-dragonfly 'dragonfly:3,1;1,1;3,1;2' 1GBps 1us explicit \
  'For teaching, made up: 3 groups of 3 routers of 2 hosts; rG.0.B is router B of group G. Routers of' \
  'a group are joined all to all, and each pair of groups by one cable: all traffic between two groups' \
  'takes it. Zones in zones: a zone per group, in it a zone per router.'
