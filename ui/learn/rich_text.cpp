#include "ui/learn/rich_text.h"

#include <QFontInfo>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

namespace attnlab::ui {
namespace {

constexpr int line_height_percent = 115;
constexpr double paragraph_gap_ems = 0.55;

void spread(QTextDocument& document) {
    const double gap = QFontInfo(document.defaultFont()).pixelSize() * paragraph_gap_ems;
    QTextCursor cursor(&document);
    for (auto block = document.begin(); block != document.end(); block = block.next()) {
        auto format = block.blockFormat();
        format.setLineHeight(line_height_percent, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(0);
        const bool closes = !block.next().isValid();
        format.setBottomMargin(closes ? 0.0 : block.textList() ? gap / 2 : gap);
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
}

} // namespace

std::unique_ptr<QTextDocument> textDocument(const QString& markdown, const QFont& font, const QColor& color) {
    auto document = std::make_unique<QTextDocument>();
    document->setUndoRedoEnabled(false);
    document->setDocumentMargin(0);
    document->setDefaultFont(font);
    document->setMarkdown(markdown);
    spread(*document);
    if (color.isValid()) {
        QTextCursor all(document.get());
        all.select(QTextCursor::Document);
        QTextCharFormat format;
        format.setForeground(color);
        all.mergeCharFormat(format);
    }
    return document;
}

QString htmlText(const QString& markdown, const QFont& font) { return textDocument(markdown, font, {})->toHtml(); }

QString plainText(const QString& markdown) {
    QTextDocument document;
    document.setMarkdown(markdown);
    return document.toPlainText();
}

} // namespace attnlab::ui
