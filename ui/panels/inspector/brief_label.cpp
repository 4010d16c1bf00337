#include "ui/panels/inspector/brief_label.h"

#include <QFontMetrics>

namespace attnlab::ui {

QString briefLabel(const QString& label, const QFontMetrics& metrics, int letters) {
    constexpr int most_letters = 256; // a longer text is wider than any heading
    return metrics.elidedText(label.left(most_letters).simplified(), Qt::ElideRight,
                              letters * metrics.averageCharWidth());
}

} // namespace attnlab::ui
