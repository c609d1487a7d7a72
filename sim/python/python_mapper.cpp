#include "sim/python/module.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <vector>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/api/tables.hpp"
#include "topology/base/error.hpp"

namespace py = pybind11;

namespace vtopo::detail::python {

namespace {

/// A problem as Python sees it. It is only valid while the mapper runs.
class Problem {
 public:
  Problem(const MappingProblem& problem, const SearchControl& control)
      : problem_(&problem), control_(&control) {}

  void end() { problem_ = nullptr; }

  int num_ranks() const { return problem().guest.num_ranks(); }
  int num_hosts() const { return problem().allocation.num_hosts(); }
  std::uint64_t seed() const { return problem().seed; }
  std::vector<int> slots() const { return problem().allocation.slots; }
  std::vector<int> hosts() const {
    std::vector<int> numbers;
    for (const HostId host : problem().allocation.hosts) numbers.push_back(number(host));
    return numbers;
  }
  std::string network() const { return problem().network.description(); }

  std::optional<std::vector<std::pair<int, bool>>> grid() const {
    if (problem().grid == nullptr) return std::nullopt;
    std::vector<std::pair<int, bool>> dimensions;
    for (const Dimension& dimension : problem().grid->dimensions())
      dimensions.emplace_back(dimension.size, dimension.periodicity == Periodicity::periodic);
    return dimensions;
  }

  py::list edges() const {
    py::list list(problem().guest.num_edges());
    std::size_t at = 0;
    problem().guest.for_each_edge([&](Rank source, const CommEdge& edge) {
      list[at++] = py::make_tuple(number(source), number(edge.destination), edge.volume.value);
    });
    return list;
  }

  int hops(int from, int to) const { return problem().network.hops(host_at(from), host_at(to)); }

  std::vector<int> hops_from(int from) const {
    std::vector<int> result(problem().allocation.hosts.size());
    problem().network.hops_from(host_at(from), problem().allocation.hosts, result);
    return result;
  }

  void report_value(double value, std::int64_t steps) const {
    problem();
    if (!std::isfinite(value) || steps < 0)
      throw UsageError(fmt::format(
          "report_value({}, steps={}): accepted are a finite value and steps >= 0", value, steps));
    control_->report_value(value, steps);
  }

 private:
  const MappingProblem& problem() const {
    if (problem_ == nullptr) throw UsageError("a problem is only valid while its mapper runs");
    return *problem_;
  }
  HostId host_at(int position) const {
    if (position < 0 || position >= num_hosts())
      throw UsageError(fmt::format("host {} of the allocation; accepted are 0 to {}", position,
                                   num_hosts() - 1));
    return problem().allocation.hosts[static_cast<std::size_t>(position)];
  }

  const MappingProblem* problem_;
  const SearchControl* control_;
};

/// @throws InputError for ranks without a host or beyond its slots.
Embedding checked(const std::string& name, const std::vector<int>& places,
                  const MappingProblem& problem) {
  const Allocation& allocation = problem.allocation;
  if (places.size() != static_cast<std::size_t>(problem.guest.num_ranks()))
    throw InputError(fmt::format("mapper {} returned {} hosts; expected one for each of {} ranks",
                                 name, places.size(), problem.guest.num_ranks()));
  std::vector<HostId> hosts;
  for (std::size_t r = 0; r < places.size(); ++r) {
    if (places[r] < 0 || places[r] >= allocation.num_hosts())
      throw InputError(
          fmt::format("mapper {} puts rank {} on host {} of the allocation; accepted are 0 to {}",
                      name, r, places[r], allocation.num_hosts() - 1));
    hosts.push_back(allocation.hosts[static_cast<std::size_t>(places[r])]);
  }
  return {std::move(hosts), allocation};
}

/// The function that stands under a name now: a notebook defines its mappers again and again.
py::object function_of(const std::string& name) {
  return py::module_::import("vtopo._vtopo").attr("_mappers")[py::str(name)];
}

/// `ValueError: SENTENCE, at FILE(LINE): FUNCTION` of a text with the whole stack, innermost first.
std::string with_place(const std::string& text) {
  constexpr std::string_view stack = "\n\nAt:\n  ";
  const std::size_t end = text.find(stack);
  if (end == std::string::npos) return text;
  const std::size_t place = end + stack.size();
  return fmt::format("{}, at {}", text.substr(0, end),
                     text.substr(place, text.find('\n', place) - place));
}

Embedding run_function(const std::string& name, const MappingProblem& problem,
                       const SearchControl& control) {
  const py::gil_scoped_acquire locked;
  const auto handle = std::make_shared<Problem>(problem, control);
  try {
    const py::object result = function_of(name)(py::cast(handle));
    handle->end();
    return checked(name, result.cast<std::vector<int>>(), problem);
  } catch (const py::cast_error&) {
    handle->end();
    throw InputError(fmt::format(
        "mapper {} returned something else than a sequence of whole numbers, the host of each rank",
        name));
  } catch (const py::error_already_set& error) {
    handle->end();
    if (!error.matches(PyExc_Exception)) throw;  // KeyboardInterrupt, SystemExit
    throw InputError(fmt::format("mapper {} raised {}", name, with_place(error.what())));
  }
}

bool is_name(const std::string& name) {
  return !name.empty() && name != "all" && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

void register_function(const std::string& name, const std::string& summary,
                       const py::function& function) {
  if (!is_name(name))
    throw UsageError(
        fmt::format("name of a mapper \"{}\"; accepted are letters, digits and _", name));
  const py::dict known = py::module_::import("vtopo._vtopo").attr("_mappers");
  if (!known.contains(name)) {
    MapperInfo info{.name = name, .summary = summary, .reference = "a function in Python"};
    info.map = [name](const MappingProblem& problem, const SearchControl& control) {
      return run_function(name, problem, control);
    };
    info.self_contained = false;
    register_mappers({info}, "Python");
  }
  known[py::str(name)] = function;
}

}  // namespace

void declare_mappers(py::module_& module) {
  module.attr("_mappers") = py::dict();
  py::class_<Problem, std::shared_ptr<Problem>>(module, "Problem")
      .def_property_readonly("num_ranks", &Problem::num_ranks)
      .def_property_readonly("num_hosts", &Problem::num_hosts)
      .def_property_readonly("seed", &Problem::seed)
      .def_property_readonly("slots", &Problem::slots)
      .def_property_readonly("hosts", &Problem::hosts)
      .def_property_readonly("network", &Problem::network)
      .def_property_readonly("grid", &Problem::grid)
      .def("edges", &Problem::edges)
      .def("hops", &Problem::hops, py::arg("source"), py::arg("destination"))
      .def("hops_from", &Problem::hops_from, py::arg("source"))
      .def("report_value", &Problem::report_value, py::arg("value"), py::arg("steps") = 0);
  module.def("_register_mapper", &register_function);
  module.def("mappers", [] {
    std::vector<std::pair<std::string, std::string>> list;
    for (const MapperInfo& info : all_mappers()) list.emplace_back(info.name, info.summary);
    return list;
  });
}

}  // namespace vtopo::detail::python
