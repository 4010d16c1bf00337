#include "ui/drawing/figures/figure.h"

#include "core/io/png.h"
#include "core/io/saved/figure_file.h"
#include "core/message.h"
#include "ui/drawing/figures/figure_panels.h"
#include "ui/drawing/text_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <QtPdf/QPdfDocument>
#include <QXmlStreamReader>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr double drawing_margin = 12.0;
constexpr double least_drawing_ratio = 0.5; ///< height to width of a drawing whose height is automatic
constexpr int pdf_dpi = 1200;
constexpr const char* no_memory_for_picture = ATTNLAB_TEXT("Figure: not enough memory for a picture of this size");

int dotsPerMeter(int dpi) { return static_cast<int>(std::lround(dpi / 0.0254)); }

/// The factor (1: none) by which a drawing must be reduced so that its parts fit an area.
double fittingFactor(const Drawing& drawing, const QSizeF& area, const QFont& font) {
    // The smallest height may jump as the width grows, so there is no formula.
    constexpr double step = 0.97, least_factor = 0.02;
    double factor = 1.0;
    const auto fits = [&] {
        const QSizeF least = drawing.smallest(font, area.width() / factor) * factor;
        return least.width() <= area.width() + 1e-6 && least.height() <= area.height() + 1e-6;
    };
    while (factor > least_factor && !fits())
        factor *= step;
    return factor;
}

/// The factor (1: none) by which a drawing must be reduced to be no wider than this.
double widthFactor(const Drawing& drawing, double width, const QFont& font) {
    constexpr double step = 0.97, least_factor = 0.02;
    double factor = 1.0;
    while (factor > least_factor && drawing.smallest(font, width / factor).width() * factor > width + 1e-6)
        factor *= step;
    return factor;
}

int drawingPoints(const FigureOptions& options) {
    return options.font_points > 0 ? options.font_points : options.largest_points + 1;
}

void paintNote(QPainter& painter, const PlacedNote& note, const Theme& look) {
    painter.setFont(note.font);
    painter.setPen(look.muted);
    const QFontMetricsF metrics(note.font);
    for (int i = 0; i < note.lines.size(); ++i)
        drawText(painter, note.first + QPointF(0, i * note.line + (metrics.ascent() - metrics.descent()) / 2),
                 note.lines[i]);
}

void paintDrawing(QPainter& painter, const Drawing& drawing, const QRectF& page, const FigureOptions& options,
                  bool vectors) {
    constexpr double margin = drawing_margin;
    QRectF area = page.adjusted(margin, margin, -margin, -margin);
    const DrawingStyle style{themeFor(options.dark), figureFont(options, drawingPoints(options)), vectors};
    if (!options.title.isEmpty())
        area.setTop(area.top() + paintTitle(painter, area, area, options.title, options, style.look));
    paintFitted(drawing, painter, area, style);
}

/// In points from the top left corner.
void paintAs(QPainter& painter, const Figure& figure, const FigureOptions& options, bool vectors) {
    if (!options.transparent && vectors)
        painter.fillRect(QRectF(QPointF(0, 0), options.size_points), themeFor(options.dark).card);
    painter.setRenderHint(QPainter::TextAntialiasing);
    painter.setFont(figureFont(options)); // SVG stores the font for shapes too
    QRectF page(QPointF(0, 0), options.size_points);
    const auto note = placeNote(figure.note, options, page);
    page.setHeight(page.height() - note.height);
    paintNote(painter, note, themeFor(options.dark));
    if (figure.drawing)
        return paintDrawing(painter, *figure.drawing, page, options, vectors);
    ColorScale scale = limited(figure.scale, options);
    scale.title = figure.quantity;
    const FigurePen pen{painter, scale, options, themeFor(options.dark), vectors};
    paintPanels(pen, page, figure.panels);
}

