#include "ui/widgets/rich_text.h"

#include <QEvent>
#include <QFontInfo>
#include <QImage>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFragment>
#include <QTextImageFormat>

namespace attnlab::ui {

QVariant InertDocument::nothing(int type) {
    if (type != ImageResource)
        return QByteArray("");
    QImage image(1, 1, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    return image;
}

QVariant InertDocument::loadResource(int type, const QUrl&) { return nothing(type); }

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
        format.setNonBreakableLines(false); // code wraps in a label too
        const bool closes = !block.next().isValid();
        format.setBottomMargin(closes ? 0.0 : block.textList() ? gap / 2 : gap);
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
}

/// Allows line breaks between words in code: a whole call does not fit a narrow panel.
QString breakable(QString markdown) {
    static const QRegularExpression code(QStringLiteral("(?<!`)(`+)(?!`).*?(?<!`)\\1(?!`)"),
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression end_of_word(QStringLiteral("([_.(,=/])"));
    for (auto match = code.match(markdown); match.hasMatch();) {
        auto words = match.captured();
        words.replace(end_of_word, QStringLiteral("\\1\u200b"));
        markdown.replace(match.capturedStart(), match.capturedLength(), words);
        match = code.match(markdown, match.capturedStart() + words.size());
    }
    return markdown;
}

/// A paragraph that begins with "0. " or "30. " stays one: as the first item of a list it would be shown as 1.
QString withNumbersKept(QString markdown) {
    static const QRegularExpression number(
        QStringLiteral("(?:^|\\n[ \\t]*\\n)[ ]{0,3}(?!1[.)])\\d{1,9}([.)])(?=[ \\t])"));
    qsizetype at = 0;
    for (auto match = number.match(markdown); match.hasMatch(); match = number.match(markdown, at)) {
        at = match.capturedStart(1);
        const bool in_code = markdown.left(at).count(QLatin1String("```")) % 2 != 0;
        if (!in_code)
            markdown.insert(at, QLatin1Char('\\'));
        at += in_code ? 1 : 2;
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

/// Links in a handout may lead to the web, not to files of the reader. `room`: characters that all links may have
/// together, since one reference may have many uses.
void cutLinks(QTextDocument& document, qsizetype room) {
    QTextCursor cursor(&document);
    for (const auto& fragment : fragmentsOf(document)) {
        auto format = fragment.charFormat();
        const QString scheme = QUrl(format.anchorHref()).scheme();
        if (!format.isAnchor())
            continue;
        if (scheme == QLatin1String("https") || scheme == QLatin1String("http")) {
            room -= format.anchorHref().size();
            if (room >= 0)
                continue;
        }
        format.setAnchor(false);
        format.clearProperty(QTextFormat::AnchorHref);
        cursor.setPosition(fragment.position());
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
        cursor.setCharFormat(format);
    }
}

/// Replaces pictures by their source text. `room`: characters that their places may have together, as for links.
void spellPictures(QTextDocument& document, qsizetype room, const RunControl& control) {
    std::vector<std::pair<int, QString>> places;
    for (const auto& fragment : fragmentsOf(document)) {
        if (!fragment.charFormat().isImageFormat())
            continue;
        const QString source = spelled(fragment.charFormat().toImageFormat());
        for (int i = 0; i < fragment.length(); ++i) {
            room -= source.size();
            places.emplace_back(fragment.position() + i, room >= 0 ? source : QStringLiteral("…"));
        }
    }
    // From the end, so that earlier positions stay valid.
    QTextCursor cursor(&document);
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        control.checkpoint();
        cursor.setPosition(place->first);
        cursor.deleteChar();
        cursor.insertText(place->second, QTextCharFormat());
    }
}

/// Writes W_q and a_ij with a lowered index, except in code.
void lowerIndices(QTextDocument& document, const RunControl& control) {
    static const QRegularExpression indexed(QStringLiteral("(?<![\\w.])\\p{L}(_)(\\p{Ll}{1,2})(?![\\w(])"));
    QTextCursor cursor(&document);
    auto fragments = fragmentsOf(document);
    // From the end, so that earlier positions stay valid.
    for (auto fragment = fragments.rbegin(); fragment != fragments.rend(); ++fragment) {
        control.checkpoint();
        if (fragment->charFormat().fontFixedPitch())
            continue;
        std::vector<QRegularExpressionMatch> found;
        for (auto matches = indexed.globalMatch(fragment->text()); matches.hasNext();)
            found.push_back(matches.next());
        QTextCharFormat lowered = fragment->charFormat();
        lowered.setVerticalAlignment(QTextCharFormat::AlignSubScript);
        const int position = fragment->position();
        for (auto match = found.rbegin(); match != found.rend(); ++match) {
            cursor.setPosition(position + static_cast<int>(match->capturedStart(1)));
            cursor.setPosition(position + static_cast<int>(match->capturedEnd(2)), QTextCursor::KeepAnchor);
            cursor.insertText(match->captured(2), lowered);
        }
    }
}

/// Qt lays a paragraph out again after each change, unless the changes are one edit.
class OneEdit {
public:
    explicit OneEdit(QTextDocument& document) : cursor_(&document) { cursor_.beginEditBlock(); }
    ~OneEdit() { cursor_.endEditBlock(); }
    OneEdit(const OneEdit&) = delete;
    OneEdit& operator=(const OneEdit&) = delete;

private:
    QTextCursor cursor_;
};

void read(QTextDocument& document, QString markdown, const RunControl& control) {
    control.checkpoint();
    const qsizetype picture_room = 2 * markdown.size();
    constexpr qsizetype scheme = 8; // "http://", which Qt puts before each "www."
    const qsizetype link_room = scheme * markdown.size();
    markdown = withNumbersKept(std::move(markdown));
    // Qt omits a picture without alternative text.
    markdown.replace(QLatin1String("![]"), QStringLiteral("![%1]").arg(no_words));
    document.setMarkdown(markdown, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                       QTextDocument::MarkdownNoHTML);
    control.checkpoint();
    spellPictures(document, picture_room, control);
    cutLinks(document, link_room);
    control.checkpoint();
}

} // namespace

std::unique_ptr<QTextDocument> textDocument(const QString& markdown, const QFont& font, const QColor& color,
                                            TextSpacing spacing, const RunControl& control) {
    auto document = std::make_unique<InertDocument>();
    document->setUndoRedoEnabled(false);
    document->setDocumentMargin(0);
    document->setDefaultFont(font);
    const OneEdit edit(*document);
    read(*document, breakable(markdown), control);
    lowerIndices(*document, control);
    spread(*document, spacing == TextSpacing::Reading ? reading_percent : tight_percent);
    control.checkpoint();
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
    document.setUndoRedoEnabled(false);
    {
        const OneEdit edit(document);
        read(document, markdown, {});
    }
    return document.toPlainText();
}

MarkdownLabel::MarkdownLabel(QWidget* parent, TextSpacing spacing) : WrappedLabel(parent), spacing_(spacing) {
    setTextFormat(Qt::RichText);
    setWordWrap(true);
}

void MarkdownLabel::setSource(const QString& markdown) {
    if (markdown == markdown_)
        return;
    markdown_ = markdown;
    renew();
}

void MarkdownLabel::renew() {
    setText(markdown_.isEmpty() ? QString() : textDocument(markdown_, font(), {}, spacing_)->toHtml());
}

void MarkdownLabel::changeEvent(QEvent* event) {
    WrappedLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        renew();
}

} // namespace attnlab::ui
