// Painting a mask: the tools, the cells of their strokes, and the edits of the document.
#pragma once

#include "core/stages/mask.h"
#include "ui/document/computation.h"
#include "ui/document/document.h"
#include "ui/document/view_state.h"

#include <functional>
#include <optional>
#include <QObject>
#include <QString>
#include <QStringList>
#include <span>
#include <vector>

namespace attnlab::ui {

Q_NAMESPACE

enum class MaskTool {
    Brush,     ///< the cells under the pointer
    Rectangle, ///< from the first cell to the last
    Row,       ///< all keys of the rows passed
    Column,    ///< all queries of the columns passed
    Diagonal,  ///< every cell whose column - row is between those of the first and the last cell
};
Q_ENUM_NS(MaskTool)

/// The cells on the line between two cells, inclusive (Bresenham).
std::vector<Cell> cellsBetween(Cell from, Cell to);

/// Writes `value` to the cells of a rows x columns matrix that `tool` covers from `from` to `to`. Cells outside the
/// matrix are ignored.
void applyTool(MaskTool tool, Cell from, Cell to, double value, std::span<double> matrix, int rows, int columns);

/// The cells blocked by each mask of a problem, and by all masks together.
class MaskLayers {
public:
    /// Larger problems (B*H*L*S cells) are not evaluated.
    static constexpr std::int64_t largest = 1'000'000;

    MaskLayers() = default;
    /// Does not throw: a mask whose array does not fit is omitted, with the reason in `error`.
    MaskLayers(const AttentionProblem& problem, const MaskContext& context);

    /// The cells that a computed trace blocks beyond these layers, bool (B,H,L,S): built-in masks of the mechanism.
    /// Shape (0) if there are none. `blocked` is the trace's stage; columns of appended keys are ignored.
    Tensor beyond(const Tensor& blocked) const;
    /// Adds such cells.
    void addMechanism(const Tensor& blocked);

    bool isEmpty() const { return rows() == 0 || columns() == 0; }
    bool isTooLarge() const { return too_large_; }
    const MaskContext& context() const { return context_; }
    int rows() const { return static_cast<int>(context_.L); }
    int columns() const { return static_cast<int>(context_.S); }
    /// True when any cell of any head is blocked.
    bool blocksAny() const;
    const QString& error() const { return error_; }

    /// Share of the displayed heads (one, or all for mean_of_heads) in which the cell is blocked, 0 to 1.
    double blockedShare(int batch, int head, Cell cell) const;
    /// The same for the painted mask only.
    double paintedShare(int batch, int head, Cell cell) const;
    /// Titles of the masks that block the cell in any displayed head, in the order of the spec.
    QStringList blockers(int batch, int head, Cell cell) const;

private:
    struct Layer {
        const MaskKind* kind; ///< null for built-in cells of the mechanism
        Tensor blocked;       ///< (B,H,L,S)
    };
    void combine(const Tensor& blocked);
    double share(const Tensor& blocked, int batch, int head, Cell cell) const;

    MaskContext context_{0, 0, 0, 0};
    std::vector<Layer> layers_;
    Tensor combined_;
    QString error_;
    bool too_large_ = false;
};

/// The part of a problem that its masks depend on: equal parts give equal layers.
AttentionProblem maskPartOf(const AttentionProblem& problem);

} // namespace attnlab::ui

// Converts strokes on a grid to edits of the document.

class QWidget;

namespace attnlab::ui {

/// Writes `painted_mask` and applies it. One stroke is one undo step; the document is updated during it. Any view of a
/// queries x keys matrix may use it, at the batch and head of the ViewState.
class MaskPainter : public QObject {
    Q_OBJECT
public:
    /// Both must outlive this object.
    MaskPainter(Document& document, ViewState& view, QObject* parent = nullptr);

    MaskTool tool() const { return tool_; }
    bool isErasing() const { return erasing_; }
    /// Paints only the displayed head (of the displayed batch, or of all batches); otherwise all heads of all batches.
    bool isPerHead() const { return per_head_; }
    bool allBatches() const { return all_batches_; }

    Document& document() const { return document_; }
    ViewState& view() const { return view_; }
    /// The result of setTrace; null before.
    const ComputedPtr& computed() const { return computed_; }
    /// The sizes of the mask; nullopt while unknown.
    const std::optional<MaskContext>& context() const { return context_; }
    /// True for a cell of the mask, which excludes appended keys.
    bool contains(Cell cell) const;
    /// True when the cell is painted in any displayed head and the painted mask is applied.
    bool isPainted(Cell cell) const;
    bool isStroking() const { return stroking_; }
    /// The painted mask and the scores differ in size.
    bool isMisfit() const;

    /// Makes Esc in `view` cancel the current stroke, before the view receives the key.
    void cancelOnEscape(QWidget& view);

    enum class Pattern { Future, OutsideBand, OffDiagonal, Random };

public slots:
    void setTool(attnlab::ui::MaskTool tool);
    void setErasing(bool erasing);
    void setPerHead(bool per_head);
    void setAllBatches(bool all_batches);
    /// The latest result, for sizes that the inputs do not determine.
    void setTrace(const attnlab::ui::ComputedPtr& computed);

    void begin(attnlab::ui::Cell cell, bool erase);
    void move(attnlab::ui::Cell cell);
    void end();
    /// Ends the stroke and restores the state before it.
    void cancel();

    void clearPainted();
    void invertPainted();
    /// Adds the cells of a pattern: `amount` is the width of the kept band, or the share of random cells.
    void paintPattern(attnlab::ui::MaskPainter::Pattern pattern, double amount = 0.0);
    /// Crops or pads the painted mask to the current sizes.
    void fit();

signals:
    void settingsChanged();
    void contextChanged();
    void traceChanged();
    /// A stroke has ended for any reason.
    void strokeFinished();
    /// Why a stroke did not start or had no effect, as a sentence.
    void refused(const QString& why);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Write = std::function<void(std::span<double> matrix)>;

    void updateContext();
    void leaveStroke();
    /// True where the choices of heads and batches leave no matrix out.
    bool writesAll() const;
    /// Writes to the matrices selected by per-head and batch choices.
    Tensor written(Tensor painted, const Write& write) const;
    void store(const AttentionProblem& base, const Tensor& painted, const QString& text, int gesture);
    void apply(Cell from, Cell to);
    bool explainRefusal(Cell cell);

    Document& document_;
    ViewState& view_;
    ComputedPtr computed_;
    std::optional<MaskContext> context_;

    MaskTool tool_ = MaskTool::Brush;
    bool erasing_ = false;
    bool per_head_ = false;
    bool all_batches_ = false;
    std::uint64_t random_seed_ = 0;

    bool stroking_ = false;
    bool stroke_erases_ = false;
    bool storing_ = false; ///< our own edit is being applied to the document
    int gesture_ = 0;
    Cell first_;
    Cell last_;
    AttentionProblem before_;
    Tensor start_;   ///< painted cells at the start of the stroke
    Tensor working_; ///< with the brush: the stroke so far
};

} // namespace attnlab::ui
