// Every option of a figure: the struct, its spelling on command lines, styles of publishers, and JSON.
#pragma once

#include "core/message.h"
#include "ui/drawing/colormap.h"

#include <optional>
#include <QJsonObject>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <span>
#include <vector>

namespace attnlab::ui {

inline constexpr double points_per_inch = 72.0;
inline constexpr double smallest_figure_side = 36.0;   ///< points: half an inch
inline constexpr double largest_figure_side = 14400.0; ///< points: the limit of PDF

/// Every option of a figure's appearance, the same in the window and on the command line.
struct FigureOptions {
    QSizeF size_points = QSizeF(480, 400); ///< 1/72 inch
    bool automatic_height = false;         ///< as high as the content is at this width
    int dpi = 150;                         ///< of a PNG; ignored by SVG and PDF
    bool dark = false;
    bool transparent = false;
    bool numbers = true; ///< in the cells, where they fit
    bool color_bar = true;
    bool keeps_inputs = true; ///< where it has an origin: its file carries the settings and small arrays
    QString title;            ///< empty if none
    QString font_family;      ///< empty: the sans-serif of the system
    int font_points = 0;      ///< of labels and numbers; 0: the largest from 6 to `largest_points` with all labels
    int largest_points = 10;  ///< of labels and numbers, where font_points is 0
    QString colormap;         ///< empty: depends on the stage; callers make the scale with it
    bool logarithmic = false; ///< colours; callers make the scale with it
    std::optional<double> low = std::nullopt;  ///< end of the colours; nullopt: the end of the scale
    std::optional<double> high = std::nullopt; ///< if a diverging map has only one of both ends, it is mirrored
    std::optional<QString> column_title = {};  ///< of the horizontal axis; nullopt: as in the window; empty: none
    std::optional<QString> row_title = {};     ///< of the vertical one
    std::optional<QString> bar_title = {};     ///< of the colour bar
    QStringList panel_names = {};              ///< above several heatmaps; those without one keep theirs
    int columns = 0;                           ///< of several heatmaps; 0: for the largest cells
    int digits = 0;                            ///< of the numbers in cells, at most; 0: cell_digits
    bool letters = false;                      ///< a, b, c at the heatmaps
    bool profiles = false;                     ///< beside heatmaps of weights: FigureMargins
    bool labels = true;                        ///< of rows and columns, with the names of the axes
    QString style = {};                        ///< a row of figureStyles() whose rules are checked; empty: none
};

/// The options for making a scale, except its ends.
ColorChoice colorsOf(const FigureOptions& options);
/// Copies the view's choice of colours to a figure.
void setColors(FigureOptions& options, const ColorChoice& colors);
/// The scale with the ends from the options. Throws Error for an invalid range.
ColorScale limited(ColorScale scale, const FigureOptions& options);

/// The size of the picture in pixels. Throws Error for an impossible size or resolution.
QSize figurePixels(const FigureOptions& options);
/// Throws Error for an impossible size, resolution or range.
void checkFigure(const FigureOptions& options);

// Lengths with units.

/// "5.5in", "14cmx10cm", "396x170" (points), "89mm": a width and, unless it is automatic, a height. Units are pt, in,
/// cm and mm; a height without a unit has that of the width. Throws Error that says what was expected.
struct FigureSize {
    double width = 0.0; ///< points
    std::optional<double> height = std::nullopt;
};
FigureSize parseFigureSize(const QString& text);
/// As parseFigureSize() reads it, in points.
QString figureSizeText(const FigureOptions& options);

struct LengthUnit {
    const char* id; ///< "mm"
    double points;
};
std::span<const LengthUnit> lengthUnits();

// Options by name, which the command line, Python and the dialog share.

/// An option of figures that is more than a yes or no.
struct FigureField {
    const char* id;    ///< "size", of --size
    const char* value; ///< "WxH", in help; empty: a yes or no
    const char* help;  ///< in the help of commands
    bool of_heatmaps;  ///< does not apply to other drawings
    /// Sets the option from its text. Throws Error that says what was expected: "has '12', expected ...".
    void (*set)(FigureOptions&, const QString& text);
};
std::span<const FigureField> figureFields();

/// The look that a publisher or a medium asks for.
struct FigureStyle {
    const char* id;    ///< "neurips"
    const char* title; ///< for the user; ATTNLAB_TEXT
    double width;      ///< points
    std::optional<double> height;
    int largest_points;
    int dpi;
    bool in_print; ///< asks for 300 dots per inch and light colours
};
std::span<const FigureStyle> figureStyles();
/// Throws Error that names the styles.
const FigureStyle& figureStyle(const QString& id);
void applyStyle(FigureOptions& options, const FigureStyle& style);
/// What a figure with these options breaks of the rules of its style: text smaller than 6 points, fewer than 300 dots
/// per inch, a width that pages do not have, a dark background. `has_pixels`: of its format.
std::vector<Message> styleIssues(const FigureOptions& options, bool has_pixels);

// The appearance of a figure as JSON, in the view that a figure carries.

/// Without the map of colours, which a view has itself.
QJsonObject figureToJson(const FigureOptions& options);
/// Leaves out what is invalid. Title and ends of the colours are for the `same_matrix` alone.
void figureFromJson(const QJsonObject& json, FigureOptions& options, bool same_matrix);

} // namespace attnlab::ui
