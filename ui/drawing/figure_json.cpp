#include "ui/drawing/figure_json.h"

#include <array>

namespace attnlab::ui {
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
