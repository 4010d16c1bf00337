#include "ui/matrix/stages/colors_button.h"

#include "ui/matrix/stages/range_bar.h"
#include "ui/widgets/popup.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QVBoxLayout>

namespace attnlab::ui {

ColorsButton::ColorsButton(ViewState& view, QWidget* parent)
    : QToolButton(parent), view_(view), popup_(new Popup(this)), bar_(new RangeBar(view, popup_)) {
    scale_.map = &colormap({});
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setAutoRaise(true);
    const int height = fontMetrics().ascent();
    setIconSize(QSize(height * 2, height));
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
    setIcon(colormapIcon(map, iconSize()));
    setText(words.join(QStringLiteral(" · ")));
    setAccessibleName(tr("Colours: %1").arg(text()));
}

} // namespace attnlab::ui
