#include "ui/export/page_picture.h"

#include "core/lab/board.h"
#include "core/lessons/live_lesson.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "ui/drawing/colormap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <QColor>
#include <QStringList>
#include <QTranslator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

using lessons::LiveLesson;
using nlohmann::json;

constexpr std::int64_t most_picture_rows = 64;
constexpr std::int64_t most_numbered_rows = 16; ///< rows without names have numbers up to this count, as on the page
constexpr double cells_width = 288.0;           ///< with names, a card fits a screen of 360 pixels
constexpr double largest_side = 36.0, room_for_number = 26.0;
constexpr double letter = 6.6, letter_of_china = 12.0; ///< pixels of a letter in letters of 12 pixels
constexpr double most_name_width = 76.0, row_height = 13.0;

/// Words of a page in its own language, whichever the window has.
class PageWords {
public:
    explicit PageWords(const QString& language) : is_chinese_(language == QLatin1String("zh_CN")) {
        if (is_chinese_)
            is_chinese_ = translator_.load(QStringLiteral(":/i18n/attnlab_zh_CN"));
    }
    bool isChinese() const { return is_chinese_; }
    QString of(const char* context, const char* text) const {
        const auto found = is_chinese_ ? translator_.translate(context, text) : QString();
        return found.isEmpty() ? QString::fromUtf8(text) : found;
    }
    QString stage(std::string name) const {
        std::ranges::replace(name, '_', ' ');
        return of("StageWords", name.c_str());
    }

private:
    bool is_chinese_;
    QTranslator translator_;
};

std::string escaped(const QString& text) { return text.toHtmlEscaped().toStdString(); }

/// "12.5": a length in pixels.
std::string pixels(double length) {
    return QString::number(length, 'f', length == std::round(length) ? 0 : 1).toStdString();
}

/// "0.12", "−3.2", "∞": for a cell.
QString cellText(double value, bool is_share = false) {
    if (!std::isfinite(value))
        return std::isnan(value) ? QStringLiteral("?") : value > 0.0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    if (is_share)
        return value < 0.005 ? QStringLiteral("0") : QString::number(value, 'f', 2);
    return QString::number(value, 'g', 2).replace(QLatin1Char('-'), QChar(0x2212));
}

double widthOf(const QString& text) {
    double width = 0.0;
    for (const QChar one : text)
        width += one.unicode() >= 0x2e80 ? letter_of_china : letter;
    return width;
}

/// One matrix with what stands around it.
struct Panel {
    QString title;
    std::string stage;
    std::int64_t rows = 0, columns = 0;
    std::vector<double> values;    ///< row by row; NaN: a question asks for it
    std::vector<double> blocked;   ///< 1 where a mask blocks the cell; empty: nowhere
    QString row_axis, column_axis; ///< "query", "key"; empty: the rows are no tokens
    QStringList row_names, column_names;
    double low = 0.0, high = 0.0; ///< the ends of the colours
};

/// The matrix of a card: of its batch and head, or the mean of all heads. `shape`: ([batch, [head,]] rows, columns).
std::vector<double> numbersOfCard(std::span<const double> all, const Shape& shape, const lab::Card& card) {
    const auto size = static_cast<std::size_t>(shape[shape.size() - 2] * shape.back());
    const auto heads = shape.size() == 4 ? static_cast<std::size_t>(shape[1]) : 1;
    const auto batch = shape.size() > 2 ? static_cast<std::size_t>(std::min(card.batch, shape[0] - 1)) : 0;
    const auto chosen = std::min(static_cast<std::size_t>(card.head.value_or(0)), heads - 1);
    const auto first = card.head ? chosen : 0, count = card.head ? 1 : heads;
    std::vector<double> matrix(size, 0.0);
    for (std::size_t head = first; head < first + count; ++head)
        for (std::size_t cell = 0; cell < size; ++cell)
            matrix[cell] += all[(batch * heads + head) * size + cell] / static_cast<double>(count);
    return matrix;
}

