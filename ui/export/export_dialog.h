// The export dialog: output, format and options of pictures and animations.
#pragma once

#include "ui/export/animation.h"
#include "ui/export/export_subject.h"
#include "ui/widgets/latest_job.h"

#include <QByteArray>
#include <QDialog>
#include <QHash>
#include <QPixmap>
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
    void setKeepsInputs(bool keeps);
    /// The second in place of the first, or the first again; no effect on a title that the user has written.
    void exchangeTitles(const QString& first, const QString& second, bool to_second);

signals:
    void changed();

private:
    void build();
    void showPixels();
    void chooseStyle(const QString& id);
    void chooseUnit(int unit);
    void setLengths(const QSizeF& points);
    QSizeF lengths() const;

    FigureOptions begun_; ///< options without a field here
    bool has_pixels_ = true, has_origin_ = false;
    int unit_ = 0; ///< of lengthUnits()
    QComboBox* style_;
    QComboBox* units_;
    QCheckBox* automatic_height_;
    QLineEdit* column_title_;
    QLineEdit* row_title_;
    QLineEdit* bar_title_;
    QSpinBox* digits_;
    QSpinBox* columns_;
    QComboBox* colormap_;
    QCheckBox* letters_;
    QLabel* issues_;
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

// Options of an exported animation: range of steps, speed, loop.

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace attnlab::ui {

/// For a modal dialog, which does not change its language.
class AnimationPage : public QWidget {
    Q_OBJECT
public:
    /// Initially with all `steps`.
    explicit AnimationPage(int steps, QWidget* parent = nullptr);

    AnimationOptions options(const FigureOptions& figure) const;

private:
    void showLength();

    QDoubleSpinBox* seconds_;
    QSpinBox* first_;
    QSpinBox* last_;
    QCheckBox* loop_;
    QLabel* length_;
};

} // namespace attnlab::ui

// Asks for output, format and options of an export, and writes it.

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;

namespace attnlab::ui {

class ErrorLabel;
class FittingScrollArea;

/// Modal to its window, so its language does not change.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(ExportSubject subject, QWidget* parent = nullptr);

    /// Ignores an unknown output or suffix.
    void choose(const QString& output, const QString& suffix = {});
    QString suffix() const;

    /// Writes the selected output to `path` in the background, with progress and Cancel. False when it fails, which the
    /// dialog shows, or is cancelled.
    bool exportTo(const QString& path);
    const QStringList& writtenFiles() const { return written_; }
    QString errorText() const;
    /// The proposed name of the file, without suffix: "weights-head-3".
    QString proposedName() const;
    /// "Writes 8 files, one for each matrix: ..."
    QString description() const;

    /// The preview that is on show; null if there is none.
    QPixmap previewPicture() const;

    /// Cancels an export that is in progress; otherwise closes the dialog.
    void reject() override;

signals:
    void exported(const QStringList& files);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct ChoiceField {
        const ExportChoice* choice;
        QWidget* field;
    };
    void addChoice(const ExportChoice& choice);
    void layOut();
    void giveRoom();
    QSize previewSize() const;
    void connectAll();
    const ExportOutput& output() const;
    ExportSettings chosen() const;
    QStringList filesFor(const QString& path) const;
    void refreshFormats();
    void refresh();
    void refreshPreview();
    void makePages();
    void showPages(QByteArray pages);
    /// True if the pages of the present choices are made.
    bool hasPages() const;
    bool askAboutInputs();
    void askAndExport();

    const ExportSubject subject_;
    std::vector<ChoiceField> choices_;
    QStringList written_;
    QComboBox* what_;
    QComboBox* format_;
    QFormLayout* form_;
    PicturePage* picture_;
    AnimationPage* animation_;
    FittingScrollArea* options_ = nullptr; ///< where the screen is too low for all
    QLabel* description_;
    QLabel* preview_;
    ErrorLabel* error_;
    QPushButton* export_button_ = nullptr;
    QByteArray pages_;                  ///< the bytes of `pages_choices_`
    QHash<QString, int> pages_choices_; ///< those that were requested last
    LatestJob<QByteArray> making_pages_;
};

/// Opens the dialog over `window`; it deletes itself when closed.
ExportDialog* openExport(ExportSubject subject, QWidget* window);

} // namespace attnlab::ui
