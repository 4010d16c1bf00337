#include "ui/drawing/figure.h"

#include "core/io/figure_file.h"
#include "core/message.h"
#include "ui/drawing/figure_panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <QtPdf/QPdfDocument>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr double smallest_side = 36.0;   ///< half an inch
constexpr double largest_side = 14400.0; ///< the limit of PDF
constexpr int largest_dpi = 4800;
constexpr int pdf_dpi = 1200;
constexpr double figure_largest_picture = 400e6; ///< pixels: 1.6 GB
constexpr const char* no_memory_for_picture = ATTNLAB_TEXT("Figure: not enough memory for a picture of this size");

std::string roundedText(double value) { return to_text(std::round(value * 100.0) / 100.0); }

/// The size of the picture in pixels; throws for absurd options.
QSize pixelsOf(const FigureOptions& options) {
    const QSizeF size = options.size_points;
    const auto usable = [](double side) { return side >= smallest_side && side <= largest_side; };
    if (!usable(size.width()) || !usable(size.height()))
        throw Error({ATTNLAB_TEXT("Figure: the size is %1 x %2 points; each side has to be from %3 to %4"),
                     {roundedText(size.width()), roundedText(size.height()), roundedText(smallest_side),
                      roundedText(largest_side)}});
    if (options.dpi < 10 || options.dpi > largest_dpi)
        throw Error({ATTNLAB_TEXT("Figure: %1 dots per inch; expected 10 to %2"),
                     {std::to_string(options.dpi), std::to_string(largest_dpi)}});
    const QSizeF pixels = size * (options.dpi / points_per_inch);
    if (pixels.width() * pixels.height() > figure_largest_picture)
        throw Error({ATTNLAB_TEXT("Figure: %1 x %2 points at %3 dots per inch is a picture of more than %4 megapixels"),
                     {roundedText(size.width()), roundedText(size.height()), std::to_string(options.dpi),
                      roundedText(figure_largest_picture / 1e6)}});
    return QSize(static_cast<int>(std::lround(pixels.width())), static_cast<int>(std::lround(pixels.height())));
}

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

void paintDrawing(QPainter& painter, const Drawing& drawing, const FigureOptions& options, bool vectors) {
    constexpr double margin = 12.0;
    QRectF area = QRectF(QPointF(0, 0), options.size_points).adjusted(margin, margin, -margin, -margin);
    const DrawingStyle style{themeFor(options.dark),
                             figureFont(options, options.font_points > 0 ? options.font_points : 11), vectors};
    if (!options.title.isEmpty())
        area.setTop(area.top() + paintTitle(painter, area, options.title, options, style.look));
    paintFitted(drawing, painter, area, style);
}

/// In points from the top left corner.
void paintAs(QPainter& painter, const Figure& figure, const FigureOptions& options, bool vectors) {
    if (!options.transparent)
        painter.fillRect(QRectF(QPointF(0, 0), options.size_points), themeFor(options.dark).card);
    painter.setRenderHint(QPainter::TextAntialiasing);
    painter.setFont(figureFont(options)); // SVG stores the font for shapes too
    if (figure.drawing)
        return paintDrawing(painter, *figure.drawing, options, vectors);
    ColorScale scale = limited(figure.scale, options);
    scale.title = figure.quantity;
    const FigurePen pen{painter, scale, options, themeFor(options.dark), vectors};
    paintPanels(pen, QRectF(QPointF(0, 0), options.size_points), figure.panels);
}

/// Adds the generic family, for systems without the font.
void addGenericFamily(QByteArray& svg, const FigureOptions& options) {
    const auto family = figureFont(options).family().toHtmlEscaped().toUtf8();
    const QString wished = options.font_family.toLower();
    const bool generic = wished == QLatin1String("serif") || wished == QLatin1String("monospace");
    const auto fallback = generic ? wished.toLatin1() : QByteArray("sans-serif");
    svg.replace("font-family=\"" + family + '"', "font-family=\"" + family + ", " + fallback + '"');
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

} // namespace

void paintFigure(QPainter& painter, const Figure& figure, const FigureOptions& options) {
    paintAs(painter, figure, options, true);
}

void paintFitted(const Drawing& drawing, QPainter& painter, const QRectF& area, const DrawingStyle& style) {
    const double factor = fittingFactor(drawing, area.size(), style.font);
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(factor, factor);
    drawing.paint(painter, QRectF(QPointF(0, 0), area.size() / factor), style);
    painter.restore();
}