/// Adds the width of each text. In another font it then keeps its room, and what is aligned to the right stays so.
void addTextLengths(QByteArray& svg) {
    QImage device(1, 1, QImage::Format_ARGB32); // one point is one unit
    device.setDotsPerMeterX(dotsPerMeter(static_cast<int>(points_per_inch)));
    device.setDotsPerMeterY(dotsPerMeter(static_cast<int>(points_per_inch)));
    QByteArray made;
    made.reserve(svg.size() + svg.size() / 8);
    qsizetype done = 0;
    for (auto begin = svg.indexOf("<text "); begin >= 0; begin = svg.indexOf("<text ", done)) {
        const auto end = svg.indexOf("</text>", begin);
        if (end < 0)
            break;
        QXmlStreamReader xml(svg.mid(begin, end - begin) + "</text>");
        xml.readNextStartElement();
        const auto attributes = xml.attributes();
        const QString text = xml.readElementText();
        QFont font(attributes.value("font-family").toString());
        font.setPointSizeF(std::max(1.0, attributes.value("font-size").toDouble()));
        font.setWeight(static_cast<QFont::Weight>(std::clamp(attributes.value("font-weight").toInt(), 1, 1000)));
        font.setItalic(attributes.value("font-style") == QLatin1String("italic"));
        const double width = QFontMetricsF(font, &device).horizontalAdvance(text);
        made += svg.mid(done, begin - done) + "<text ";
        if (!xml.hasError() && text.size() > 1 && width > 0.0)
            made += "textLength=\"" + QByteArray::number(width, 'f', 2) + "\" lengthAdjust=\"spacingAndGlyphs\" ";
        done = begin + static_cast<qsizetype>(std::strlen("<text "));
    }
    svg = made + svg.mid(done);
}

/// Adds the generic family, for systems without the font.
void addGenericFamily(QByteArray& svg, const FigureOptions& options) {
    const auto family = figureFont(options).family().toHtmlEscaped().toUtf8();
    const QString wished = options.font_family.toLower();
    const bool generic = wished == QLatin1String("serif") || wished == QLatin1String("monospace");
    const auto fallback = generic ? wished.toLatin1() : QByteArray("sans-serif");
    svg.replace("font-family=\"" + family + '"', "font-family=\"" + family + ", " + fallback + '"');
}

struct FigureWords {
    Q_DECLARE_TR_FUNCTIONS(attnlab::ui::Figure)
};

/// The title of a file: what a viewer has in its frame, and a screen reader says.
QString nameOf(const Figure& figure, const FigureOptions& options) {
    return !options.title.isEmpty() ? options.title : figure.quantity;
}

/// The alternative text: "AttnLab: 3 heatmaps of 12 × 12 cells. Rows: query token. Columns: key token. A; B; B − A."
QString descriptionOf(const Figure& figure, const FigureOptions& options) {
    QString text = QStringLiteral("AttnLab");
    if (figure.drawing || figure.panels.empty())
        return text;
    const auto& matrix = figure.panels.front().matrix;
    const auto count = figure.panels.size();
    text += QStringLiteral(": ") + (count == 1 ? FigureWords::tr("heatmap of %1 × %2 cells.")
                                               : FigureWords::tr("%3 heatmaps of %1 × %2 cells."))
                                       .arg(matrix.view().rows)
                                       .arg(matrix.view().columns);
    if (count > 1)
        text = text.arg(count);
    const QString rows = options.row_title.value_or(matrix.row_title);
    const QString columns = options.column_title.value_or(matrix.column_title);
    if (!rows.isEmpty() && !columns.isEmpty())
        text += QLatin1Char(' ') + FigureWords::tr("Rows: %1. Columns: %2.").arg(rows, columns);
    QStringList names;
    for (int i = 0; i < static_cast<int>(count); ++i) {
        const QString given = options.panel_names.value(i);
        const auto& panel = figure.panels[static_cast<std::size_t>(i)];
        names << (given.isEmpty() ? panel.title : given);
        if (panel.mark)
            names.back() += QStringLiteral(": ") + panel.mark->text;
    }
    names.removeAll(QString());
    if (!names.isEmpty())
        text += QLatin1Char(' ') + names.join(QStringLiteral("; ")) + QLatin1Char('.');
    return figure.note.isEmpty() ? text : text + QLatin1Char(' ') + figure.note;
}

/// XMP (ISO 16684-1).
QByteArray metadataWith(const std::string& settings, const QString& title) {
    return "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>"
           "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
           "<rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/' "
           "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmlns:attnlab='urn:attnlab'>"
           "<xmp:CreatorTool>AttnLab</xmp:CreatorTool><dc:title><rdf:Alt><rdf:li xml:lang='x-default'>" +
           title.toHtmlEscaped().toUtf8() + "</rdf:li></rdf:Alt></dc:title>" +
           QByteArray(io::before_pdf_settings.data(), std::ssize(io::before_pdf_settings)) +
           QByteArray::fromStdString(settings) +
           QByteArray(io::after_pdf_settings.data(), std::ssize(io::after_pdf_settings)) +
           "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>";
}

