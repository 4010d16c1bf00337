// Asks what to write where, and writes it.
#pragma once

#include "ui/computation.h"
#include "ui/export/export.h"
#include "ui/plot/drawing_sequence.h"

#include <QDialog>

#include <functional>
#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace attnlab::ui {

class ErrorLabel;
class AnimationPage;
class PicturePage;

/// A drawing that is on show in place of a stage, and what it is called.
struct NamedDrawing {
    std::shared_ptr<const Drawing> drawing;              ///< null: none
    QString id;                                          ///< for the name of a file
    QString title;                                       ///< for people
    std::optional<DrawingSequence> steps = std::nullopt; ///< where it is one of several that can be played
};

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `computed` is not null. `subject` is what is on show, `title` what a figure of it is called.
    ExportDialog(ComputedPtr computed, FigureSubject subject, const QString& title, QWidget* parent = nullptr);
    /// The picture is that of a drawing; the numbers remain those of the stage.
    void setDrawing(NamedDrawing drawing);

    /// What the picture shows instead of the subject, and the size that suits it.
    struct Figure {
        FigurePanels panels;
        ColorScale scale;
    };
    void setFigure(Figure figure, const QSizeF& points);

    /// What is written: a picture, the numbers of one or all stages, or all steps of a drawing as an animation.
    enum class What { Picture, Stage, AllStages, Animation };
    void choose(What what, const QString& suffix);
    QString suffix() const;

    /// Writes to `path` what is chosen, in the background with progress and Cancel. False when that fails, as the
    /// dialog then says, or is cancelled.
    bool exportTo(const QString& path);
    const QStringList& writtenFiles() const { return written_; }
    QString errorText() const;
    /// "Writes 8 files, one for each matrix: ..."
    QString description() const;

signals:
    void exported(const QStringList& files);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build(const QString& title);
    Figure figure(const FigureOptions& options) const;
    void retranslate();
    void refreshFormats();
    void refresh();
    void refreshPreview();
    bool isPicture() const { return what() == What::Picture || what() == What::Animation; }
    const QStringList& suffixes() const;
    QImage preview(const FigureOptions& options) const;
    std::function<void(const RunControl&)> writerTo(const QString& path, QStringList& files) const;
    void askAndExport();
    /// Asks about files that exist and that the file dialog, which `confirmed` one, has not asked about.
    bool mayReplace(const QString& path, const QString& confirmed);
    What what() const;
    std::vector<std::string> chosenStages() const;
    QString proposedName() const;

    ComputedPtr computed_;
    FigureSubject subject_;
    NamedDrawing drawing_;
    std::optional<Figure> figure_;
    QStringList written_;
    QComboBox* what_;
    QComboBox* format_;
    QStackedWidget* pages_;
    PicturePage* picture_;
    AnimationPage* animation_;
    QCheckBox* labels_;
    QLabel* description_;
    QLabel* preview_;
    ErrorLabel* error_;
    QLabel* what_label_;
    QLabel* format_label_;
    QDialogButtonBox* buttons_;
    QPushButton* export_button_ = nullptr;
};

} // namespace attnlab::ui
