#include "ui/model/text_panel.h"

#include "ui/model/model_result.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

#include <chrono>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int text_lines = 2, beside_lines = 18, beside_line = 12, progress_width = 190;
constexpr std::chrono::milliseconds busy_delay{300};

QPlainTextEdit* newText(const QString& name, const QString& placeholder, const QFontMetrics& metrics) {
    auto* text = new TextEdit;
    text->setAccessibleName(name);
    text->setPlaceholderText(placeholder);
    text->setTabChangesFocus(true);
    text->setFixedHeight(text_lines * metrics.lineSpacing() + beside_lines);
    return text;
}

} // namespace

TextPanel::TextPanel(ModelSession& session, QWidget* parent)
    : QWidget(parent), session_(session),
      text_(newText(tr("Text that the model reads"), tr("Type a text for the model"), fontMetrics())),
      other_(newText(tr("Second text, to compare with"), tr("Type a second text to compare with"), fontMetrics())),
      target_(new QLineEdit), image_(newButton(tr("Choose an image…"), tr("The image that the model reads"))),
      compare_(newButton(tr("Compare texts"), tr("A second text beside the first: what every head reads in both, token "
                                                 "by token by position, and the difference"))),
      sequence_(new QSpinBox), busy_(new QWidget), beside_(new QVBoxLayout), progress_(new QProgressBar),
      cancel_(new QToolButton), busy_delay_(new QTimer(this)) {
    sequence_->setPrefix(tr("Sequence "));
    sequence_->setAccessibleName(tr("Sequence of the batch"));
    sequence_->setKeyboardTracking(false);
    target_->setAccessibleName(tr("Text of the decoder"));
    target_->setPlaceholderText(tr("Text of the decoder, for example the translation so far"));
    compare_->setCheckable(true);
    progress_->setRange(0, 100);
    cancel_->setText(tr("Cancel"));
    cancel_->setToolTip(tr("Stops the model; what is on show stays, marked as out of date"));
    busy_delay_->setSingleShot(true);
    busy_delay_->setInterval(busy_delay);
    busy_->setFixedWidth(progress_width);
    auto* busy = new QHBoxLayout(busy_);
    busy->setContentsMargins(0, 0, 0, 0);
    busy->addWidget(progress_, 1);
    busy->addWidget(cancel_);
    progress_->setAccessibleName(tr("Progress of the model"));
    auto* both = new QHBoxLayout;
    both->addWidget(text_, 1, Qt::AlignTop);
    both->addWidget(other_, 1, Qt::AlignTop);
    auto* texts = new QVBoxLayout;
    texts->addLayout(both);
    texts->addWidget(target_);
    auto* image = new QHBoxLayout;
    image->addWidget(image_);
    image->addWidget(sequence_);
    image->addStretch(1);
    texts->addLayout(image);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addLayout(texts, 1);
    row->setAlignment(texts, Qt::AlignTop);
    beside_->addWidget(compare_);
    beside_->addWidget(busy_);
    beside_->addStretch(1);
    row->addLayout(beside_);
    connect(text_, &QPlainTextEdit::textChanged, this, [this] { session_.setText(text_->toPlainText()); });
    connect(other_, &QPlainTextEdit::textChanged, this, [this] {
        if (compare_->isChecked())
            session_.setOther(other_->toPlainText());
    });
    connect(target_, &QLineEdit::textEdited, &session_, &ModelSession::setTarget);
    connect(image_, &QPushButton::clicked, this, &TextPanel::imageRequested);
    connect(sequence_, &QSpinBox::valueChanged, &session_, &ModelSession::setSequence);
    connect(compare_, &QPushButton::toggled, this, &TextPanel::compare);
    connect(cancel_, &QToolButton::clicked, &session_, &ModelSession::cancel);
    connect(busy_delay_, &QTimer::timeout, this, [this] { busy_->setVisible(session_.isRunning()); });
    connect(&session_, &ModelSession::opened, this, &TextPanel::showModel);
    connect(&session_, &ModelSession::runningChanged, this, &TextPanel::showProgress);
    connect(&session_, &ModelSession::progressed, this,
            [this](double fraction) { progress_->setValue(static_cast<int>(std::lround(100.0 * fraction))); });
    showModel();
    showProgress();
}

void TextPanel::setLow(bool low) {
    const int line = fontMetrics().lineSpacing();
    for (auto* text : {text_, other_})
        text->setFixedHeight(low ? line + beside_line : text_lines * line + beside_lines);
    beside_->setDirection(low ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void TextPanel::showModel() {
    const auto& opened = session_.model();
    const bool image = opened && opened->description().first().embedding.patches;
    const auto& request = session_.request();
    const auto& capture = session_.capture();
    const int sequences = capture ? sequencesOf(*capture) : 1;
    {
        const QSignalBlocker quiet(sequence_);
        sequence_->setRange(0, std::max(0, sequences - 1));
        sequence_->setValue(request.sequence);
        sequence_->setVisible(sequences > 1);
    }
    const QSignalBlocker quiet_text(text_), quiet_other(other_), quiet_compare(compare_);
    text_->setPlainText(request.text);
    other_->setPlainText(request.other.value_or(QString()));
    target_->setText(request.target);
    compare_->setChecked(request.other.has_value());
    const bool reads_text = !image && !capture;
    text_->setVisible(reads_text);
    other_->setVisible(reads_text && compare_->isChecked());
    compare_->setVisible(reads_text);
    image_->setVisible(image);
    target_->setVisible(opened && opened->description().encoder && opened->description().decoder);
}

/// Begins with the same text, so that what is changed in it is all that differs.
void TextPanel::compare(bool on) {
    other_->setVisible(on);
    if (!on) {
        session_.setOther({});
        return;
    }
    if (other_->toPlainText().isEmpty()) {
        const QSignalBlocker quiet(other_);
        other_->setPlainText(text_->toPlainText());
        other_->moveCursor(QTextCursor::End);
    }
    session_.setOther(other_->toPlainText());
    other_->setFocus();
}

/// It keeps its place, or the text would move.
void TextPanel::showProgress() {
    QSizePolicy policy = busy_->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    busy_->setSizePolicy(policy);
    if (!session_.isRunning()) {
        busy_delay_->stop();
        busy_->hide();
    } else if (busy_->isHidden() && !busy_delay_->isActive()) {
        progress_->setValue(0);
        busy_delay_->start();
    }
}

} // namespace attnlab::ui
