#include <fmt/format.h>
#include <pybind11/stl.h>
#include <signal.h>

#include <atomic>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "sim/draw/network/picture.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/python/module.hpp"
#include "sim/report/report.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/load_network.hpp"
#include "sim/run/plan.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/error.hpp"

namespace py = pybind11;

namespace vtopo::detail::python {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers set it");

void (*python_handler)(int) = nullptr;

void note_interrupt(int signal) {
  interrupted = true;
  python_handler(signal);
}

class KeyboardStop : public StopRequest {
 public:
  const std::atomic<bool>* flag() const override { return &interrupted; }
};

class Interruptible : public Observer {
 public:
  std::unique_ptr<StopRequest> listen() override { return std::make_unique<KeyboardStop>(); }
};

/// Whether Python runs its own handler in this thread: another one may let the program go on, whose
/// results would be those of a search that was cut off.
bool raises_keyboard_interrupt() {
  const py::module_ threads = py::module_::import("threading"),
                    signals = py::module_::import("signal");
  return threads.attr("current_thread")().is(threads.attr("main_thread")()) &&
         signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"));
}

/// Puts a handler in front of Python's, until it is destroyed.
class HandlerInFront {
 public:
  HandlerInFront() {
    interrupted = false;
    struct sigaction own = {};
    sigaction(SIGINT, nullptr, &before_);
    own.sa_handler = note_interrupt;
    own.sa_mask = before_.sa_mask;
    own.sa_flags = before_.sa_flags;
    python_handler = before_.sa_handler;
    sigaction(SIGINT, &own, nullptr);
  }
  HandlerInFront(const HandlerInFront&) = delete;
  HandlerInFront& operator=(const HandlerInFront&) = delete;
  ~HandlerInFront() { sigaction(SIGINT, &before_, nullptr); }

