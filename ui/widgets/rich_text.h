// Markdown of lessons as rich text that opens no files: in labels, in pictures, on paper.
#pragma once

#include "core/run_control.h"
#include "ui/widgets/labels.h"

#include <memory>
#include <QColor>
#include <QFont>
#include <QString>
#include <QTextDocument>

namespace attnlab::ui {

/// A document that loads no pictures and style sheets, whatever its text refers to.
class InertDocument : public QTextDocument {
public:
    using QTextDocument::QTextDocument;

    /// An empty resource for a QTextDocument::ResourceType: without one Qt opens the file itself.
    static QVariant nothing(int type);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

} // namespace attnlab::ui

// Markdown of lessons as laid out text: in labels, in pictures, on paper. It opens no files: HTML and pictures in it
// are shown as source text.

class QTextDocument;

namespace attnlab::ui {

/// Line spacing: for long texts, or for a caption.
enum class TextSpacing { Reading, Tight };

/// Sizes and paragraph spacing follow `font`. Throws Cancelled.
std::unique_ptr<QTextDocument> textDocument(const QString& markdown, const QFont& font, const QColor& color,
                                            TextSpacing spacing = TextSpacing::Reading, const RunControl& control = {});

/// The text without formatting.
QString plainText(const QString& markdown);

/// Markdown of lessons in a label.
/// HTML and pictures in the Markdown are shown as source text, and links are inactive. Sizes follow the label's font.
class MarkdownLabel : public WrappedLabel {
public:
    explicit MarkdownLabel(QWidget* parent = nullptr, TextSpacing spacing = TextSpacing::Tight);

    void setSource(const QString& markdown);
    QString source() const { return markdown_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void renew();

    QString markdown_;
    TextSpacing spacing_;
};

} // namespace attnlab::ui
