#!/usr/bin/env perl
# Writes mpif.h, mpi.f90 and mpi_f08.f90: the constants of constants.txt and the functions of functions.txt, in all
# three. Arguments: SMPI's folder of headers, vtopo_mpi.h, the folder of the lists, that of the results, a C compiler.
use strict;
use warnings;

my ($headers, $additions, $lists, $folder, @compiler) = @ARGV;
my @handles = qw(Comm Datatype Request Op Group Info Errhandler Win File Message);
my $first_own_handle = 1 << 20;  # handles.hpp

sub text_of {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    local $/;
    return <$in>;
}

sub write_to {
    my ($name, $text) = @_;
    open my $out, '>', "$folder/$name" or die "$folder/$name: $!\n";
    print $out $text;
}

# Of numbers in C.
sub values_of_c {
    my @names = @_;
    my $program = "#include <stdio.h>\n#include \"$additions\"\nint main(void) {\n";
    $program .= "  printf(\"$_ %lld\\n\", (long long)($_));\n" for @names;
    write_to('values.c', "$program  return 0;\n}\n");
    my @words = (@compiler, "-I$headers", '-w', '-o', "$folder/values", "$folder/values.c");
    system(@words) == 0 or die "@words\n";
    return split ' ', qx("$folder/values");
}

# [name, type, value] of each constant.
sub constants {
    my %of_smpi = text_of("$headers/mpif.h") =~ /^\s*parameter\s*\(\s*(MPI_\w+)\s*=\s*(-?\d+)\s*\)/gim;
    my (@constants, @of_c);
    my $own = $first_own_handle;
    for (split /\n/, text_of("$lists/constants.txt")) {
        next if /^#/;
        my ($is_own, $type, $names) = /^(own )?(\w+): (.*)$/ or die "constants.txt: $_\n";
        for (split ' ', $names) {
            my ($name, $value) = split /=/;
            $value = $own++ if $is_own;
            $value = $of_smpi{$name} if !defined $value && $type ne 'class';
            push @of_c, $name if !defined $value;
            push @constants, [$name, $type, $value];
        }
    }
    my %of_c = values_of_c(@of_c);
    $_->[2] //= $of_c{$_->[0]} for @constants;
    return @constants;
}

# An argument, of module mpi_f08 or of module mpi.
sub declared {
    my ($name, $type, $is_f08) = @_;
    my ($word, $array, $way) = $type =~ /^(\w+)(\*?)(<>|>)?$/ or die "type \"$type\"\n";
    my $intent = !defined $way ? ', intent(in)' : $way eq '>' ? ', intent(out)' : ', intent(inout)';
    # Of any type; that of a pointer is one of C or an integer of that size.
    return "type(*), dimension(*) :: $name\n    !GCC\$ ATTRIBUTES NO_ARG_CHECK :: $name"
        if $word eq 'choice' || $word eq 'pointer' && !$is_f08;
    # Arguments that may be special addresses (MPI_STATUS_IGNORE) are only passed on.
    if ($word eq 'Status') {
        return 'type(MPI_Status)' . ($array ? ', dimension(*)' : '') . " :: $name" if $is_f08;
        return 'integer, dimension(' . ($array ? 'MPI_STATUS_SIZE, *' : '*') . ") :: $name";
    }
    return $is_f08 ? "procedure(MPI_$word) :: $name" : "external :: $name" if $word =~ /_function$/;
    return "integer, dimension(3, *), intent(in) :: $name" if $word eq 'triples';
    return "character(len=*), dimension(*), intent(in) :: $name" if $word =~ /^strings?$/ && $array;
    my %kinds = (int => 'integer', logical => 'logical', address => 'integer(MPI_ADDRESS_KIND)',
        offset => 'integer(MPI_OFFSET_KIND)', count => 'integer(MPI_COUNT_KIND)', string => 'character(len=*)',
        pointer => 'type(c_ptr)');
    my $kind = $kinds{$word} // ($is_f08 ? "type(MPI_$word)" : 'integer');
    return $kind . ($array ? ', dimension(*)' : '') . "$intent :: $name";
}

