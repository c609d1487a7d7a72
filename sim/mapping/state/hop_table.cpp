#include "sim/mapping/state/hop_table.hpp"

#include <limits>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_kept_places = 4096;

/// Of more places with codes, rows are kept once they are asked for.
constexpr int max_places_known_at_once = 1024;

}  // namespace

HopTable::HopTable(const Network& network, const Allocation& allocation)
    : network_(&network),
      hosts_(allocation.hosts),
      num_places_(int_size(allocation.hosts)),
      codes_(host_codes(network, allocation)),
      symmetric_(codes_.has_value()) {
  if (codes_)
    for (const HostId host : hosts_)
      place_codes_.push_back(
          std::visit([&](const auto& codes) { return codes.code(host); }, *codes_));
  if (num_places_ > max_kept_places) return;
  // Not cleared: rows are written before they are read, and many never are.
  rows_ = std::make_unique_for_overwrite<std::uint16_t[]>(row_length() * row_length());
  if (codes_) {
    row_known_.assign(row_length(), 0);
    if (num_places_ > max_places_known_at_once) return;
    for (int p = 0; p < num_places_; ++p) learn_row(Place{p});
    keeps_all_ = true;
  } else if (fill()) {
    keeps_all_ = true;
    symmetric_ = is_symmetric();
  } else {
    rows_.reset();
  }
}

/// @returns false if a distance does not fit.
bool HopTable::fill() {
  std::uint16_t* entry = rows_.get();
  std::vector<int> row(hosts_.size());
  for (const HostId from : hosts_) {
    network_->hops_from(from, hosts_, row);
    for (std::size_t to = 0; to < row.size(); ++to) {
      const int hops = from == hosts_[to] ? 0 : row[to];
      if (hops > std::numeric_limits<std::uint16_t>::max()) return false;
      *entry++ = narrow<std::uint16_t>(hops);
    }
  }
  return true;
}

void HopTable::learn_row(Place place) const {
  row_known_[index(place)] = 1;
  std::visit(
      [&](const auto& codes) {
        std::uint16_t* entry = rows_.get() + index(place) * row_length();
        const auto from = codes.from(place_codes_[index(place)]);
        for (const std::uint64_t to : place_codes_)
          *entry++ = static_cast<std::uint16_t>(from.to(to));
      },
      *codes_);
}

int HopTable::asked(Place from, Place to) const {
  if (!codes_) return network_->hops(hosts_[index(from)], hosts_[index(to)]);
  return std::visit(
      [&](const auto& codes) {
        return int{codes.from(place_codes_[index(from)]).to(place_codes_[index(to)])};
      },
      *codes_);
}

bool HopTable::is_symmetric() const {
  for (std::size_t from = 0; from < row_length(); ++from)
    for (std::size_t to = 0; to < from; ++to)
      if (rows_[from * row_length() + to] != rows_[to * row_length() + from]) return false;
  return true;
}

void HopTable::add_hop_bytes(Place partner, Bytes sent, Bytes received,
                             std::span<double> sums) const {
  if (symmetric_ && rows_) {
    const double both = (sent + received).value;
    const std::uint16_t* row = kept_row(partner);
    for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += both * row[p];
    return;
  }
  for (std::size_t p = 0; p < sums.size(); ++p)
    sums[p] += sent.value * hops(id_at<Place>(p), partner) +
               received.value * hops(partner, id_at<Place>(p));
}

}  // namespace vtopo::detail
