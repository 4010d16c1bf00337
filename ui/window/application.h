// The program's application object.
#pragma once

#include "core/message.h"

#include <QApplication>

namespace attnlab::ui {

/// Takes what a handler of an event throws, an Error of numbers whose file was changed for one, and says it: it would
/// end the process.
///
/// Leaves the vector registers as other code wants them after each painting: Qt's painting with AVX2 goes on to use
/// their upper halves, which slows every SSE instruction down from then on (on a Xeon with AVX-512 the entropy of a row
/// took 25 times as long).
class Application : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override;

signals:
    void failed(const attnlab::Message& why);
};

} // namespace attnlab::ui
