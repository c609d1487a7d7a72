"""The Python module: its doctests, arrays, mappers, errors, stubs, and how long it takes."""
import array
import ast
import doctest
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import vtopo

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None
try:
    import scipy.sparse as sparse
except ImportError:
    sparse = None


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(vtopo))
    return tests


class Guests(unittest.TestCase):
    # A ring of four: each edge has one hop on the ring of four hosts.
    SOURCES, DESTINATIONS, VOLUMES = [0, 1, 2, 3], [1, 2, 3, 0], [1.0, 2.0, 3.0, 4.0]

    def check_ring(self, traffic):
        self.assertEqual((traffic.num_ranks, traffic.num_edges, traffic.total_bytes), (4, 4, 10.0))
        row = vtopo.compare(traffic=traffic, network="torus:4", mapper="block")[0]
        self.assertEqual(row["hop_bytes"], 10.0)
        self.assertEqual(row["max_dilation"], 1)

    def test_lists_arrays_and_memory_views_are_the_same_traffic(self):
        self.check_ring(vtopo.Traffic(self.SOURCES, self.DESTINATIONS, self.VOLUMES))
        for kind in "hilq":
            ends = [array.array(kind, values) for values in (self.SOURCES, self.DESTINATIONS)]
            self.check_ring(vtopo.Traffic(*ends, memoryview(array.array("f", self.VOLUMES))))

    def test_a_list_of_rows_is_a_matrix(self):
        rows = [[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3], [4, 0, 0, 0]]
        self.check_ring(vtopo.Traffic.from_matrix(rows))
        self.assertEqual(vtopo.evaluate(traffic=rows, network="torus:4")["hop_bytes"], 10.0)

    @unittest.skipIf(numpy is None, "no numpy")
    def test_numpy_arrays_may_have_strides(self):
        matrix = numpy.zeros((4, 4))
        matrix[self.SOURCES, self.DESTINATIONS] = self.VOLUMES
        self.check_ring(vtopo.Traffic.from_matrix(matrix))
        self.check_ring(vtopo.Traffic.from_matrix(numpy.asfortranarray(matrix.astype(numpy.float32))))
        wide = numpy.repeat(numpy.array(self.VOLUMES), 3)[::3]
        self.check_ring(vtopo.Traffic(numpy.array(self.SOURCES), numpy.array(self.DESTINATIONS, numpy.uint8), wide))

    @unittest.skipIf(numpy is None, "no numpy")
    def test_arrays_are_read_where_they_are(self):
        # Every other record of a table, backwards: sources, destinations and volumes are columns of it, so that no
        # array of the three is contiguous. The oracle: the same edges as lists.
        random = numpy.random.RandomState(5)
        table = numpy.zeros(400, dtype=[("from", "<i4"), ("to", "<u2"), ("bytes", "<f4")])
        table["from"], table["to"] = random.randint(0, 16, 400), random.randint(0, 16, 400)
        table["bytes"] = random.randint(1, 1000, 400)
        view = table[::-2]
        arrays = vtopo.Traffic(view["from"], view["to"], view["bytes"])
        lists = vtopo.Traffic(*(view[name].tolist() for name in ("from", "to", "bytes")))
        self.assertEqual((arrays.num_ranks, arrays.num_edges, arrays.total_bytes),
                         (16, 200, float(view["bytes"].sum())))
        runs = [vtopo.compare(traffic=traffic, network="torus:4x4", mapper=["block", "greedy"])
                for traffic in (arrays, lists)]
        self.assertEqual(*([(row["hop_bytes"], row["makespan"]) for row in run.rows] for run in runs))

    @unittest.skipIf(numpy is None, "no numpy")
    def test_a_masked_array_is_refused(self):
        # Its buffer holds the masked numbers, too.
        masked = numpy.ma.array([1.0, 2.0], mask=[False, True])
        with self.assertRaises(vtopo.UsageError) as caught:
            vtopo.Traffic([0, 1], [1, 0], masked)
        self.assertIn("volumes: a masked array", str(caught.exception))
        self.assertEqual(vtopo.Traffic([0, 1], [1, 0], masked.filled(0)).total_bytes, 1)

    def test_a_negative_number_of_ranks_is_refused(self):
        with self.assertRaises(vtopo.UsageError):
            vtopo.Traffic([], [], [], -3)

    def test_an_empty_list_is_no_default(self):
        with self.assertRaises(vtopo.UsageError) as caught:
            vtopo.compare(topology="cart:4", network="torus:4", mapper=[])
        self.assertIn("mapper: an empty list", str(caught.exception))
        # Options that are given several times may be given no time.
        self.assertEqual(vtopo.evaluate(topology="cart:4", network="torus:4", fail_link=[])["mapper"], "block")

    def test_traffic_beside_a_topology_is_refused(self):
        # As by the command: one of the two would not count.
        with self.assertRaises(vtopo.UsageError) as caught:
            vtopo.evaluate(topology="cart:4", traffic=[[0, 1], [1, 0]], network="torus:4")
        self.assertIn("--topology and --traffic exclude each other", str(caught.exception))

    def test_reading_arrays_takes_the_memory_of_the_graph(self):
        # 2^20 edges of 24 bytes in rows are 24 MiB. A list of edges with both ends, 24 bytes each, would be 24 MiB more.
        import resource
        edges = 1 << 20
        ranks = memoryview(array.array("q", range(1024)) * (2 * edges // 1024))
        volumes = memoryview(array.array("d", [1.0]) * edges)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        traffic = vtopo.Traffic(ranks[::2], ranks[::-2], volumes)  # strides
        taken = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most) / 1024
        self.assertEqual((traffic.num_ranks, traffic.num_edges), (1024, edges))
        self.assertLess(taken, 36)

    @unittest.skipIf(sparse is None, "no scipy")
    def test_sparse_matrices_of_every_form_are_the_same_traffic(self):
        rows = sparse.coo_matrix((self.VOLUMES, (self.SOURCES, self.DESTINATIONS)), shape=(4, 4))
        for form in ("csr", "csc", "coo", "lil"):
            self.check_ring(vtopo.Traffic.from_matrix(rows.asformat(form)))

    def test_wrong_entries_are_named(self):
        for arguments, words in ((([0, 4], [1, 0], [1, 1], 4), "sources[1] is 4; accepted are whole numbers from 0 to 3"),
                                 (([0], [1], [-2.0]), "volumes[0] is -2; accepted are finite numbers >= 0"),
                                 (([0], [1, 2], [1.0]), "sources has 1 entries and destinations has 2")):
            with self.assertRaises(vtopo.UsageError) as caught:
                vtopo.Traffic(*arguments)
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(vtopo.UsageError):
            vtopo.Traffic.from_matrix([[0, 1], [1]])


class Mappers(unittest.TestCase):
    def run_mapper(self, function, **options):
        vtopo.mapper(function, name="tried")
        return vtopo.compare(**{"topology": "cart:4", "network": "torus:4", "mapper": "tried", **options})

    def test_a_function_sees_the_problem(self):
        seen = {}

        def look(problem):
            seen.update(ranks=problem.num_ranks, hosts=problem.hosts, slots=problem.slots, grid=problem.grid,
                        edges=problem.edges(), hops=problem.hops_from(0), seed=problem.seed, problem=problem)
            return range(problem.num_ranks)

        self.run_mapper(look, topology="cart:2x2p", bytes="8B", network="torus:8", hosts="list:1,3,4,7", seed=5)
        self.assertEqual(seen["ranks"], 4)
        self.assertEqual(seen["hosts"], [1, 3, 4, 7])
        self.assertEqual(seen["slots"], [1, 1, 1, 1])
        self.assertEqual(seen["grid"], [(2, False), (2, True)])
        self.assertEqual(seen["hops"], [0, 2, 3, 2])  # of host 1 on a ring of eight to 1, 3, 4 and 7
        self.assertEqual(seen["seed"], 5)
        self.assertIn((0, 2, 8.0), seen["edges"])
        with self.assertRaises(vtopo.UsageError):  # after the mapper has ended
            seen["problem"].edges()

    def test_values_that_a_function_reports_are_in_the_report(self):
        def search(problem):
            problem.report_value(9.5, steps=3)
            problem.report_value(10, steps=4)  # not better
            problem.report_value(4, 7)
            return [0, 1, 2, 3]

        found = self.run_mapper(search).search("tried")
        self.assertEqual([point[1:] for point in found], [(3, 9.5), (7, 4.0)])
        self.assertLessEqual(found[0][0], found[1][0])
        with self.assertRaises(vtopo.InputError):
            self.run_mapper(lambda problem: problem.report_value(float("nan")))

    def test_a_function_may_be_defined_again(self):
        self.assertEqual(self.run_mapper(lambda problem: [0, 1, 2, 3]).hosts(0), [0, 1, 2, 3])
        self.assertEqual(self.run_mapper(lambda problem: [3, 2, 1, 0]).hosts(0), [3, 2, 1, 0])

    def test_names_of_others_are_taken(self):
        with self.assertRaises(vtopo.UsageError):
            vtopo.mapper(lambda problem: [], name="greedy")
        with self.assertRaises(vtopo.UsageError):
            vtopo.mapper(lambda problem: [], name="a b")

    def test_what_a_function_does_wrong_is_named(self):
        def fail(problem):
            raise ValueError("out of ideas")

        for function, words in ((fail, "mapper tried raised ValueError: out of ideas"),
                                (lambda problem: "abcd", "something else than a sequence of whole numbers"),
                                (lambda problem: [0, 1], "returned 2 hosts; expected one for each of 4 ranks"),
                                (lambda problem: [0, 1, 2, 9], "puts rank 3 on host 9 of the allocation")):
            with self.assertRaises(vtopo.InputError) as caught:
                self.run_mapper(function)
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(vtopo.FitError):
            self.run_mapper(lambda problem: [0, 0, 1, 2])

    def test_the_place_of_an_exception_is_named(self):
        def deeper():
            return [][0]

        with self.assertRaises(vtopo.InputError) as caught:
            self.run_mapper(lambda problem: deeper())
        line = deeper.__code__.co_firstlineno + 1
        self.assertRegex(str(caught.exception), rf"IndexError: list index out of range, at .*module_test.py\({line}\): deeper$")

    def test_a_function_that_ends_the_program_ends_it(self):
        for kind in (KeyboardInterrupt, SystemExit):
            def end(problem):
                raise kind

            with self.assertRaises(kind):
                self.run_mapper(end)

    def test_mappers_may_be_added_while_others_run(self):
        # Each look at the table of mappers finds all that were there before.
        failures, ended = [], threading.Event()

        def compare():
            while not ended.is_set():
                try:
                    vtopo.compare(topology="cart:4x4", network="torus:4x4", mapper=["greedy", "portfolio"], steps=50, simulate=False)
                except vtopo.Error as error:
                    failures.append(str(error))

        threads = [threading.Thread(target=compare) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(300):
            vtopo.mapper(lambda problem: [], name=f"added_{number}")
        ended.set()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Interrupts(unittest.TestCase):
    # Ten thousand million steps take hours.
    LONG = {"topology": "cart:16x16", "network": "torus:16x16", "mapper": "annealing", "steps": 10**10}

    def interrupt(self):
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        self.addCleanup(timer.join)

    def test_ctrl_c_ends_a_run(self):
        handler = signal.getsignal(signal.SIGINT)
        self.assertIs(handler, signal.default_int_handler)
        for _ in range(2):
            self.interrupt()
            with self.assertRaises(KeyboardInterrupt):
                vtopo.compare(**self.LONG)
        self.assertEqual(len(vtopo.compare(**{**self.LONG, "steps": 100})), 1)  # as before


class Reports(unittest.TestCase):
    def test_the_report_is_that_of_the_command(self):
        command = os.environ.get("VTOPO")
        if not command:
            self.skipTest("no command")
        options = {"topology": "cart:8x8", "network": "torus:8x8", "mapper": "block,greedy", "seed": "3"}
        words = [word for key, value in options.items() for word in (f"--{key}", value)]
        said = subprocess.run([command, "compare", *words, "--timing", "off", "--format", "json"], check=True,
                              capture_output=True, text=True).stdout
        import json
        self.assertEqual(vtopo.compare(**options, timing=False).to_dict(), json.loads(said))

    def test_rows_are_found_by_mapper_and_by_number(self):
        report = vtopo.compare(topology="cart:4x4", network="torus:4x4", mapper=["random", "block"])
        self.assertIs(report["block"], report[1])
        self.assertIs(report[-1], report[1])

        class OfNumpy:  # as numpy.int64, what idxmin of pandas gives
            def __index__(self):
                return 1

        self.assertIs(report[OfNumpy()], report[1])
        self.assertEqual(report.best["mapper"], "block")
        self.assertEqual(report.host_names("block")[:2], ["host-0", "host-1"])
        self.assertEqual(max(report.rank_finish(0)), report[0]["makespan"])
        with self.assertRaises(KeyError):
            report["grey"]
        with self.assertRaises(IndexError):
            report[2]

    def test_pages_hold_the_report_and_names_cannot_leave_their_frame(self):
        report = vtopo.compare(topology="cart:4x4", network="torus:4x4", mapper=["random", "block"])
        self.assertTrue(report.page().startswith("<!DOCTYPE html>"))
        self.assertNotIn("<script", report._repr_html_())
        self.assertTrue(vtopo.Network("torus:4x4")._repr_html_().startswith("<svg"))

    def test_the_page_of_a_pattern_has_the_timeline_of_ranks(self):
        job = {"topology": "cart:4x4p", "network": "torus:4x4", "mapper": "block"}
        self.assertIn('"spans":[[', vtopo.compare(pattern="phased", **job).page())
        self.assertNotIn('"spans":[[', vtopo.compare(**job).page())

    def test_flat_rows_hold_no_objects(self):
        for row in vtopo.compare(topology="cart:4x4", network="torus:4x4").flat():
            self.assertFalse([key for key, value in row.items() if isinstance(value, (dict, list))])

    def test_options_that_are_wrong_are_named(self):
        with self.assertRaises(vtopo.UsageError) as caught:
            vtopo.compare(topologi="cart:4")
        self.assertIn('did you mean "topology"?', str(caught.exception))
        self.assertIsNone(vtopo.evaluate(topology="cart:4", network="torus:4", simulate=False)["makespan"])


class Sweeps(unittest.TestCase):
    AXES, OPTIONS = {"network": ["torus:16", "torus:4x4"], "bytes": ["1KiB", "1MiB"]}, {"topology": "cart:4x4", "timing": False}

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "sweep.jsonl")
        self.runs = 0

        def count(problem):
            self.runs += 1
            return range(problem.num_ranks)

        vtopo.mapper(count, name="counted")

    def sweep(self, axes=None, **options):
        return vtopo.sweep(axes or self.AXES, resume=self.path, mapper="counted", **{**self.OPTIONS, **options})

    def test_cases_that_are_done_are_not_run_again(self):
        rows = self.sweep()
        self.assertEqual(self.runs, 4)
        self.assertEqual(self.sweep(), rows)
        self.assertEqual(self.runs, 4)
        self.assertEqual(rows, vtopo.sweep(self.AXES, mapper="counted", **self.OPTIONS))
        self.runs = 0
        more = self.sweep({**self.AXES, "bytes": ["1KiB", "1MiB", "2MiB"]})
        self.assertEqual((len(more), self.runs), (6, 2))

    def test_a_line_that_is_cut_off_is_done_again(self):
        rows = self.sweep()
        with open(self.path, "r+b") as file:
            file.truncate(os.path.getsize(self.path) - 10)
        self.runs = 0
        self.assertEqual(self.sweep(), rows)
        self.assertEqual(self.runs, 1)
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 5)

    def test_networks_and_traffic_are_other_cases_if_what_they_hold_differs(self):
        # Both traffics have 4 ranks, 3 edges and 6 bytes: 1 + 2 + 3 bytes over one hop, or 3 + 2 over two and 1 over one.
        near, far = vtopo.Traffic([0, 1, 2], [1, 2, 3], [1., 2., 3.]), vtopo.Traffic([0, 1, 2], [2, 3, 3], [3., 2., 1.])
        fast, slow = vtopo.Network("torus:4"), vtopo.Network("torus:4", bandwidth="1GBps")
        axes = {"traffic": [near, far], "network": [fast, slow]}
        for _ in range(2):  # the second time from the file
            rows = vtopo.sweep(axes, resume=self.path, mapper="counted", latency="0s", routing="simgrid")
            self.assertEqual([row["hop_bytes"] for row in rows], [6, 6, 11, 11])
            # On the busiest link 3 bytes; or of the two flows over two hops the 3 + 2 bytes that share one.
            self.assertEqual([round(row["max_congestion"] * 1e10) for row in rows], [3, 30, 5, 50])
        self.assertEqual(self.runs, 4)
        with self.assertRaises(vtopo.UsageError):
            vtopo.sweep({"mapper": ["counted"]}, resume=self.path, traffic=near, network=fast)

    def test_a_file_of_other_traffic_is_refused(self):
        rows = [[0, 1], [2, 0]]
        vtopo.sweep({"mapper": ["counted"]}, resume=self.path, traffic=rows, network="torus:4")
        vtopo.sweep({"mapper": ["counted"]}, resume=self.path, traffic=vtopo.Traffic.from_matrix(rows), network="torus:4")
        self.assertEqual(self.runs, 1)  # the same edges
        with self.assertRaises(vtopo.UsageError):
            vtopo.sweep({"mapper": ["counted"]}, resume=self.path, traffic=[[0, 2], [1, 0]], network="torus:4")

    def test_a_file_of_another_sweep_is_refused(self):
        self.sweep()
        with self.assertRaises(vtopo.UsageError) as caught:
            self.sweep(seed=2)
        self.assertIn("is of another sweep", str(caught.exception))