 private:
  struct sigaction before_ = {};
};

void without_lock(const std::function<void(Observer&)>& work, Observer& observer) {
  const py::gil_scoped_release unlocked;
  work(observer);
}

/// Does `work` without the interpreter's lock. Where Ctrl-C raises KeyboardInterrupt, which Python
/// does in its main thread once it runs again, it also ends searches and simulations that listen
/// to the observer.
/// @throws what `work` throws, or KeyboardInterrupt as pybind11::error_already_set.
void until_interrupted(const std::function<void(Observer&)>& work) {
  // A run inside of a mapper of a run is listened to by the outer one.
  if (!raises_keyboard_interrupt() || python_handler != nullptr) {
    Observer silent;
    return without_lock(work, silent);
  }
  std::exception_ptr failure;
  {
    const HandlerInFront in_front;
    Interruptible observer;
    try {
      without_lock(work, observer);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  python_handler = nullptr;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (failure) std::rethrow_exception(failure);
}

/// Keys and values as the command line spells them.
using Settings = std::vector<std::pair<std::string, std::string>>;

Scenario scenario_of(const Settings& settings, const std::shared_ptr<const CommGraph>& guest) {
  Scenario scenario;
  for (const auto& [key, value] : settings) {
    const ScenarioOption* const option = find_scenario_key(key);
    if (option == nullptr) throw UsageError(unknown_scenario_key(key));
    option->set(scenario, value);
  }
  scenario.traffic_graph = guest;
  if (guest) scenario.traffic = fmt::format("traffic of {} ranks in memory", guest->num_ranks());
  return scenario;
}

/// A report with what pictures and embeddings need.
struct RunResult {
  Scenario scenario;
  Report report;
  std::shared_ptr<const Experiment> experiment;
  std::vector<Embedding> embeddings;               ///< one entry per row
  std::vector<std::vector<SearchPoint>> searches;  ///< one entry per row

  const Network& network() const { return *experiment->network; }
};

/// Sentences of a run, which may come from several threads one after the other.
class Remarks : public Observer {
 public:
  void remark(const std::string& sentence) override { sentences.push_back(sentence); }
  std::vector<std::string> sentences;
};

RunResult run_scenario(const Settings& settings, const std::shared_ptr<const CommGraph>& guest,
                       bool keeps_order, bool timing) {
  RunResult result;
  result.scenario = scenario_of(settings, guest);
  until_interrupted([&](Observer& observer) {
    RunPlan plan = plan_run(result.scenario, observer, {.timing = timing});
    plan.setup.traces_search = true;
    PlacedReport placed = keeps_order ? keep_or_move(plan, observer) : compare(plan, observer);
    result.report = std::move(placed.report);
    result.embeddings = std::move(placed.embeddings);
    result.searches = std::move(placed.searches);
    result.experiment = std::make_shared<const Experiment>(std::move(plan.experiment));
  });
  return result;
}

/// What ranks do in the simulation of a row, simulated once more: few reports become pages.
RankTimeline timeline_of(const RunResult& result, std::size_t row) {
  const Experiment& experiment = *result.experiment;
  RankTimeline timeline(experiment.guest.num_ranks());
  if (experiment.schedule && result.report.rows[row].simulation)
    simulate_job(experiment, result.embeddings[row], clock_of(result.scenario).how, {},
                 [&](const RankSpan& span) { timeline.add(span); });
  return timeline.take(result.report.rows[row]);
}

std::string page_of(const RunResult& result) {
  const py::gil_scoped_release unlocked;
  const CommGraph& guest = result.experiment->guest;
  PictureSource source(guest, result.experiment->network);
  for (std::size_t row = 0; row < result.embeddings.size(); ++row) {
    const Embedding& embedding = result.embeddings[row];
    source.add(guest, embedding, evaluate(guest, result.network(), embedding),
               timeline_of(result, row));
  }
  return render_page(result.report, source);
}

const Row& row_at(const RunResult& result, std::size_t row) {
  if (row >= result.report.rows.size())
    throw UsageError(
        fmt::format("row {}; accepted are 0 to {}", row, result.report.rows.size() - 1));
  return result.report.rows[row];
}

std::vector<int> hosts_of(const RunResult& result, std::size_t row) {
  row_at(result, row);
  std::vector<int> hosts;
  for (int r = 0; r < result.experiment->guest.num_ranks(); ++r)
    hosts.push_back(number(result.embeddings[row].host_of(Rank{r})));
  return hosts;
}

std::vector<std::tuple<double, std::int64_t, double>> search_of(const RunResult& result,
                                                                std::size_t row) {
  row_at(result, row);
  std::vector<std::tuple<double, std::int64_t, double>> points;
  for (const auto& [seconds, steps, value] : result.searches[row])
    points.emplace_back(seconds, steps, value);
  return points;
}

std::vector<double> rank_finish(const RunResult& result, std::size_t row) {
  std::vector<double> seconds;
  if (const auto& simulation = row_at(result, row).simulation)
    for (const Seconds finish : simulation->rank_finish) seconds.push_back(finish.value);
  return seconds;
}

void declare_results(py::module_& module) {
  py::class_<RunResult>(module, "RunResult")
      .def("json", [](const RunResult& result) { return render_json(result.report); })
      .def("table", [](const RunResult& result) { return render_table(result.report); })
      .def("verdict", [](const RunResult& result) { return verdict(result.report); })
      .def("page", &page_of)
      .def("best", [](const RunResult& result) { return result.report.verdict.best; })
      .def("hosts", &hosts_of, py::arg("row"))
      .def("host_names",
           [](const RunResult& result, std::size_t row) {
             std::vector<std::string> names;
             for (const int host : hosts_of(result, row))
               names.push_back(result.network().host_name(HostId{host}));
             return names;
           })
      .def("rank_finish", &rank_finish, py::arg("row"))
      .def("search", &search_of, py::arg("row"))
      .def_property_readonly(
          "kept_order", [](const RunResult& result) { return result.report.verdict.kept_order; });
  module.def("run", &run_scenario, py::arg("settings"), py::arg("guest"), py::arg("keeps_order"),
             py::arg("timing"));
}

std::shared_ptr<const Network> network_of(const Settings& settings) {
  const Scenario scenario = scenario_of(settings, nullptr);
  const py::gil_scoped_release unlocked;
  Observer silent;
  return load_network(scenario, silent).network;
}

/// @throws UsageError
HostId checked_host(const Network& network, int host) {
  if (host < 0 || host >= network.num_hosts())
    throw UsageError(fmt::format("host {}; accepted are 0 to {}", host, network.num_hosts() - 1));
  return HostId{host};
}

std::vector<std::string> route_of(const Network& network, int from, int to) {
  std::vector<LinkId> links;
  const HostId source = checked_host(network, from), destination = checked_host(network, to);
  if (from != to) network.append_route(source, destination, links);
  std::vector<std::string> names;
  for (const LinkId link : links) names.push_back(network.link_name(link));
  return names;
}

void declare_networks(py::module_& module) {
  py::class_<Network, std::shared_ptr<Network>>(module, "Network")
      .def_property_readonly("num_hosts", &Network::num_hosts)
      .def_property_readonly("num_links", &Network::num_links)
      .def_property_readonly("description", &Network::description)
      .def("host_name", [](const Network& network,
                           int host) { return network.host_name(checked_host(network, host)); })
      .def("hops",
           [](const Network& network, int from, int to) {
             return network.hops(checked_host(network, from), checked_host(network, to));
           })
      .def("route", &route_of)
      .def("svg", [](const Network& network) { return to_svg(lay_out(network), network); });
  module.def("network", [](const Settings& settings) {
    return std::const_pointer_cast<Network>(network_of(settings));
  });
}

void declare_guests(py::module_& module) {
  py::class_<CommGraph, std::shared_ptr<CommGraph>>(module, "CommGraph")
      .def_property_readonly("num_ranks", &CommGraph::num_ranks)
      .def_property_readonly("num_edges", &CommGraph::num_edges)
      .def_property_readonly("total_bytes",
                             [](const CommGraph& graph) { return graph.total_volume().value; })
      .def("packed", &packed_edges);
  module.def("graph_of_edges", &graph_of_edges);
  module.def("graph_of_rows", &graph_of_rows);
  module.def("graph_of_matrix", &graph_of_matrix);
}

}  // namespace

}  // namespace vtopo::detail::python

PYBIND11_MODULE(_vtopo, module) {
  using namespace vtopo::detail::python;
  module.doc() = "The library behind the package vtopo; use that.";
  const auto& error = py::register_exception<vtopo::Error>(module, "Error");
  py::register_exception<vtopo::UsageError>(module, "UsageError", error);
  py::register_exception<vtopo::InputError>(module, "InputError", error);
  py::register_exception<vtopo::FitError>(module, "FitError", error);
  py::register_exception<vtopo::SimulationError>(module, "SimulationError", error);
  declare_guests(module);
  declare_networks(module);
  declare_mappers(module);
  declare_results(module);
  module.def("option_names", [] {
    std::vector<std::string> names;
    for (const vtopo::detail::ScenarioOption& option : vtopo::detail::scenario_options())
      if (!option.of_machine) names.emplace_back(option.name);
    return names;
  });
}
