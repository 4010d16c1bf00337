// How an exported picture looks: the FigureOptions, each with its field.
#pragma once

#include "ui/export/export_subject.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace attnlab::ui {

/// In a dialog, which is open in one language.
class PicturePage : public QWidget {
    Q_OBJECT
public:
    /// Begins with what the subject says. Numbers in cells, a colour bar and the range of colours are choices of
    /// heatmaps alone.
    explicit PicturePage(const ExportSubject& subject, QWidget* parent = nullptr);

    /// Resolution matters to pixels alone, and an animation has no transparent background.
    void setFormat(const Format& format);
    FigureOptions options() const;

signals:
    void changed();

private:
    void build();
    void showPixels();

    FigureOptions begun_; ///< what has no field here
    bool has_pixels_ = true;
    QLineEdit* title_;
    QDoubleSpinBox* width_;
    QDoubleSpinBox* height_;
    QSpinBox* dpi_;
    QLabel* pixels_;
    QComboBox* family_;
    QSpinBox* font_size_;
    QLineEdit* low_;
    QLineEdit* high_;
    QCheckBox* logarithm_;
    QCheckBox* numbers_;
    QCheckBox* color_bar_;
    QCheckBox* dark_;
    QCheckBox* transparent_;
    QFormLayout* form_;
};

} // namespace attnlab::ui
