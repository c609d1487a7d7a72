#!/usr/bin/env perl
# Checks that a network answers for itself: no code outside its folder in netmodels/models/ or more_models/ names the
# network of that folder. Argument: the source folder. Prints every violation and the number of files.
#
# The names of a folder are its own and the `.name = "..."` of its info.cpp: fat_tree, fat-tree.
# Code is the text without comments. Outside the folder
# - no file is included from it,
# - no identifier has the letters of a name in it (FatTreeSpec, is_fat_tree),
# - no string is a name or its prefix (`torus`, `TORUS`, `torus:`), or a specification (`torus:4x4`).
# Of a network that is called by a word of graph theory, only files and specifications are looked for.
# Whole specifications may stand in cli/ (examples of usage) and sim/research/bench/ (instances of the league).
# netmodels/platform/lint/ and generate_groups speak of SimGrid's clusters and slurm_topology of Slurm's torus3d, and
# job_layout writes what a job sees, not of these networks; sim/check/ must not ask
# the networks whose reports it judges, and builds them anew from their names; names that begin with
# SCOTCH_ are Scotch's.
use strict;
use warnings;

chdir $ARGV[0] or die "cannot enter $ARGV[0]\n";

my %names_of;  # of each folder
for my $info (glob 'netmodels/{models,more_models}/*/info.cpp') {
  my ($folder) = $info =~ m{^netmodels/\w+/([^/]+)/};
  open my $file, '<', $info or die "$info: $!\n";
  my @names = do { local $/; <$file> } =~ /\.name = "([^"]+)"/g;
  die "$info names no network\n" unless @names;
  $names_of{$folder} = [$folder, @names];
}
die "fewer than three networks in $ARGV[0]\n" if scalar(keys %names_of) < 3;

# Lower case without separators: `FatTreeSpec`, `fat_tree_spec` and `fat-tree-spec` are one.
sub letters {
  (my $word = lc shift) =~ tr/a-z0-9//cd;
  return $word;
}

my %words = map { $_ => 1 } qw(tree);

my ($violations, $files) = (0, 0);
my @sources = split /\n/, `find topology netmodels sim cli -name '*.cpp' -o -name '*.hpp' -o -name '*.in'`;
for my $source (sort @sources) {
  ++$files;
  next if $source =~ m{^(netmodels/platform/lint|sim/check)/|^netmodels/platform/generate_groups\.|^sim/formats/machines/slurm_topology\.|^sim/research/validation/job_layout\.};
  open my $file, '<', $source or die "$source: $!\n";
  my $text = do { local $/; <$file> };
  my @included = $text =~ m{#include "netmodels/(?:more_)?models/([^/"]+)/}g;
  my @strings;
  # Raw strings, strings, characters, comments: strings are kept aside, the others dropped.
  $text =~ s{R"\((.*?)\)"|"((?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)+'|//[^\n]*|/\*.*?\*/}
            {push @strings, $1 // $2 if defined($1 // $2); ' '}gse;
  $text =~ s/\bSCOTCH_\w+//g;
  my %seen;
  my @identifiers = grep { !$seen{$_}++ } $text =~ /\b[A-Za-z_]\w*/g;
  my ($own) = $source =~ m{^netmodels/(?:more_)?models/([^/]+)/};
  # A name may have that of another network in it, as dragonfly-plus has: its own are none of that.
  my @own_letters = map { letters($_) } defined $own ? @{$names_of{$own} // []} : ();
  my @others = map {
    my $rest = letters($_);
    $rest =~ s/\Q$_\E//g for @own_letters;
    [$_, $rest]
  } @identifiers;
  for my $folder (sort keys %names_of) {
    next if defined $own && $own eq $folder;
    my @found = map { "the folder $folder" } grep { $_ eq $folder } @included;
    for my $name (@{$names_of{$folder}}) {
      my $letters = letters($name);
      unless ($words{$name}) {
        push @found, map { $_->[0] } grep { index($_->[1], $letters) >= 0 } @others;
        push @found, map { "\"$_\"" } grep { /^[\w-]+:?$/ && letters($_) eq $letters } @strings;
      }
      push @found, map { "\"$_\"" } grep { /^\Q$name\E:./ } @strings
        unless $source =~ m{^(?:cli|sim/research/bench)/};
    }
    my %told;
    for (grep { !$told{$_}++ } @found) {
      print "$source names $_\n";
      ++$violations;
    }
  }
}
die "only $files files were read in $ARGV[0]\n" if $files < 10;
exit($violations ? 1 : 0);
