"""MPI virtual topologies on modelled interconnects.

What a placement of ranks costs on a machine, and which placement costs less. Keyword arguments are the options of the
command `vtopo` with underscores; lists are several values.

>>> import vtopo
>>> report = vtopo.compare(topology="cart:4x4", bytes="64KiB", network="torus:4x4", mapper=["block", "snake"])
>>> [row["mapper"] for row in report]
['block', 'snake']
>>> report["block"]["hop_bytes"]            # 48 directed edges of one hop
3145728.0
"""
import itertools as _itertools

from . import _vtopo
from ._vtopo import Error, FitError, InputError, Problem, SimulationError, UsageError

__all__ = ["Error", "FitError", "InputError", "Network", "Problem", "Report", "SimulationError", "Traffic", "UsageError",
           "compare", "evaluate", "flat", "map", "mapper", "mappers", "simulate", "sweep"]


def _text(value):
    if isinstance(value, bool):
        return "true" if value else None
    return str(value)


# Options that are given several times; of the others a list is joined by commas.
_REPEATED = frozenset(["pattern", "fail-link", "fail-host", "scale-bandwidth", "plugin"])
_OPTIONS = frozenset(_vtopo.option_names())


def _settings(options):
    settings = []
    for key, value in options.items():
        key = key.replace("_", "-")
        if value is None:
            continue
        if value is False and f"no-{key}" in _OPTIONS:  # what would else be decided
            key, value = f"no-{key}", True
        if not isinstance(value, (list, tuple)):
            value = [value]
        elif not value and key not in _REPEATED:
            raise UsageError(f"{key}: an empty list; leave it out, or use None, for the default")
        texts = [text for text in (_text(v) for v in value) if text is not None]
        if key in _REPEATED:
            settings.extend((key, text) for text in texts)
        elif texts:
            settings.append((key, ",".join(texts)))
    return settings


def _buffer(values, kind):
    """What has the buffer protocol as it is; other sequences become an array of `kind`."""
    try:
        memoryview(values)
        return values
    except TypeError:
        import array
        return array.array(kind, values)


class Traffic:
    """Who sends how many bytes to whom.

    >>> ring = Traffic([0, 1, 2], [1, 2, 0], [100.0, 100.0, 50.0])
    >>> ring.num_ranks, ring.num_edges, ring.total_bytes
    (3, 3, 250.0)
    """

    def __init__(self, sources, destinations, volumes, ranks=None):
        """Edge i: rank `sources[i]` sends `volumes[i]` bytes to rank `destinations[i]`. Numpy arrays and other buffers
        are read where they are. `ranks` is their number; without it the largest one has the last edge."""
        sources, destinations = _buffer(sources, "q"), _buffer(destinations, "q")
        self._graph = _vtopo.graph_of_edges(ranks, sources, destinations, _buffer(volumes, "d"))

    @classmethod
    def from_matrix(cls, matrix):
        """A square matrix: row r has what rank r sends. A two-dimensional buffer such as a numpy array, a sparse matrix
        of scipy, or rows in a list. Arrays and CSR matrices are read where they are; scipy makes CSR of its others.

        >>> Traffic.from_matrix([[0, 5], [7, 0]]).total_bytes
        12.0
        """
        result = cls.__new__(cls)
        if hasattr(matrix, "tocsr"):
            rows = matrix.tocsr()
            if rows.shape[0] != rows.shape[1]:
                raise UsageError(f"matrix has {rows.shape[0]} rows and {rows.shape[1]} columns; expected a square")
            result._graph = _vtopo.graph_of_rows(rows.indptr, rows.indices, rows.data)
            return result
        try:
            memoryview(matrix)
        except TypeError:
            entries = [(r, c, float(v)) for r, row in enumerate(matrix) for c, v in enumerate(row) if v != 0]
            if any(len(row) != len(matrix) for row in matrix):
                raise UsageError(f"matrix has {len(matrix)} rows and one of another length; expected a square") from None
            sources, destinations, volumes = zip(*entries) if entries else ((), (), ())
            return cls(sources, destinations, volumes, len(matrix))
        result._graph = _vtopo.graph_of_matrix(matrix)
        return result

    num_ranks = property(lambda self: self._graph.num_ranks, doc="number of ranks")
    num_edges = property(lambda self: self._graph.num_edges, doc="number of directed edges")
    total_bytes = property(lambda self: self._graph.total_bytes, doc="of all edges")

    def __repr__(self):
        return f"<Traffic of {self.num_ranks} ranks, {self.num_edges} edges, {self.total_bytes:.6g} bytes>"