/// What sets a card apart from the others: its stage, its scale or its masks in a lab, its setting, and its head.
QString titleOfCard(const LiveLesson& live, const lab::Card& card, const PageWords& words) {
    const auto& view = live.view();
    const auto& settings = live.scene().settings;
    const auto* setting = lookup(settings, card.setting);
    QStringList parts;
    if (view.board == lab::BoardKind::ScaleLab) {
        parts << words.of("core", scale_mode(effective_scale(setting->spec).id).title);
    } else if (view.board == lab::BoardKind::MaskLab) {
        QStringList masks;
        for (const auto& mask : setting->spec.masks)
            masks << words.of("core", mask_kind(mask.id).title);
        parts << (masks.empty() ? words.isChinese() ? QStringLiteral("无") : QStringLiteral("none")
                                : masks.join(QLatin1String(" + ")));
    } else if (settings.size() > 1) {
        parts << QString::fromStdString(card.setting).replace(QLatin1Char('_'), QLatin1Char(' '));
    }
    parts << words.stage(card.stage);
    const auto has_own_head = [&](const lab::Card& other) { return other.head != card.head; };
    if (std::ranges::any_of(lab::cards_of(view, live.scene()), has_own_head)) {
        const auto head = words.isChinese() ? QStringLiteral("头 %1") : QStringLiteral("head %1");
        parts << (card.head           ? head.arg(*card.head)
                  : words.isChinese() ? QStringLiteral("各头的平均")
                                      : QStringLiteral("mean of heads"));
    }
    return parts.join(QStringLiteral(" · "));
}

QStringList namesOf(const LiveLesson& live, const lab::Card& card, const json& axis, std::int64_t count) {
    const auto& setting = *lookup(live.scene().settings, card.setting);
    const auto& queries = lab::query_tokens_of(live.scene(), setting);
    const auto& keys = lab::key_tokens_of(live.scene(), setting);
    const auto& tokens = axis == "key" && !keys.empty() ? keys : queries;
    const bool has_tokens = (axis == "query" || axis == "key") && !tokens.empty();
    QStringList names;
    if (has_tokens || (axis.is_string() && count <= most_numbered_rows))
        for (std::size_t index = 0; index < static_cast<std::size_t>(count); ++index)
            names << (has_tokens && index < tokens.size() ? QString::fromStdString(tokens[index])
                                                          : QString::number(index));
    return names;
}

/// The colours of each panel, shared by those of one stage where the board wants it: from 0 if nothing is negative,
/// else symmetric about 0.
void chooseColors(std::vector<Panel>& panels, bool shared) {
    for (auto& panel : panels) {
        double low = 0.0, high = 0.0;
        for (const auto& other : panels)
            if (&other == &panel || (shared && other.stage == panel.stage))
                for (const double value : other.values)
                    if (std::isfinite(value)) {
                        low = std::min(low, value);
                        high = std::max(high, value);
                    }
        panel.high = low < 0.0 ? std::max(-low, high) : high;
        panel.low = low < 0.0 ? -panel.high : 0.0;
    }
}