sub interface {
    my ($is_f08, $name, @arguments) = @_;  # the name with MPI_ or PMPI_
    my @names = map { /^(\w+):/ ? $1 : die "$name: argument \"$_\"\n" } @arguments;
    my $text = "  subroutine $name(&\n      " . join(', &\n      ', @names, 'ierror') . ")\n    import\n";
    $text =~ s/&\\n/&\n/g;
    # Null functions of older standards are numbers.
    my $may_be_number = $name =~ /Keyval_create$/;
    for (@arguments) {
        my ($argument, $type) = split /:/;
        $type = 'choice' if $may_be_number && $type =~ /_function$/;
        $text .= '    ' . declared($argument, $type, $is_f08) . "\n";
    }
    my $optional = $is_f08 ? ', optional' : '';
    return "$text    integer$optional, intent(out) :: ierror\n  end subroutine\n";
}

# Interfaces of all functions of the list, and of the few that are not subroutines with an error code.
sub interfaces {
    my ($is_f08) = @_;
    my $text = '';
    for (split /\n/, text_of("$lists/functions.txt")) {
        next if /^#/ || !/\S/;
        next if s/^-// && $is_f08;
        s/^[*!]//;
        my ($name, @arguments) = split;
        next if $is_f08 && $name eq 'Buffer_detach';  # below
        $text .= interface($is_f08, "$_$name", @arguments) for qw(MPI_ PMPI_);
    }
    for my $first (qw(MPI PMPI)) {
        $text .= "  double precision function ${first}_$_()\n  end function\n" for qw(Wtime Wtick);
        $text .= "  integer(MPI_ADDRESS_KIND) function ${first}_Aint_$_->[0]($_->[1], $_->[2])\n    import\n"
            . "    integer(MPI_ADDRESS_KIND), intent(in) :: $_->[1], $_->[2]\n  end function\n"
            for ['add', 'base', 'disp'], ['diff', 'addr1', 'addr2'];
        $text .= "  subroutine ${first}_F_sync_reg(buf)\n    type(*), dimension(*) :: buf\n"
            . "    !GCC\$ ATTRIBUTES NO_ARG_CHECK :: buf\n  end subroutine\n";
    }
    return $text;
}

# The generic MPI_SIZEOF; kinds that the compiler lacks are left out.
sub sizeof {
    my $text = "  interface MPI_Sizeof\n";
    my @kinds = ((map { ["integer($_)", "i$_"], ["logical($_)", "l$_"] } 1, 2, 4, 8),
        (map { ["real($_)", "r$_"], ["complex($_)", "c$_"] } 4, 8, 16), ['character(len=*)', 'ch']);
    for (@kinds) {
        my ($type, $name) = @$_;
        $text .= "  subroutine mpi_vtopo_sizeof_$name(x, size, ierror)\n    $type, intent(in) :: x(..)\n"
            . "    integer, intent(out) :: size\n    integer, optional, intent(out) :: ierror\n  end subroutine\n";
    }
    return "$text  end interface\n";
}

# Addresses that are special as arguments.
sub addresses {
    my ($is_f08) = @_;
    my $status = $is_f08 ? 'type(MPI_Status)' : 'integer';
    my ($one, $several) = $is_f08 ? ('', '(1)') : ('(MPI_STATUS_SIZE)', '(MPI_STATUS_SIZE, 1)');
    my $text = '';
    $text .= "  integer, bind(C, name='mpi_${_}_') :: MPI_\U$_\n" for qw(in_place bottom);
    $text .= "  integer, bind(C, name='mpi_${_}_') :: MPI_\U$_\E(1)\n" for qw(unweighted weights_empty errcodes_ignore);
    $text .= "  character(1), bind(C, name='mpi_argv_null_') :: MPI_ARGV_NULL(1)\n";
    $text .= "  character(1), bind(C, name='mpi_argvs_null_') :: MPI_ARGVS_NULL(1, 1)\n";
    $text .= "  $status, bind(C, name='mpi_status_ignore_') :: MPI_STATUS_IGNORE$one\n";
    return $text . "  $status, bind(C, name='mpi_statuses_ignore_') :: MPI_STATUSES_IGNORE$several\n";
}

