#!/usr/bin/env perl
# Writes mpi_f08.f90 (constants from SMPI's mpif.h, interfaces from functions.txt), a mpif.h with what
# SMPI's lacks, and mpi.f90, the module of that. Arguments: SMPI's mpif.h, functions.txt, the folder.
use strict;
use warnings;

my ($header, $functions, $folder) = @ARGV;
my @handles = qw(Comm Datatype Request Op Group Info Errhandler Win File);
# Names that mpif.h lacks; datatypes have the handle of the type with as many bytes.
my %more = (MPI_INT8_T => 5, MPI_INT16_T => 6, MPI_INT32_T => 7, MPI_INT64_T => 8, MPI_C_BOOL => 3,
    MPI_KEYVAL_INVALID => -9);

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

# The derived type of a constant of mpif.h; none for numbers.
sub type_of {
    my ($name, $value) = @_;
    return ucfirst lc $1 if $name =~ /^MPI_(\w+)_NULL$/ && grep { uc $_ eq $1 } @handles;
    return 'Comm' if $name =~ /^MPI_COMM_(WORLD|SELF)$/;
    return 'Group' if $name eq 'MPI_GROUP_EMPTY';
    return 'Errhandler' if $name =~ /^MPI_ERRORS_/;
    return 'Op' if $name =~ /^MPI_(MAX|MIN|MAXLOC|MINLOC|SUM|PROD|L?AND|B?OR|[LB]OR|[LB]XOR|BAND)$/;
    return 'Datatype'
        if $name =~ /^MPI_(2?(BYTE|CHARACTER|PACKED|LOGICAL|INTEGER|REAL|COMPLEX|DOUBLE|INT|FLOAT)|DOUBLE_|2DOUBLE_|AINT$|OFFSET$|COUNT$|C_)/
        && $name !~ /_KIND$/ || $name =~ /^MPI_(LB|UB|INT\d+_T)$/;
    return undef;
}

sub declared {
    my ($type) = @_;
    my ($word, $array, $way) = $type =~ /^(\w+)(\*?)(<>|>)?$/ or die "type \"$type\"\n";
    my $intent = !defined $way ? ', intent(in)' : $way eq '>' ? ', intent(out)' : ', intent(inout)';
    # Arguments that may be special addresses (MPI_STATUS_IGNORE) are only passed on.
    return 'type(MPI_Status)' . ($array ? ', dimension(*)' : '') if $word eq 'Status';
    return "procedure(MPI_$word)" if $word =~ /_function$/;
    return 'integer, dimension(3, *), intent(in)' if $word eq 'triples';
    my %kinds = (int => 'integer', logical => 'logical', address => 'integer(MPI_ADDRESS_KIND)',
        offset => 'integer(MPI_OFFSET_KIND)', string => 'character(len=*)', pointer => 'type(c_ptr)');
    my $kind = $kinds{$word} // "type(MPI_$word)";
    return $kind . ($array ? ', dimension(*)' : '') . $intent;
}

sub interface {
    my ($name, @arguments) = @_;  # the name with MPI_ or PMPI_
    my @names = map { /^(\w+):/ ? $1 : die "$name: argument \"$_\"\n" } @arguments;
    my $text = "  subroutine $name(&\n      " . join(', &\n      ', @names, 'ierror') . ")\n    import\n";
    $text =~ s/&\\n/&\n/g;
    for (@arguments) {
        my ($argument, $type) = split /:/;
        if ($type eq 'choice') {
            $text .= "    type(*), dimension(*) :: $argument\n    !GCC\$ ATTRIBUTES NO_ARG_CHECK :: $argument\n";
        } else {
            $text .= '    ' . declared($type) . " :: $argument\n";
        }
    }
    return "$text    integer, optional, intent(out) :: ierror\n  end subroutine\n";
}

my %value;
my @constants;
for (text_of($header) =~ /^\s*parameter\s*\(\s*(MPI_\w+\s*=\s*-?\d+)\s*\)/gim) {
    my ($name, $value) = split /\s*=\s*/;
    next if $name =~ /_FN$/ || $name =~ /^MPI_(SOURCE|TAG|ERROR)$/;
    push @constants, [$name, $value];
    $value{$name} = $value;
}
push @constants, map { [$_, $more{$_}] } grep { !exists $value{$_} } sort keys %more;
push @constants, grep { !exists $value{$_->[0]} } ['MPI_MAX_LIBRARY_VERSION_STRING', 100], ['MPI_SEEK_END', 604];

my $module = "";
$module .= "! Made by module.pl from SMPI's mpif.h and from functions.txt.\n";
$module .= "module mpi_f08\n  use iso_c_binding, only: c_ptr\n  implicit none\n  private :: c_ptr\n\n";
$module .= "  type, bind(C) :: MPI_$_\n    integer :: MPI_VAL\n  end type\n" for @handles;
$module .= "  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n";
$module .= "    integer, private :: bytes, cancelled\n  end type\n\n";
for (@constants) {
    my ($name, $value) = @$_;
    my $type = type_of($name, $value);
    $value = -1 if $name eq 'MPI_FILE_NULL';  # 0 is MPI_COMM_WORLD
    my $declaration = defined $type ? "type(MPI_$type), parameter :: $name = MPI_$type($value)" : "integer, parameter :: $name = $value";
    $module .= "  $declaration\n";
}
$module .= "  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false., MPI_ASYNC_PROTECTS_NONBLOCKING = .false.\n";
$module .= "  integer, bind(C, name='mpi_${_}_') :: MPI_\U$_\n" for qw(in_place bottom);
$module .= "  integer, bind(C, name='mpi_${_}_') :: MPI_\U$_\E(1)\n" for qw(unweighted weights_empty);
$module .= "  type(MPI_Status), bind(C, name='mpi_status_ignore_') :: MPI_STATUS_IGNORE\n";
$module .= "  type(MPI_Status), bind(C, name='mpi_statuses_ignore_') :: MPI_STATUSES_IGNORE(1)\n\n";
$module .= "  abstract interface\n  subroutine MPI_User_function(invec, inoutvec, len, datatype)\n    import\n";
$module .= "    type(c_ptr), value :: invec, inoutvec\n    integer :: len\n    type(MPI_Datatype) :: datatype\n";
$module .= "  end subroutine\n";
$module .= "  subroutine MPI_${_}_errhandler_function(\L$_\E, error_code)\n    import\n    type(MPI_$_) :: \L$_\E\n"
    . "    integer :: error_code\n  end subroutine\n" for qw(Comm Win);
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
$module .= "\n  interface\n";
$module .= "  double precision function $_()\n  end function\n" for qw(MPI_Wtime MPI_Wtick PMPI_Wtime PMPI_Wtick);
for (split /\n/, text_of($functions)) {
    next if /^#/ || !/\S/;
    s/^\*//;
    my ($name, @arguments) = split;
    $module .= interface("$_$name", @arguments) for qw(MPI_ PMPI_);
}
$module .= "  end interface\nend module mpi_f08\n";

write_to('mpi_f08.f90', $module);

my $new = text_of($header);
$new .= "\n      integer $_\n      parameter($_=$more{$_})\n" for grep { !exists $value{$_} } sort keys %more;
$new .= "\n      external MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY\n";
write_to('mpif.h', $new);
write_to('mpi.f90', "module mpi\n  implicit none\n  include 'mpif.h'\nend module mpi\n");
