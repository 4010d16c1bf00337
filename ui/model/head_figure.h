// Figures by which heads are ordered and plotted.
#pragma once

#include "ui/model/model_result.h"

#include <QCoreApplication>

#include <span>

namespace attnlab::ui {

struct HeadFigure {
    const char* id;
    const char* title; ///< translated in context "HeadsWall"
    std::optional<double> (*of)(const ModelResult&, HeadPlace);

    QString displayTitle() const { return QCoreApplication::translate("HeadsWall", title); }
};
std::span<const HeadFigure> headFigures();
/// Those that at least one head of the result has.
std::vector<const HeadFigure*> headFiguresIn(const ModelResult& result);

/// What is known of a head, in lines: its title, what it does, and its figures.
QString headText(const ModelResult& result, HeadPlace place);

} // namespace attnlab::ui
