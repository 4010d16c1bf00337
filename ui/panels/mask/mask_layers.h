// The cells blocked by each mask of a problem, and by all masks together.
#pragma once

#include "core/stages/mask.h"
#include "ui/document/view_state.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace attnlab::ui {

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
