// What the user views, with the ranges that colours keep: shared by all views, saved with the workspace, not part of
// the undo history.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <map>
#include <optional>
#include <QObject>
#include <QString>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::ui {

// Ranges of numbers, and those that the colours of stages keep while a setting changes.

/// Smallest and largest finite unblocked value over several matrices (heads on one scale).
struct ValueRange {
    double low = 0.0;
    double high = 0.0;
    double smallest_positive = 0.0; ///< 0 if there is none
    bool empty = true;
    void include(double value);
    void include(std::span<const double> values);
    void include(const ValueRange& other);
    bool operator==(const ValueRange&) const = default;
};

/// The range of one stage in one batch, and which kind of colours it has.
struct HeldRange {
    ValueRange range;
    bool is_signed = false;
    bool linear_hides = false; ///< most of the numbers: see linearHides()
    bool operator==(const HeldRange&) const = default;
};

/// The ranges of the stages of one setting, from results before the present one. While scale, masks or positions
/// change, colours keep these ranges, so that the picture shows what the change does to the numbers.
struct HeldRanges {
    struct Stage {
        std::vector<HeldRange> batches;
        std::optional<AttentionSpec> from; ///< the setting whose numbers these are; nullopt: unknown, from a file
        bool operator==(const Stage&) const = default;
    };
    std::map<std::string, Stage, std::less<>> stages;
    AttentionSpec now; ///< the present setting

    /// Null where nothing is held: before the first change, or where all cells were blocked.
    const HeldRange* find(std::string_view stage, int batch) const;
    bool operator==(const HeldRanges&) const = default;
};

/// Both settings of a problem.
struct HeldColors {
    HeldRanges a, b;
    bool opened = false; ///< from a file: for its first result, whatever was shown before
    bool operator==(const HeldColors&) const = default;
};

/// A cell of the displayed matrix: row i (query), column j (key or feature).
struct Cell {
    int row = 0;
    int column = 0;
    bool operator==(const Cell&) const = default;
};

/// The user's choice of colours.
struct ColorChoice {
    QString colormap; ///< id; empty: the stage's own (sequential for weights, diverging for signed numbers)
    bool logarithmic = false;
    bool locked = false; ///< use low and high instead of the data's range
    double low = 0.0;
    double high = 1.0;
    bool linear = false; ///< also where colours would be logarithmic by themselves; see linearHides()
    bool operator==(const ColorChoice&) const = default;
};

class ViewState : public QObject {
    Q_OBJECT
public:
    static constexpr int mean_of_heads = -1;

    using QObject::QObject;

    /// The page in the centre of the window: "matrix", "compare", ...
    QString page() const { return page_; }
    QString stage() const { return stage_; }
    int batch() const { return batch_; }
    /// A head, or mean_of_heads.
    int head() const { return head_; }
    std::optional<Cell> hovered() const { return hovered_; }
    std::optional<Cell> pinned() const { return pinned_; }
    const ColorChoice& colors() const { return colors_; }
    /// What colours cover while a setting changes, unless the user has chosen a range. Empty: they fit the numbers.
    const HeldColors& held() const { return held_; }
    /// For the result that is about to be shown.
    void setHeld(HeldColors held) { held_ = std::move(held); }
    /// The appearance of the figure that was opened, as a JSON object; empty: none was.
    const QString& figure() const { return figure_; }
    void setFigure(const QString& json) { figure_ = json; }

public slots:
    void setPage(const QString& id);
    void setStage(const QString& name);
    void setBatch(int batch);
    void setHead(int head);
    void setHovered(std::optional<attnlab::ui::Cell> cell);
    void setPinned(std::optional<attnlab::ui::Cell> cell);
    /// For a result with so many heads: the first one in the place of one that there is no more. That one comes back
    /// with a result that has it (an edit was undone), unless another was chosen.
    void keepHead(int heads);
    /// Clears cells outside a matrix of this size; the pinned one comes back as above.
    void keepWithin(std::int64_t rows, std::int64_t columns);
    void setColors(const attnlab::ui::ColorChoice& colors);
    /// Colours fit the present numbers again.
    void fitColors();

signals:
    void pageChanged(const QString& id);
    void stageChanged(const QString& name);
    void sliceChanged(); ///< batch or head
    void hoveredChanged(std::optional<attnlab::ui::Cell> cell);
    void pinnedChanged(std::optional<attnlab::ui::Cell> cell);
    void colorsChanged(const attnlab::ui::ColorChoice& colors); ///< also by fitColors()

private:
    QString page_ = QStringLiteral("matrix");
    QString stage_ = QStringLiteral("weights");
    int batch_ = 0;
    int head_ = 0;
    std::optional<Cell> hovered_;
    std::optional<Cell> pinned_;
    std::optional<Cell> lost_pin_; ///< by keepWithin()
    std::optional<int> lost_head_; ///< by keepHead()
    ColorChoice colors_;
    HeldColors held_;
    QString figure_;
};

// The part of the view that is saved with a workspace.

std::string viewToJson(const ViewState& view);
/// Ignores unknown or invalid values.
void viewFromJson(const std::string& json, ViewState& view);

} // namespace attnlab::ui
