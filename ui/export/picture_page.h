// Options of an exported picture: one field for each of the FigureOptions.
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

/// For a modal dialog, which does not change its language.
class PicturePage : public QWidget {
    Q_OBJECT
public:
    /// Initialized from the subject. Numbers in cells, a colour bar and the range of colours are options of heatmaps
    /// only.
    explicit PicturePage(const ExportSubject& subject, QWidget* parent = nullptr);

    /// Resolution applies only to pixel formats, and an animation has no transparent background.
    void setFormat(const Format& format);
    FigureOptions options() const;
    /// The second in place of the first, or the first again; no effect on a title that the user has written.
    void exchangeTitles(const QString& first, const QString& second, bool to_second);

signals:
    void changed();

private:
    void build();
    void showPixels();

    FigureOptions begun_; ///< options without a field here
    bool has_pixels_ = true, has_origin_ = false;
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
    QCheckBox* inputs_;
    QFormLayout* form_;
};

} // namespace attnlab::ui
