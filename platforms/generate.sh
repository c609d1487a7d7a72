#!/usr/bin/env bash
# Writes the platform files of the machines below: platforms/generate.sh VTOPO [FOLDER]
# VTOPO is the command; FOLDER is this one by default. A test compares what it writes with what is
# committed. Figures with "assumed" are not verified; the README says what does not fit.
set -euo pipefail
vtopo=$1
folder=${2:-$(dirname "$0")}

# name network bandwidth latency form title line...: a line is what the machine assumes, or with # in
# front a comment on where figures are from; with host names if $names lists them, and with
# $properties; with SimGrid's routes unless a property states a rule. All is unset for the next one.
names=
properties=()
platform() {
  local name=$1 network=$2 bandwidth=$3 latency=$4 form=$5 title=$6 options=() line
  shift 6
  options+=(--comment "$title" --property "machine=$title")
  if [ -n "$names" ]; then
    options+=(--host-names "$names")
  else
    options+=(--property host-names=unknown)
  fi
  for line in "$@"; do
    case $line in
    '#'*) options+=(--comment "${line#\#}") ;;
    *) options+=(--property "assumes=$line") ;;
    esac
  done
  for line in "${properties[@]}"; do options+=(--property "$line"); done
  names=
  properties=()
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

platform mira torus:8x12x16x16x2 2GBps 40ns cluster 'Mira (ALCF): Blue Gene/Q, 48 racks, 5-D torus' \
  '#Source: IBM, Blue Gene/Q hardware overview; as of 2026-11. 2 GB/s raw; A is the fastest axis.' \
  'the five sizes of the torus'

# Found by vtopo calibrate, see tests/bench/measured.md.
properties=('job-network=folded:a=2m,b=3,c=2m,X<=24,Y<=23,Z<=24;Xa/Yb/Zc;aYb/cXZ;aXYZbc'
  injection=6.8GBps/101ns
  extraction=inf
  overhead=2830ns
  gap=150ns
  eager-limit=16KiB
  handshake=5660ns
  reduction-bandwidth=16.1GBps
  memory-bandwidth=23.8GBps
  noise=0.3)
platform fugaku torus:24x23x24x2mx3x2m 6.35GBps 100ns property 'Fugaku (RIKEN): TofuD, 6-D mesh/torus' \
  '#Sources: RIKEN R-CCS user guide; Ajima et al., The Tofu Interconnect D, CLUSTER 2018; as of 2026-11.' \
  '#A link of 6.8 GB/s puts 6.35 GB/s of payload (the latter).' \
  '#A rank sends by one of its six interfaces, as measured; it receives by all links.' \
  'the six sizes; X, Y and Z are rings; 100 ns per link' \
  'all ranks of a node send by one of its six interfaces' \
  'overheads as measured for one process per node; the gap is assumed' \
  'jobs are folded: X with a, Y with b, Z with c; of two sizes aYb and cXZ'

platform titan-gemini torus:25x16x24,bandwidth=9.4GBps/4.7GBps/9.4GBps 9.4GBps 100ns property \
  'Titan (ORNL): Cray Gemini routers, 3-D torus' \
  '#Source: ORNL; as of 2026-11; 4.7 to 9.4 GB/s are quoted.' \
  '9.4, 4.7 and 9.4 GB/s in X, Y and Z' \
  'the two nodes of a router are one host'

platform tpu-v4-pod torus:16x16x16 50GBps 100ns cluster 'TPU v4 pod (Google): 4,096 chips, 3-D torus' \
  '#Source: Jouppi et al., TPU v4, ISCA 2023; as of 2026-11.' \
  '100 ns per link' \
  'one regular torus: no twist, no slices joined by optical switches'

platform edison 'dragonfly:15,10;6,3;16,1;4' 5.25GBps 100ns property \
  'Edison (NERSC): Cray XC30, dragonfly of 15 groups' \
  '#Sources: CODES and SST/macro configurations of Edison; as of 2026-11.' \
  'optical cables as fast as electrical ones (4.7 GB/s are quoted)' \
  'all ports taken; one router of a group has all cables to another group' \
  'routing without detours'

platform perlmutter-gpu 'dragonfly:14,1;1,1;32,1;4,pair_links=4,arrangement=relative,bandwidth=100GBps/25GBps/25GBps/25GBps' \
  25GBps 350ns property 'Perlmutter (NERSC): GPU nodes, Slingshot dragonfly' \
  '#14 groups of 32 switches of 4 nodes: 1,792 nodes, each with four interfaces of 25 GB/s.' \
  '#Source: NERSC documentation; as of 2026-11.' \
  'the four interfaces of a node are one of 100 GB/s, at one switch' \
  '4 cables between two groups, on 4 pairs of switches; 350 ns per link' \
  'the groups of CPU nodes and of storage are not there' \
  'NVLink between the GPUs of a node is not there; routing without detours'