/// Names fonts as their descriptors do, with the tag of a subset ("QDDAAA+NotoSans"), which Qt leaves out of them
/// (ISO 32000-1, 9.6.4); programs that put several figures together then keep the subsets apart.
void tagFonts(QByteArray& pdf) {
    constexpr qsizetype tag_size = 7, entry_size = 20; // of the table of objects
    const QByteArray key = "\n/BaseFont /", described = "/FontName /";
    std::vector<std::pair<qsizetype, QByteArray>> tags; // and where they go
    for (auto at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
        const auto line = pdf.lastIndexOf('\n', at - 1);
        if (const auto kind = pdf.mid(line + 1, at - line - 1);
            kind != "/Subtype /CIDFontType2" && kind != "/Subtype /Type0")
            continue;
        const auto name_at = at + key.size();
        const auto name = '+' + pdf.mid(name_at, pdf.indexOf('\n', name_at) + 1 - name_at);
        for (auto from = pdf.lastIndexOf(described, at); from > 0; from = pdf.lastIndexOf(described, from - 1))
            if (const auto tag = pdf.mid(from + described.size(), tag_size);
                pdf.mid(from + described.size() + tag_size - 1, name.size()) == name) {
                tags.emplace_back(name_at, tag);
                break;
            }
    }
    const QByteArray table = "\nxref\n0 ", start = "startxref\n";
    const auto table_at = pdf.lastIndexOf(table), start_at = pdf.lastIndexOf(start);
    const auto entries_at = table_at < 0 ? -1 : pdf.indexOf('\n', table_at + table.size()) + 1;
    if (entries_at <= 0 || start_at < 0)
        return;
    const auto moved = [&tags](qsizetype offset) {
        return offset +
               tag_size * std::ranges::count_if(tags, [offset](const auto& tag) { return tag.first < offset; });
    };
    const auto count = pdf.mid(table_at + table.size(), entries_at - 1 - table_at - table.size()).toLongLong();
    for (qsizetype i = 1; i < count; ++i) {
        const auto entry = entries_at + i * entry_size;
        const auto offset = QByteArray::number(moved(pdf.mid(entry, 10).toLongLong()));
        pdf.replace(entry, 10, offset.rightJustified(10, '0'));
    }
    const auto start_end = pdf.indexOf('\n', start_at + start.size());
    pdf.replace(start_at + start.size(), start_end - start_at - start.size(), QByteArray::number(moved(table_at + 1)));
    for (auto tag = tags.rbegin(); tag != tags.rend(); ++tag)
        pdf.insert(tag->first, tag->second);
}

/// SOURCE_DATE_EPOCH (reproducible-builds.org) in place of the present time; the length stays.
void setPdfDates(QByteArray& pdf) {
    bool ok = false;
    const auto seconds = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&ok);
    if (!ok)
        return;
    const QByteArray date =
        QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString(QStringLiteral("yyyyMMddHHmmss")).toLatin1() + 'Z';
    for (const auto* key : {"/CreationDate (D:", "/ModDate (D:"}) {
        const auto at = pdf.indexOf(key);
        const auto end = at < 0 ? -1 : pdf.indexOf(')', at);
        if (end < 0)
            continue;
        const auto from = at + static_cast<qsizetype>(std::strlen(key));
        pdf.replace(from, end - from, date.leftJustified(end - from, ' ', true));
    }
}

} // namespace

