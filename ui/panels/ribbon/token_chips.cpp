#include "ui/panels/ribbon/token_chips.h"

#include "ui/drawing/matrix_data.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QHash>
#include <QPainter>

namespace attnlab::ui {
namespace {

constexpr int beside_token = 9, above_token = 3;
constexpr int narrowest_token = 10, widest_token = 120;

} // namespace

int chipHeight(const QFontMetrics& metrics) { return metrics.height() + 2 * above_token; }

int chipWidth(const QFontMetrics& metrics, const QString& shown) {
    return std::clamp(metrics.horizontalAdvance(shown), narrowest_token, widest_token) + 2 * beside_token;
}

void paintChip(QPainter& painter, const QRectF& box, const QString& shown, const ChipLook& look) {
    const double inset = look.border.widthF() / 2.0;
    painter.setPen(look.border);
    painter.setBrush(look.fill);
    painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 5, 5);
    painter.setPen(look.text);
    const QRectF room = box.adjusted(beside_token - 1, 0, 1 - beside_token, 0);
    painter.drawText(room, Qt::AlignCenter | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(shown, Qt::ElideRight, static_cast<int>(room.width()) + 1));
}

void paintChip(QPainter& painter, const QRectF& box, const QString& shown, const ChipState& state) {
    const Theme& colors = theme();
    ChipLook look{QPen(colors.outline, 1.0), colors.accent_soft, state.out_of_reach ? colors.muted : colors.text};
    if (state.out_of_reach)
        look = {Qt::NoPen, colors.window, colors.muted};
    if (state.start)
        look = {QPen(colors.border, 1.0), colors.window, colors.muted};
    if (state.appended)
        look.border = QPen(colors.muted, 1.0, Qt::DashLine);
    if (state.hovered)
        look.border = QPen(colors.accent, 1.2);
    if (state.chosen)
        look = {QPen(colors.pin, 2.0), colors.card, colors.text};
    paintChip(painter, box, shown, look);
    if (state.differs) {
        constexpr double thickness = 3.0, beside = 6.0;
        const QRectF line(box.left() + beside, box.bottom() - thickness - 1.0, box.width() - 2.0 * beside, thickness);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.accent);
        painter.drawRoundedRect(line, thickness / 2.0, thickness / 2.0);
    }
    if (state.focused) {
        painter.setPen(QPen(colors.accent, 1.4));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), 6, 6);
    }
}

namespace {

QString shortened(const QString& label, int longest) {
    return longest > 0 && label.size() > longest ? label.left(longest - 1) + QChar(0x2026) : label;
}

/// Within a sentence of the other direction, a label keeps to itself.
QString isolated(const QString& label) { return label.isRightToLeft() ? QChar(0x2068) + label + QChar(0x2069) : label; }

} // namespace

RibbonTokens::Line::Line(const std::vector<std::string>& tokens, std::int64_t count) : labels(textsOf(tokens)) {
    QHash<QString, int> times;
    for (const auto& label : labels)
        ++times[label];
    for (int token = 0; token < count; ++token) {
        shown.push_back(hasLabel(token) ? shownLabel(labels, token) : QString::number(token));
        repeated.push_back(hasLabel(token) && times[labels[token]] > 1);
    }
    has_start = count > 0 && hasLabel(0) && isStartToken(labels.front());
}

RibbonTokens::RibbonTokens(const Trace& trace, const Stage& weights)
    : queries_(weights.tokens ? weights.tokens->query : trace.query_tokens, weights.value.dim(-2)),
      keys_(weights.tokens ? weights.tokens->key : trace.key_tokens, weights.value.dim(-1)) {
    const auto own = weights.value.dim(-1) - trace.pass(prefix_of(weights.name)).appended_keys;
    one_line_ =
        own == weights.value.dim(-2) && std::equal(queries_.shown.begin(), queries_.shown.end(), keys_.shown.begin());
}

QString RibbonTokens::quoted(const Line& line, int token, int longest) {
    if (token == 0 && line.has_start)
        return tr("the start");
    const QString label = isolated(shortened(displayToken(line.labels[token]), longest));
    return line.repeated[static_cast<std::size_t>(token)] ? tr("“%1” (%2)").arg(label).arg(token)
                                                          : tr("“%1”").arg(label);
}

