// Where the chips of a ribbon stand.
#pragma once

#include "ui/panels/ribbon/ribbon_tokens.h"

#include <QFontMetrics>
#include <QRectF>

#include <algorithm>
#include <optional>
#include <vector>

namespace attnlab::ui {

/// One line of chips, or queries above keys; as wide as the wider one, the other is centred. x counts from the
/// content's left end.
class TokenPlaces {
public:
    using Side = RibbonTokens::Side;

    TokenPlaces() = default;
    /// `flat`: with less room for arcs.
    TokenPlaces(const RibbonTokens& tokens, const QFontMetrics& metrics, bool flat = false);

    int width(Side side) const { return line(side).starts.empty() ? 0 : line(side).width(); }
    /// Of the wider line.
    int width() const { return std::max(width(Side::Queries), width(Side::Keys)); }
    /// The height for arcs above, or between the lines, and for chips.
    int height() const;
    /// Of the line of queries; for a single line that of all chips.
    QRectF box(Side side, int token) const;
    std::optional<int> at(Side side, const QPointF& position) const;
    /// The first and last token whose chips touch this part of x; first > last: none.
    std::pair<int, int> between(Side side, double left, double right) const;

private:
    struct Line {
        std::vector<int> starts; ///< of each chip, and the end of the last with its gap
        int width() const;
    };
    const Line& line(Side side) const { return one_line_ || side == Side::Keys ? keys_ : queries_; }
    int top(Side side) const;

    Line queries_, keys_; ///< a single line is keys_
    bool one_line_ = true;
    int chip_height_ = 0, arcs_ = 0;
};

} // namespace attnlab::ui
