#include <array>

#include "netmodels/platform/lint/lint.hpp"

namespace vtopo::detail {

namespace {

constexpr auto error = LintSeverity::error;
constexpr auto warning = LintSeverity::warning;

/// In the order of their names.
constexpr std::array rules{
    LintRule{
        "absurd-bandwidth", warning,
        "A bandwidth below 1 kB/s, or from 100 TB/s up to 1 EB/s (more is unlimited): the unit is "
        "probably wrong."},
    LintRule{"absurd-latency", warning,
             "A latency below 10 ps or above 1 s: the unit is probably wrong."},
    LintRule{"absurd-speed", warning,
             "A speed below 1 Mflop/s or above 1 Eflop/s: the unit is probably wrong."},
    LintRule{"actor", error, "Actors belong into a deployment file, and vtopo refuses them."},
    LintRule{"bad-character", error, "A \"<\" in a value: SimGrid aborts."},
    LintRule{"bad-coordinates", error, "Coordinates that are not three numbers: SimGrid aborts."},
    LintRule{"bad-core", error, "A number of cores that is not a whole number >= 1."},
    LintRule{"bad-pstate", error, "A pstate that is not the index of one of the speeds."},
    LintRule{"bad-radical", error,
             "A radical that is not a list of numbers and ranges: SimGrid aborts, or names other "
             "hosts."},
    LintRule{"bandwidth-list", error,
             "Several values where SimGrid takes one for all dimensions, levels and links."},
    LintRule{"bits-per-second", warning,
             "Only with --strict: a bandwidth in bits per second, an eighth of the same number of "
             "bytes per second."},
    LintRule{"byte-order-mark", error, "A byte order mark in front of the text: SimGrid aborts."},
    LintRule{"config", warning,
             "Settings of the simulator, which may create or truncate files: vtopo ignores them."},
    LintRule{"deprecated", warning, "An old name that SimGrid still knows."},
    LintRule{"doctype", error,
             "No document type, or not the one that SimGrid knows: SimGrid aborts."},
    LintRule{
        "dragonfly-chassis", warning,
        "Several chassis in a dragonfly: SimGrid's routes inside a group are not valid paths."},
    LintRule{"dragonfly-groups", error,
             "More groups than blades per chassis in a dragonfly: SimGrid crashes."},
    LintRule{"duplicate-attribute", error,
             "An attribute that stands twice in an element: SimGrid aborts."},
    LintRule{"duplicate-host", error, "A second host or router of the same name: SimGrid aborts."},
    LintRule{"duplicate-link", error, "A second link of the same name: SimGrid aborts."},
    LintRule{"duplicate-route", error,
             "A second route between the same ends: SimGrid aborts or crashes."},
    LintRule{"duplicate-zone", error, "A second zone of the same name: SimGrid aborts."},
    LintRule{"empty-route", error, "A route without links: SimGrid aborts."},
    LintRule{"fat-tree-cables", warning,
             "Parallel cables in a fat tree, among which SimGrid chooses badly on the way down."},
    LintRule{"fatpipe-shared", warning,
             "FATPIPE for a cluster, whose links SimGrid shares all the same."},
    LintRule{"gateway", error,
             "A gateway that is not a host or router of its zone: SimGrid aborts."},
    LintRule{"ignored-attribute", warning, "An attribute that SimGrid ignores here."},
    LintRule{"ignored-element", warning, "An element that SimGrid ignores here."},
    LintRule{"isolated-host", warning, "A host without route to any other of its zone."},
    LintRule{"malformed-xml", error, "Text that is not XML."},
    LintRule{"misplaced-element", error,
             "An element where SimGrid takes none of its kind: SimGrid aborts."},
    LintRule{"missing-attribute", error,
             "An element without an attribute that it must have: SimGrid aborts."},
    LintRule{"missing-coordinates", warning,
             "A member of a Vivaldi zone without coordinates, which zones cannot have: SimGrid "
             "aborts on every message from or to it."},
    LintRule{
        "missing-direction", error,
        "A split-duplex link without direction, of which only the halves exist: SimGrid aborts."},
    LintRule{"missing-route", warning,
             "Pairs of a Full zone without route: SimGrid gives them an empty one."},
    LintRule{"missing-unit", warning,
             "A number without unit, deprecated and easily a factor of a million off."},
    LintRule{"missing-zone-route", error,
             "A zone with hosts without route to another of its Full zone: SimGrid aborts when two "
             "of their hosts talk."},
    LintRule{"needless-direction", error,
             "A direction of a link that is not split-duplex: SimGrid aborts."},
    LintRule{"negative-bandwidth", error, "A negative bandwidth: SimGrid computes with it."},
    LintRule{"negative-latency", error, "A negative latency: SimGrid computes with it."},
    LintRule{"negative-speed", error, "A negative speed: SimGrid computes with it."},
    LintRule{"nesting", error,
             "Elements nested more than 64 deep; at 500 SimGrid corrupts its memory."},
    LintRule{"network-model", warning,
             "A setting of the network model, which changes what simulated times mean."},
    LintRule{"no-host", error, "A platform without host."},
    LintRule{"no-routing", warning,
             "Several hosts in a zone without routing: SimGrid aborts on the first message."},
    LintRule{"no-zone", error, "A platform without zone: SimGrid crashes."},
    LintRule{"not-a-number", error, "A quantity that is not a number: SimGrid aborts."},
    LintRule{"not-a-platform", error, "A file whose first element is not <platform>."},
    LintRule{"not-finite", error,
             "A quantity that is infinite, not a number, or too large for one: SimGrid computes "
             "with it."},
    LintRule{"not-utf8", error, "Bytes that are not text in UTF-8."},
    LintRule{"old-doctype", warning, "A former address of the DTD."},
    LintRule{"old-version", warning, "A version that is not 4.1 and that SimGrid still reads."},
    LintRule{"one-half-both-ways", warning,
             "One half of a split-duplex link in a symmetrical route: the way back takes it too."},
    LintRule{"one-link-both-ways", warning, "A cluster with one link for both directions."},
    LintRule{"opens-file", warning,
             "A trace or profile, which may open another file: vtopo ignores it."},
    LintRule{"radical-count", error,
             "A radical that names more or fewer hosts than the topology has: SimGrid aborts, or "
             "forgets hosts."},
    LintRule{"refused-by-vtopo", error, "What vtopo's --platform refuses and no other rule tells."},
    LintRule{"removed-element", error, "An element that is gone from SimGrid: SimGrid aborts."},
    LintRule{"repeated-link", warning,
             "A link that stands twice in a route, which then counts twice."},
    LintRule{"route-in-zone", error, "A route in a zone that takes none: SimGrid aborts."},
    LintRule{"second-fat-tree", warning, "A second fat tree, whose routes depend on the first."},
    LintRule{"self-route", warning,
             "A route from a host to itself, which replaces SimGrid's loopback."},
    LintRule{"self-route-aborts", error,
             "A route from a zone to itself, or a symmetrical one from a host to itself in a Floyd "
             "zone: SimGrid aborts."},
    LintRule{"several-zones", error, "A second outermost zone: SimGrid cannot build it."},
    LintRule{"slow-floyd", warning,
             "A Floyd zone so large that its building takes minutes or more."},
    LintRule{"stray-text", error, "Text between elements: SimGrid aborts."},
    LintRule{"too-many-hosts", error, "A cluster with more hosts than SimGrid can build."},
    LintRule{"topo-parameters", error,
             "Parameters that are not those of the topology: SimGrid aborts, or builds another "
             "network."},
    LintRule{"torus-one", warning,
             "A dimension of size 1, which is a cable from each host to itself."},
    LintRule{"torus-ones", error, "Two dimensions of size 1: SimGrid aborts."},
    LintRule{"torus-two", warning, "A dimension of size 2, of whose two cables SimGrid uses one."},
    LintRule{"unknown-attribute", error,
             "An attribute that the DTD does not know: SimGrid aborts."},
    LintRule{"unknown-element", error, "An element that the DTD does not know: SimGrid aborts."},
    LintRule{"unknown-endpoint", error, "A route to what does not exist: SimGrid aborts."},
    LintRule{"unknown-entity", error,
             "An entity other than those of XML: SimGrid aborts, or writes a byte that is no "
             "character."},
    LintRule{"unknown-link", error,
             "A route over a link that does not exist there: SimGrid aborts."},
    LintRule{"unknown-routing", error, "A routing that SimGrid does not know: SimGrid aborts."},
    LintRule{"unknown-unit", error, "A unit that SimGrid does not know: SimGrid aborts."},
    LintRule{"unknown-value", error,
             "A value that is none of those that the DTD lists: SimGrid aborts."},
    LintRule{"unreachable-host", warning,
             "A host that no routes join to the others: SimGrid crashes or aborts when such a "
             "route is asked for."},
    LintRule{"unreadable-file", error, "A file that cannot be read, is none, or is too large."},
    LintRule{"unused-link", warning, "A link that no route takes."},
    LintRule{"version", error, "No version, or one that SimGrid 3.32 does not read."},
    LintRule{"wireless", warning,
             "A wireless link, of which vtopo takes the first bandwidth for all stations."},
    LintRule{"wrong-endpoint", error,
             "A route between what is not side by side in its zone: SimGrid aborts."},
    LintRule{"xml-declaration", error,
             "An XML declaration that SimGrid does not know: SimGrid aborts."},
    LintRule{"zero-bandwidth", error, "A bandwidth of zero: SimGrid computes with it."},
    LintRule{"zero-latency-loopback", warning,
             "A torus without latency and loopback, where a message of a host to itself aborts "
             "SimGrid."},
    LintRule{"zero-speed", warning,
             "A speed of zero, as storage hosts and states of sleep have it: nothing computes "
             "there."},
    LintRule{"zone-of-cabinet", error,
             "A cabinet outside of a Cluster zone: SimGrid crashes or forgets its hosts."},
    LintRule{"zone-of-peer", error, "A peer outside of a Vivaldi zone: SimGrid aborts."},
};

}  // namespace

std::span<const LintRule> lint_rules() {
  return rules;
}

}  // namespace vtopo::detail
