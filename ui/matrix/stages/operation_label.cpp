#include "ui/matrix/stages/operation_label.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <memory>

namespace attnlab::ui {
namespace {

/// One line.
std::unique_ptr<QTextLayout> laidOut(const QString& operation, const QFont& font) {
    const auto typeset_text = typeset(operation);
    auto layout = std::make_unique<QTextLayout>(typeset_text.text, font);
    layout->setFormats(typeset_text.formats);
    layout->beginLayout();
    layout->createLine().setNumColumns(static_cast<int>(typeset_text.text.size()));
    layout->endLayout();
    return layout;
}

/// A letter that stands alone: Q, K, V, W, also before a subscript or a superscript.
bool isVariable(const QString& text, qsizetype at) {
    const auto is_letter = [&](qsizetype i) {
        return i >= 0 && i < text.size() && text[i].isLetter() && text[i].category() != QChar::Letter_Modifier;
    };
    const ushort letter = text[at].unicode();
    return ((letter >= 'A' && letter <= 'Z') || QStringLiteral("qkwv").contains(text[at])) && !is_letter(at - 1) &&
           !is_letter(at + 1);
}

} // namespace

TypesetOperation typeset(const QString& operation) {
    TypesetOperation result;
    const auto add = [&](qsizetype start, qsizetype length, auto change) {
        QTextLayout::FormatRange range;
        range.start = static_cast<int>(start);
        range.length = static_cast<int>(length);
        change(range.format);
        result.formats << range;
    };
    for (qsizetype i = 0; i < operation.size(); ++i) {
        if (operation[i] == QLatin1Char('_') && i > 0 && isVariable(operation, i - 1) && i + 1 < operation.size()) {
            ++i; // the mark of a subscript
            add(result.text.size(), 1, [](QTextCharFormat& format) {
                format.setVerticalAlignment(QTextCharFormat::AlignSubScript);
                format.setFontItalic(true);
            });
        } else if (isVariable(operation, i)) {
            add(result.text.size(), 1, [](QTextCharFormat& format) { format.setFontItalic(true); });
        }
        result.text += operation[i];
    }
    static const QRegularExpression root(QStringLiteral("√(\\d+(\\.\\d+)?|\\w)"));
    for (auto found = root.globalMatch(result.text); found.hasNext();) {
        const auto match = found.next();
        result.roots.push_back({static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedEnd())});
    }
    return result;
}

QLineF rootBar(const QTextLayout& layout, const TypesetOperation::Root& root) {
    const QTextLine line = layout.lineAt(0);
    const QRectF sign = QFontMetricsF(layout.font()).tightBoundingRect(QStringLiteral("√"));
    const double y = line.ascent() + sign.top() + rootBarThickness(layout.font()) / 2.0;
    return {line.cursorToX(root.start) + sign.right() - rootBarThickness(layout.font()), y, line.cursorToX(root.end),
            y};
}

double rootBarThickness(const QFont& font) { return std::max(1.0, QFontMetricsF(font).lineWidth()); }

OperationLabel::OperationLabel(QWidget* parent) : Label(parent) { setForegroundRole(QPalette::PlaceholderText); }

int OperationLabel::widthOf(const QString& operation, const QFont& font) {
    return operation.isEmpty()
               ? 0
               : static_cast<int>(std::ceil(laidOut(operation, font)->lineAt(0).naturalTextWidth())) + 3;
}

void OperationLabel::paintEvent(QPaintEvent*) {
    if (text().isEmpty())
        return;
    QString shown = text();
    auto layout = laidOut(shown, font());
    if (layout->lineAt(0).naturalTextWidth() > width()) {
        shown = QFontMetrics(font()).elidedText(shown, Qt::ElideRight, width());
        layout = laidOut(shown, font());
    }
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const auto line = layout->lineAt(0);
    const QPointF at((width() - line.naturalTextWidth()) / 2, (height() - line.height()) / 2);
    layout->draw(&painter, at);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(painter.pen().color(), rootBarThickness(font()), Qt::SolidLine, Qt::FlatCap));
    for (const auto& root : typeset(shown).roots)
        painter.drawLine(rootBar(*layout, root).translated(at));
}

} // namespace attnlab::ui
