#include "ui/widgets/splitter.h"

#include "ui/widgets/divider_keys.h"
#include "ui/widgets/theme.h"

#include <QPainter>

#include <algorithm>

namespace attnlab::ui {
namespace {

class Handle : public QSplitterHandle {
public:
    Handle(Qt::Orientation orientation, QSplitter* splitter) : QSplitterHandle(orientation, splitter) {
        setFocusPolicy(Qt::TabFocus);
        new DividerKeys(*this, {orientation, [this] { return place(); }, [this](int to) { moveSplitter(to); },
                                [this] { return room(); }});
    }

protected:
    void paintEvent(QPaintEvent*) override { paintDivider(*this, orientation()); }

private:
    int place() const { return orientation() == Qt::Horizontal ? x() : y(); }
    int room() const {
        const QSize all = splitter()->contentsRect().size();
        return orientation() == Qt::Horizontal ? all.width() - width() : all.height() - height();
    }
};

} // namespace

Splitter::Splitter(Qt::Orientation orientation, QWidget* parent) : QSplitter(orientation, parent) {}

QSplitterHandle* Splitter::createHandle() { return new Handle(orientation(), this); }

void paintDivider(QWidget& divider, Qt::Orientation moves) {
    constexpr double length = 28.0, thickness = 3.0;
    QPainter painter(&divider);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(divider.hasFocus() ? theme().accent : theme().outline);
    const QRectF whole(divider.rect());
    const bool across = moves == Qt::Horizontal;
    const double along = across ? whole.height() : whole.width();
    const double shown = divider.hasFocus() ? along : std::min(along, length);
    QRectF bar(0, 0, across ? thickness : shown, across ? shown : thickness);
    bar.moveCenter(whole.center());
    painter.drawRoundedRect(bar, thickness / 2, thickness / 2);
}

} // namespace attnlab::ui
