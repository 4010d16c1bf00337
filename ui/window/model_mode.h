// Shows a model, or a capture, in place of the workspace, which stays unchanged.
#pragma once

#include "core/attention.h"
#include "ui/document/view_state.h"
#include "ui/model/model_result.h"
#include "ui/window/exclusive_mode.h"

#include <optional>
#include <QObject>
#include <QString>

class QMenu;

namespace attnlab::ui {

class ElidedLabel;
class FileController;
class MessageBar;
class ModelPage;
class ModelSession;

class ModelMode : public QObject {
    Q_OBJECT
public:
    /// All must outlive this object; the page is deleted with its parent widget.
    ModelMode(const ModeContext& parts, ModelSession& session, FileController& files, MessageBar& messages);

    ~ModelMode() override;

    bool isOn() const { return cover_->isOn(); }
    ModelPage* page() const { return page_; }
    /// Shows the model that is open, or the sample model.
    void show();
    /// Opens the model shipped with the program, with `text` or a sentence for it; asks for another one where it is
    /// missing.
    void openSample(const QString& text = {}, std::optional<qsizetype> end = {});
    /// Opens a folder or a file of a model; it is shown as soon as it is open.
    void open(const QString& path);
    /// Shows every head of a capture that the document is about to take a pass of. One that has the passes of the
    /// capture before leaves the user in the workspace, if that is where the user is and `may_stay`.
    void showCapture(const CapturePtr& capture, const QString& path, bool may_stay);
    /// The document has taken it.
    void captureTaken() { keeps_on_ = false; }
    void leave();
    /// Takes a file as the input of the model on show: an image, or a sound. Returns false where it reads none.
    bool takeInput(const QString& file);
    QByteArray usualLayout() const { return cover_->usualLayout(); }
    void setUsualLayout(const QByteArray& layout) { cover_->setUsualLayout(layout); }
    /// For another language: what was on show is shown again.
    void restoreState(bool on);

    /// A folder with a model, or a file that is one.
    static bool isModel(const QString& path);

signals:
    /// The workspace is about to be hidden.
    void entering();
    /// The document has queries, keys and values of a model.
    void headTaken(const attnlab::TensorMap& numbers);

private:
    QMenu* makeMenu() const;
    void enter();
    void showTitle();
    QString title() const;
    void showNumbers();
    void choose();
    void chooseImage();
    void chooseSound();
    void take(const AttentionProblem& problem, const QString& title, int batch, int head, std::optional<Cell> cell);
    void report(const Message& why);

    ModeContext parts_;
    ModelSession& session_;
    FileController& files_;
    MessageBar& messages_;
    ModelPage* page_;
    ElidedLabel* status_;
    ExclusiveMode* cover_;
    bool stays_away_ = false; ///< the capture that opens does not cover the workspace
    bool keeps_on_ = false;   ///< while the document changes below
};

} // namespace attnlab::ui