QString RibbonTokens::full(Side side, int token) const {
    const Line& of = line(side);
    if (isStart(side, token))
        return tr("%1 (0): the tokenizer puts it before the text").arg(of.labels.front());
    if (of.hasLabel(token))
        return tr("“%1” (%2)").arg(displayToken(of.labels[token])).arg(token);
    return side == Side::Queries ? tr("Query %1").arg(token) : tr("Key %1").arg(token);
}

explain::TokenNaming RibbonTokens::names(int query, int longest) const {
    const auto key = [this, longest](std::int64_t of) {
        const int token = static_cast<int>(of);
        return keys_.hasLabel(token) ? quoted(keys_, token, longest) : tr("key %1").arg(token);
    };
    const auto item = [this, longest](std::int64_t of, const QString& weight) {
        const int token = static_cast<int>(of);
        return keys_.hasLabel(token) ? tr("%1 %2").arg(quoted(keys_, token, longest), weight)
                                     : tr("key %1: %2").arg(QString::number(token), weight);
    };
    // Patches of an image, for example, are called by numbers.
    const auto is_word = [](const QString& label) {
        return std::ranges::any_of(label, [](QChar letter) { return letter.isLetter(); });
    };
    const bool are_words = 2 * std::ranges::count_if(keys_.labels, is_word) > keys_.labels.size();
    if (isStart(Side::Queries, query))
        return {tr("The start").toStdString(), [key](std::int64_t of) { return key(of).toStdString(); },
                [item](std::int64_t of, const std::string& weight) { return item(of, textOf(weight)).toStdString(); },
                tr("the start").toStdString(), are_words};
    return {(queries_.hasLabel(query) ? quoted(queries_, query, longest) : tr("Query %1").arg(query)).toStdString(),
            [key](std::int64_t of) { return key(of).toStdString(); },
            [item](std::int64_t of, const std::string& weight) { return item(of, textOf(weight)).toStdString(); },
            queries_.hasLabel(query) ? std::string() : tr("query %1").arg(query).toStdString(), are_words};
}

namespace {

constexpr int chip_gap = 6, line_end = 4; // line_end: room for the frame of the focus
constexpr int arcs_above = 33, arcs_between = 34, flat_arcs = 18;

std::vector<int> startsOf(const RibbonTokens& tokens, RibbonTokens::Side side, const QFontMetrics& metrics) {
    std::vector<int> starts{line_end};
    for (int token = 0; token < tokens.count(side); ++token)
        starts.push_back(starts.back() + chipWidth(metrics, tokens.shown(side, token)) + chip_gap);
    return starts;
}

} // namespace

int TokenPositions::Line::width() const { return starts.back() - chip_gap + line_end; }

TokenPositions::TokenPositions(const RibbonTokens& tokens, const QFontMetrics& metrics, bool flat)
    : one_line_(tokens.oneLine()), chip_height_(chipHeight(metrics)), arcs_(flat        ? flat_arcs
                                                                            : one_line_ ? arcs_above
                                                                                        : arcs_between) {
    keys_.starts = startsOf(tokens, Side::Keys, metrics);
    if (!one_line_)
        queries_.starts = startsOf(tokens, Side::Queries, metrics);
}

int TokenPositions::height() const { return arcs_ + chip_height_ * (one_line_ ? 1 : 2) + 2 * line_end; }

int TokenPositions::top(Side side) const {
    if (one_line_)
        return line_end + arcs_;
    return line_end + (side == Side::Keys ? chip_height_ + arcs_ : 0);
}

QRectF TokenPositions::box(Side side, int token) const {
    const Line& of = line(side);
    const auto at = static_cast<std::size_t>(token);
    return QRectF(of.starts[at], top(side), of.starts[at + 1] - of.starts[at] - chip_gap, chip_height_);
}

std::optional<int> TokenPositions::at(Side side, const QPointF& position) const {
    const auto [first, last] = between(side, position.x(), position.x());
    return first <= last && box(side, first).contains(position) ? std::optional(first) : std::nullopt;
}

std::pair<int, int> TokenPositions::between(Side side, double left, double right) const {
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
