// MPI_Wait and its family, MPI_Start, MPI_Request_free: SMPI's own requests go to SMPI, those of
// collectives of the overlay are treated here, and both may stand in one array.

#include <algorithm>
#include <optional>

#include "sim/mpi/errors.hpp"
#include "sim/mpi/open_calls.hpp"
#include "sim/mpi/request_arrays.hpp"

using namespace vtopo::detail::overlay;

namespace {

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
      finish(handles[*done]);
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

/// What MPI_Waitany does, for the function of that name.
int wait_for_any(const char* name, int count, MPI_Request requests[], int* index,
                 MPI_Status* status) {
  const auto handles = span_of(requests, count);
  const InCall call(OpenCall{.name = name, .requests = handles});
  if (!any_collective_request(handles))
    return call.result(PMPI_Waitany(count, requests, index, status));
  return mpi_function(MPI_COMM_WORLD, [&] {
    const Uncharged own_time;
    const auto done = wait_any(handles, status);
    *index = done ? static_cast<int>(*done) : MPI_UNDEFINED;
  });
}

}  // namespace

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const InCall call(OpenCall{.name = "MPI_Wait", .requests = span_of(request, 1)});
  CollectiveRequest* found = request == nullptr ? nullptr : find_request(*request);
  if (found == nullptr) return call.result(PMPI_Wait(request, status));
  return mpi_function(found->comm, [&] {
    const Uncharged own_time;
    wait_for(*found);
    finish(*request);
    set_empty(status);
  });
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  const auto handles = span_of(requests, count);
  const InCall call(OpenCall{.name = "MPI_Waitall", .requests = handles});
  if (!any_collective_request(handles)) return call.result(PMPI_Waitall(count, requests, statuses));
  return mpi_function(MPI_COMM_WORLD, [&] {
    const Uncharged own_time;
    std::vector<MPI_Request> rest = others(handles);
    smpi([&] { return PMPI_Waitall(count, rest.data(), statuses); });
    put_back(rest, handles);
    for (std::size_t i = 0; i < handles.size(); ++i) {
      CollectiveRequest* found = find_request(handles[i]);
      if (found == nullptr) continue;
      wait_for(*found);
      finish(handles[i]);
      if (statuses != MPI_STATUSES_IGNORE) set_empty(statuses + i);
    }
  });
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

int MPI_Start(MPI_Request* request) {
  CollectiveRequest* found = request == nullptr ? nullptr : find_request(*request);
  if (found == nullptr) return answered("MPI_Start", PMPI_Start(request));
  return mpi_function(found->comm, [&] {
    const Uncharged own_time;
    start(*found);
  });
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
  CollectiveRequest* found = request == nullptr ? nullptr : find_request(*request);
  if (found == nullptr) return answered("MPI_Request_free", PMPI_Request_free(request));
  return mpi_function(found->comm, [&] {
    const Uncharged own_time;
    free_request(*request);
  });
}

int MPI_Cancel(MPI_Request* request) {
  CollectiveRequest* found = request == nullptr ? nullptr : find_request(*request);
  if (found == nullptr) return answered("MPI_Cancel", PMPI_Cancel(request));
  return mpi_function(found->comm, [] {
    throw ArgumentError(MPI_ERR_REQUEST,
                        "cancel of a collective: accepted are requests of messages");
  });
}