class Network:
    """An interconnect: a specification, or a file with `platform=`; further options as those of `compare`.

    >>> torus = Network("torus:4x4")
    >>> torus.num_hosts, torus.num_links, torus.hops(0, 5)
    (16, 64, 2)
    >>> torus.route(0, 2)
    ['d0+:0->1', 'd0+:1->2']
    """

    def __init__(self, network=None, **options):
        self.options = {**({"network": network} if network is not None else {}), **options}
        self._network = _vtopo.network(_settings(self.options))

    num_hosts = property(lambda self: self._network.num_hosts, doc="number of hosts")
    num_links = property(lambda self: self._network.num_links, doc="number of directed links")
    description = property(lambda self: self._network.description, doc="human-readable")

    def host_name(self, host):
        """Name of a host by its number."""
        return self._network.host_name(host)

    def hops(self, source, destination):
        """Links between two hosts."""
        return self._network.hops(source, destination)

    def route(self, source, destination):
        """Names of the links from one host to another."""
        return self._network.route(source, destination)

    def svg(self):
        """Drawing as a text in SVG, as of `vtopo platform draw`."""
        return self._network.svg()

    def __repr__(self):
        return f"<Network {self.description}>"

    def _repr_html_(self):
        return self.svg()


def flat(row):
    """A row without objects inside: their entries get names such as `a.b`; lists of objects are left out, other lists
    are texts. pandas.DataFrame takes a list of such rows.

    >>> flat({"a": 1, "b": {"c": 2}, "d": [1, 2], "e": [{"f": 3}]})
    {'a': 1, 'b.c': 2, 'd': '1 2'}
    """
    result = {}
    for key, value in row.items():
        if isinstance(value, dict):
            result.update((f"{key}.{inner}", v) for inner, v in flat(value).items())
        elif isinstance(value, (list, tuple)):
            if not any(isinstance(v, (dict, list)) for v in value):
                result[key] = " ".join(str(v) for v in value)
        else:
            result[key] = value
    return result


class Report:
    """The answer: a row, a dict, for each mapper in the order asked for. `report["greedy"]` is the row of a mapper."""

    def __init__(self, result):
        import json
        self._result = result
        self._document = json.loads(result.json())

    rows = property(lambda self: self._document["rows"], doc="dicts as in the JSON of the command")
    scenario = property(lambda self: self._document["scenario"], doc="options that make this report again")
    verdict = property(lambda self: self._result.verdict(), doc="what the rows mean, in one sentence")
    best = property(lambda self: self.rows[self._result.best()], doc="the best row")
    kept_order = property(lambda self: self._result.kept_order,
                          doc="of `map`: whether the order given is kept; None of the others")

    def _index(self, row):
        if hasattr(row, "__index__"):  # those of numpy, too
            row = row.__index__()
            if not -len(self.rows) <= row < len(self.rows):
                raise IndexError(f"row {row} of {len(self.rows)}")
            return row % len(self.rows)
        for index, known in enumerate(self.rows):
            if known["mapper"] == row:
                return index
        raise KeyError(f"{row!r}; there are {', '.join(known['mapper'] for known in self.rows)}")

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, row):
        return self.rows[self._index(row)]

    def hosts(self, row=None):
        """Host number of each rank in a row, by its number or mapper; of the best one if none is named."""
        return self._result.hosts(self._result.best() if row is None else self._index(row))

    def host_names(self, row=None):
        """The same with the names of hosts."""
        return self._result.host_names(self._result.best() if row is None else self._index(row))

    def rank_finish(self, row=None):
        """When each rank is over, in simulated seconds; empty where nothing was simulated."""
        return self._result.rank_finish(self._result.best() if row is None else self._index(row))

    def search(self, row=None):
        """What the mapper of a row reported while it searched: (seconds, steps, value), better and better."""
        return self._result.search(self._result.best() if row is None else self._index(row))

    def to_dict(self):
        """The JSON document of the command."""
        return self._document

    def flat(self):
        """Rows without objects inside, for pandas.DataFrame."""
        return [flat(row) for row in self.rows]

    def page(self):
        """The HTML page of the command as a text: pictures of links, traffic, hops."""
        return self._result.page()

    def save(self, path):
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page())

    def __str__(self):
        return self._result.table()

    def __repr__(self):
        return f"<Report of {', '.join(row['mapper'] for row in self.rows)}: {self.verdict}>"

    def _repr_html_(self):
        import html
        return (f'<iframe srcdoc="{html.escape(self.page())}" sandbox="allow-scripts allow-downloads" '
                'style="width:100%;height:900px;border:1px solid #ccc"></iframe>')


def _run(options, keeps_order=False):
    options = dict(options)
    network = options.get("network")
    if isinstance(network, Network):
        del options["network"]
        options = {**network.options, **options}
    traffic, guest = options.get("traffic"), None
    if traffic is not None and not isinstance(traffic, str):
        guest = (traffic if isinstance(traffic, Traffic) else Traffic.from_matrix(traffic))._graph
        del options["traffic"]
    timing = options.pop("timing", True)
    return Report(_vtopo.run(_settings(options), guest, keeps_order, timing))


def compare(**options):
    """Maps, evaluates and simulates with each mapper of `mapper`: the command's `compare`. `network` may be a `Network`,
    `traffic` a file, a `Traffic`, or a matrix.

    >>> ring = Traffic([0, 1, 2, 3], [1, 2, 3, 0], [1e6] * 4)
    >>> compare(traffic=ring, network="torus:4", mapper="block").best["max_dilation"]
    1
    """
    return _run({"mapper": ["block", "portfolio"], **options})


