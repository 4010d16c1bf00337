// Asks for output, format and options of an export, and writes it.
#pragma once

#include "ui/export/animation_page.h"
#include "ui/export/export_subject.h"
#include "ui/export/picture_page.h"
#include "ui/widgets/latest_job.h"

#include <functional>
#include <QByteArray>
#include <QDialog>
#include <QHash>
#include <QImage>
#include <QPixmap>
#include <QWidget>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;

namespace attnlab::ui {

class ErrorLabel;
class FittingScrollArea;
class SelectionButton;

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
    struct SelectionField {
        const ExportSelection* selection;
        SelectionButton* field;
    };
    void addSelection(const ExportSelection& selection);
    void addChoice(const ExportChoice& choice);
    void layOut();
    void giveRoom();
    QSize previewSize() const;
    void connectAll();
    const ExportOutput& output() const;
    bool isHeatmap() const;
    ExportSettings chosen() const;
    QStringList filesFor(const QString& path) const;
    void refreshFormats();
    void refresh();
    void refreshPreview();
    void showPicture(const ExportSettings& settings);
    void requestPreview(const ExportSettings& settings);
    void showPreview(QImage image, double width);
    void makePages();
    void showPages(QByteArray pages);
    /// True if the pages of the present choices are made.
    bool hasPages() const;
    bool askAboutInputs();
    void askAndExport();

    const ExportSubject subject_;
    std::vector<SelectionField> selections_;
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
    QLabel* preview_note_; ///< how large the preview is
    ErrorLabel* error_;
    QPushButton* export_button_ = nullptr;
    QByteArray pages_;                  ///< the bytes of `pages_choices_`
    QHash<QString, int> pages_choices_; ///< those that were requested last
    LatestJob<QByteArray> making_pages_;
    LatestJob<QImage> making_preview_; ///< of ExportOutput::slow_preview
};

/// Adds "Export this picture…" to the context menu of a widget.
void offerExport(QWidget& shown, const std::function<void()>& open);

/// Opens the dialog over `window`; it deletes itself when closed.
ExportDialog* openExport(ExportSubject subject, QWidget* window);

} // namespace attnlab::ui
