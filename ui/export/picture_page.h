// How an exported picture looks: size, resolution, colours, parts.
#pragma once

#include "ui/plot/figure.h"

#include <QWidget>

class QCheckBox;
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
    void setPoints(const QSizeF& size);
    /// Resolution matters to PNG alone.
    void setFormat(FigureFormat format);
    /// Numbers in cells and a colour bar are choices of heatmaps alone.
    void setHeatmap(bool heatmap);
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
    QCheckBox* numbers_;
    QCheckBox* color_bar_;
    QCheckBox* dark_;
    QCheckBox* transparent_;
    QFormLayout* form_;
};

} // namespace attnlab::ui
