// Chooses the numbers of a setting: float64, or a narrower type at some stages.
#pragma once

#include "core/attention.h"
#include "ui/document/compared_side.h"

#include <QMenu>

namespace attnlab::ui {

/// Chooses the type and the rounded stages; each choice is one undo step. Shows the reason if the mechanism refuses it.
class RoundingMenu : public QMenu {
    Q_OBJECT
public:
    explicit RoundingMenu(const ComparedSide& setting, QWidget* parent = nullptr);

    /// The action that selects this rounding, in the notation of the command line; "none" for none.
    QAction* action(const QString& rounding) const;

    void fill();

private:
    void add(const QString& text, const std::optional<Rounding>& rounding);

    ComparedSide setting_;
};

} // namespace attnlab::ui
