#include "ui/drawing/formula_view.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QFile>
#include <QFontMetricsF>
#include <QPainter>
#include <QSvgRenderer>
#include <QXmlStreamReader>

#include <cmath>

namespace attnlab::ui {
namespace {

// As in scripts/make_formulas.py.
constexpr qreal units_per_em = 24.0;
constexpr const char* accent_in_files = "#2563d6";

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

Formula::Formula(const QString& id, const QColor& text, const QColor& accent) {
    QByteArray svg = contentOf(id);
    if (svg.isEmpty())
        return;
    svg.replace("currentColor", text.name().toLatin1());
    svg.replace(accent_in_files, accent.name().toLatin1());
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
    formula_ = Formula(id_, palette().color(QPalette::WindowText), theme().accent);
    updateGeometry();
    update();
}

QSizeF FormulaView::fittedSize(qreal width) const {
    const QSizeF largest = formula_.size(emOf(*this) * maximum_scale_);
    return largest.width() <= width ? largest : largest * (width / largest.width());
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
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, plain_text_);
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
