// Requests: MPI_Wait and MPI_Test with their families, MPI_Start, MPI_Request_free. SMPI's own
// requests go to SMPI, those of collectives that are made here are treated here, and both may stand
// in one array. A test that says "not yet" leaves the program's requests as they are.

#include "sim/mpi/smpi_repairs/requests.hpp"

#include <simgrid/engine.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/smpi_repairs/polls.hpp"

namespace vtopo::detail::overlay {

namespace {

using Table = std::unordered_map<MPI_Request, std::unique_ptr<CollectiveRequest>>;

Table& table() {
  static Table the_table;
  return the_table;
}

void release(MPI_Request& handle) {
  table().erase(handle);
  PMPI_Request_free(&handle);
  handle = MPI_REQUEST_NULL;
}

/// The request behind a handle; null for SMPI's own and for MPI_REQUEST_NULL.
CollectiveRequest* find_request(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL || table().empty()) return nullptr;
  const auto found = table().find(handle);
  return found == table().end() ? nullptr : found->second.get();
}

/// Whether one of the handles is such a request.
bool any_collective_request(std::span<const MPI_Request> handles) {
  return std::any_of(handles.begin(), handles.end(),
                     [](MPI_Request handle) { return find_request(handle) != nullptr; });
}

/// Begins a persistent one.
/// @throws ArgumentError (MPI_ERR_REQUEST) if it is none or active.
void start(CollectiveRequest& request) {
  if (!request.persistent || request.active)
    throw ArgumentError(MPI_ERR_REQUEST,
                        "start of a request that is active or not persistent: accepted are "
                        "inactive persistent requests");
  request.active = true;
  if (request.times) ++request.times->calls;
  const TimedCall timed(request.times);
  std::fill(request.done.begin(), request.done.end(), 0);
  if (request.at_start) request.at_start();
  const int count = static_cast<int>(request.messages.size());
  if (count > 0) smpi([&] { return PMPI_Startall(count, request.messages.data()); });
}

/// Whether all messages have finished; does not block. True for an inactive request.
bool is_complete(CollectiveRequest& request) {
  if (!request.active) return true;
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    if (request.done[i]) continue;
    // The first open message decides: each question costs simulated time.
    MPI_Request message = request.messages[i];
    int flag = 0;
    smpi([&] { return PMPI_Test(&message, &flag, MPI_STATUS_IGNORE); });
    if (!flag) return false;
    request.done[i] = 1;
  }
  return true;
}

/// After completion: does what is left; a persistent request becomes inactive, another one goes and
/// its handle becomes MPI_REQUEST_NULL. Its status, unless that is ignored.
void finish(MPI_Request& handle, MPI_Status* status) {
  CollectiveRequest* request = find_request(handle);
  if (request == nullptr) return;
  if (status != MPI_STATUS_IGNORE) *status = request->status;
  if (request->active && request->at_end) request->at_end();
  request->active = false;
  if (!request->persistent) release(handle);
}

/// One of an array that may be ignored.
MPI_Status* status_at(MPI_Status statuses[], std::size_t place) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + place;
}

/// Releases an inactive persistent request and its handle.
/// @throws ArgumentError (MPI_ERR_REQUEST) if it is active.
void free_request(MPI_Request& handle) {
  CollectiveRequest* request = find_request(handle);
  if (request->active)
    throw ArgumentError(MPI_ERR_REQUEST,
                        "an active collective is freed: accepted are inactive persistent requests");
  for (MPI_Request& message : request->messages) PMPI_Request_free(&message);
  release(handle);
}

/// The status of no message.
void set_empty(MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE) *status = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
}

/// Array of a caller.
std::span<MPI_Request> span_of(MPI_Request* requests, int count) {
  return {requests, static_cast<std::size_t>(std::max(count, 0))};
}

/// Handles with the collectives of the overlay taken out.
std::vector<MPI_Request> others(std::span<const MPI_Request> handles) {
  std::vector<MPI_Request> result(handles.begin(), handles.end());
  for (MPI_Request& handle : result)
    if (find_request(handle) != nullptr) handle = MPI_REQUEST_NULL;
  return result;
}

