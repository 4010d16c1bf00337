// A picture that counts how often it is opened, and functions that look at widgets like a user.
#pragma once

#include <QApplication>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QList>
#include <QMenu>
#include <QPointer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include <algorithm>

#include <sys/inotify.h>
#include <unistd.h>

namespace attnlab::test {

class Trap {
public:
    Trap() : descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(Qt::red);
        image.save(path());
        inotify_add_watch(descriptor_, qPrintable(path()), IN_OPEN);
    }
    ~Trap() { close(descriptor_); }
    Trap(const Trap&) = delete;
    Trap& operator=(const Trap&) = delete;

    QString folder() const { return folder_.path(); }
    QString path() const { return folder_.filePath(QStringLiteral("trap.png")); }
    /// Text that must not work in a file.
    QString markup() const { return QStringLiteral("<img src=\"%1\">").arg(path()); }
    /// How often the picture was opened since the last call.
    int opened() const {
        int count = 0;
        alignas(inotify_event) char events[4096];
        for (ssize_t size = 0; (size = read(descriptor_, events, sizeof events)) > 0;)
            for (const char* at = events; at < events + size;) {
                const auto* event = reinterpret_cast<const inotify_event*>(at);
                ++count;
                at += sizeof(inotify_event) + event->len;
            }
        return count;
    }

private:
    QTemporaryDir folder_;
    int descriptor_;
};

/// Null if no tooltip is shown.
inline QLabel* tipOnShow() {
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (widget->inherits("QTipLabel") && widget->isVisible())
            return qobject_cast<QLabel*>(widget);
    return nullptr;
}

/// The tooltip at a point of `widget`; null if there is none.
inline QLabel* tipAt(QWidget& widget, const QPoint& at) {
    QHelpEvent asks(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &asks);
    return tipOnShow();
}

/// Paints all of `window`, and hovers over every visible part.
inline void lookAt(QWidget& window) {
    window.grab();
    QList<QPointer<QWidget>> parts; // while one is looked at, results that arrive may replace others
    for (QWidget* widget : window.findChildren<QWidget*>())
        parts << widget;
    for (const auto& widget : parts) {
        if (!widget || !widget->isVisible())
            continue;
        // Parts with different texts at different positions are large.
        constexpr int apart = 40, most = 6;
        const int columns = std::clamp(widget->width() / apart, 1, most);
        const int rows = std::clamp(widget->height() / apart, 1, most);
        for (int row = 0; widget && row < rows; ++row)
            for (int column = 0; widget && column < columns; ++column)
                tipAt(*widget, {(2 * column + 1) * widget->width() / (2 * columns),
                                (2 * row + 1) * widget->height() / (2 * rows)});
    }
    QToolTip::hideText();
    for (QMenu* menu : window.findChildren<QMenu*>()) {
        QMetaObject::invokeMethod(menu, "aboutToShow");
        menu->grab();
    }
}

} // namespace attnlab::test