def evaluate(**options):
    """What one placement costs: the row of the command's `evaluate`, a dict.

    >>> evaluate(topology="cart:4x4", network="torus:4x4")["max_dilation"]
    1
    """
    return _run({"mapper": "block", **options})[0]


def simulate(**options):
    """The report of one placement, simulated; `rank_finish()` has the times of ranks.

    >>> report = simulate(topology="cart:2", bytes="1MiB", network="torus:2", latency="0s")
    >>> ["%.3g" % seconds for seconds in report.rank_finish()]
    ['0.000105', '0.000105']
    """
    return _run({"mapper": "block", "simulate": True, **options})


def map(**options):
    """The placement that `vtopo map` would write: a report in which the order given is kept unless a mapper gains more
    than `min_gain`. `hosts()` has the host of each rank.

    >>> report = map(topology="cart:8x8", network="torus:8x8", mapper="random")
    >>> report.kept_order, report.hosts("block")[:3]
    (True, [0, 1, 2])
    """
    return _run({"mapper": "portfolio", **options}, keeps_order=True)


def _identity(key, value):
    """The value of an option, or of what is an object a text that no other object has: its `repr` alone may leave out what
    counts."""
    if isinstance(value, Network):
        options = {inner: _identity(inner, v) for inner, v in sorted(value.options.items())}
        return f"{value!r} {options}"
    if key != "traffic" or value is None or isinstance(value, str):
        return value
    import hashlib
    traffic = value if isinstance(value, Traffic) else Traffic.from_matrix(value)
    return f"{traffic!r} {hashlib.sha256(traffic._graph.packed()).hexdigest()[:32]}"


class _Finished:
    """Cases of a sweep in a file of JSON lines, one for each, behind one of what the sweep is."""

    def __init__(self, path, axes, options):
        import json
        self._json, self._path, self.rows = json, path, {}
        identities = sorted((key, _identity(key, value)) for key, value in options.items())
        about = {"schema": "vtopo/python-sweep/v1", "axes": list(axes), "options": repr(identities)}
        try:
            with open(path, "rb") as file:
                whole = file.read()
        except FileNotFoundError:
            whole = b""
        end = whole.rfind(b"\n") + 1  # a line that is cut off is done again
        lines = [json.loads(line) for line in whole[:end].splitlines()]
        if not lines:
            with open(path, "wb") as file:
                file.write(json.dumps(about).encode() + b"\n")
            return
        if lines[0] != about:
            raise UsageError(f"{path} is of another sweep: {lines[0]}; expected {about}, or a new file")
        self.rows = {json.dumps(line["case"]): line["rows"] for line in lines[1:]}
        if end < len(whole):
            with open(path, "r+b") as file:
                file.truncate(end)

    def get(self, named):
        return self.rows.get(self._json.dumps(named))

    def add(self, named, rows):
        with open(self._path, "ab") as file:
            file.write(self._json.dumps({"case": named, "rows": rows}).encode() + b"\n")


def sweep(axes, resume=None, **options):
    """Rows, flat, of `compare` for all combinations of the values of `axes`, a dict of lists; a row has the values too.
    With `resume`, a file, each case is written there when it is done, and cases that are there are not run again: an
    interrupted sweep goes on, one with more values adds them. A `Network` is the same case as before if its options are, a
    matrix or `Traffic` if its edges are, other objects if their `repr` is; files that options name are not looked at.

    >>> rows = sweep({"network": ["torus:16", "torus:4x4"], "bytes": ["1KiB", "1MiB"]}, topology="cart:4x4",
    ...              mapper="block", simulate=False)
    >>> [(row["network"], row["bytes"], row["max_dilation"]) for row in rows]
    [('torus:16', '1KiB', 4), ('torus:16', '1MiB', 4), ('torus:4x4', '1KiB', 1), ('torus:4x4', '1MiB', 1)]
    """
    rows = []
    finished = None if resume is None else _Finished(resume, axes, options)
    for values in _itertools.product(*axes.values()):
        chosen = dict(zip(axes, values))
        identities = {key: _identity(key, value) for key, value in chosen.items()}
        named = {key: value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)
                 for key, value in identities.items()}
        case = finished.get(named) if finished else None
        if case is None:
            case = [{**named, **row} for row in compare(**{**options, **chosen}).flat()]
            if finished:
                finished.add(named, case)
        rows.extend(case)
    return rows


def mapper(function=None, *, name=None):
    """Makes a function a mapper that `mapper=` of this process knows by its name. It gets a `Problem` and returns for
    each rank the position of its host in the allocation.

    >>> @mapper
    ... def backwards(problem):
    ...     return [problem.num_ranks - 1 - rank for rank in range(problem.num_ranks)]
    >>> compare(topology="cart:4", network="torus:4", mapper="backwards").hosts(0)
    [3, 2, 1, 0]
    """
    def declare(function):
        summary = (function.__doc__ or "").strip().split("\n")[0] or "a function in Python"
        _vtopo._register_mapper(name or function.__name__, summary, function)
        return function
    return declare if function is None else declare(function)


def mappers():
    """Names of all mappers and what they do, a dict.

    >>> "portfolio" in mappers()
    True
    """
    return dict(_vtopo.mappers())
