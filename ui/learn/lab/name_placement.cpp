#include "ui/learn/lab/name_placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace attnlab::ui {
namespace {

constexpr double beside_name = 1.0; ///< left and right of the letters
constexpr double from_tip = 6.0;

struct Candidate {
    QRectF place;
    double cost = 0.0; ///< of being far from where a name is expected
};

/// Within the plane; what it has to be moved for that counts.
Candidate candidateAt(QRectF place, double cost, const QRectF& plane) {
    const QPointF wanted = place.topLeft();
    place.moveLeft(std::clamp(place.left(), plane.left(), std::max(plane.left(), plane.right() - place.width())));
    place.moveTop(std::clamp(place.top(), plane.top(), std::max(plane.top(), plane.bottom() - place.height())));
    return {place, cost + 2.0 * QLineF(wanted, place.topLeft()).length()};
}

std::vector<Candidate> candidatesOf(const ArrowName& name, const QSizeF& size, const QRectF& plane) {
    const QLineF& arrow = name.arrow;
    const double length = arrow.length();
    const double outwards = length < 1.0 ? -std::numbers::pi / 2.0 : std::atan2(arrow.dy(), arrow.dx());
    std::vector<Candidate> all;
    const auto add = [&](const QPointF& from, double angle, double distance, double cost) {
        QRectF place(QPointF(), size);
        place.moveCenter(from + QPointF(std::cos(angle) * (distance + 0.5 * size.width()),
                                        std::sin(angle) * (distance + 0.5 * size.height())));
        all.push_back(candidateAt(place, cost, plane));
    };
    constexpr int step = 15, most = 180; // degrees
    for (const double distance : {from_tip, 2.5 * from_tip, 5.0 * from_tip, 8.0 * from_tip})
        for (int turn = -most; turn < most; turn += step)
            add(arrow.p2(), outwards + turn * std::numbers::pi / 180.0, distance,
                0.1 * std::abs(turn) + 0.5 * (distance - from_tip));
    if (name.along_arrow)
        for (const int side : {-1, 1})
            add(arrow.center(), outwards + side * std::numbers::pi / 2.0, from_tip, 5.0);
    return all;
}

} // namespace

double lengthInside(const QLineF& line, const QRectF& rect) {
    // Clips the parameter of the line at each pair of edges.
    double from = 0.0, to = 1.0;
    const auto clip = [&](double start, double change, double low, double high) {
        if (change == 0.0) {
            if (start < low || start > high)
                to = -1.0;
            return;
        }
        const double a = (low - start) / change, b = (high - start) / change;
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    };
    clip(line.x1(), line.dx(), rect.left(), rect.right());
    clip(line.y1(), line.dy(), rect.top(), rect.bottom());
    return std::max(0.0, to - from) * line.length();
}

std::vector<QRectF> placesOfNames(const std::vector<ArrowName>& names, const NameSurroundings& surroundings,
                                  const QFontMetricsF& metrics) {
    std::vector<std::vector<Candidate>> candidates;
    std::vector<QRectF> places;
    for (const auto& name : names) {
        const QSizeF size(metrics.horizontalAdvance(name.text) + 2.0 * beside_name, metrics.height());
        candidates.push_back(candidatesOf(name, size, surroundings.plane));
        places.emplace_back();
    }
    const auto cost_of = [&](const Candidate& candidate, std::size_t own) {
        constexpr double of_name = 5.0, of_arrow = 8.0, of_line = 0.3; // for each pixel
        double cost = candidate.cost;
        for (std::size_t k = 0; k < places.size(); ++k)
            if (const QRectF shared = candidate.place & places[k]; k != own && !shared.isEmpty())
                cost += of_name * (shared.width() + shared.height());
        for (const auto& arrow : surroundings.arrows)
            cost += of_arrow * lengthInside(arrow, candidate.place);
        for (const auto& line : surroundings.thin_lines)
            cost += of_line * lengthInside(line, candidate.place);
        return cost;
    };
    // A later name may take the place that an earlier one would have left.
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t k = 0; k < names.size(); ++k) {
            double least = std::numeric_limits<double>::infinity();
            QRectF best;
            for (const auto& candidate : candidates[k])
                if (const double cost = cost_of(candidate, k); cost < least) {
                    least = cost;
                    best = candidate.place;
                }
            places[k] = best;
        }
    return places;
}

} // namespace attnlab::ui
