#include "ui/window/banners.h"

#include "ui/widgets/message_bar.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int margin = 10; ///< to the edges of the area

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
    const QRect room = area_.rect().adjusted(margin, margin, -margin, -margin);
    const int width = std::clamp(wish, 1, std::max(1, room.width()));
    const int needed = layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : sizeHint().height();
    const int height = std::clamp(needed, 1, std::max(1, room.height()));
    setGeometry(room.left() + (room.width() - width) / 2, room.bottom() - height + 1, width, height);
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
