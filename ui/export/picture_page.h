// How an exported picture looks: the FigureOptions, each with its field.
#pragma once

#include "ui/plot/figure.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace attnlab::ui {

class PicturePage : public QWidget {
    Q_OBJECT
public:
    explicit PicturePage(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Begins with what a view shows.
    void setColors(const ColorChoice& colors);
    void setPoints(const QSizeF& size);
    void setDark(bool dark);
    /// Resolution matters to PNG alone.
    void setFormat(FigureFormat format);
    /// Numbers in cells, a colour bar and the range of colours are choices of heatmaps alone.
    void setHeatmap(bool heatmap);
    /// Where the scale of the colours is made already, no logarithm is offered.
    void setLogarithmOffered(bool offered);
    /// Whether all heads are to be drawn, in a grid.
    void setHeadsOffered(bool offered);
    bool allHeads() const;
    /// An animation has no transparent background.
    void setTransparencyOffered(bool offered);
    FigureOptions options() const;

signals:
    void changed();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showPixels();

    FigureFormat format_ = FigureFormat::Png;
    QDoubleSpinBox* width_;
    QDoubleSpinBox* height_;
    QSpinBox* dpi_;
    QLabel* pixels_;
    QLineEdit* title_;
    QComboBox* family_;
    QSpinBox* font_size_;
    QLineEdit* low_;
    QLineEdit* high_;
    QWidget* range_;
    QCheckBox* logarithm_;
    QCheckBox* heads_;
    QCheckBox* numbers_;
    QCheckBox* color_bar_;
    QCheckBox* dark_;
    QCheckBox* transparent_;
    QFormLayout* form_;
    FigureOptions begun_; ///< what has no field here
};

} // namespace attnlab::ui