std::vector<Panel> panelsOf(LiveLesson& live, const PageWords& words) {
    const auto result = json::parse(live.compute());
    std::vector<Panel> panels;
    for (const auto& card : lab::cards_of(live.view(), live.scene()))
        for (std::size_t k = 0; k < result["settings"].size(); ++k) {
            const auto& setting = result["settings"][k];
            if (setting["id"] != card.setting)
                continue;
            const auto& stages = setting["stages"];
            for (std::size_t index = 0; index < stages.size(); ++index) {
                const auto& stage = stages[index];
                const auto shape = stage["shape"].get<Shape>();
                if (stage["name"] != card.stage || shape.size() < 2 || shape.size() > 4)
                    continue;
                Panel panel;
                panel.rows = shape[shape.size() - 2];
                panel.columns = shape.back();
                if (element_count(shape) == 0 || std::max(panel.rows, panel.columns) > most_picture_rows)
                    continue;
                panel.title = titleOfCard(live, card, words);
                panel.stage = card.stage;
                panel.values = numbersOfCard(live.stage(k, index), shape, card);
                const auto& axes = stage["axes"];
                const auto axis = [&](std::size_t from_end) {
                    return axes.size() >= from_end ? axes[axes.size() - from_end] : json();
                };
                panel.row_names = namesOf(live, card, axis(2), panel.rows);
                panel.column_names = namesOf(live, card, axis(1), panel.columns);
                if (axis(2).is_string())
                    panel.row_axis = words.stage(axis(2).get<std::string>());
                if (axis(1).is_string())
                    panel.column_axis = words.stage(axis(1).get<std::string>());
                const auto mask = std::ranges::find(stages, "blocked", [](const json& one) { return one["name"]; });
                if (card.stage == "weights" && mask != stages.end() && (*mask)["shape"] == stage["shape"])
                    panel.blocked =
                        numbersOfCard(live.stage(k, static_cast<std::size_t>(mask - stages.begin())), shape, card);
                panels.push_back(std::move(panel));
            }
        }
    chooseColors(panels, live.view().shared_colors);
    return panels;
}

// Drawing.

struct Place {
    double x = 0.0, y = 0.0;
};

/// `attributes`: further ones, with a space before them.
std::string textAt(Place at, const QString& text, const std::string& attributes) {
    return "<text x=\"" + pixels(at.x) + "\" y=\"" + pixels(at.y) + "\"" + attributes + ">" + escaped(text) + "</text>";
}

/// At most `width` pixels of a name.
QString shortened(const QString& name, double width) {
    if (widthOf(name) <= width)
        return name;
    auto part = name;
    while (!part.isEmpty() && widthOf(part) + letter > width)
        part.chop(1);
    return part + QStringLiteral("…");
}

double longest(const QStringList& names) {
    double most = 0.0;
    for (const auto& name : names)
        most = std::max(most, widthOf(name));
    return std::min(most, most_name_width);
}

/// Cells of one colour as one path, and their numbers. `map`: the colours of one theme.
std::string drawnCells(const Panel& panel, const Colormap& map, Place corner, double side) {
    std::map<std::string, std::string> paths; // by class or colour
    std::string numbers;
    const bool is_share = panel.stage == "weights" && panel.low == 0.0 && panel.high <= 1.0;
    for (std::size_t cell = 0; cell < panel.values.size(); ++cell) {
        const auto row = static_cast<std::int64_t>(cell) / panel.columns,
                   column = static_cast<std::int64_t>(cell) % panel.columns;
        const double value = panel.values[cell];
        const bool is_blocked = cell < panel.blocked.size() && panel.blocked[cell] == 1.0 && value == 0.0;
        const bool has_color = std::isfinite(value) && !is_blocked;
        const auto level = panel.high > panel.low ? (value - panel.low) / (panel.high - panel.low) * 255.0 : 0.0;
        const QColor color = has_color ? map.colors[static_cast<std::size_t>(std::lround(level))] : QRgb{};
        paths[has_color ? "fill=\"" + color.name().toStdString() + "\"" : std::string("class=\"shut\"")] +=
            "M" + std::to_string(column) + " " + std::to_string(row) + "h1v1h-1z";
        if (side < room_for_number || is_blocked)
            continue;
        const std::string ink = !has_color                 ? ""
                                : qGray(color.rgb()) > 140 ? " class=\"on_bright\""
                                                           : " class=\"on_deep\"";
        numbers += textAt({corner.x + side * (static_cast<double>(column) + 0.5),
                           corner.y + side * (static_cast<double>(row) + 0.5) + 4.0},
                          cellText(value, is_share), ink);
    }
    std::string svg = "<g transform=\"translate(" + pixels(corner.x) + " " + pixels(corner.y) + ") scale(" +
                      to_text(side) + ")\" shape-rendering=\"crispEdges\">";
    for (const auto& [color, path] : paths)
        svg += "<path " + color + " d=\"" + path + "\"/>";
    return svg + "</g><g class=\"middle\">" + numbers + "</g>";
}

