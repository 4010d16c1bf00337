// Markdown of lessons as text that is laid out: in labels, in pictures, on paper. It opens no file: HTML and pictures
// in it are shown as they are written.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

#include <memory>

class QTextDocument;

namespace attnlab::ui {

/// Room between lines and paragraphs for reading, not for forms. Sizes follow `font`.
std::unique_ptr<QTextDocument> textDocument(const QString& markdown, const QFont& font, const QColor& color);

/// The words alone.
QString plainText(const QString& markdown);

} // namespace attnlab::ui
