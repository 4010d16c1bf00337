#include "ui/matrix/stages/colors_button.h"

#include "ui/matrix/stages/range_bar.h"
#include "ui/widgets/popup.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace attnlab::ui {

namespace {

constexpr int swatch_gap = 5;

} // namespace

ColorsButton::ColorsButton(ViewState& view, QWidget* parent)
    : QToolButton(parent), view_(view), popup_(new Popup(this)), bar_(new RangeBar(view, popup_)) {
    scale_.map = &colormap({});
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setAutoRaise(true);
    const int height = fontMetrics().ascent();
    setIconSize(QSize(height * 2 + swatch_gap, height));
    auto* column = new QVBoxLayout(popup_);
    column->addWidget(bar_);
    setToolTip(tr("Colours: map, logarithm and range"));
    connect(this, &QToolButton::clicked, this, [this] { popup_->openBelow(*this); });
    connect(&view_, &ViewState::colorsChanged, this, &ColorsButton::refresh);
    refresh();
}

void ColorsButton::setScale(const ColorScale& scale) {
    scale_ = scale;
    bar_->setScale(scale);
    refresh();
}

void ColorsButton::openAt(const QRect& anchor) { popup_->openAt(anchor); }

void ColorsButton::changeEvent(QEvent* event) {
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void ColorsButton::refresh() {
    const ColorChoice& colors = view_.colors();
    const Colormap& map = *shownOn(theme(), scale_).map;
    QStringList words{colormapTitle(map)};
    if (colors.logarithmic)
        words << tr("log");
    if (colors.locked)
        words << tr("locked");
    // With the gap to the text, which a tool button does not have.
    QPixmap swatch(iconSize());
    swatch.fill(Qt::transparent);
    const QSize colored(iconSize().width() - swatch_gap, iconSize().height());
    QPainter(&swatch).drawPixmap(0, 0, colormapIcon(map, colored).pixmap(colored, 1.0));
    setIcon(swatch);
    setText(words.join(QStringLiteral(" · ")));
    setAccessibleName(tr("Colours: %1").arg(text()));
}

} // namespace attnlab::ui
