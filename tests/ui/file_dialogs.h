// Answers to the dialogs and menus that open while a test waits in them.
#pragma once

#include <QApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include <functional>

namespace attnlab::ui {

/// Calls `answer` once for the first modal dialog or popup of this type. `parent` ends the waiting when it is deleted.
template <class Widget>
void whenOpen(QObject* parent, std::function<void(Widget&)> answer) {
    auto* timer = new QTimer(parent);
    QObject::connect(timer, &QTimer::timeout, parent, [timer, answer = std::move(answer)] {
        auto* widget = qobject_cast<Widget*>(QApplication::activeModalWidget());
        if (!widget)
            widget = qobject_cast<Widget*>(QApplication::activePopupWidget());
        if (!widget)
            return;
        timer->stop();
        timer->deleteLater();
        answer(*widget);
    });
    timer->start(20);
}

/// Enters a path in the file dialog that opens next.
inline void answerFileDialog(QObject* parent, const QString& path) {
    whenOpen<QFileDialog>(parent, [path](QFileDialog& dialog) {
        dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
        dialog.findChild<QDialogButtonBox*>()->buttons().first()->click();
    });
}

} // namespace attnlab::ui