class Pandas(unittest.TestCase):
    @unittest.skipIf(pandas is None, "no pandas")
    def test_reports_become_tables(self):
        report = vtopo.compare(topology="cart:4x4", network="torus:4x4", mapper=["block", "random"], timing=False)
        table = pandas.DataFrame(report.flat())
        self.assertEqual(list(table["mapper"]), ["block", "random"])
        self.assertEqual(table["hop_bytes"].dtype.kind, "f")
        whole = pandas.json_normalize(report.to_dict()["rows"])
        self.assertEqual(list(whole["hop_bytes"]), list(table["hop_bytes"]))
        for column in table:  # no cell holds an object
            self.assertFalse(table[column].map(lambda value: isinstance(value, (dict, list))).any(), column)
        one = pandas.json_normalize(report.to_dict())
        self.assertEqual(one["best.mapper"][0], "block")
        self.assertEqual(len(pandas.DataFrame(vtopo.sweep({"seed": [1, 2]}, topology="cart:4", network="torus:4",
                                                          mapper="random"))), 2)


class Stubs(unittest.TestCase):
    def test_stubs_have_every_public_name(self):
        path = os.path.join(os.path.dirname(vtopo.__file__), "__init__.pyi")
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        named = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual(sorted(named), sorted(vtopo.__all__))
        for name in ("Problem", "Traffic", "Network", "Report"):
            there = {entry for entry in vars(getattr(vtopo, name)) if not entry.startswith("_")}
            stub = {entry.name for entry in named[name].body if isinstance(entry, ast.FunctionDef)}
            self.assertEqual(there, {entry for entry in stub if not entry.startswith("_")}, name)


class Speed(unittest.TestCase):
    @staticmethod
    def shortest(function, times):
        def once():
            start = time.perf_counter()
            function()
            return time.perf_counter() - start
        return min(once() for _ in range(times))

    def test_import_takes_less_than_300_ms_beside_the_interpreter(self):
        def start(words):
            subprocess.run([sys.executable, "-c", words], check=True)
        taken = self.shortest(lambda: start("import vtopo"), 5) - self.shortest(lambda: start(""), 5)
        print(f"import: {1e3 * taken:.0f} ms", file=sys.stderr)
        self.assertLess(taken, 0.3)

    def test_the_call_of_a_mapper_in_python_costs_less_than_a_millisecond(self):
        vtopo.mapper(lambda problem: list(range(problem.num_ranks)), name="identity")
        what = {"topology": "cart:32x32", "network": "torus:32x32", "simulate": False}
        taken = (self.shortest(lambda: vtopo.compare(**what, mapper="identity"), 15) -
                 self.shortest(lambda: vtopo.compare(**what, mapper="block"), 15))
        print(f"a call: {1e6 * taken:.0f} us", file=sys.stderr)
        self.assertLess(taken, 1e-3)


if __name__ == "__main__":
    unittest.main()