my $logicals = 'logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false., MPI_ASYNC_PROTECTS_NONBLOCKING = .false.';
my @constants = constants();
my @attribute_functions = map { my $kind = $_; map { "MPI_${kind}_$_" } qw(NULL_COPY_FN DUP_FN NULL_DELETE_FN) } qw(COMM TYPE WIN);

my $module = "";
$module .= "! Made by module.pl from constants.txt and functions.txt.\n";
$module .= "module mpi_f08\n  use iso_c_binding, only: c_ptr\n  implicit none\n  private :: c_ptr\n\n";
$module .= "  type, bind(C) :: MPI_$_\n    integer :: MPI_VAL\n  end type\n" for @handles;
$module .= "  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n";
$module .= "    integer, private :: bytes, cancelled\n  end type\n\n";
my $numbers = '';  # of both modules
for (@constants) {
    my ($name, $type, $value) = @$_;
    next if grep { $_ eq $type } @handles;
    my $kind = $type eq 'offset' ? '(MPI_OFFSET_KIND)' : '';
    $numbers .= "  integer$kind, parameter :: $name = $value\n";
}
$module .= $numbers;
for (@constants) {
    my ($name, $type, $value) = @$_;
    $module .= "  type(MPI_$type), parameter :: $name = MPI_$type($value)\n" if grep { $_ eq $type } @handles;
}
$module .= "  $logicals\n" . addresses(1) . "\n";
$module .= "  abstract interface\n  subroutine MPI_User_function(invec, inoutvec, len, datatype)\n    import\n";
$module .= "    type(c_ptr), value :: invec, inoutvec\n    integer :: len\n    type(MPI_Datatype) :: datatype\n";
$module .= "  end subroutine\n";
$module .= "  subroutine MPI_${_}_errhandler_function(\L$_\E, error_code)\n    import\n    type(MPI_$_) :: \L$_\E\n"
    . "    integer :: error_code\n  end subroutine\n" for qw(Comm Win File);
my $state = '    integer(MPI_ADDRESS_KIND) :: extra_state';
$module .= "  subroutine MPI_Grequest_query_function(extra_state, status, ierror)\n    import\n$state\n"
    . "    type(MPI_Status) :: status\n    integer :: ierror\n  end subroutine\n";
$module .= "  subroutine MPI_Grequest_free_function(extra_state, ierror)\n    import\n$state\n"
    . "    integer :: ierror\n  end subroutine\n";
$module .= "  subroutine MPI_Grequest_cancel_function(extra_state, complete, ierror)\n    import\n$state\n"
    . "    logical :: complete\n    integer :: ierror\n  end subroutine\n";
$module .= "  subroutine MPI_Datarep_extent_function(datatype, extent, extra_state, ierror)\n    import\n$state, extent\n"
    . "    type(MPI_Datatype) :: datatype\n    integer :: ierror\n  end subroutine\n";
$module .= "  subroutine MPI_Datarep_conversion_function(userbuf, datatype, count, filebuf, position, extra_state, ierror)\n"
    . "    import\n$state\n    type(c_ptr), value :: userbuf, filebuf\n    type(MPI_Datatype) :: datatype\n"
    . "    integer :: count, ierror\n    integer(MPI_OFFSET_KIND) :: position\n  end subroutine\n";