/// The colours from the lowest to the highest number.
std::string drawnBar(const Panel& panel, const Colormap& map, Place at) {
    constexpr int steps = 32;
    constexpr double width = 96.0;
    if (!(panel.high > panel.low)) // one number, or none
        return {};
    const double begin = at.x + widthOf(cellText(panel.low)) + 6.0;
    std::string svg = textAt({at.x, at.y + 9.0}, cellText(panel.low), " class=\"muted\"") +
                      textAt({begin + width + 6.0, at.y + 9.0}, cellText(panel.high), " class=\"muted\"");
    for (int step = 0; step < steps; ++step)
        svg += "<rect x=\"" + pixels(begin + step * width / steps) + "\" y=\"" + pixels(at.y) + "\" width=\"" +
               pixels(width / steps) + "\" height=\"9\" shape-rendering=\"crispEdges\" fill=\"" +
               QColor(map.colors[static_cast<std::size_t>(step * 255 / (steps - 1))]).name().toStdString() + "\"/>";
    return svg;
}

std::string drawn(const Panel& panel) {
    const auto count = [](std::int64_t size) { return static_cast<double>(size); };
    const double left = (panel.row_names.empty() ? 0.0 : longest(panel.row_names) + 6.0) +
                        (panel.row_axis.isEmpty() ? 0.0 : row_height + 3.0);
    const double side =
        std::max(2.0, std::floor(10.0 * std::min({largest_side, (cells_width - left) / count(panel.columns),
                                                  640.0 / count(panel.rows)})) /
                          10.0);
    const double widest = longest(panel.column_names);
    const bool upright = widest + 2.0 > side; // names that are wider than their column are turned
    const double axis = panel.column_axis.isEmpty() ? 0.0 : row_height + 3.0;
    const double top = axis + (panel.column_names.empty() ? 0.0 : upright ? widest + 6.0 : row_height + 3.0);
    const double width = side * count(panel.columns), height = side * count(panel.rows);
    std::string frame;
    if (!panel.column_axis.isEmpty())
        frame += textAt({left + width / 2.0, 10.0}, panel.column_axis, " class=\"middle\"");
    if (!panel.row_axis.isEmpty())
        frame += textAt({0.0, 0.0}, panel.row_axis,
                        " class=\"middle\" transform=\"translate(10 " + pixels(top + height / 2.0) + ") rotate(-90)\"");
    const auto every = static_cast<qsizetype>(std::ceil(row_height / side));
    for (qsizetype row = 0; row < panel.row_names.size(); row += every)
        frame += textAt({left - 5.0, top + side * (static_cast<double>(row) + 0.5) + 4.0},
                        shortened(panel.row_names[row], most_name_width), " class=\"end\"");
    for (qsizetype column = 0; column < panel.column_names.size(); column += upright ? every : 1) {
        const double middle = left + side * (static_cast<double>(column) + 0.5);
        const auto name = shortened(panel.column_names[column], most_name_width);
        frame +=
            upright
                ? textAt({0.0, 0.0}, name,
                         " transform=\"translate(" + pixels(middle + 4.0) + " " + pixels(top - 4.0) + ") rotate(-90)\"")
                : textAt({middle, top - 5.0}, name, " class=\"middle\"");
    }
    const auto themed = [&](const QString& light, const QString& dark) {
        const Place corner{left, top}, below{left, top + height + 8.0};
        const auto one = [&](const Colormap& map) {
            return drawnCells(panel, map, corner, side) + drawnBar(panel, map, below);
        };
        return light == dark ? one(colormap(light))
                             : "<g class=\"on_light\">" + one(colormap(light)) + "</g><g class=\"on_dark\">" +
                                   one(colormap(dark)) + "</g>";
    };
    const auto sequential = QStringLiteral("viridis");
    const auto cells = panel.low < 0.0 ? themed(QStringLiteral("blue_red"), QStringLiteral("blue_red_dark"))
                                       : themed(sequential, sequential);
    const double all_width = std::max(left + width, left + 190.0) + 1.0, all_height = top + height + 20.0;
    return "<figure class=\"card\"><figcaption>" + escaped(panel.title) +
           "</figcaption><svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"" + escaped(panel.title) +
           "\" width=\"" + pixels(all_width) + "\" height=\"" + pixels(all_height) + "\" viewBox=\"0 0 " +
           pixels(all_width) + " " + pixels(all_height) + "\"><g class=\"muted\">" + frame + "</g>" + cells +
           "</svg></figure>";
}

