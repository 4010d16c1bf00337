#include "ui/window/banners.h"

#include "ui/widgets/message_bar.h"

#include <QEvent>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int margin_x = 6, margin_y = 2; ///< to the edges of the area
/// Of the width: progress and Cancel of the status bar are at its right end.
constexpr double widest = 0.72;

} // namespace

Banners::Banners(std::initializer_list<MessageBar*> bars, QWidget& area) : QWidget(&area), area_(area), bars_(bars) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    for (auto* bar : bars_) {
        column->addWidget(bar);
        bar->installEventFilter(this);
    }
    area_.installEventFilter(this);
    place();
}

void Banners::place() {
    int wish = 0;
    for (const auto* bar : std::as_const(bars_))
        if (!bar->isHidden())
            wish = std::max(wish, bar->widthOnOneLine());
    setVisible(wish > 0);
    if (wish == 0)
        return;
    const QRect room = area_.rect().adjusted(margin_x, margin_y, -margin_x, -margin_y);
    const int width = std::clamp(wish, 1, std::max(1, static_cast<int>(room.width() * widest)));
    const int needed = layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : sizeHint().height();
    const int height = std::clamp(needed, 1, std::max(1, room.height()));
    const QRect place(room.left(), room.bottom() - height + 1, width, height);
    setGeometry(QStyle::visualRect(layoutDirection(), room, place));
    raise();
}

bool Banners::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        place();
    return done;
}

bool Banners::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    const bool places = watched == &area_ ? type == QEvent::Resize || type == QEvent::ChildAdded
                                          : type == QEvent::ShowToParent || type == QEvent::HideToParent;
    if (places)
        place();
    return QWidget::eventFilter(watched, event);
}

} // namespace attnlab::ui