/// Puts back what SMPI made of the other handles.
void put_back(const std::vector<MPI_Request>& others, std::span<MPI_Request> handles) {
  for (std::size_t i = 0; i < handles.size(); ++i)
    if (find_request(handles[i]) == nullptr) handles[i] = others[i];
}

/// Everything in an array of handles that can still complete, message by message.
struct OpenMessages {
  std::vector<MPI_Request> messages;
  std::vector<std::size_t> owner;    ///< position of the handle
  std::vector<std::size_t> message;  ///< of a collective: which of its messages
};

OpenMessages open_messages(std::span<const MPI_Request> handles) {
  OpenMessages open;
  const auto add = [&](MPI_Request message, std::size_t owner, std::size_t place) {
    open.messages.push_back(message);
    open.owner.push_back(owner);
    open.message.push_back(place);
  };
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const CollectiveRequest* request = find_request(handles[i]);
    if (request == nullptr) {
      add(handles[i], i, 0);
    } else if (request->active) {
      for (std::size_t m = 0; m < request->messages.size(); ++m)
        if (!request->done[m]) add(request->messages[m], i, m);
    }
  }
  return open;
}

bool all_done(const CollectiveRequest& request) {
  return request.active &&
         std::find(request.done.begin(), request.done.end(), 0) == request.done.end();
}

/// First active collective of the overlay of which nothing is open.
std::optional<std::size_t> first_done(std::span<const MPI_Request> handles) {
  for (std::size_t i = 0; i < handles.size(); ++i)
    if (const auto* request = find_request(handles[i]); request && all_done(*request)) return i;
  return std::nullopt;
}

/// Waits for one handle to complete; none if no handle is active.
std::optional<std::size_t> wait_any(std::span<MPI_Request> handles, MPI_Status* status) {
  set_empty(status);
  OpenMessages open = open_messages(handles);
  while (true) {
    if (const auto done = first_done(handles)) {
      finish(handles[*done], status);
      return done;
    }
    int place = MPI_UNDEFINED;
    MPI_Status heard;
    set_empty(&heard);
    const InCall call(waiting_for(open.messages));
    smpi([&] {
      return PMPI_Waitany(static_cast<int>(open.messages.size()), open.messages.data(), &place,
                          &heard);
    });
    if (place == MPI_UNDEFINED) return std::nullopt;
    const auto entry = static_cast<std::size_t>(place);
    const std::size_t owner = open.owner[entry];
    CollectiveRequest* request = find_request(handles[owner]);
    if (request == nullptr) {
      handles[owner] = open.messages[entry];
      if (status != MPI_STATUS_IGNORE) *status = heard;
      return owner;
    }
    request->done[open.message[entry]] = 1;
    open.messages[entry] = MPI_REQUEST_NULL;
  }
}

/// A function of one request: what it does with a collective that is made here, and SMPI's own.
template <class Own, class Smpi>
int by_kind(const char* name, MPI_Request* request, Own&& own, Smpi&& smpis) {
  CollectiveRequest* const found = request == nullptr ? nullptr : find_request(*request);
  if (found == nullptr) return answered(name, smpis());
  const auto body = [&] {
    const Uncharged own_time;
    own(*found);
  };
  return mpi_function(found->comm, body, name);
}

/// A function of several requests: what it does where one of them is such a collective.
template <class Own, class Smpi>
int by_kind(const char* name, std::span<const MPI_Request> handles, Own&& own, Smpi&& smpis) {
  if (!any_collective_request(handles)) return answered(name, smpis());
  const auto body = [&] {
    const Uncharged own_time;
    own();
  };
  return mpi_function(MPI_COMM_WORLD, body, name);
}

/// What MPI_Waitany does, for the function of that name.
int wait_for_any(const char* name, int count, MPI_Request requests[], int* index,
                 MPI_Status* status) {
  const auto handles = span_of(requests, count);
  const InCall call(OpenCall{.name = name, .requests = handles});
  return by_kind(
      name, handles,
      [&] {
        const auto done = wait_any(handles, status);
        *index = done ? static_cast<int>(*done) : MPI_UNDEFINED;
      },
      [&] { return PMPI_Waitany(count, requests, index, status); });
}

