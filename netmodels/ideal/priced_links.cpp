#include "netmodels/ideal/priced_links.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vtopo::detail {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

PricedLinks::PricedLinks(const std::vector<double>& capacity)
    : capacity_(capacity),
      load_(capacity.size()),
      price_(capacity.size()),
      begin_(capacity.size()) {}

double PricedLinks::cost(const std::vector<LinkShare>& links) const {
  double sum = 0;
  for (const auto& [link, share] : links) sum += share * price_[index(link)];
  return sum;
}

double PricedLinks::congestion() const {
  double largest = 0;
  for (std::size_t l = 0; l < load_.size(); ++l)
    largest = std::max(largest, load_[l] / capacity_[l]);
  return largest;
}

double PricedLinks::spent() const {
  return std::inner_product(price_.begin(), price_.end(), load_.begin(), 0.0);
}

double PricedLinks::value_of_all() const {
  double sum = 0;
  for (std::size_t l = 0; l < price_.size(); ++l)
    if (std::isfinite(capacity_[l])) sum += price_[l] * capacity_[l];
  return sum;
}

void PricedLinks::clear() {
  std::fill(load_.begin(), load_.end(), 0.0);
}

void PricedLinks::add(const std::vector<LinkShare>& links, double volume) {
  for (const auto& [link, share] : links) load_[index(link)] += volume * share;
}

void PricedLinks::set_prices(double steepness, double scale) {
  rate_ = steepness / scale;
  steepness_ = steepness;
  for (std::size_t l = 0; l < load_.size(); ++l) price(l);
}

void PricedLinks::price(std::size_t link) {
  const double exponent = begin_[link] + rate_ * load_[link] / capacity_[link] - steepness_;
  price_[link] = std::exp(exponent) / capacity_[link];
}

void PricedLinks::keep_prices(double power) {
  double largest = -infinite;
  for (std::size_t l = 0; l < load_.size(); ++l) {
    begin_[l] += rate_ * load_[l] / capacity_[l] - steepness_;
    largest = std::max(largest, begin_[l]);
  }
  // On links that begin cheaper, loads would grow far beyond what is to be found before their
  // prices had caught up, in one round these links and in the next one others.
  constexpr double least = -4;
  for (double& begin : begin_) begin = std::max(power * (begin - largest), least);
}

void PricedLinks::move(const std::vector<LinkShare>& links, double volume) {
  for (const auto& [link, share] : links) {
    load_[index(link)] += volume * share;
    price(index(link));
  }
}

/// Second derivative of the sum of the exponentials by volume on a path, and the volume that makes
/// a link of it e times as dear.
struct PricedLinks::Curve {
  double curvature = 0;
  double step = infinite;
};

PricedLinks::Curve PricedLinks::curve(const std::vector<LinkShare>& links) const {
  Curve curve;
  for (const auto& [link, share] : links) {
    const double by = rate_ / capacity_[index(link)] * share;
    curve.curvature += by * share * price_[index(link)];
    if (by > 0) curve.step = std::min(curve.step, 1 / by);
  }
  return curve;
}

PricedLinks::Spending PricedLinks::rebalance(std::vector<LoadedPath>& paths) {
  Spending spending;
  costs_.clear();
  for (const LoadedPath& path : paths) costs_.push_back(cost(path.links));
  const auto cheap =
      static_cast<std::size_t>(std::min_element(costs_.begin(), costs_.end()) - costs_.begin());
  for (std::size_t p = 0; p < paths.size(); ++p) {
    if (paths[p].volume <= 0) continue;
    spending.paid += paths[p].volume * costs_[p];
    spending.saved += paths[p].volume * (costs_[p] - costs_[cheap]);
    if (p == cheap) continue;
    const double dear = cost(paths[p].links), now = cost(paths[cheap].links);
    if (dear <= now) continue;
    const auto from = curve(paths[p].links), to = curve(paths[cheap].links);
    const double newton = (dear - now) / (from.curvature + to.curvature);
    const double volume = std::min({paths[p].volume, newton, to.step});
    move(paths[p].links, -volume);
    move(paths[cheap].links, volume);
    paths[p].volume = volume == paths[p].volume ? 0 : paths[p].volume - volume;
    paths[cheap].volume += volume;
  }
  return spending;
}

}  // namespace vtopo::detail
