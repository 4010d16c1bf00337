// Markdown of lessons as laid out text: in labels, in pictures, on paper. It opens no files: HTML and pictures in it
// are shown as source text.
#pragma once

#include "core/run_control.h"

#include <QColor>
#include <QFont>
#include <QString>

#include <memory>

class QTextDocument;

namespace attnlab::ui {

/// Line spacing: for long texts, or for a caption.
enum class TextSpacing { Reading, Tight };

/// Sizes and paragraph spacing follow `font`. Throws Cancelled.
std::unique_ptr<QTextDocument> textDocument(const QString& markdown, const QFont& font, const QColor& color,
                                            TextSpacing spacing = TextSpacing::Reading, const RunControl& control = {});

/// The text without formatting.
QString plainText(const QString& markdown);

} // namespace attnlab::ui
