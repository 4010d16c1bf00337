// What the model reads: a text or two, the text of the decoder, an image, a sound.
#pragma once

#include "ui/model/model_result.h"
#include "ui/model/model_session.h"

#include <optional>
#include <QPointer>
#include <QWidget>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTimer;
class QToolButton;
class QVBoxLayout;

namespace attnlab::ui {

class BarButton;
class ElidedLabel;

class TextPanel : public QWidget {
    Q_OBJECT
public:
    explicit TextPanel(ModelSession& session, QWidget* parent = nullptr);

    /// Hint, counter and buttons, for the row above the page; the panel has the fields. The new parent owns it, as it
    /// does compareButton().
    QWidget* tools() const { return tools_; }
    /// The texts have one line instead of two, and `answer` has the place of the hint, unless there is a problem.
    void setLow(bool low, QWidget* answer);
    /// Puts the line of what the model wrote into the place of the hint, while it is shown.
    void placeWritten(QWidget* line);
    /// The fields of the text and of the second one belong where their tokens are, and are not here.
    bool isFieldElsewhere() const { return field_is_elsewhere_; }

    QPlainTextEdit* text() const { return text_; }
    QPlainTextEdit* other() const { return other_; }
    QLineEdit* target() const { return target_; }
    /// Takes the image out of a text; hidden without one.
    QPushButton* withoutImageButton() const { return without_image_; }
    /// Chooses a sound; hidden unless the model reads one.
    QPushButton* soundButton() const { return sound_; }
    QPushButton* compareButton() const;
    /// Hidden while the field is here.
    QPushButton* editButton() const { return edit_; }
    /// Cuts a text that is too long; hidden for others.
    QPushButton* cutButton() const { return cut_; }
    QToolButton* cancelButton() const { return cancel_; }
    QSpinBox* sequence() const { return sequence_; }
    /// Why a text is not read as a whole; empty if it is.
    QString problem() const { return counter_problem_; }
    /// "15 of 128 tokens".
    QString counter() const;
    /// What to do with the tokens, or what the model does not read.
    ElidedLabel* hint() const { return hint_; }

signals:
    void imageRequested();
    void soundRequested();
    void editRequested();
    /// The second text is to be typed, where its field is elsewhere.
    void otherRequested();
    /// The field of the text is here again, or belongs elsewhere.
    void fieldMoved();

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showModel();
    void showImage();
    void placeField();
    void placeHint();
    void showPanel();
    void showProgress();
    void showSizes();
    bool isSample() const;
    void showSound();
    void showHint(const QString& problem, const QString& surplus, const QString& words = {});
    void showInputs();
    void compare(bool on);

    ModelSession& session_;
    QPlainTextEdit *text_, *other_;
    QLineEdit* target_;
    QPushButton *image_, *without_image_, *sound_, *edit_, *cut_;
    BarButton* compare_;
    QWidget* tools_;
    QBoxLayout *line_, *both_; ///< of the tools, and of the fields of the texts
    bool field_is_elsewhere_ = false, low_ = false;
    int field_height_ = 0;      ///< here
    QSpinBox* sequence_;        ///< of a capture of several
    QWidget* busy_;             ///< progress and Cancel
    ElidedLabel* hint_;         ///< what to do with the tokens
    QPointer<QWidget> written_; ///< takes the place of the hint while it is shown
    QProgressBar* progress_;
    QToolButton* cancel_;
    QTimer* busy_delay_;
    ElidedLabel* counter_; ///< in the place of the progress
    QString counter_problem_;
    bool says_written_ = false; ///< the hint, what the model writes
};

} // namespace attnlab::ui
