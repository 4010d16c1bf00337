// Labels and windows that are difficult to lay out.
#pragma once

#include "tests/test_main.h"
#include "traces.h"
#include "ui/document/computation.h"
#include "ui/window/main_window.h"

#include <QElapsedTimer>
#include <QLayout>
#include <QRandomGenerator>
#include <QTest>

#include <array>
#include <initializer_list>

namespace attnlab::ui {

inline int within(QRandomGenerator& random, int low, int high) { return random.bounded(low, high + 1); }

inline QString letters(QRandomGenerator& random, char32_t first, int range, int count) {
    QString text;
    for (int i = 0; i < count; ++i) {
        const char32_t letter = first + static_cast<char32_t>(random.bounded(range));
        text += QString::fromUcs4(&letter, 1);
    }
    return text;
}

/// Extreme examples of token labels.
inline QString difficultLabel(QRandomGenerator& random) {
    switch (random.bounded(14)) {
    case 0:
        return letters(random, U'a', 26, 300);
    case 1:
        return QStringLiteral("the-quick-brown-fox-jumps-over-the-lazy");
    case 2:
        return letters(random, 0x4e00, 2000, within(random, 1, 60));
    case 3:
        return letters(random, 0x05d0, 27, within(random, 1, 80)); // right to left
    case 4:
        return letters(random, 0x0621, 26, 20) + QStringLiteral(" abc ") + letters(random, U'0', 10, 5);
    case 5:
        return letters(random, 0x1f600, 60, within(random, 1, 30));
    case 6: // one emoji of several characters
        return QStringLiteral("\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466").repeated(12);
    case 7: {
        QString text;
        for (int i = 0; i < 20; ++i)
            text += QLatin1Char('a') + letters(random, 0x0300, 0x6f, 6); // stacked combining marks
        return text;
    }
    case 8:
        return QStringLiteral("\u200B\u200C\u200D\u2060\uFEFF").repeated(within(random, 1, 20));
    case 9:
        return QStringLiteral("one\ntwo\r\nthree\tfour\u2028five");
    case 10:
        return QStringLiteral("<b>&amp;</b><table width=9999><tr><td>x");
    case 11:
        return QString(within(random, 0, 400), QLatin1Char(' '));
    case 12:
        return QString();
    default:
        return letters(random, U'a', 26, within(random, 1, 12));
    }
}

inline std::vector<std::string> difficultLabels(QRandomGenerator& random, std::int64_t count) {
    std::vector<std::string> labels;
    const bool one_kind = random.bounded(3) == 0;
    const QString same = difficultLabel(random);
    for (std::int64_t i = 0; i < count; ++i)
        labels.push_back((one_kind ? same : difficultLabel(random)).toStdString());
    return labels;
}

/// Waits until nothing is computed or laid out any more; false on timeout.
inline bool settles(MainWindow& window) {
    QElapsedTimer timer;
    timer.start();
    while (window.isComputing() && timer.elapsed() < 20000)
        QTest::qWait(1);
    constexpr int enough_turns = 40;
    for (int turn = 0; turn < enough_turns; ++turn) {
        const long before = test::layoutEvents().count;
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
        if (test::layoutEvents().count == before && !window.isComputing())
            return true;
    }
    return false;
}

} // namespace attnlab::ui