bool FigurePanels::haveOwnScales() const {
    return std::ranges::any_of(*this, [](const FigurePanel& panel) { return panel.scale.has_value(); });
}

void checkFigure(const FigureOptions& options) {
    pixelsOf(options);
    if (options.low && options.high && *options.low >= *options.high)
        throw Error({ATTNLAB_TEXT("Figure: the colours go from %1 to %2; the first has to be the smaller one"),
                     {to_text(*options.low), to_text(*options.high)}});
    if (const auto end = options.low ? options.low : options.high; options.logarithmic && end && *end <= 0.0)
        throw Error(
            {ATTNLAB_TEXT("Figure: logarithmic colours cannot begin or end at %1, only above 0"), {to_text(*end)}});
}

ColorChoice colorsOf(const FigureOptions& options) { return {options.colormap, options.logarithmic, false, 0.0, 1.0}; }

void setColors(FigureOptions& options, const ColorChoice& colors) {
    options.colormap = colors.colormap;
    options.logarithmic = colors.logarithmic;
    options.low = options.high = std::nullopt;
    const auto [low, high] = std::minmax(colors.low, colors.high);
    // Views ignore an invalid range.
    if (!colors.locked || !std::isfinite(low) || !std::isfinite(high) || low >= high ||
        (colors.logarithmic && high <= 0.0))
        return;
    options.high = high;
    if (!colors.logarithmic || low > 0.0)
        options.low = low;
}

ColorScale limited(ColorScale scale, const FigureOptions& options) {
    checkFigure(options);
    if (!options.low && !options.high)
        return scale;
    const bool mirrored = scale.map->diverging && !scale.logarithmic;
    if (mirrored && !options.low)
        scale.low = -*options.high;
    if (mirrored && !options.high)
        scale.high = -*options.low;
    scale.low = options.low.value_or(scale.low);
    scale.high = options.high.value_or(scale.high);
    if (!(scale.low < scale.high) || (scale.logarithmic && scale.low <= 0.0))
        throw Error({ATTNLAB_TEXT("Figure: the colours would go from %1 to %2, which is not a range; give both ends"),
                     {to_text(scale.low), to_text(scale.high)}});
    return scale;
}

QImage figureImage(const Figure& figure, const FigureOptions& options) {
    QImage image(pixelsOf(options), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        throw Error(no_memory_for_picture);
    image.fill(Qt::transparent);
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
    const int dots_per_meter = static_cast<int>(std::lround(options.dpi / 0.0254));
    image.setDotsPerMeterX(dots_per_meter);
    image.setDotsPerMeterY(dots_per_meter);
    return options.transparent ? image : image.convertToFormat(QImage::Format_RGB32);
}

QByteArray pngData(const Figure& figure, const FigureOptions& options) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!figureImage(figure, options).save(&buffer, "PNG"))
        throw Error(no_memory_for_picture);
    return figure.settings.empty()
               ? buffer.data()
               : QByteArray::fromStdString(io::png_with_settings(
                     {buffer.data().constData(), static_cast<std::size_t>(buffer.size())}, figure.settings));
}

QByteArray svgData(const Figure& figure, const FigureOptions& options) {
    pixelsOf(options);
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    // One unit is one point; width and height are then written in millimetres.
    generator.setResolution(static_cast<int>(points_per_inch));
    generator.setSize(options.size_points.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), options.size_points));
    // QSvgGenerator writes it unescaped.
    generator.setTitle(options.title.toHtmlEscaped());
    generator.setDescription(QStringLiteral("AttnLab"));
    QPainter painter(&generator);
    paintFigure(painter, figure, options);
    painter.end();
    QByteArray data = buffer.data();
    addGenericFamily(data, options);
    return figure.settings.empty() ? data
                                   : QByteArray::fromStdString(io::svg_with_settings(
                                         {data.constData(), static_cast<std::size_t>(data.size())}, figure.settings));
}

