#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::formats {

namespace {

/// The slots of an allocation, one after the other.
class SlotCursor {
 public:
  explicit SlotCursor(const Allocation& allocation) : allocation_(allocation) {}

  /// Host of the next slot; there must be one.
  HostId next() {
    if (used_ == allocation_.slots[host_]) {
      ++host_;
      used_ = 0;
    }
    ++used_;
    return allocation_.hosts[host_];
  }

 private:
  const Allocation& allocation_;
  std::size_t host_ = 0;
  int used_ = 0;
};

/// Ranks of each host of the network.
std::vector<std::vector<int>> ranks_by_host(const EmbeddingDocument& document) {
  std::vector<std::vector<int>> ranks(index(document.network.num_hosts()));
  for (int r = 0; r < document.embedding.num_ranks(); ++r)
    ranks[index(document.embedding.host_of(Rank{r}))].push_back(r);
  return ranks;
}

/// @throws UsageError if a slot is left free in front of one that is taken.
void check_no_holes(const EmbeddingDocument& document,
                    const std::vector<std::vector<int>>& by_host) {
  int left = document.embedding.num_ranks();
  const Allocation& allocation = document.allocation;
  for (std::size_t i = 0; i < allocation.hosts.size() && left > 0; ++i) {
    const int ranks = int_size(by_host[index(allocation.hosts[i])]);
    left -= ranks;
    if (ranks < allocation.slots[i] && left > 0)
      throw UsageError(fmt::format(
          "embedding format mpich_rank_order: it fills slot after slot, and host \"{}\" has {} of "
          "{} ranks while {} more sit behind it; allocate no more slots than ranks",
          document.network.host_name(allocation.hosts[i]), ranks, allocation.slots[i], left));
  }
}

std::string write_rank_order(const EmbeddingDocument& document) {
  const auto by_host = ranks_by_host(document);
  check_no_holes(document, by_host);
  std::string text;
  for (const HostId host : document.allocation.hosts)
    if (const auto& ranks = by_host[index(host)]; !ranks.empty())
      text += fmt::format("{}\n", fmt::join(ranks, ","));
  return text;
}

/// A rank or a range of ranks such as `4-7`.
void place_entry(const LineFile& file, const Token& entry, SlotCursor& slots, PlacedRanks& ranks) {
  const std::size_t dash = entry.text.find('-');
  const Rank first = read_rank(file, {entry.text.substr(0, dash), entry.column});
  Rank last = first;
  if (dash != std::string_view::npos)
    last = read_rank(file, {entry.text.substr(dash + 1), entry.column + narrow<int>(dash) + 1});
  if (last < first)
    throw input_error(file.at(entry.column),
                      fmt::format("range \"{}\" runs backwards", entry.text));
  for (int r = number(first); r <= number(last); ++r) {
    if (ranks.num_placed() == ranks.num_ranks())
      throw input_error(file.at(entry.column),
                        fmt::format("rank {} is one more than the {} of the virtual topology", r,
                                    ranks.num_ranks()));
    ranks.place(Rank{r}, slots.next(), file.at(entry.column));
  }
}

void read_rank_order(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  SlotCursor slots(ranks.allocation());
  while (file.next_content()) {
    const auto fields = file.fields(',');
    for (const Token& field : fields)
      if (!field.text.empty() || &field != &fields.back())  // a comma may end a line
        place_entry(file, field, slots, ranks);
  }
}

/// The library looks for a file of that name in the working folder.
std::vector<std::pair<std::string, std::string>> launch_with_rank_order(
    const EmbeddingDocument& document, const std::string& file) {
  return {
      {"Cray", fmt::format("{}MPICH_RANK_REORDER_METHOD=3 srun -n {} ./program",
                           file == "MPICH_RANK_ORDER" ? "" : "cp " + file + " MPICH_RANK_ORDER && ",
                           document.embedding.num_ranks())}};
}

}  // namespace

/// HPE Cray MPICH: the file `MPICH_RANK_ORDER` of the working folder with
/// `MPICH_RANK_REORDER_METHOD=3`. The k-th entry sits in the k-th slot of the allocation; a line
/// per host. Ranges `4-7` and `#` comments are read.
EmbeddingFormat mpich_rank_order() {
  return {"mpich_rank_order",
          "Cray: MPICH_RANK_REORDER_METHOD=3, file MPICH_RANK_ORDER",
          write_rank_order,
          reader(read_rank_order),
          nullptr,
          launch_with_rank_order};
}

}  // namespace vtopo::detail::formats