FigureOptions sized(const Figure& figure, FigureOptions options) {
    if (options.automatic_height)
        options.size_points.setHeight(options.size_points.width()); // until it is known
    checkFigure(options);
    if (options.profiles && !figure.drawing && !figure.panels.empty() && !figure.panels.haveMargins())
        throw Error(Message(ATTNLAB_TEXT("Figure: profiles are beside weights and maps, and this figure has neither")));
    if (!options.automatic_height)
        return options;
    double height = 0.0;
    if (figure.drawing) {
        const QFont font = figureFont(options, drawingPoints(options));
        const double width = options.size_points.width() - 2.0 * drawing_margin;
        const double factor = widthFactor(*figure.drawing, width, font);
        const double least = figure.drawing->smallest(font, width / factor).height() * factor;
        height = std::max(least, least_drawing_ratio * width) + 2.0 * drawing_margin + figureTitleHeight(options);
    } else {
        ColorScale scale = limited(figure.scale, options);
        scale.title = figure.quantity;
        height = heightOfPanels(scale, options, figure.panels);
    }
    height += placeNote(figure.note, options, QRectF(QPointF(0, 0), options.size_points)).height;
    options.size_points.setHeight(std::clamp(std::ceil(height), smallest_figure_side, largest_figure_side));
    return options;
}

void paintFigure(QPainter& painter, const Figure& figure, const FigureOptions& options) {
    paintAs(painter, figure, sized(figure, options), true);
}

void paintFitted(const Drawing& drawing, QPainter& painter, const QRectF& area, const DrawingStyle& style) {
    const double factor = fittingFactor(drawing, area.size(), style.font);
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(factor, factor);
    drawing.paint(painter, QRectF(QPointF(0, 0), area.size() / factor), style);
    painter.restore();
}

bool FigurePanels::haveMargins() const {
    return std::ranges::any_of(*this, [](const FigurePanel& panel) { return panel.margins != nullptr; });
}

bool FigurePanels::haveOwnScales() const {
    return std::ranges::any_of(*this, [](const FigurePanel& panel) { return panel.scale.has_value(); });
}

namespace {

/// Premultiplied.
QImage painted(const Figure& figure, const FigureOptions& options) {
    QImage image(figurePixels(options), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        throw Error(no_memory_for_picture);
    // All of it: the last row or column of pixels may be beyond the size in points.
    image.fill(options.transparent ? QColor(Qt::transparent) : themeFor(options.dark).card);
    // With the ratio set, the painter's unit is a point, and hatch and text know the size of pixels. Painters treat a
    // ratio below 1 as 1.
    const double ratio = options.dpi / points_per_inch;
    if (ratio >= 1.0)
        image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    if (ratio < 1.0)
        painter.scale(ratio, ratio);
    paintAs(painter, figure, options, false);
    painter.end();
    image.setDevicePixelRatio(1.0);
    image.setDotsPerMeterX(dotsPerMeter(options.dpi));
    image.setDotsPerMeterY(dotsPerMeter(options.dpi));
    return image;
}

} // namespace

QImage figureImage(const Figure& figure, const FigureOptions& wished) {
    const FigureOptions options = sized(figure, wished);
    QImage image = painted(figure, options);
    return options.transparent ? image : image.convertToFormat(QImage::Format_RGB32);
}

QByteArray pngData(const Figure& figure, const FigureOptions& wished) {
    const FigureOptions options = sized(figure, wished);
    QImage image = painted(figure, options); // opaque pixels are the same premultiplied
    if (options.transparent)
        image = image.convertToFormat(QImage::Format_ARGB32);
    if (image.isNull())
        throw Error(no_memory_for_picture);
    const auto png = io::png_of({.width = static_cast<std::uint32_t>(image.width()),
                                 .height = static_cast<std::uint32_t>(image.height()),
                                 .pixels = reinterpret_cast<const QRgb*>(image.constBits()), // NOLINT
                                 .row_stride = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb),
                                 .has_alpha = options.transparent,
                                 .dots_per_meter = static_cast<std::uint32_t>(dotsPerMeter(options.dpi))});
    return QByteArray::fromStdString(figure.settings.empty() ? png : io::png_with_settings(png, figure.settings));
}

