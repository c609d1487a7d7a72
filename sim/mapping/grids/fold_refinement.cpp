#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/mapping/grids/fold_search.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_positions = 256;
constexpr int max_sweeps = 50;

/// What combinations of digits on one host axis exchange with each other, and where they are.
class AxisRefinement {
 public:
  AxisRefinement(const FoldAxis& axis, FoldLayout& layout)
      : axis_(axis), layout_(layout), partners_(layout.positions.size()) {}

  /// Adds steps of guest dimension `i`: `values` are its digits on the axis in order.
  void add_steps(std::size_t i, const std::vector<int>& values, bool closed, double volume) {
    const int factor = layout_.factors[i], weight = layout_.weights[i];
    const auto side = static_cast<std::size_t>(factor);
    std::vector<double> counts(side * side, 0);
    const std::size_t steps = closed ? values.size() : values.size() - 1;
    for (std::size_t s = 0; s < steps; ++s) {
      const auto from = static_cast<std::size_t>(values[s]);
      const auto to = static_cast<std::size_t>(values[(s + 1) % values.size()]);
      if (from != to) counts[from * side + to] += volume;
    }
    const double others = static_cast<double>(partners_.size()) / factor;
    for (std::size_t c = 0; c < partners_.size(); ++c) {
      const std::size_t from = c / static_cast<std::size_t>(weight) % side;
      for (std::size_t to = 0; to < side; ++to) {
        const double both = counts[from * side + to] + counts[to * side + from];
        if (both > 0)
          partners_[c].push_back(
              {c + to * static_cast<std::size_t>(weight) - from * static_cast<std::size_t>(weight),
               both / others});
      }
    }
  }

  void run() {
    bool improved = true;
    for (int sweep = 0; improved && sweep < max_sweeps; ++sweep) {
      improved = false;
      for (std::size_t a = 0; a < partners_.size(); ++a)
        for (std::size_t b = a + 1; b < partners_.size(); ++b) improved |= exchange(a, b);
    }
  }

 private:
  struct AxisPartner {
    std::size_t combination;
    double volume;
  };

  double hop_bytes(std::size_t combination) const {
    double sum = 0;
    for (const AxisPartner& partner : partners_[combination])
      sum += partner.volume *
             axis_.hops(layout_.positions[combination], layout_.positions[partner.combination]);
    return sum;
  }

  bool exchange(std::size_t a, std::size_t b) {
    const double before = hop_bytes(a) + hop_bytes(b);
    std::swap(layout_.positions[a], layout_.positions[b]);
    if (hop_bytes(a) + hop_bytes(b) < before * (1 - 1e-9)) return true;
    std::swap(layout_.positions[a], layout_.positions[b]);
    return false;
  }

  const FoldAxis& axis_;
  FoldLayout& layout_;
  std::vector<std::vector<AxisPartner>> partners_;
};

/// Values of the digit on host axis `j` along a guest dimension; none if it has no digit there.
std::vector<int> digit_values(const Folding& folding, std::size_t i, std::size_t j, int length) {
  const FoldPath& path = folding.paths[i];
  const auto digit = std::find(path.digits.begin(), path.digits.end(), j);
  if (digit == path.digits.end()) return {};
  std::vector<int> factors;
  for (const std::size_t axis : path.digits) factors.push_back(folding.layouts[axis].factors[i]);
  const std::vector<int> all = path.values(factors, length);
  std::vector<int> values;
  for (auto t = static_cast<std::size_t>(digit - path.digits.begin()); t < all.size();
       t += factors.size())
    values.push_back(all[t]);
  return values;
}

}  // namespace

void refine(Folding& folding, const std::vector<FoldDimension>& guest,
            const std::vector<FoldAxis>& hosts) {
  for (std::size_t j = 0; j < hosts.size(); ++j) {
    FoldLayout& layout = folding.layouts[j];
    if (layout.positions.size() > max_positions || hosts[j].within_host) continue;
    AxisRefinement axis(hosts[j], layout);
    int sharing = 0;
    for (std::size_t i = 0; i < guest.size(); ++i) {
      const std::vector<int> values = digit_values(folding, i, j, guest[i].size);
      if (values.empty()) continue;
      ++sharing;
      axis.add_steps(i, values, guest[i].closed, guest[i].volume / guest[i].size);
    }
    if (sharing > 1) axis.run();
  }
}

}  // namespace vtopo::detail