QByteArray pdfData(const Figure& figure, const FigureOptions& options) {
    pixelsOf(options);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(pdf_dpi);
    writer.setPageSize(QPageSize(options.size_points, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(options.title);
    writer.setCreator(QStringLiteral("AttnLab"));
    if (!figure.settings.empty())
        writer.setDocumentXmpMetadata(metadataWith(figure.settings, options.title));
    QPainter painter(&writer);
    painter.scale(pdf_dpi / points_per_inch, pdf_dpi / points_per_inch);
    paintFigure(painter, figure, options);
    painter.end();
    return buffer.data();
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
    const int dots_per_meter = static_cast<int>(std::lround(dpi / 0.0254));
    image.setDotsPerMeterX(dots_per_meter);
    image.setDotsPerMeterY(dots_per_meter);
    return image;
}

std::int64_t cellsOf(const Figure& figure) {
    std::int64_t cells = 0;
    for (const auto& panel : figure.panels)
        cells += panel.matrix.view().rows * panel.matrix.view().columns;
    return cells;
}

QImage paintedPreview(const Figure& figure, const FigureOptions& options, const QSize& largest, int dpi) {
    pixelsOf(options);
    QImage image = previewImage(previewSize(options, largest), dpi);
    QPainter painter(&image);
    painter.scale(image.width() / options.size_points.width(), image.height() / options.size_points.height());
    paintFigure(painter, figure, options);
    return image;
}

} // namespace

QImage pngPreview(const Figure& figure, const FigureOptions& options, const QSize& largest) {
    const QSize whole = pixelsOf(options);
    const QSize shown = previewSize(options, largest);
    constexpr double most_pixels = 4e6; // more take noticeable time at each change of an option
    if (whole.width() >= shown.width() && double(whole.width()) * whole.height() <= most_pixels)
        return figureImage(figure, options).scaled(shown, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    return paintedPreview(figure, options, largest, options.dpi);
}

namespace {

constexpr std::int64_t most_cells_of_a_preview = 2'000'000; // as above

} // namespace

QImage svgPreview(const Figure& figure, const FigureOptions& options, const QSize& largest) {
    if (cellsOf(figure) > most_cells_of_a_preview)
        return paintedPreview(figure, options, largest, static_cast<int>(points_per_inch));
    QSvgRenderer file(svgData(figure, options));
    QImage image = previewImage(previewSize(options, largest), options.dpi);
    QPainter painter(&image);
    file.render(&painter);
    return image;
}

QImage pdfPreview(const Figure& figure, const FigureOptions& options, const QSize& largest) {
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

namespace {

constexpr double fewest_points = 36.0, most_points = 14400.0; ///< points
constexpr int coarsest = 10, finest = 2400, most_font_points = 72;
constexpr qsizetype longest_text = 1000;

constexpr std::array<std::pair<const char*, bool FigureOptions::*>, 4> switches{
    {{"dark", &FigureOptions::dark},
     {"transparent", &FigureOptions::transparent},
     {"numbers", &FigureOptions::numbers},
     {"color_bar", &FigureOptions::color_bar}}};

constexpr std::array<std::pair<const char*, std::optional<double> FigureOptions::*>, 2> ends{
    {{"low", &FigureOptions::low}, {"high", &FigureOptions::high}}};

bool isWithin(double value, double least, double most) { return value >= least && value <= most; }

} // namespace

QJsonObject figureToJson(const FigureOptions& options) {
    QJsonObject json{{"width", options.size_points.width()},
                     {"height", options.size_points.height()},
                     {"dpi", options.dpi},
                     {"title", options.title},
                     {"font", options.font_family},
                     {"font_size", options.font_points}};
    for (const auto& [name, member] : switches)
        json[QLatin1String(name)] = options.*member;
    for (const auto& [name, member] : ends)
        if (options.*member)
            json[QLatin1String(name)] = *(options.*member);
    return json;
}

void figureFromJson(const QJsonObject& json, FigureOptions& options, bool same_matrix) {
    const QSizeF size(json["width"].toDouble(), json["height"].toDouble());
    if (isWithin(size.width(), fewest_points, most_points) && isWithin(size.height(), fewest_points, most_points))
        options.size_points = size;
    if (const int dpi = json["dpi"].toInt(); isWithin(dpi, coarsest, finest))
        options.dpi = dpi;
    options.font_family = json["font"].toString(options.font_family).left(longest_text);
    if (const int points = json["font_size"].toInt(-1); isWithin(points, 0, most_font_points))
        options.font_points = points;
    for (const auto& [name, member] : switches)
        options.*member = json[QLatin1String(name)].toBool(options.*member);
    if (!same_matrix)
        return;
    options.title = json["title"].toString(options.title).left(longest_text);
    for (const auto& [name, member] : ends)
        if (const auto end = json[QLatin1String(name)]; end.isDouble())
            options.*member = end.toDouble();
}

} // namespace attnlab::ui