# The rates of one process were found by vtopo calibrate, see tests/bench/measured.md.
names='nid[001000-003047],nid[005000-007977]'
properties=(routing=adaptive
  injection=25GBps/918ns
  extraction=25GBps
  process-injection=6.21GBps/918ns
  process-extraction=6.21GBps
  overhead=878ns
  gap=150ns
  eager-limit=16KiB
  handshake=1760ns
  reduction-bandwidth=4.59GBps
  memory-bandwidth=49.6GBps
  noise=0.32)
platform lumi 'dragonfly:32,1;1,1;32,1;16,pair_links=4,arrangement=relative,groups=8:16*16/23:31*4+0/31*4+2' \
  25GBps 350ns property 'LUMI (CSC): CPU and GPU nodes, Slingshot dragonfly' \
  '#A group per cabinet: 8 of CPU nodes, 24 of GPU nodes; 5,026 nodes.' \
  '#Source: LUMI documentation; as of 2026-11. Cabinets of GPU nodes as in host lists of jobs.' \
  '#A process was measured to send 6.21 GB/s; the interface of its node carries 25 GB/s.' \
  'CPU nodes: 16 switches of 16 in a cabinet, in order of their numbers' \
  'GPU nodes: 31 switches of 4 in a cabinet' \
  '4 cables between two groups, on 4 pairs of switches; 350 ns per link' \
  'a GPU node has one of its four interfaces; no links between its GPUs' \
  'overheads as measured for one process per node; the gap is assumed' \
  'one process of a node may use all of the 25 GB/s (measured: 6.21 GB/s)'

nodes=$(leonardo_nodes)
names="lrdn[${nodes%,}]"
leaves=40+8 more_leaves=40+38
# Found by vtopo calibrate, see tests/bench/measured.md.
properties=(injection=50GBps/250ns
  extraction=50GBps
  process-injection=19.2GBps/250ns
  process-extraction=19.2GBps
  overhead=1680ns
  gap=150ns
  eager-limit=16KiB
  handshake=3360ns
  reduction-bandwidth=5GBps
  memory-bandwidth=5GBps
  noise=0.41)
platform leonardo "dragonfly-plus:22;18,18;40,links=18,cells=19:18*10/10+2+6+10+2+6$(
  printf '+%s' $leaves $leaves $leaves $leaves $leaves $leaves)/2:$more_leaves$(
  printf '+%s' $more_leaves $more_leaves $more_leaves $more_leaves $more_leaves $more_leaves $more_leaves)$(
  ),bandwidth=50GBps/25GBps/25GBps" 25GBps 130ns property \
  'Leonardo (CINECA): HDR InfiniBand, Dragonfly+' \
  '#19 cells of 18 leaf switches of 10 booster nodes, one cell of booster and general-purpose nodes,' \
  '#two of general-purpose nodes; 4,992 nodes.' \
  '#Sources: CINECA, Leonardo user guide; De Sensi et al., node map of PICO (github HLC-Lab/pico); as of 2026-11.' \
  '18 spines in each cell, each with one cable to each other cell' \
  '130 ns per link; general-purpose nodes as fast as booster nodes' \
  'the four HDR100 ports of a node are one of 50 GB/s; no NVLink' \
  'overheads as measured for one process per node; the gap is assumed' \
  'one process of a node may use all of the 50 GB/s (measured: 19.2 GB/s)' \
  'routing without detours; the cell of storage is not there'

names='as[01-07]r[1-5]b[01-32]'
# Found by vtopo calibrate, see tests/bench/measured.md.
properties=(injection=100GBps/1830ns
  extraction=100GBps
  process-injection=23.8GBps/1830ns
  process-extraction=23.8GBps
  overhead=570ns
  gap=150ns
  eager-limit=16KiB
  handshake=1140ns
  reduction-bandwidth=7.38GBps
  memory-bandwidth=6.48GBps
  noise=0.22)
platform mare-nostrum-5-acc 'fat-tree:3;32,5,7;1,32,1;1,1,1,taper=1/2' 100GBps 130ns property \
  'MareNostrum 5 ACC (BSC): NDR InfiniBand, fat tree' \
  '#7 islands of 5 racks of 32 nodes, 1,120 nodes. Source: BSC, MareNostrum 5 overview; as of 2026-11.' \
  'a leaf switch stands for the leaf switches of a rack' \
  'islands without taper, 2:1 between them; 130 ns per link' \
  'the four NDR200 ports of a node are one of 100 GB/s; no NVLink' \
  'overheads as measured for one process per node; the gap is assumed' \
  'one process of a node may use all of the 100 GB/s (measured: 23.8 GB/s)' \
  'routing without detours'

platform frontier 'dragonfly:74,1;1,1;32,1;4,pair_links=4,arrangement=relative,bandwidth=100GBps/25GBps/25GBps/25GBps' \
  25GBps 350ns property 'Frontier (ORNL): Slingshot dragonfly of 74 groups' \
  '#74 groups of 32 switches of 4 nodes, each with four interfaces of 25 GB/s.' \
  '#Source: public descriptions of Frontier; as of 2026-11.' \
  'all ports taken: 9,472 nodes where 9,408 are quoted' \
  'the four interfaces of a node are one of 100 GB/s, at one switch' \
  '4 cables between two groups, on 4 pairs of switches; 350 ns per link' \
  'links between the GPUs of a node are not there; routing without detours'

