// MPI_Test and its family. An answer "not yet" leaves the program's requests as they are.

#include "sim/mpi/errors.hpp"
#include "sim/mpi/polls.hpp"
#include "sim/mpi/request_arrays.hpp"

using namespace vtopo::detail::overlay;

namespace {

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  CollectiveRequest* found = request == nullptr ? nullptr : find_request(*request);
  if (found == nullptr) return answered("MPI_Test", PMPI_Test(request, flag, status));
  return mpi_function(found->comm, [&] {
    const Uncharged own_time;
    *flag = is_complete(*found) ? 1 : 0;
    if (!*flag) return;
    finish(*request);
    set_empty(status);
  });
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  const auto handles = span_of(requests, count);
  if (!any_collective_request(handles))
    return answered("MPI_Testall", PMPI_Testall(count, requests, flag, statuses));
  return mpi_function(MPI_COMM_WORLD, [&] {
    const Uncharged own_time;
    *flag = 0;
    for (const MPI_Request handle : handles)
      if (auto* found = find_request(handle); found != nullptr && !is_complete(*found)) return;
    std::vector<MPI_Request> rest = others(handles);
    smpi([&] { return PMPI_Testall(count, rest.data(), flag, statuses); });
    put_back(rest, handles);
    if (!*flag) return;
    for (std::size_t i = 0; i < handles.size(); ++i) {
      if (find_request(handles[i]) == nullptr) continue;
      finish(handles[i]);
      if (statuses != MPI_STATUSES_IGNORE) set_empty(statuses + i);
    }
  });
}

int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  const auto handles = span_of(requests, count);
  if (!any_collective_request(handles))
    return answered("MPI_Testany", PMPI_Testany(count, requests, index, flag, status));
  return mpi_function(MPI_COMM_WORLD, [&] {
    const Uncharged own_time;
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
      if (!is_complete(*found)) continue;
      finish(handles[i]);
      set_empty(status);
      *index = static_cast<int>(i);
      *flag = 1;
      return;
    }
    *index = MPI_UNDEFINED;
    *flag = any_active ? 0 : 1;
  });
}

int testsome(int incount, MPI_Request requests[], int* outcount, int* indices,
             MPI_Status statuses[]) {
  const auto handles = span_of(requests, incount);
  if (!any_collective_request(handles))
    return answered("MPI_Testsome", PMPI_Testsome(incount, requests, outcount, indices, statuses));
  return mpi_function(MPI_COMM_WORLD, [&] {
    const Uncharged own_time;
    std::vector<MPI_Request> rest = others(handles);
    smpi([&] { return PMPI_Testsome(incount, rest.data(), outcount, indices, statuses); });
    put_back(rest, handles);
    bool any_active = *outcount != MPI_UNDEFINED;
    int completed = std::max(*outcount, 0);
    for (std::size_t i = 0; i < handles.size(); ++i) {
      CollectiveRequest* found = find_request(handles[i]);
      if (found == nullptr || !found->active) continue;
      any_active = true;
      if (!is_complete(*found)) continue;
      finish(handles[i]);
      if (statuses != MPI_STATUSES_IGNORE) set_empty(statuses + completed);
      indices[completed++] = static_cast<int>(i);
    }
    *outcount = any_active ? completed : MPI_UNDEFINED;
  });
}

int get_status(MPI_Request request, int* flag, MPI_Status* status) {
  CollectiveRequest* found = find_request(request);
  if (found == nullptr)
    return answered("MPI_Request_get_status", PMPI_Request_get_status(request, flag, status));
  return mpi_function(found->comm, [&] {
    const Uncharged own_time;
    *flag = is_complete(*found) ? 1 : 0;
    if (*flag) set_empty(status);
  });
}

}  // namespace

/// Of a null request SMPI leaves the flag as it is where no status is asked for.
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (request == nullptr || flag == nullptr || *request != MPI_REQUEST_NULL)
    return polled(flag, [&] { return test(request, flag, status); });
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
  return polled(flag, [&] { return get_status(request, flag, status); });
}
