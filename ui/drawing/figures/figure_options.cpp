#include "ui/drawing/figures/figure_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <QJsonArray>
#include <QRegularExpression>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int largest_dpi = 4800;
constexpr double figure_largest_picture = 400e6; ///< pixels: 1.6 GB
constexpr int coarsest = 10, finest = 2400;
constexpr int least_font_points = 4, most_font_points = 72, least_printed_points = 6, print_dpi = 300;
constexpr int most_columns = 64, least_digits = 2, most_digits = 4;

std::string roundedText(double value) { return to_text(std::round(value * 100.0) / 100.0); }

} // namespace

QSize figurePixels(const FigureOptions& options) {
    const QSizeF size = options.size_points;
    const auto usable = [](double side) { return side >= smallest_figure_side && side <= largest_figure_side; };
    if (!usable(size.width()) || !usable(size.height()))
        throw Error({ATTNLAB_TEXT("Figure: the size is %1 x %2 points; each side has to be from %3 to %4"),
                     {roundedText(size.width()), roundedText(size.height()), roundedText(smallest_figure_side),
                      roundedText(largest_figure_side)}});
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

void checkFigure(const FigureOptions& options) {
    figurePixels(options);
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

// Lengths with units.

namespace {

constexpr std::array length_units{LengthUnit{"pt", 1.0}, LengthUnit{"in", points_per_inch},
                                  LengthUnit{"cm", points_per_inch / 2.54}, LengthUnit{"mm", points_per_inch / 25.4}};

double pointsOf(const QString& unit) {
    for (const auto& known : length_units)
        if (unit == QLatin1String(known.id))
            return known.points;
    return 1.0;
}

[[noreturn]] void refuse(const QString& text, Argument expected) {
    throw Error({ATTNLAB_TEXT("has '%1', expected %2"), {text.toStdString(), std::move(expected)}});
}

} // namespace

std::span<const LengthUnit> lengthUnits() { return length_units; }

FigureSize parseFigureSize(const QString& text) {
    static const QRegularExpression form(
        QStringLiteral("^\\s*([0-9.]+)\\s*(pt|in|cm|mm)?\\s*(?:[x×]\\s*(?:([0-9.]+)\\s*(pt|in|cm|mm)?)?)?\\s*$"));
    const auto match = form.match(text);
    const auto expected = [] {
        return Message(ATTNLAB_TEXT("a width or WIDTHxHEIGHT in pt, in, cm or mm, such as 5.5in, 14cmx10cm or 396x170; "
                                    "each side from 36 to 14400 points"));
    };
    bool wide = false, high = true;
    const QString unit = match.captured(2).isEmpty() ? match.captured(4) : match.captured(2);
    FigureSize size{match.captured(1).toDouble(&wide) * pointsOf(unit)};
    if (!match.captured(3).isEmpty())
        size.height = match.captured(3).toDouble(&high) *
                      pointsOf(match.captured(4).isEmpty() ? match.captured(2) : match.captured(4));
    const auto usable = [](double side) { return side >= smallest_figure_side && side <= largest_figure_side; };
    if (!match.hasMatch() || !wide || !high || !usable(size.width) ||
        !usable(size.height.value_or(smallest_figure_side)))
        refuse(text, expected());
    return size;
}

QString figureSizeText(const FigureOptions& options) {
    const auto text = [](double points) { return QString::number(points, 'g', 10); };
    const QString width = text(options.size_points.width());
    return options.automatic_height ? width : width + QLatin1Char('x') + text(options.size_points.height());
}

// Styles.

namespace {

constexpr double inch = points_per_inch, centimetre = points_per_inch / 2.54;

const std::array figure_styles{
    FigureStyle{"screen", ATTNLAB_TEXT("Screen"), 480.0, 400.0, 10, 150, false},
    FigureStyle{"slide", ATTNLAB_TEXT("Slide, 16:9"), 960.0, 540.0, 18, 144, false},
    FigureStyle{"nature", ATTNLAB_TEXT("Nature, one column (89 mm)"), 8.9 * centimetre, std::nullopt, 7, 300, true},
    FigureStyle{"nature-double", ATTNLAB_TEXT("Nature, two columns (183 mm)"), 18.3 * centimetre, std::nullopt, 7, 300,
                true},
    FigureStyle{"neurips", ATTNLAB_TEXT("NeurIPS (5.5 in)"), 5.5 * inch, std::nullopt, 9, 300, true},
    FigureStyle{"icml", ATTNLAB_TEXT("ICML, one column (3.25 in)"), 3.25 * inch, std::nullopt, 8, 300, true},
    FigureStyle{"acl", ATTNLAB_TEXT("ACL, one column (7.7 cm)"), 7.7 * centimetre, std::nullopt, 9, 300, true},
};

bool hasStyle(const QString& id) {
    return std::ranges::any_of(figure_styles, [&](const FigureStyle& style) { return id == QLatin1String(style.id); });
}

} // namespace

std::span<const FigureStyle> figureStyles() { return figure_styles; }

const FigureStyle& figureStyle(const QString& id) {
    std::string known;
    for (const auto& style : figure_styles) {
        if (id == QLatin1String(style.id))
            return style;
        known += (known.empty() ? "" : ", ") + std::string(style.id);
    }
    refuse(id, Message(ATTNLAB_TEXT("one of %1"), {known}));
}

void applyStyle(FigureOptions& options, const FigureStyle& style) {
    options.style = QLatin1String(style.id);
    options.size_points = QSizeF(style.width, style.height.value_or(options.size_points.height()));
    options.automatic_height = !style.height;
    options.largest_points = style.largest_points;
    options.font_points = 0;
    options.dpi = style.dpi;
    if (style.in_print)
        options.dark = false;
}

std::vector<Message> styleIssues(const FigureOptions& options, bool has_pixels) {
    std::vector<Message> issues;
    if (!hasStyle(options.style))
        return issues;
    const auto& style = figureStyle(options.style);
    const std::string name = style.id;
    if (!style.in_print)
        return issues;
    if (options.font_points > 0 && options.font_points < least_printed_points)
        issues.push_back({ATTNLAB_TEXT("%1: text of %2 points; printed text has at least %3"),
                          {name, std::to_string(options.font_points), std::to_string(least_printed_points)}});
    if (has_pixels && options.dpi < print_dpi)
        issues.push_back({ATTNLAB_TEXT("%1: %2 dots per inch; print needs at least %3, or PDF"),
                          {name, std::to_string(options.dpi), std::to_string(print_dpi)}});
    if (std::abs(options.size_points.width() - style.width) > 0.5)
        issues.push_back({ATTNLAB_TEXT("%1: the figure is %2 points wide; the page has %3"),
                          {name, roundedText(options.size_points.width()), roundedText(style.width)}});
    if (options.dark && !options.transparent)
        issues.push_back({ATTNLAB_TEXT("%1: the background is dark, and paper is white"), {name}});
    return issues;
}

// Options by name.

namespace {

int wholeNumber(const QString& text, int least, int most) {
    bool ok = false;
    const int value = text.toInt(&ok);
    if (!ok || value < least || value > most)
        refuse(text, Message(ATTNLAB_TEXT("an integer from %1 to %2"), {std::to_string(least), std::to_string(most)}));
    return value;
}

std::optional<double> endOf(const QString& text) {
    if (text == QLatin1String("auto"))
        return std::nullopt;
    bool ok = false;
    const double value = text.toDouble(&ok);
    if (!ok || !std::isfinite(value))
        refuse(text, Message(ATTNLAB_TEXT("auto or a finite number")));
    return value;
}

void setSize(FigureOptions& options, const QString& text) {
    const auto size = parseFigureSize(text);
    options.automatic_height = !size.height;
    options.size_points = QSizeF(size.width, size.height.value_or(options.size_points.height()));
}

void setColormap(FigureOptions& options, const QString& text) {
    std::string known;
    for (const auto& map : colormaps()) {
        if (map.id == text) {
            options.colormap = text;
            return;
        }
        known += (known.empty() ? "" : ", ") + map.id.toStdString();
    }
    refuse(text, Message(ATTNLAB_TEXT("one of %1"), {known}));
}

QStringList namesIn(const QString& text) {
    QStringList names = text.split(QLatin1Char(','));
    for (auto& name : names)
        name = name.trimmed();
    return names;
}

const std::array figure_fields{
    FigureField{"style", "STYLE",
                "Size, size of text and resolution for a place: screen, slide, nature (89 mm), nature-double (183 mm), "
                "neurips (5.5 in), icml (3.25 in), acl (7.7 cm). Other options replace them; a note says what breaks "
                "the rules of print.",
                false, [](FigureOptions& o, const QString& text) { applyStyle(o, figureStyle(text)); }},
    FigureField{
        "size", "W[xH]",
        "Width and height with a unit, pt (default), in, cm or mm: 5.5in, 14cmx10cm, 396x170. Without a height, "
        "the figure is as high as it needs; default: 480x400.",
        false, setSize},
    FigureField{"dpi", "N", "Pixels an inch of a PNG; default: 150.", false,
                [](FigureOptions& o, const QString& text) { o.dpi = wholeNumber(text, coarsest, finest); }},
    FigureField{"title", "TEXT", "A heading; without it there is none.", false,
                [](FigureOptions& o, const QString& text) { o.title = text; }},
    FigureField{"xlabel", "TEXT", "Name of the horizontal axis; an empty text leaves it out.", true,
                [](FigureOptions& o, const QString& text) { o.column_title = text; }},
    FigureField{"ylabel", "TEXT", "Name of the vertical axis; an empty text leaves it out.", true,
                [](FigureOptions& o, const QString& text) { o.row_title = text; }},
    FigureField{"bar-label", "TEXT", "Name of the colour bar; an empty text leaves it out.", true,
                [](FigureOptions& o, const QString& text) { o.bar_title = text; }},
    FigureField{"head-names", "A,B,...", "Names above several heatmaps, in their order, instead of \"Head 0\".", true,
                [](FigureOptions& o, const QString& text) { o.panel_names = namesIn(text); }},
    FigureField{"columns", "N", "Heatmaps beside each other; default: as many as give the largest cells.", true,
                [](FigureOptions& o, const QString& text) { o.columns = wholeNumber(text, 1, most_columns); }},
    FigureField{"letters", "", "a, b, c at the heatmaps.", true,
                [](FigureOptions& o, const QString&) { o.letters = true; }},
    FigureField{"digits", "N", "Of the numbers in cells, at most; 2 to 4. Default: 2.", true,
                [](FigureOptions& o, const QString& text) { o.digits = wholeNumber(text, least_digits, most_digits); }},
    FigureField{"font", "FAMILY", "The font family, as fc-list shows it; default: sans-serif.", false,
                [](FigureOptions& o, const QString& text) { o.font_family = text; }},
    FigureField{"font-size", "PT",
                "Size of labels and numbers in whole points, 4 to 72; default: 10, or down to 6 where more labels have "
                "room then. Token labels without room are left out evenly, and the axis says at which step.",
                false,
                [](FigureOptions& o, const QString& text) {
                    o.font_points = wholeNumber(text, least_font_points, most_font_points);
                }},
    FigureField{"dark", "", "Light on dark.", false, [](FigureOptions& o, const QString&) { o.dark = true; }},
    FigureField{"transparent", "", "No background.", false,
                [](FigureOptions& o, const QString&) { o.transparent = true; }},
    FigureField{"colormap", "C",
                "viridis, magma, inferno, cividis, greys, blues; blue_red, purple_orange or blue_red_dark with a "
                "middle; default: "
                "as the window picks.",
                true, setColormap},
    FigureField{"log", "", "Logarithmic colours.", true,
                [](FigureOptions& o, const QString&) { o.logarithmic = true; }},
    FigureField{"linear", "", "Linear colours, whatever a workspace says.", true,
                [](FigureOptions& o, const QString&) { o.logarithmic = false; }},
    FigureField{"vmin", "X", "Where the colours begin, or auto; default: where the data does.", true,
                [](FigureOptions& o, const QString& text) { o.low = endOf(text); }},
    FigureField{"vmax", "X",
                "Where the colours end, or auto; default: where the data does. Of maps with a middle one end alone "
                "mirrors the other.",
                true, [](FigureOptions& o, const QString& text) { o.high = endOf(text); }},
    FigureField{"no-inputs", "",
                "Leaves out the settings and arrays that a figure carries, so that AttnLab opens it again.", false,
                [](FigureOptions& o, const QString&) { o.keeps_inputs = false; }},
    FigureField{
        "profiles", "",
        "Beside weights, the entropy of each query; below them, the mean weight of each key over the queries that "
        "may read it. Of a map the largest (or the mean) of each row and column.",
        true, [](FigureOptions& o, const QString&) { o.profiles = true; }},
    FigureField{"no-labels", "", "No labels of rows and columns, and no names of the axes.", true,
                [](FigureOptions& o, const QString&) { o.labels = false; }},
    FigureField{"no-color-bar", "", "No colour bar.", true,
                [](FigureOptions& o, const QString&) { o.color_bar = false; }},
    FigureField{"no-numbers", "", "No numbers in the cells; they are there where they fit otherwise.", true,
                [](FigureOptions& o, const QString&) { o.numbers = false; }},
};

} // namespace

std::span<const FigureField> figureFields() { return figure_fields; }

// JSON.

namespace {

constexpr qsizetype longest_text = 1000, most_panel_names = 4096;

constexpr std::array<std::pair<const char*, bool FigureOptions::*>, 7> switches{
    {{"automatic_height", &FigureOptions::automatic_height},
     {"dark", &FigureOptions::dark},
     {"letters", &FigureOptions::letters},
     {"labels", &FigureOptions::labels},
     {"transparent", &FigureOptions::transparent},
     {"numbers", &FigureOptions::numbers},
     {"color_bar", &FigureOptions::color_bar}}};

constexpr std::array<std::pair<const char*, std::optional<double> FigureOptions::*>, 2> ends{
    {{"low", &FigureOptions::low}, {"high", &FigureOptions::high}}};

constexpr std::array<std::pair<const char*, std::optional<QString> FigureOptions::*>, 3> figure_names{
    {{"column_title", &FigureOptions::column_title},
     {"row_title", &FigureOptions::row_title},
     {"bar_title", &FigureOptions::bar_title}}};

struct WholeNumber {
    const char* name;
    int FigureOptions::*member;
    int least, most;
};
constexpr std::array whole_numbers{
    WholeNumber{"dpi", &FigureOptions::dpi, coarsest, finest},
    WholeNumber{"font_size", &FigureOptions::font_points, 0, most_font_points},
    WholeNumber{"largest_font_size", &FigureOptions::largest_points, least_font_points, most_font_points},
    WholeNumber{"columns", &FigureOptions::columns, 0, most_columns},
    WholeNumber{"digits", &FigureOptions::digits, 0, most_digits}};

bool isWithin(double value, double least, double most) { return value >= least && value <= most; }

} // namespace

QJsonObject figureToJson(const FigureOptions& options) {
    QJsonObject json{{"width", options.size_points.width()},
                     {"height", options.size_points.height()},
                     {"title", options.title},
                     {"font", options.font_family},
                     {"style", options.style},
                     {"profiles", options.profiles}};
    for (const auto& number : whole_numbers)
        json[QLatin1String(number.name)] = options.*number.member;
    for (const auto& [name, member] : switches)
        json[QLatin1String(name)] = options.*member;
    for (const auto& [name, member] : ends)
        if (options.*member)
            json[QLatin1String(name)] = *(options.*member);
    for (const auto& [name, member] : figure_names)
        if (options.*member)
            json[QLatin1String(name)] = *(options.*member);
    if (!options.panel_names.isEmpty())
        json["panel_names"] = QJsonArray::fromStringList(options.panel_names);
    return json;
}

void figureFromJson(const QJsonObject& json, FigureOptions& options, bool same_matrix) {
    const QSizeF size(json["width"].toDouble(), json["height"].toDouble());
    if (isWithin(size.width(), smallest_figure_side, largest_figure_side) &&
        isWithin(size.height(), smallest_figure_side, largest_figure_side))
        options.size_points = size;
    options.font_family = json["font"].toString(options.font_family).left(longest_text);
    for (const auto& number : whole_numbers)
        if (const int value = json[QLatin1String(number.name)].toInt(-1); isWithin(value, number.least, number.most))
            options.*number.member = value;
    if (const QString id = json["style"].toString(); hasStyle(id))
        options.style = id;
    for (const auto& [name, member] : switches)
        options.*member = json[QLatin1String(name)].toBool(options.*member);
    if (!same_matrix)
        return;
    options.title = json["title"].toString(options.title).left(longest_text);
    options.profiles = json["profiles"].toBool(options.profiles); // other stages have none
    for (const auto& [name, member] : ends)
        if (const auto end = json[QLatin1String(name)]; end.isDouble())
            options.*member = end.toDouble();
    for (const auto& [name, member] : figure_names)
        if (const auto text = json[QLatin1String(name)]; text.isString())
            options.*member = text.toString().left(longest_text);
    for (const auto& name : json["panel_names"].toArray())
        if (options.panel_names.size() < most_panel_names)
            options.panel_names << name.toString().left(longest_text);
}

} // namespace attnlab::ui
