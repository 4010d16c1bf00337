// Markdown of lessons as text that is laid out: in labels, in pictures, on paper. It opens no file: HTML and pictures
// in it are shown as they are written.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

#include <memory>

class QTextDocument;

namespace attnlab::ui {

/// Room between lines: to read pages of them, or for one beside a picture.
enum class TextSpacing { Reading, Tight };

/// Sizes and the room between paragraphs follow `font`.
std::unique_ptr<QTextDocument> textDocument(const QString& markdown, const QFont& font, const QColor& color,
                                            TextSpacing spacing = TextSpacing::Reading);

/// The words alone.
QString plainText(const QString& markdown);

} // namespace attnlab::ui
