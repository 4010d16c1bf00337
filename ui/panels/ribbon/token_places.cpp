#include "ui/panels/ribbon/token_places.h"

#include "ui/panels/ribbon/token_chip.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int chip_gap = 8, line_end = 4; // line_end: room for the frame of the focus
constexpr int arcs_above = 33, arcs_between = 34, flat_arcs = 18;

std::vector<int> startsOf(const RibbonTokens& tokens, RibbonTokens::Side side, const QFontMetrics& metrics) {
    std::vector<int> starts{line_end};
    for (int token = 0; token < tokens.count(side); ++token)
        starts.push_back(starts.back() + chipWidth(metrics, tokens.shown(side, token)) + chip_gap);
    return starts;
}

} // namespace

int TokenPlaces::Line::width() const { return starts.back() - chip_gap + line_end; }

TokenPlaces::TokenPlaces(const RibbonTokens& tokens, const QFontMetrics& metrics, bool flat)
    : one_line_(tokens.oneLine()), chip_height_(chipHeight(metrics)), arcs_(flat        ? flat_arcs
                                                                            : one_line_ ? arcs_above
                                                                                        : arcs_between) {
    keys_.starts = startsOf(tokens, Side::Keys, metrics);
    if (!one_line_)
        queries_.starts = startsOf(tokens, Side::Queries, metrics);
}

int TokenPlaces::height() const { return arcs_ + chip_height_ * (one_line_ ? 1 : 2) + 2 * line_end; }

int TokenPlaces::top(Side side) const {
    if (one_line_)
        return line_end + arcs_;
    return line_end + (side == Side::Keys ? chip_height_ + arcs_ : 0);
}

QRectF TokenPlaces::box(Side side, int token) const {
    const Line& of = line(side);
    const auto at = static_cast<std::size_t>(token);
    return QRectF(of.starts[at], top(side), of.starts[at + 1] - of.starts[at] - chip_gap, chip_height_);
}

std::optional<int> TokenPlaces::at(Side side, const QPointF& position) const {
    const auto [first, last] = between(side, position.x(), position.x());
    return first <= last && box(side, first).contains(position) ? std::optional(first) : std::nullopt;
}

std::pair<int, int> TokenPlaces::between(Side side, double left, double right) const {
    const Line& of = line(side);
    const int count = static_cast<int>(of.starts.size()) - 1;
    if (count <= 0)
        return {0, -1};
    const auto token_at = [&](double x) {
        const auto next = std::upper_bound(of.starts.begin(), of.starts.end(), x);
        return std::clamp(static_cast<int>(next - of.starts.begin()) - 1, 0, count - 1);
    };
    return {token_at(left), token_at(right)};
}

} // namespace attnlab::ui
