// A way to see one head large.
#pragma once

#include "core/explain/reading.h"
#include "ui/document/computation.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/figures/figure.h"
#include "ui/model/model_result.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace attnlab::ui {

/// Longer texts are shown with several tokens a cell.
inline constexpr std::int64_t most_cells_a_side = 1024;

struct SelectedHead {
    ModelResultPtr result;
    HeadIndex place;
    /// The weights as a trace; null for a long text, which is pooled.
    ComputedPtr weights = nullptr;
    /// Of a long text: the largest weight of each step x step cells, as a stage "weights"; else null.
    ComputedPtr pooled = nullptr;

    const PassHeads& heads() const { return result->heads(place); }
    const Stage* stage() const { return weights ? weights->trace.find("weights") : nullptr; }
    /// Tokens a cell.
    std::int64_t step() const;
};
using SelectedHeadPtr = std::shared_ptr<const SelectedHead>;
/// For a worker where isLong() holds. Throws Error where a capture can no longer be read, and Cancelled.
SelectedHeadPtr headOnShow(const ModelResultPtr& result, HeadIndex place, const RunControl& control = {});
/// The same head in the second text; null without one, and where that text is long.
SelectedHeadPtr headOfOther(const SelectedHead& head);
/// Reads a file, or the weights of a long text.
bool isLong(const ModelResult& result, HeadIndex place);

class HeatmapView;

/// One of the views of the head on show; only the one in sight has it.
class HeadView : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// On the switch of views.
    virtual QString name() const = 0;
    /// Behind the title of the head, in figures and files.
    virtual QString figureName() const { return name(); }
    virtual bool canShow(const SelectedHead&) const { return true; }
    /// It has a tab, which is disabled while there is nothing to show.
    virtual bool isOffered(const SelectedHead& head) const { return canShow(head); }
    /// Null if there is none; `message` has the reason.
    virtual void setHead(const SelectedHeadPtr& head, const QString& message) = 0;
    /// The query whose row is described beside the view.
    virtual void setRow(std::optional<int>, const explain::Reading&) {}
    /// In the place of the head's, where it shows all heads; else empty. stages() are then of all heads, too.
    virtual QString ownTitle() const { return {}; }
    /// A one-line description of the view.
    virtual QString note() const = 0;
    /// What is shown, for the clipboard and files; nullopt: nothing.
    virtual std::optional<Figure> figure() const { return std::nullopt; }
    virtual std::optional<MatrixData> matrix() const { return std::nullopt; }
    /// Numbers for files, under names of stages, and which of them is on show; null: none.
    virtual ComputedPtr stages() const { return nullptr; }
    virtual std::string displayedStage() const { return "weights"; }

    /// For the line above the view; shown and hidden by the view. Null: none.
    virtual QWidget* headingTool() const { return nullptr; }

    /// Null: the view has no heatmap whose colours the user chooses.
    virtual HeatmapView* heatmap() const { return nullptr; }
    /// Of the heatmap, for this and all later heads.
    void setColors(const ColorChoice& colors);

signals:
    void noteChanged();
    void rowChosen(int query);

protected:
    /// By default from the smallest to the largest number, from 0 where none is negative, and logarithmic where linear
    /// colours would hide the weights of a long text.
    ColorScale scaleOf(const MatrixData& matrix) const;

private:
    ColorChoice colors_;
};

} // namespace attnlab::ui
