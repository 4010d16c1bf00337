#include "ui/export/formats.h"

#include <QFileInfo>

#include <algorithm>

namespace attnlab::ui {
namespace {

std::vector<Format> allFormats() {
    using enum FormatKind;
    std::vector<Format> all{
        {Picture, QStringLiteral("png"), ATTNLAB_TEXT("PNG: pixels"), true, pngPreview, pngData},
        {Picture, QStringLiteral("svg"), ATTNLAB_TEXT("SVG: vectors for the web and for editing"), false, svgPreview,
         svgData},
        {Picture, QStringLiteral("pdf"), ATTNLAB_TEXT("PDF: vectors for papers"), false, pdfPreview, pdfData},
        {Picture, QStringLiteral("tex"), ATTNLAB_TEXT("LaTeX: pgfplots, in the font of the document"), false,
         pdfPreview, texData, nullptr, nullptr, false},
        {Animation, QStringLiteral("webp"), ATTNLAB_TEXT("WebP: animated, every pixel exact"), true, pngPreview,
         nullptr, makeWebpEncoder},
        {Animation, QStringLiteral("gif"), ATTNLAB_TEXT("GIF: animated, for slides; 256 colours a step"), true,
         pngPreview, nullptr, makeGifEncoder},
        {Pages, QStringLiteral("pdf"), ATTNLAB_TEXT("PDF: pages for a printer")},
        {WebPage, QStringLiteral("html"), ATTNLAB_TEXT("HTML: one page to explore in a browser")},
    };
    for (const auto& tensors : io::tensor_formats())
        if (tensors.write)
            all.push_back({Numbers, QString::fromLatin1(tensors.suffix.data(), std::ssize(tensors.suffix)),
                           tensors.title, false, nullptr, nullptr, nullptr, &tensors});
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

const Format& formatOf(FormatKind kind, const QString& path) {
    if (const auto* format = findFormat(kind, QFileInfo(path).suffix()))
        return *format;
    throw Error({ATTNLAB_TEXT("%1: cannot be written as this type, expected %2"),
                 {path.toStdString(), '.' + suffixesOf(kind).join(QStringLiteral(", .")).toStdString()}});
}

} // namespace attnlab::ui
