// In which numbers a setting computes: float64, or those of a narrower type at some places.
#pragma once

#include "core/attention.h"
#include "ui/document/compared_side.h"

#include <QMenu>

namespace attnlab::ui {

/// Chooses the type and what is rounded to it; each choice is one undo step. It says why where the mechanism cannot.
class RoundingMenu : public QMenu {
    Q_OBJECT
public:
    explicit RoundingMenu(const ComparedSide& setting, QWidget* parent = nullptr);

    /// For an action of the menu: the rounding that it chooses, in the words of the command line; "none" for none.
    QAction* action(const QString& rounding) const;

    void fill();

private:
    void add(const QString& text, const std::optional<Rounding>& rounding);

    ComparedSide setting_;
};

} // namespace attnlab::ui