/// Of a collective that is made here: whether it is complete; then it is finished.
bool finish_if_complete(MPI_Request& handle, MPI_Status* status) {
  if (!is_complete(*find_request(handle))) return false;
  finish(handle, status);
  return true;
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  const auto handles = span_of(requests, count);
  const auto own = [&] {
    *flag = 0;
    for (const MPI_Request handle : handles)
      if (auto* found = find_request(handle); found != nullptr && !is_complete(*found)) return;
    std::vector<MPI_Request> rest = others(handles);
    smpi([&] { return PMPI_Testall(count, rest.data(), flag, statuses); });
    put_back(rest, handles);
    if (!*flag) return;
    for (std::size_t i = 0; i < handles.size(); ++i) {
      if (find_request(handles[i]) == nullptr) continue;
      finish(handles[i], status_at(statuses, i));
    }
  };
  return by_kind("MPI_Testall", handles, own,
                 [&] { return PMPI_Testall(count, requests, flag, statuses); });
}

int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  const auto handles = span_of(requests, count);
  const auto own = [&] {
    std::vector<MPI_Request> rest = others(handles);
    smpi([&] { return PMPI_Testany(count, rest.data(), index, flag, status); });
    if (*flag && *index != MPI_UNDEFINED) {
      put_back(rest, handles);
      return;
    }
    bool any_active = !*flag;
    for (std::size_t i = 0; i < handles.size(); ++i) {
      CollectiveRequest* found = find_request(handles[i]);
      if (found == nullptr || !found->active) continue;
      any_active = true;
      if (!finish_if_complete(handles[i], status)) continue;
      *index = static_cast<int>(i);
      *flag = 1;
      return;
    }
    *index = MPI_UNDEFINED;
    *flag = any_active ? 0 : 1;
  };
  return by_kind("MPI_Testany", handles, own,
                 [&] { return PMPI_Testany(count, requests, index, flag, status); });
}

int testsome(int incount, MPI_Request requests[], int* outcount, int* indices,
             MPI_Status statuses[]) {
  const auto handles = span_of(requests, incount);
  const auto own = [&] {
    std::vector<MPI_Request> rest = others(handles);
    smpi([&] { return PMPI_Testsome(incount, rest.data(), outcount, indices, statuses); });
    put_back(rest, handles);
    bool any_active = *outcount != MPI_UNDEFINED;
    int completed = std::max(*outcount, 0);
    for (std::size_t i = 0; i < handles.size(); ++i) {
      CollectiveRequest* found = find_request(handles[i]);
      if (found == nullptr || !found->active) continue;
      any_active = true;
      if (!finish_if_complete(handles[i], status_at(statuses, static_cast<std::size_t>(completed))))
        continue;
      indices[completed++] = static_cast<int>(i);
    }
    *outcount = any_active ? completed : MPI_UNDEFINED;
  };
  return by_kind("MPI_Testsome", handles, own,
                 [&] { return PMPI_Testsome(incount, requests, outcount, indices, statuses); });
}

}  // namespace

TimedCall::TimedCall(std::shared_ptr<CallTimes> times)
    : times_(std::move(times)), start_(simgrid_get_clock()) {}

TimedCall::~TimedCall() {
  if (times_ == nullptr) return;
  const auto place = static_cast<std::size_t>(world_rank());
  if (times_->seconds.size() <= place) times_->seconds.resize(place + 1);
  times_->seconds[place] += simgrid_get_clock() - start_;
}

MPI_Request make_request(CollectiveRequest request) {
  MPI_Request handle = MPI_REQUEST_NULL;
  smpi([&] { return PMPI_Send_init(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &handle); });
  request.done.assign(request.messages.size(), 0);
  table().emplace(handle, std::make_unique<CollectiveRequest>(std::move(request)));
  return handle;
}

void wait_for(CollectiveRequest& request) {
  if (!request.active) return;
  std::vector<MPI_Request> pending;
  for (std::size_t i = 0; i < request.messages.size(); ++i)
    if (!request.done[i]) pending.push_back(request.messages[i]);
  const int count = static_cast<int>(pending.size());
  const TimedCall timed(request.times);
  const InCall call(waiting_for(pending));
  if (count > 0) smpi([&] { return PMPI_Waitall(count, pending.data(), MPI_STATUSES_IGNORE); });
  std::fill(request.done.begin(), request.done.end(), 1);
}

}  // namespace vtopo::detail::overlay