for (['Comm', 'comm', 'Comm'], ['Type', 'type', 'Datatype'], ['Win', 'win', 'Win']) {
    my ($kind, $argument, $handle) = @$_;
    for (['copy', "old$argument", 'attribute_val_in, attribute_val_out', ', flag'], ['delete', $argument, 'attribute_val', '']) {
        my ($action, $object, $values, $flag) = @$_;
        my $order = $action eq 'copy' ? "extra_state, $values$flag" : "$values, extra_state";
        $module .= "  subroutine MPI_${kind}_${action}_attr_function($object, keyval, $order, ierror)\n    import\n";
        $module .= "    type(MPI_$handle) :: $object\n    integer :: keyval, ierror\n";
        $module .= "    integer(MPI_ADDRESS_KIND) :: extra_state, $values\n" . ($flag && "    logical :: flag\n") . "  end subroutine\n";
    }
}
$module .= "  end interface\n\n";
for my $kind (qw(Comm Type Win)) {
    $module .= "  procedure(MPI_${kind}_copy_attr_function) :: MPI_\U${kind}\E_$_\n" for qw(NULL_COPY_FN DUP_FN);
    $module .= "  procedure(MPI_${kind}_delete_attr_function) :: MPI_\U${kind}\E_NULL_DELETE_FN\n";
}
for my $operator (['==', 'equal'], ['/=', 'unequal']) {
    $module .= "  interface operator($operator->[0])\n";
    for (@handles) {
        my $function = "mpi_vtopo_\L$_\E_$operator->[1]";
        $module .= "  elemental logical function $function(a, b)\n    import\n    type(MPI_$_), intent(in) :: a, b\n  end function\n";
    }
    $module .= "  end interface\n";
}
$module .= "  procedure(MPI_Datarep_conversion_function) :: MPI_CONVERSION_FN_NULL\n";
for (qw(MPI PMPI)) {
    $module .= "  interface ${_}_Buffer_detach\n  subroutine \L$_\E_vtopo_buffer_detach(buffer_addr, size, ierror)\n    import\n"
        . "    type(c_ptr), intent(out) :: buffer_addr\n    integer, intent(out) :: size\n"
        . "    integer, optional, intent(out) :: ierror\n  end subroutine\n  end interface\n";
}
$module .= sizeof() . "\n  interface\n" . interfaces(1);
for (['f2f08', 'f_status', 'f08_status'], ['f082f', 'f08_status', 'f_status']) {
    my ($name, $from, $to) = @$_;
    $module .= "  subroutine MPI_Status_$name($from, $to, ierror)\n    import\n    integer :: f_status(MPI_STATUS_SIZE)\n"
        . "    type(MPI_Status) :: f08_status\n    integer, optional, intent(out) :: ierror\n  end subroutine\n";
}
write_to('mpi_f08.f90', "$module  end interface\nend module mpi_f08\n");

$module = "! Made by module.pl from constants.txt and functions.txt.\nmodule mpi\n  implicit none\n\n$numbers";
for (@constants) {
    my ($name, $type, $value) = @$_;
    $module .= "  integer, parameter :: $name = $value\n" if grep { $_ eq $type } @handles;
}
$module .= "  $logicals\n" . addresses(0);
$module .= "  external :: $_\n" for @attribute_functions, qw(MPI_DUP_FN MPI_CONVERSION_FN_NULL);
write_to('mpi.f90', "$module" . sizeof() . "\n  interface\n" . interfaces(0) . "  end interface\nend module mpi\n");

# For fixed and free form: lines of at most 72 characters that need no continuation.
my $header = "! Made by module.pl from constants.txt.\n";
my $margin = ' ' x 6;
for (sort { ($a->[0] !~ /_KIND$/) <=> ($b->[0] !~ /_KIND$/) } @constants) {
    my ($name, $type, $value) = @$_;
    my $kind = $type eq 'offset' ? '(MPI_OFFSET_KIND)' : '';
    $header .= "${margin}integer$kind $name\n${margin}parameter ($name=$value)\n";
}
for (qw(MPI_SUBARRAYS_SUPPORTED MPI_ASYNC_PROTECTS_NONBLOCKING)) {
    $header .= "${margin}logical $_\n${margin}parameter ($_=.false.)\n";
}
$header .= "${margin}external $_\n"
    for qw(MPI_IN_PLACE MPI_BOTTOM MPI_STATUS_IGNORE MPI_STATUSES_IGNORE MPI_UNWEIGHTED MPI_WEIGHTS_EMPTY
    MPI_ERRCODES_IGNORE MPI_ARGV_NULL MPI_ARGVS_NULL MPI_DUP_FN MPI_CONVERSION_FN_NULL), @attribute_functions;
for (qw(MPI_WTIME MPI_WTICK PMPI_WTIME PMPI_WTICK)) {
    $header .= "${margin}external $_\n${margin}double precision $_\n";
}
for (qw(MPI_AINT_ADD MPI_AINT_DIFF PMPI_AINT_ADD PMPI_AINT_DIFF)) {
    $header .= "${margin}external $_\n${margin}integer(MPI_ADDRESS_KIND) $_\n";
}
write_to('mpif.h', $header);
