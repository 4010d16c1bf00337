// The distance of A from B in large numbers, for presentations.
#pragma once

#include "core/compare.h"

#include <QString>
#include <QWidget>

#include <array>

class QLabel;

namespace attnlab::ui {

/// Five figures, each a caption, a number and a note below it.
class CompareNumbers : public QWidget {
    Q_OBJECT
public:
    explicit CompareNumbers(QWidget* parent = nullptr);

    struct Figures {
        Gap shown;            ///< of the displayed matrices
        Gap all;              ///< of the whole stage
        bool several = false; ///< the stage contains more than what is displayed
        std::optional<OutputGap> output;
        std::optional<RowDivergence> a_from_b; ///< of the displayed rows
        std::optional<RowDivergence> b_from_a;
    };
    void setFigures(Figures figures);
    /// The row whose divergences the notes show; -1: none.
    /// Without the notes below the numbers, which tool tips have too.
    void setLow(bool low);
    void setRow(int row, const QString& label);

    enum Figure { Largest, Mean, Output, AFromB, BFromA };
    QString caption(Figure figure) const;
    QString value(Figure figure) const;
    QString note(Figure figure) const;

private:
    struct Tile {
        QLabel* caption;
        QLabel* value;
        QLabel* note;
    };
    static constexpr std::size_t count = 5;

    void refresh();
    void showFigure(Figure figure, const QString& caption, const QString& value, const QString& note,
                    const QString& help);
    void showDivergence(Figure figure, const QString& caption, const std::optional<RowDivergence>& divergence,
                        const QString& help);

    Figures figures_;
    int row_ = -1;
    QString row_label_;
    std::array<Tile, count> tiles_;
};

} // namespace attnlab::ui