/// "16.8 G": an amount with three digits.
QString amount(double value) {
    constexpr std::string_view powers = " kMGTPE";
    std::size_t power = 0;
    for (; std::isfinite(value) && std::abs(value) >= 999.5 && power + 1 < powers.size(); ++power)
        value /= 1000.0;
    auto text = QString::number(value, 'g', 3);
    return power == 0 ? text : text + QStringLiteral(" ") + QLatin1Char(powers[power]);
}

/// The costs of a cache as bars: a figure for each cost, a row for each setting.
std::string drawnCosts(const json& board, const PageWords& words) {
    constexpr double bar = 150.0;
    std::string all;
    for (const auto& cost : board["costs"]) {
        const auto number = [](const json& one) {
            return one.is_number() ? one.get<double>() : std::numeric_limits<double>::quiet_NaN();
        };
        const double high = number(cost["high"]);
        const auto title = words.of("core", cost["title"].is_array() ? cost["title"][0].get<std::string>().c_str()
                                                                     : cost["title"].get<std::string>().c_str());
        const auto unit = cost["unit"] == "bytes" ? QStringLiteral("B") : QString();
        std::string rows;
        double y = 0.0;
        for (std::size_t k = 0; k < cost["values"].size(); ++k, y += 40.0) {
            const double value = number(cost["values"][k]);
            const auto name = QString::fromStdString(board["settings"][k]["id"].get<std::string>())
                                  .replace(QLatin1Char('_'), QLatin1Char(' '));
            rows += textAt({0.0, y + 12.0}, name, "") + "<rect class=\"amount\" x=\"0\" y=\"" + pixels(y + 18.0) +
                    "\" height=\"12\" width=\"" +
                    pixels(high > 0.0 && std::isfinite(value) ? std::max(1.0, value / high * bar) : 0.0) + "\"/>" +
                    textAt({bar + 10.0, y + 28.0}, std::isnan(value) ? QStringLiteral("?") : amount(value) + unit, "");
        }
        all += "<figure class=\"card\"><figcaption>" + escaped(title) +
               "</figcaption><svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"" + escaped(title) +
               "\" width=\"260\" height=\"" + pixels(y) + "\" viewBox=\"0 0 260 " + pixels(y) + "\">" + rows +
               "</svg></figure>";
    }
    return all;
}

} // namespace

std::string pagePicture(const lessons::Lesson& lesson, const QString& language) {
    const PageWords words(language);
    LiveLesson live(lesson);
    live.show(0, lesson.steps.front().question ? LiveLesson::Phase::Asking : LiveLesson::Phase::Open);
    std::string figures;
    for (const auto& panel : panelsOf(live, words))
        figures += drawn(panel);
    if (live.scene().cache)
        figures += drawnCosts(json::parse(live.board()), words);
    if (figures.empty())
        return "<p>This page needs JavaScript. 本页需要 JavaScript。</p>";
    const auto& summary = lesson.title_in(words.isChinese() ? "zh_CN" : "en").summary;
    return (summary.empty() ? std::string() : "<p>" + escaped(QString::fromStdString(summary)) + "</p>") +
           (language.isEmpty() || !words.isChinese()
                ? "<p class=\"muted\">With JavaScript, this page computes. It begins with:</p>"
                : "") +
           (language.isEmpty() || words.isChinese()
                ? "<p class=\"muted\" lang=\"zh-CN\">启用 JavaScript 后，本页可以实时计算。初始图形：</p>"
                : "") +
           "<div class=\"picture\">" + figures + "</div>";
}

} // namespace attnlab::ui
