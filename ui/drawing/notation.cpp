#include "ui/drawing/notation.h"

#include <cmath>
#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>

namespace attnlab::ui {
namespace {

constexpr double script_size = 0.75, script_raise = 0.38, script_drop = 0.16; ///< in heights of the line
constexpr qsizetype longest_index = 3; ///< of a name of several letters: "lse_ij", but "position_bias"

QFont scriptFont(int level, const QFont& font) {
    QFont script = font;
    if (level != 0 && font.pointSizeF() > 0)
        script.setPointSizeF(font.pointSizeF() * script_size);
    else if (level != 0)
        script.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * script_size)));
    return script;
}

double runWidth(const NotationRun& run, const QFont& font) {
    return QFontMetricsF(scriptFont(run.level, font)).horizontalAdvance(run.text);
}

void appendRun(Notation& notation, const QString& text, int level) {
    if (text.isEmpty())
        return;
    if (!notation.empty() && notation.back().level == level)
        notation.back().text += text;
    else
        notation.push_back({text, level});
}

/// Text, then perhaps a script, which may be in parentheses.
struct Script {
    QString before, text;
    int level = 0;
    qsizetype end = 0;
};

Script nextScript(const QString& plain, qsizetype from) {
    static const QRegularExpression pattern(QStringLiteral("([\\p{L}\\p{N}]*)([_^])(\\([^()]*\\)|[−\\p{L}\\p{N}]+"
                                                           "(?:,[\\p{L}\\p{N}]+)*)"));
    const auto match = pattern.match(plain, from);
    if (!match.hasMatch())
        return {plain.mid(from), {}, 0, plain.size()};
    const QString name = match.captured(1), script = match.captured(3);
    const QString before = plain.mid(from, match.capturedStart(2) - from);
    if (match.captured(2) == QLatin1String("^"))
        return {before, script, 1, match.capturedEnd()};
    if (name.size() > 1 && script.size() > longest_index && !script.startsWith(QLatin1Char('(')))
        return {before + QLatin1Char(' '), {}, 0, match.capturedStart(3)};
    return {before, script, -1, match.capturedEnd()};
}

} // namespace

Notation notationOf(const QString& plain) {
    Notation notation;
    for (qsizetype at = 0; at < plain.size();) {
        const Script next = nextScript(plain, at);
        appendRun(notation, next.before, 0);
        appendRun(notation, next.text, next.level);
        at = next.end;
    }
    return notation;
}

double notationWidth(const Notation& notation, const QFont& font) {
    double width = 0.0;
    for (const auto& run : notation)
        width += runWidth(run, font);
    return width;
}

std::vector<Notation> notationLines(const Notation& notation, double width, const QFont& font) {
    std::vector<Notation> words(1);
    for (const auto& run : notation) {
        const QStringList parts = run.level == 0 ? run.text.split(QLatin1Char(' ')) : QStringList{run.text};
        for (qsizetype i = 0; i < parts.size(); ++i) {
            if (i > 0)
                words.emplace_back();
            appendRun(words.back(), parts[i], run.level);
        }
    }
    std::vector<Notation> lines(1);
    for (const auto& word : words) {
        Notation longer = lines.back();
        if (!longer.empty())
            appendRun(longer, QStringLiteral(" "), 0);
        for (const auto& run : word)
            appendRun(longer, run.text, run.level);
        if (lines.back().empty() || notationWidth(longer, font) <= width)
            lines.back() = std::move(longer);
        else
            lines.push_back(word);
    }
    return lines;
}

void paintNotation(QPainter& painter, QPointF left, const Notation& notation, const QFont& font) {
    const double height = QFontMetricsF(font).height();
    for (const auto& run : notation) {
        const double shift = run.level > 0 ? -script_raise * height : run.level < 0 ? script_drop * height : 0.0;
        painter.setFont(scriptFont(run.level, font));
        painter.drawText(left + QPointF(0, shift), run.text);
        left.rx() += runWidth(run, font);
    }
}

void NotationLabel::setFormula(const QString& plain) {
    formula_ = notationOf(plain);
    setText(plain);
    update();
}

void NotationLabel::setWords(const QString& words) {
    formula_.clear();
    setText(words);
    update();
}

/// Room for subscripts, which go below the line.
QSize NotationLabel::withScripts(const QSize& line) const {
    constexpr double below_and_above = 0.3; // in heights of the line
    return {line.width(), line.height() + static_cast<int>(std::ceil(below_and_above * fontMetrics().height()))};
}

QSize NotationLabel::sizeHint() const { return withScripts(ElidedLabel::sizeHint()); }
QSize NotationLabel::minimumSizeHint() const { return withScripts(ElidedLabel::minimumSizeHint()); }

void NotationLabel::paintEvent(QPaintEvent* event) {
    if (formula_.empty())
        return ElidedLabel::paintEvent(event);
    const QRectF room = contentsRect();
    if (notationWidth(formula_, font()) > room.width())
        return;
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const QFontMetricsF metrics(font());
    paintNotation(painter, QPointF(room.left(), room.center().y() + (metrics.ascent() - metrics.descent()) / 2),
                  formula_, font());
}

} // namespace attnlab::ui
