#include "ui/matrix/stages/head_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab::ui {

double headSimilarity(const MatrixView& one, const MatrixView& other) {
    if (one.rows != other.rows || one.columns != other.columns || one.empty())
        return 0.0;
    double distance = 0.0;
    for (std::int64_t i = 0; i < one.rows * one.columns; ++i)
        distance += std::abs(one.data[i] - other.data[i]);
    return 1.0 - distance / 2.0 / static_cast<double>(one.rows);
}

std::vector<int> orderedHeads(int count, HeadOrder order, const std::function<explain::HeadFigures(int)>& figures,
                              const std::function<double(int)>& similarity) {
    std::vector<int> heads(static_cast<std::size_t>(count));
    std::iota(heads.begin(), heads.end(), 0);
    if (order == HeadOrder::Number)
        return heads;
    std::vector<double> key;
    for (const int head : heads)
        key.push_back(order == HeadOrder::Entropy     ? figures(head).entropy
                      : order == HeadOrder::MaxWeight ? -figures(head).max_weight
                                                      : -similarity(head));
    std::stable_sort(heads.begin(), heads.end(), [&key](int a, int b) {
        const double one = key[static_cast<std::size_t>(a)], other = key[static_cast<std::size_t>(b)];
        return std::isnan(other) ? !std::isnan(one) : one < other;
    });
    return heads;
}

} // namespace attnlab::ui