QByteArray svgData(const Figure& figure, const FigureOptions& wished) {
    const FigureOptions options = sized(figure, wished);
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    // One unit is one point; width and height are then written in millimetres.
    generator.setResolution(static_cast<int>(points_per_inch));
    generator.setSize(options.size_points.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), options.size_points));
    // QSvgGenerator writes it unescaped.
    generator.setTitle(nameOf(figure, options).toHtmlEscaped());
    generator.setDescription(descriptionOf(figure, options).toHtmlEscaped());
    QPainter painter(&generator);
    paintFigure(painter, figure, options);
    painter.end();
    QByteArray data = buffer.data();
    // XML has no control characters, and a label may; fonts draw none of them.
    std::ranges::replace_if(
        data, [](char byte) { return byte >= 0 && byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r'; }, ' ');
    addTextLengths(data);
    addGenericFamily(data, options);
    return figure.settings.empty() ? data
                                   : QByteArray::fromStdString(io::svg_with_settings(
                                         {data.constData(), static_cast<std::size_t>(data.size())}, figure.settings));
}

QByteArray pdfData(const Figure& figure, const FigureOptions& wished) {
    const FigureOptions options = sized(figure, wished);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(pdf_dpi);
    writer.setPageSize(QPageSize(options.size_points, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(nameOf(figure, options));
    writer.setCreator(QStringLiteral("AttnLab"));
    if (!figure.settings.empty())
        writer.setDocumentXmpMetadata(metadataWith(figure.settings, nameOf(figure, options)));
    QPainter painter(&writer);
    painter.scale(pdf_dpi / points_per_inch, pdf_dpi / points_per_inch);
    paintFigure(painter, figure, options);
    painter.end();
    QByteArray data = buffer.data();
    tagFonts(data);
    setPdfDates(data);
    return data;
}

namespace {

QSize previewSize(const FigureOptions& options, const QSize& largest) {
    return options.size_points.scaled(QSizeF(largest), Qt::KeepAspectRatio).toSize().expandedTo({1, 1});
}

/// An empty image that claims to have `dpi`, so that what depends on the resolution is drawn as on such a device.
QImage previewImage(const QSize& size, int dpi) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        throw Error(no_memory_for_picture);
    image.fill(Qt::transparent);
    image.setDotsPerMeterX(dotsPerMeter(dpi));
    image.setDotsPerMeterY(dotsPerMeter(dpi));
    return image;
}

std::int64_t cellsOf(const Figure& figure) {
    std::int64_t cells = 0;
    for (const auto& panel : figure.panels)
        cells += panel.matrix.view().rows * panel.matrix.view().columns;
    return cells;
}

QImage paintedPreview(const Figure& figure, const FigureOptions& options, const QSize& largest, int dpi) {
    QImage image = previewImage(previewSize(options, largest), dpi);
    QPainter painter(&image);
    painter.scale(image.width() / options.size_points.width(), image.height() / options.size_points.height());
    paintFigure(painter, figure, options);
    return image;
}

} // namespace

QImage pngPreview(const Figure& figure, const FigureOptions& wished, const QSize& largest) {
    const FigureOptions options = sized(figure, wished);
    const QSize whole = figurePixels(options);
    const QSize shown = previewSize(options, largest);
    constexpr double most_pixels = 4e6; // more take noticeable time at each change of an option
    if (whole.width() >= shown.width() && double(whole.width()) * whole.height() <= most_pixels)
        return figureImage(figure, options).scaled(shown, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    return paintedPreview(figure, options, largest, options.dpi);
}

namespace {

constexpr std::int64_t most_cells_of_a_preview = 2'000'000; // as above

} // namespace

QImage svgPreview(const Figure& figure, const FigureOptions& wished, const QSize& largest) {
    const FigureOptions options = sized(figure, wished);
    if (cellsOf(figure) > most_cells_of_a_preview)
        return paintedPreview(figure, options, largest, static_cast<int>(points_per_inch));
    QSvgRenderer file(svgData(figure, options));
    QImage image = previewImage(previewSize(options, largest), options.dpi);
    QPainter painter(&image);
    file.render(&painter);
    return image;
}

QImage pdfPreview(const Figure& figure, const FigureOptions& wished, const QSize& largest) {
    const FigureOptions options = sized(figure, wished);
    if (cellsOf(figure) > most_cells_of_a_preview)
        return paintedPreview(figure, options, largest, pdf_dpi);
    QByteArray bytes = pdfData(figure, options);
    QBuffer file(&bytes);
    file.open(QIODevice::ReadOnly);
    QPdfDocument document;
    document.load(&file);
    QImage image = document.render(0, previewSize(options, largest));
    if (image.isNull())
        throw Error(Message(ATTNLAB_TEXT("The PDF file cannot be read back to preview it")));
    return image;
}

} // namespace attnlab::ui
