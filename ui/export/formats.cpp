#include "ui/export/formats.h"

#include "ui/drawing/figures/figure_panels.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QFileInfo>
#include <QGlyphRun>
#include <QRawFont>
#include <QTextLayout>

namespace attnlab::ui {
namespace {

std::vector<Format> allFormats() {
    using enum FormatKind;
    std::vector<Format> all{
        {.kind = Picture,
         .suffix = QStringLiteral("png"),
         .title = ATTNLAB_TEXT("PNG: pixels"),
         .has_pixels = true,
         .preview = pngPreview,
         .draw = pngData,
         .has_settings = true},
        {.kind = Picture,
         .suffix = QStringLiteral("svg"),
         .title = ATTNLAB_TEXT("SVG: vectors for the web and for editing"),
         .preview = svgPreview,
         .draw = svgData,
         .has_settings = true,
         .letters = Format::Letters::Viewer},
        {.kind = Picture,
         .suffix = QStringLiteral("pdf"),
         .title = ATTNLAB_TEXT("PDF: vectors for papers"),
         .preview = pdfPreview,
         .draw = pdfData,
         .has_settings = true,
         .letters = Format::Letters::Outlines},
        {.kind = Picture,
         .suffix = QStringLiteral("tex"),
         .title = ATTNLAB_TEXT("LaTeX: pgfplots, in the font of the document"),
         .preview = pdfPreview,
         .draw = texData,
         .heatmaps_only = true,
         .letters = Format::Letters::Latex},
        {.kind = Animation,
         .suffix = QStringLiteral("webp"),
         .title = ATTNLAB_TEXT("WebP: animated, every pixel exact"),
         .has_pixels = true,
         .preview = pngPreview,
         .encoder = makeWebpEncoder},
        {.kind = Animation,
         .suffix = QStringLiteral("gif"),
         .title = ATTNLAB_TEXT("GIF: animated, for slides; 256 colours a step"),
         .has_pixels = true,
         .preview = pngPreview,
         .encoder = makeGifEncoder},
        {.kind = Pages, .suffix = QStringLiteral("pdf"), .title = ATTNLAB_TEXT("PDF: pages for a printer")},
        {.kind = WebPage,
         .suffix = QStringLiteral("html"),
         .title = ATTNLAB_TEXT("HTML: one page to explore in a browser")},
    };
    for (const auto& tensors : io::tensor_formats())
        if (tensors.write)
            all.push_back({.kind = Numbers,
                           .suffix = QString::fromLatin1(tensors.suffix.data(), std::ssize(tensors.suffix)),
                           .title = tensors.title,
                           .tensors = &tensors});
    std::ranges::stable_sort(
        all, {}, [](const Format& format) { return format.tensors ? static_cast<int>(format.tensors->holds) : 0; });
    return all;
}

} // namespace

const std::vector<Format>& formats() {
    static const std::vector<Format> all = allFormats();
    return all;
}

QStringList suffixesOf(FormatKind kind) {
    QStringList suffixes;
    for (const auto& format : formats())
        if (format.kind == kind)
            suffixes << format.suffix;
    return suffixes;
}

QString suffixWords(FormatKind kind) { return suffixesOf(kind).join(QLatin1Char('|')); }

const Format* findFormat(FormatKind kind, const QString& suffix) {
    const auto found = std::ranges::find_if(formats(), [&](const Format& format) {
        return format.kind == kind && format.suffix.compare(suffix, Qt::CaseInsensitive) == 0;
    });
    return found == formats().end() ? nullptr : &*found;
}

namespace {

/// "a, b, c, ..."; without repetitions.
std::string namedLabels(const QStringList& labels) {
    constexpr qsizetype most_named = 5;
    QString named = labels.mid(0, most_named).join(QStringLiteral(", "));
    if (labels.size() > most_named)
        named += QStringLiteral(", ...");
    return named.toStdString();
}

/// All texts of a figure that are not of ASCII alone, once each.
QStringList unusualTexts(const Figure& figure, const FigureOptions& options) {
    QStringList texts = figure.labels + options.panel_names +
                        QStringList{options.title, options.column_title.value_or(QString()),
                                    options.row_title.value_or(QString()), options.bar_title.value_or(QString())};
    for (const auto& panel : figure.panels) {
        if (options.labels)
            texts += panel.matrix.row_labels + panel.matrix.column_labels;
        texts << panel.title;
    }
    texts.removeDuplicates();
    texts.removeIf([](const QString& text) {
        return std::ranges::all_of(text, [](QChar letter) { return letter.unicode() < 0x80; });
    });
    return texts;
}

struct DrawnLetters {
    bool missing = false, colored = false;
};

DrawnLetters lettersOf(const QString& text, const QFont& font) {
    QTextLayout layout(displayToken(text), font);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    DrawnLetters drawn;
    for (const auto& run : layout.glyphRuns()) {
        drawn.missing = drawn.missing || run.glyphIndexes().contains(0);
        for (const char* table : {"CBDT", "sbix", "COLR"})
            drawn.colored = drawn.colored || !run.rawFont().fontTable(table).isEmpty();
    }
    return drawn;
}

} // namespace

std::vector<Message> lostLetters(const Format& format, const Figure& figure, const FigureOptions& options) {
    using Letters = Format::Letters;
    if (format.kind != FormatKind::Picture || format.letters == Letters::Viewer)
        return {};
    QStringList missing, colored, beyond_latin;
    const QFont font = figureFont(options);
    for (const auto& text : unusualTexts(figure, options)) {
        if (format.letters == Letters::Latex) {
            if (std::ranges::any_of(text.toUcs4(), [](char32_t letter) { return !isTexLetter(letter); }))
                beyond_latin << text;
            continue;
        }
        const auto drawn = lettersOf(text, font);
        if (drawn.missing)
            missing << text;
        else if (drawn.colored && format.letters == Letters::Outlines)
            colored << text;
    }
    std::vector<Message> lost;
    if (!missing.isEmpty())
        lost.push_back({ATTNLAB_TEXT("No font here has the letters of these labels: %1"), {namedLabels(missing)}});
    if (!colored.isEmpty())
        lost.push_back({ATTNLAB_TEXT("PDF cannot hold emoji of colour fonts, PNG and SVG can; labels: %1"),
                        {namedLabels(colored)}});
    if (!beyond_latin.isEmpty())
        lost.push_back(
            {ATTNLAB_TEXT("pdfLaTeX prints numbers for these labels, XeLaTeX and LuaLaTeX their letters: %1"),
             {namedLabels(beyond_latin)}});
    return lost;
}

const Format& formatOf(FormatKind kind, const QString& path) {
    if (const auto* format = findFormat(kind, QFileInfo(path).suffix()))
        return *format;
    throw Error({ATTNLAB_TEXT("%1: cannot be written as this type, expected %2"),
                 {path.toStdString(), '.' + suffixesOf(kind).join(QStringLiteral(", .")).toStdString()}});
}

} // namespace attnlab::ui