using namespace vtopo::detail::overlay;

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const InCall call(OpenCall{.name = "MPI_Wait", .requests = span_of(request, 1)});
  return by_kind(
      "MPI_Wait", request,
      [&](CollectiveRequest& found) {
        wait_for(found);
        finish(*request, status);
      },
      [&] { return PMPI_Wait(request, status); });
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  const auto handles = span_of(requests, count);
  const InCall call(OpenCall{.name = "MPI_Waitall", .requests = handles});
  const auto own = [&] {
    std::vector<MPI_Request> rest = others(handles);
    smpi([&] { return PMPI_Waitall(count, rest.data(), statuses); });
    put_back(rest, handles);
    for (std::size_t i = 0; i < handles.size(); ++i) {
      CollectiveRequest* found = find_request(handles[i]);
      if (found == nullptr) continue;
      wait_for(*found);
      finish(handles[i], status_at(statuses, i));
    }
  };
  return by_kind("MPI_Waitall", handles, own,
                 [&] { return PMPI_Waitall(count, requests, statuses); });
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return wait_for_any("MPI_Waitany", count, requests, index, status);
}

// SMPI's own asks request by request, each question takes simulated time. MPI asks for at least
// one.
int MPI_Waitsome(int incount, MPI_Request requests[], int* outcount, int* indices,
                 MPI_Status statuses[]) {
  int done = MPI_UNDEFINED;
  const int code = wait_for_any("MPI_Waitsome", incount, requests, &done, statuses);
  if (code != MPI_SUCCESS) return code;
  *outcount = done == MPI_UNDEFINED ? MPI_UNDEFINED : 1;
  if (done != MPI_UNDEFINED) indices[0] = done;
  return code;
}

/// Of a null request SMPI leaves the flag as it is where no status is asked for.
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const auto own = [&](const CollectiveRequest&) {
    *flag = finish_if_complete(*request, status) ? 1 : 0;
  };
  if (request == nullptr || flag == nullptr || *request != MPI_REQUEST_NULL)
    return polled(flag, [&] {
      return by_kind("MPI_Test", request, own, [&] { return PMPI_Test(request, flag, status); });
    });
  *flag = 1;
  set_empty(status);
  return MPI_SUCCESS;
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return polled(flag, [&] { return testall(count, requests, flag, statuses); });
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return polled(flag, [&] { return testany(count, requests, index, flag, status); });
}

int MPI_Testsome(int incount, MPI_Request requests[], int* outcount, int* indices,
                 MPI_Status statuses[]) {
  return polled(outcount, [&] { return testsome(incount, requests, outcount, indices, statuses); });
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  const auto own = [&](CollectiveRequest& found) {
    *flag = is_complete(found) ? 1 : 0;
    if (*flag && status != MPI_STATUS_IGNORE) *status = found.status;
  };
  return polled(flag, [&] {
    return by_kind("MPI_Request_get_status", &request, own,
                   [&] { return PMPI_Request_get_status(request, flag, status); });
  });
}

int MPI_Start(MPI_Request* request) {
  return by_kind("MPI_Start", request, start, [&] { return PMPI_Start(request); });
}

int MPI_Startall(int count, MPI_Request requests[]) {
  const auto handles = span_of(requests, count);
  if (!any_collective_request(handles))
    return answered("MPI_Startall", PMPI_Startall(count, requests));
  for (MPI_Request& handle : handles)
    if (const int code = MPI_Start(&handle); code != MPI_SUCCESS) return code;
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* request) {
  return by_kind(
      "MPI_Request_free", request, [&](const CollectiveRequest&) { free_request(*request); },
      [&] { return PMPI_Request_free(request); });
}

int MPI_Cancel(MPI_Request* request) {
  return by_kind(
      "MPI_Cancel", request,
      [](const CollectiveRequest&) {
        throw ArgumentError(MPI_ERR_REQUEST,
                            "cancel of a collective: accepted are requests of messages");
      },
      [&] { return PMPI_Cancel(request); });
}
