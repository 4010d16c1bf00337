// The options of an exported picture, in tabs: size and text, colours, axes and cells.
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
class QStackedWidget;

namespace attnlab::ui {

class SegmentSwitch;

/// For a modal dialog, which does not change its language.
class PicturePage : public QWidget {
    Q_OBJECT
public:
    /// Initialized from the subject.
    explicit PicturePage(const ExportSubject& subject, QWidget* parent = nullptr);

    /// Resolution applies only to pixel formats, and an animation has no transparent background. The second and third
    /// tab are about heatmaps. The height of what `follows_tokens` is automatic until one is chosen.
    void setOutput(const Format& format, bool is_heatmap, bool carries_origin, bool follows_tokens);
    /// Names, letters and columns are for several heatmaps, profiles for those of weights.
    void setHeatmaps(std::size_t count, bool have_margins);
    /// What the format does not show, below what breaks the rules of the style; empty: nothing.
    void setLostLetters(const QStringList& words);
    FigureOptions options() const;
    void setKeepsInputs(bool keeps);
    /// Replaces the title proposed before; no effect on a title that the user has written.
    void proposeTitle(const QString& title);

    SegmentSwitch* tabs() const { return tabs_; }

signals:
    void changed();

private:
    void build();
    void buildSize();
    void buildColors();
    void buildCells();
    void connectAll();
    void add(const QString& text, QWidget* field);
    void addCheck(QCheckBox* check);
    void addTab(const QString& title);
    void showRow(QWidget* field, bool shown);
    void refresh();
    void chooseStyle(const QString& id);
    void chooseUnit(int unit);
    void setLengths(const QSizeF& points);
    QSizeF lengths() const;

    FigureOptions begun_; ///< options without a field here
    std::optional<QString> proposed_;
    bool has_pixels_ = true, has_origin_ = false, has_logarithm_ = true, is_heatmap_ = true;
    bool have_margins_ = true;       ///< until the figure is known
    bool has_chosen_height_ = false; ///< the user, or the options at first
    QStringList lost_letters_;
    int unit_ = 0; ///< of lengthUnits()
    SegmentSwitch* tabs_;
    QStackedWidget* pages_;
    QFormLayout* form_ = nullptr; ///< of the tab that is built
    // Size and text.
    QLineEdit* title_;
    QComboBox* style_;
    QDoubleSpinBox *width_, *height_;
    QComboBox* units_;
    QCheckBox* automatic_height_;
    QSpinBox* dpi_;
    QLabel* pixels_;
    QComboBox* family_;
    QSpinBox* font_size_;
    QLabel* issues_;
    QCheckBox *dark_, *transparent_, *inputs_;
    // Colours.
    QComboBox* colormap_;
    QCheckBox* logarithm_;
    QLineEdit *low_, *high_;
    QCheckBox* color_bar_;
    QLineEdit* bar_title_;
    // Axes and cells.
    QLineEdit *column_title_, *row_title_;
    QCheckBox *axis_labels_, *numbers_, *profiles_;
    QSpinBox *digits_, *columns_;
    QLineEdit* panel_names_;
    QCheckBox* letters_;
};

} // namespace attnlab::ui
