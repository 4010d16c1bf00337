// Labels of any length in headings.
#pragma once

#include <QString>

class QFontMetrics;

namespace attnlab::ui {

/// The label in one line, with "…" where it is wider than `letters` of average width.
QString briefLabel(const QString& label, const QFontMetrics& metrics, int letters);

} // namespace attnlab::ui
