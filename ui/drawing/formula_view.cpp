#include "ui/drawing/formula_view.h"

#include "ui/drawing/role_color.h"
#include "ui/drawing/text_drawing.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/theme.h"

#include <array>
#include <cmath>
#include <QEvent>
#include <QFile>
#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QXmlStreamReader>

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
        drawText(painter, left + QPointF(0, shift), run.text);
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

namespace {

// As in scripts/make_formulas.py.
constexpr qreal units_per_em = 24.0;
constexpr const char* accent_in_files = "#2563d6";
constexpr std::array role_colors_in_files = {"#8022dd", "#007852", "#bd1590"}; ///< in the order of AttentionRole

QString pathOf(const QString& id) { return QStringLiteral(":/attnlab/formulas/%1.svg").arg(id); }

QByteArray contentOf(const QString& id) {
    QFile file(pathOf(id));
    return !id.isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QSize roundedUp(const QSizeF& size) {
    return {static_cast<int>(std::ceil(size.width())), static_cast<int>(std::ceil(size.height()))};
}

qreal emOf(const QWidget& widget) { return QFontInfo(widget.font()).pixelSize(); }

} // namespace

bool hasFormula(const QString& id) { return !id.isEmpty() && QFile::exists(pathOf(id)); }

QString formulaText(const QString& id) {
    QXmlStreamReader reader(contentOf(id));
    while (reader.readNextStartElement()) {
        if (reader.name() == QLatin1String("title"))
            return reader.readElementText();
        if (reader.name() != QLatin1String("svg"))
            reader.skipCurrentElement();
    }
    return {};
}

Formula::Formula() = default;
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;
Formula::~Formula() = default;

Formula::Formula(const QString& id, const QColor& text, const Theme& look)
    : Formula(id, text, look.accent,
              {roleColor(AttentionRole::Query, look), roleColor(AttentionRole::Key, look),
               roleColor(AttentionRole::Value, look)}) {}

Formula::Formula(const QString& id, const QColor& all) : Formula(id, all, all, {all, all, all}) {}

Formula::Formula(const QString& id, const QColor& text, const QColor& accent, const RoleColors& roles) {
    QByteArray svg = contentOf(id);
    if (svg.isEmpty())
        return;
    svg.replace("currentColor", text.name().toLatin1());
    svg.replace(accent_in_files, accent.name().toLatin1());
    for (std::size_t k = 0; k < roles.size(); ++k)
        svg.replace(role_colors_in_files[k], roles[k].name().toLatin1());
    renderer_ = std::make_unique<QSvgRenderer>(svg);
}

QSizeF Formula::size(qreal em) const {
    return renderer_ ? renderer_->viewBoxF().size() * (em / units_per_em) : QSizeF();
}

void Formula::paint(QPainter& painter, const QRectF& target) const {
    if (renderer_)
        renderer_->render(&painter, target);
}

FormulaView::FormulaView(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Equation);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

FormulaView::~FormulaView() = default;

void FormulaView::setFormula(const QString& id, const QString& plain_text) {
    id_ = id;
    plain_text_ = plain_text.isEmpty() ? formulaText(id) : plain_text;
    setAccessibleName(plain_text_);
    setToolTip(plain_text_);
    renew();
}

void FormulaView::setMaximumScale(qreal scale) {
    maximum_scale_ = scale;
    updateGeometry();
    update();
}

void FormulaView::renew() {
    formula_ = Formula(id_, palette().color(QPalette::WindowText), theme());
    updateGeometry();
    update();
}

QSizeF FormulaView::fittedSize(qreal width) const {
    const QSizeF largest = formula_.size(emOf(*this) * maximum_scale_);
    return largest.width() <= width ? largest : largest * (width / largest.width());
}

qreal FormulaView::shownEm() const {
    const qreal height = formula_.size(1.0).height();
    return height > 0.0 ? fittedSize(width()).height() / height : 0.0;
}

QSize FormulaView::sizeHint() const {
    if (!formula_.isNull())
        return roundedUp(formula_.size(emOf(*this) * maximum_scale_));
    const QFontMetricsF metrics(font());
    return roundedUp({metrics.horizontalAdvance(plain_text_), metrics.height()});
}

QSize FormulaView::minimumSizeHint() const {
    // Half the size of the text is the smallest readable one.
    const int width = static_cast<int>(formula_.size(emOf(*this) * 0.5).width());
    return {std::min(width, 120), heightForWidth(sizeHint().width())};
}

int FormulaView::heightForWidth(int width) const {
    if (!formula_.isNull())
        return static_cast<int>(std::ceil(fittedSize(width).height()));
    return QFontMetrics(font())
        .boundingRect(QRect(0, 0, std::max(1, width), 10000), Qt::TextWordWrap, plain_text_)
        .height();
}

void FormulaView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (formula_.isNull()) {
        painter.setPen(palette().color(QPalette::WindowText));
        drawText(painter, rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, plain_text_);
        return;
    }
    const QSizeF size = fittedSize(width());
    formula_.paint(painter, QRectF(QPointF(0, (height() - size.height()) / 2), size));
}

void FormulaView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        renew();
    QWidget::changeEvent(event);
}

} // namespace attnlab::ui
