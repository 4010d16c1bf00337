// What the model reads: a text or two, the decoder's text, an image.
#pragma once

#include "ui/model/model_session.h"

#include <QWidget>

class QBoxLayout;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTimer;
class QToolButton;

namespace attnlab::ui {

class TextPanel : public QWidget {
    Q_OBJECT
public:
    explicit TextPanel(ModelSession& session, QWidget* parent = nullptr);

    /// The texts have one line instead of two, and progress is beside the button.
    void setLow(bool low);

    QPlainTextEdit* text() const { return text_; }
    QPlainTextEdit* other() const { return other_; }
    QPushButton* compareButton() const { return compare_; }
    QToolButton* cancelButton() const { return cancel_; }
    QSpinBox* sequence() const { return sequence_; }

signals:
    void imageRequested();

private:
    void showModel();
    void showProgress();
    void compare(bool on);

    ModelSession& session_;
    QPlainTextEdit *text_, *other_;
    QLineEdit* target_;
    QPushButton *image_, *compare_;
    QSpinBox* sequence_; ///< of a capture of several
    QWidget* busy_;      ///< progress and Cancel
    QBoxLayout* beside_; ///< the texts
    QProgressBar* progress_;
    QToolButton* cancel_;
    QTimer* busy_delay_;
};

} // namespace attnlab::ui
