// Tokens as chips: their look, their labels and their positions.
#pragma once

#include "core/attention.h"
#include "core/explain/reading.h"

#include <algorithm>
#include <optional>
#include <QColor>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QPen>
#include <QRectF>
#include <QString>
#include <utility>
#include <vector>

class QPainter;
class QRectF;

namespace attnlab::ui {

struct ChipLook {
    QPen border = Qt::NoPen;
    QColor fill;
    QColor text;
};

int chipHeight(const QFontMetrics& metrics);
/// Long tokens are elided.
int chipWidth(const QFontMetrics& metrics, const QString& shown);
void paintChip(QPainter& painter, const QRectF& box, const QString& shown, const ChipLook& look);

/// What is said about a token in a picture with arcs.
struct ChipState {
    bool hovered = false, chosen = false;
    bool focused = false;      ///< with the frame of the keyboard
    bool out_of_reach = false; ///< the chosen query cannot read it
    bool appended = false;     ///< by the mechanism
    bool start = false;        ///< no word: it stands before a text
    bool differs = false;      ///< from the other text
};
void paintChip(QPainter& painter, const QRectF& box, const QString& shown, const ChipState& state);

/// The tokens of a map of weights, and what texts call them. One that starts the text is called "start".
/// Tokens without a label are numbers, as in the matrix.
class RibbonTokens {
    Q_DECLARE_TR_FUNCTIONS(RibbonTokens)
public:
    RibbonTokens() = default;
    /// Of a stage (B,H,query,key).
    RibbonTokens(const Trace& trace, const Stage& weights);

    enum class Side { Queries, Keys };
    int count(Side side) const { return static_cast<int>(line(side).shown.size()); }
    /// As on a chip.
    const QString& shown(Side side, int token) const { return line(side).shown[static_cast<std::size_t>(token)]; }
    /// “the” (6): the whole label and its index.
    QString full(Side side, int token) const;
    /// True when the keys are the queries' tokens, maybe with further ones at the end that the mechanism appended.
    bool oneLine() const { return one_line_; }
    bool haveWords() const { return !queries_.labels.isEmpty(); }
    bool isStart(Side side, int token) const { return token == 0 && line(side).has_start; }
    /// By query: the tokens of the first line that differ from those of another text.
    void setDiffering(std::vector<bool> differing) { differing_ = std::move(differing); }
    bool differs(int token) const {
        return static_cast<std::size_t>(token) < differing_.size() && differing_[static_cast<std::size_t>(token)];
    }

    /// With labels of more than `longest` letters elided; 0: whole.
    explain::TokenNaming names(int query, int longest) const;
    /// The same chips at the same places.
    bool operator==(const RibbonTokens& other) const {
        return one_line_ == other.one_line_ && queries_.labels == other.queries_.labels &&
               keys_.labels == other.keys_.labels && queries_.shown.size() == other.queries_.shown.size() &&
               keys_.shown.size() == other.keys_.shown.size();
    }

private:
    struct Line {
        QStringList labels; ///< empty: numbers
        std::vector<QString> shown;
        std::vector<bool> repeated; ///< another token has the same label
        bool has_start = false;

        Line() = default;
        Line(const std::vector<std::string>& tokens, std::int64_t count);
        bool hasLabel(int token) const { return token < labels.size() && !labels[token].isEmpty(); }
    };
    const Line& line(Side side) const { return side == Side::Queries ? queries_ : keys_; }
    static QString quoted(const Line& line, int token, int longest);

    Line queries_, keys_;
    std::vector<bool> differing_;
    bool one_line_ = false;
};

/// Where the chips of a ribbon stand.
/// One line of chips, or queries above keys; as wide as the wider one, the other is centred. x counts from the
/// content's left end.
class TokenPositions {
public:
    using Side = RibbonTokens::Side;

    TokenPositions() = default;
    /// `flat`: with less room for arcs.
    TokenPositions(const RibbonTokens& tokens, const QFontMetrics& metrics, bool flat = false);

    int width(Side side) const { return line(side).starts.empty() ? 0 : line(side).width(); }
    /// Of the wider line.
    int width() const { return std::max(width(Side::Queries), width(Side::Keys)); }
    /// The height for arcs above, or between the lines, and for chips.
    int height() const;
    /// Of the line of queries; if there is a single line, of all chips.
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