platform summit 'fat-tree:2;18,256;1,18;1,1' 12.5GBps 90ns cluster \
  'Summit (ORNL): EDR InfiniBand, fat tree' \
  '#4,608 nodes, 256 leaf switches of 18, full bisection.' \
  '#Sources: IBM Journal of Research and Development on Summit; ORNL; as of 2026-11.' \
  '90 ns per link (60 to 90 ns are quoted)' \
  'the levels above the leaves are one level of switches' \
  'the second rail of every node and NVLink are not there'

platform sierra 'fat-tree:2;18,240;1,9;1,1' 12.5GBps 90ns cluster \
  'Sierra (LLNL): EDR InfiniBand, fat tree, taper 2:1' \
  '#4,320 nodes, 240 leaf switches of 18. Source: ORNL; as of 2026-11.' \
  '90 ns per link (60 to 90 ns are quoted)' \
  'the levels above the leaves are one level of switches' \
  'the second rail of every node and NVLink are not there'

platform t2hx hyperx:12x8,per_router=7 4GBps 100ns property \
  'T2HX (Tokyo Tech): the first HyperX that was built' \
  '#12 x 8 switches of 7 nodes, QDR InfiniBand. Source: Domke et al., HyperX Topology: First' \
  '#At-Scale Implementation and Comparison to the Fat-Tree, SC19; as of 2026-11.' \
  '4 GB/s, which is 32 Gbit/s of data; 100 ns per link' \
  'routing without the ways around the direct cable of OpenSM'

platform taihulight 'fat-tree:2;256,160;1,64;1,1' 16GBps 1us cluster \
  'Sunway TaihuLight (Wuxi): 160 supernodes of 256' \
  '#Source: Dongarra, Report on the Sunway TaihuLight System, UT-EECS-16-742 (2016); as of 2026-11.' \
  'taper 4:1 above the supernodes; 1 us per link' \
  '16 GB/s, which is the injection, on all cables'

# 450 GB/s per direction: 18 links of the fourth NVLink with 25 GB/s each.
h100='nics=8,injection=50GBps,node=8:nvlink=450GBps'
platform dgx-superpod-h100 "fat-tree:2;32,4;1,2;1,16,rails=8,$h100" 50GBps 130ns property \
  'DGX SuperPOD H100 (NVIDIA): 8 rails, NVLink' \
  '#Four units of 32 nodes of 8 GPUs; a host is a GPU, those of a node follow each other.' \
  '#Interface g of every node is at the leaf switches of rail g; 32 leaf switches, 16 spines.' \
  '#Source: NVIDIA, reference architecture of the DGX SuperPOD with H100; as of 2026-11.' \
  '130 ns per link; the latency of NVLink is 0' \
  'each rail has two of the 16 spines for itself' \
  'between rails: NVLink inside the node, then the rail of the receiver'

platform rail-only-h100 "fat-tree:1;128;1;1,rails=8,$h100" 50GBps 130ns property \
  'Rail-only network of 128 nodes of 8 H100: no spine' \
  '#Wang et al., Rail-only: A Low-Cost High-Performance Network for Training LLMs with Trillion' \
  '#Parameters (2023): GPUs of the same number share a switch, nothing joins the eight switches.' \
  'one switch of 128 ports per rail; 130 ns per link; latency of NVLink 0' \
  'between rails: NVLink inside the node, then the rail of the receiver'

platform teaching-torus-4x4 torus:4x4 1GBps 1us cluster 'For teaching: 16 hosts in a torus' \
  '#Made up: a square whose edges are joined. host-5 is at (1, 1): the first' \
  '#coordinate is the fastest. Try: a ring of 16 ranks, block against random.'

platform teaching-fat-tree-16 'fat-tree:2;4,4;1,2;1,2' 1GBps 1us explicit \
  'For teaching: 16 hosts in a fat tree' \
  '#Made up: 4 leaf switches (s1.0 to s1.3) below 2 roots (s2.0, s2.1),' \
  '#two cables (#0, #1) from every leaf to every root. Look which cable leads up: D-mod-k chooses it' \
  '#by the destination. In a cluster of SimGrid the same routes stay hidden.'

platform teaching-dragonfly 'dragonfly:3,1;1,1;3,1;2' 1GBps 1us explicit \
  'For teaching: 18 hosts in a dragonfly of 3 groups' \
  '#Made up: 3 routers of 2 hosts in a group; rG.0.B is router B of group G. Routers of' \
  '#a group are joined all to all, and each pair of groups by one cable: all traffic between two groups' \
  '#takes it. Zones in zones: a zone per group, in it a zone per router.'
