#include "ui/widgets/rich_text.h"

#include "ui/widgets/inert_document.h"

#include <QFontInfo>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextFragment>
#include <QTextImageFormat>

namespace attnlab::ui {
namespace {

constexpr int reading_percent = 115, tight_percent = 100; ///< height of a line
constexpr double paragraph_gap_ems = 0.55;
constexpr QChar no_words(0x200b); ///< without width

void spread(QTextDocument& document, int line_percent) {
    const double gap = QFontInfo(document.defaultFont()).pixelSize() * paragraph_gap_ems;
    QTextCursor cursor(&document);
    for (auto block = document.begin(); block != document.end(); block = block.next()) {
        auto format = block.blockFormat();
        format.setLineHeight(line_percent, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(0);
        const bool closes = !block.next().isValid();
        format.setBottomMargin(closes ? 0.0 : block.textList() ? gap / 2 : gap);
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
}

/// Allows line breaks between words in code: a whole call does not fit a narrow panel.
QString breakable(QString markdown) {
    static const QRegularExpression code(QStringLiteral("`[^`]+`"));
    static const QRegularExpression end_of_word(QStringLiteral("([_.(,=/])"));
    for (auto match = code.match(markdown); match.hasMatch();) {
        auto words = match.captured();
        words.replace(end_of_word, QStringLiteral("\\1\u200b"));
        markdown.replace(match.capturedStart(), match.capturedLength(), words);
        match = code.match(markdown, match.capturedStart() + words.size());
    }
    return markdown;
}

/// The source text "![alt](place "title")".
QString spelled(const QTextImageFormat& picture) {
    const QString title = picture.stringProperty(QTextFormat::ImageTitle);
    const QString place = title.isEmpty() ? picture.name() : QStringLiteral("%1 \"%2\"").arg(picture.name(), title);
    return QStringLiteral("![%1](%2)").arg(picture.stringProperty(QTextFormat::ImageAltText).remove(no_words), place);
}

std::vector<QTextFragment> fragmentsOf(const QTextDocument& document) {
    std::vector<QTextFragment> fragments;
    for (auto block = document.begin(); block != document.end(); block = block.next())
        for (auto part = block.begin(); part != block.end(); ++part)
            fragments.push_back(part.fragment());
    return fragments;
}

/// Links in a handout may lead to the web, not to files of the reader.
void cutLinks(QTextDocument& document) {
    QTextCursor cursor(&document);
    for (const auto& fragment : fragmentsOf(document)) {
        auto format = fragment.charFormat();
        const QString scheme = QUrl(format.anchorHref()).scheme();
        if (!format.isAnchor() || scheme == QLatin1String("https") || scheme == QLatin1String("http"))
            continue;
        format.setAnchor(false);
        format.clearProperty(QTextFormat::AnchorHref);
        cursor.setPosition(fragment.position());
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
        cursor.setCharFormat(format);
    }
}

/// Replaces pictures by their source text.
void spellPictures(QTextDocument& document) {
    std::vector<std::pair<int, QString>> places;
    for (const auto& fragment : fragmentsOf(document))
        if (fragment.charFormat().isImageFormat())
            for (int i = 0; i < fragment.length(); ++i)
                places.emplace_back(fragment.position() + i, spelled(fragment.charFormat().toImageFormat()));
    // From the end, so that earlier positions stay valid.
    QTextCursor cursor(&document);
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        cursor.setPosition(place->first);
        cursor.deleteChar();
        cursor.insertText(place->second, QTextCharFormat());
    }
}

void read(QTextDocument& document, QString markdown) {
    // Qt omits a picture without alternative text.
    markdown.replace(QLatin1String("![]"), QStringLiteral("![%1]").arg(no_words));
    document.setMarkdown(markdown, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                       QTextDocument::MarkdownNoHTML);
    spellPictures(document);
    cutLinks(document);
}

} // namespace

std::unique_ptr<QTextDocument> textDocument(const QString& markdown, const QFont& font, const QColor& color,
                                            TextSpacing spacing) {
    auto document = std::make_unique<InertDocument>();
    document->setUndoRedoEnabled(false);
    document->setDocumentMargin(0);
    document->setDefaultFont(font);
    read(*document, breakable(markdown));
    spread(*document, spacing == TextSpacing::Reading ? reading_percent : tight_percent);
    if (color.isValid()) {
        QTextCursor all(document.get());
        all.select(QTextCursor::Document);
        QTextCharFormat format;
        format.setForeground(color);
        all.mergeCharFormat(format);
    }
    return document;
}

QString plainText(const QString& markdown) {
    InertDocument document;
    read(document, markdown);
    return document.toPlainText();
}

} // namespace attnlab::ui
