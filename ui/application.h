// The program's application object.
#pragma once

#include <QApplication>

namespace attnlab::ui {

/// Leaves the vector registers as other code wants them after each painting: Qt's painting with AVX2 goes on to use
/// their upper halves, which slows every SSE instruction down from then on (on a Xeon with AVX-512 the entropy of a row
/// took 25 times as long).
class Application : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override;
};

} // namespace attnlab::ui
