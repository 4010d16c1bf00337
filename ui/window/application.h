// The program's application object.
#pragma once

#include "core/message.h"

#include <QApplication>

namespace attnlab::ui {

/// Reports exceptions of event handlers, for example an Error of numbers whose file was changed; otherwise they would
/// end the process.
///
/// Resets the vector registers after each painting: Qt's AVX2 code leaves their upper halves in use, which slows down
/// every later SSE instruction (on a Xeon with AVX-512 the entropy of a row took 25 times as long).
class Application : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override;

signals:
    void failed(const attnlab::Message& why);
};

} // namespace attnlab::ui
