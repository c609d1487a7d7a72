#include "sim/mpi/collective_request.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "sim/mpi/errors.hpp"
#include "sim/mpi/open_calls.hpp"

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

}  // namespace

MPI_Request make_request(CollectiveRequest request) {
  MPI_Request handle = MPI_REQUEST_NULL;
  smpi([&] { return PMPI_Send_init(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &handle); });
  request.done.assign(request.messages.size(), 0);
  table().emplace(handle, std::make_unique<CollectiveRequest>(std::move(request)));
  return handle;
}

CollectiveRequest* find_request(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL || table().empty()) return nullptr;
  const auto found = table().find(handle);
  return found == table().end() ? nullptr : found->second.get();
}

bool any_collective_request(std::span<const MPI_Request> handles) {
  return std::any_of(handles.begin(), handles.end(),
                     [](MPI_Request handle) { return find_request(handle) != nullptr; });
}

void start(CollectiveRequest& request) {
  if (!request.persistent || request.active)
    throw ArgumentError(MPI_ERR_REQUEST,
                        "start of a request that is active or not persistent: accepted are "
                        "inactive persistent requests");
  request.active = true;
  if (request.times) ++request.times->calls;
  const TimedCall timed(request.times);
  std::fill(request.done.begin(), request.done.end(), 0);
  run(request.copies);
  const int count = static_cast<int>(request.messages.size());
  if (count > 0) smpi([&] { return PMPI_Startall(count, request.messages.data()); });
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

void finish(MPI_Request& handle) {
  CollectiveRequest* request = find_request(handle);
  if (request == nullptr) return;
  if (request->active && request->at_end) request->at_end();
  request->active = false;
  if (!request->persistent) release(handle);
}

void free_request(MPI_Request& handle) {
  CollectiveRequest* request = find_request(handle);
  if (request->active)
    throw ArgumentError(MPI_ERR_REQUEST,
                        "an active collective is freed: accepted are inactive "
                        "persistent requests");
  for (MPI_Request& message : request->messages) PMPI_Request_free(&message);
  release(handle);
}

void set_empty(MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE) *status = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
}

}  // namespace vtopo::detail::overlay
