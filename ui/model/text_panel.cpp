#include "ui/model/text_panel.h"

#include "ui/document/local_files.h"
#include "ui/document/samples.h"
#include "ui/model/model_input.h"
#include "ui/model/model_result.h"
#include "ui/panels/ribbon/token_chips.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/typed_text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTextEdit>
#include <QTimer>
#include <QToolButton>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr int written_letters = 120;
constexpr int answer_stretch = 100; ///< beside what takes only what is left
constexpr int text_lines = 2, beside_lines = 18, beside_line = 12, progress_width = 180;
constexpr int letters_of_problem = 60; ///< in sight, where there is one
constexpr int letters_of_answer = 30;  ///< beside the counter
constexpr std::chrono::milliseconds busy_delay{300};

QPlainTextEdit* newText(const QString& name, const QString& placeholder, const QFontMetrics& metrics) {
    auto* text = new TextEdit;
    text->setAccessibleName(name);
    text->setPlaceholderText(placeholder);
    text->setTabChangesFocus(true);
    text->setUndoRedoEnabled(false); // the session has the steps
    text->setFixedHeight(text_lines * metrics.lineSpacing() + beside_lines);
    return text;
}

} // namespace

TextPanel::TextPanel(ModelSession& session, QWidget* parent)
    : QWidget(parent), session_(session),
      text_(newText(tr("Text that the model reads"), tr("Type a text for the model"), fontMetrics())),
      other_(newText(tr("Second text, to compare with"), tr("Type a second text to compare with"), fontMetrics())),
      target_(new SteplessLine), image_(newButton(tr("Choose an image…"), tr("The image that the model reads"))),
      without_image_(newButton(tr("Without the image"), tr("The model reads the text alone"))),
      sound_(newButton(tr("Choose a sound…"), tr("The sound that the model reads: WAV, FLAC, OGG or MP3"))),
      edit_(newButton(tr("Edit text"), tr("Another text for the model. The result follows each letter"))),
      cut_(newButton(tr("Read the beginning"), tr("Cuts the text where the model reads no more"))),
      compare_(new BarButton), tools_(new QWidget), line_(new QHBoxLayout(tools_)), both_(new QHBoxLayout),
      sequence_(new QSpinBox), busy_(new QWidget), hint_(makeLineLabel(LineStyle::Muted)), progress_(new QProgressBar),
      cancel_(new QToolButton), busy_delay_(new QTimer(this)), counter_(new ElidedLabel) {
    field_height_ = text_->maximumHeight();
    sequence_->setPrefix(tr("Sequence "));
    sequence_->setAccessibleName(tr("Sequence of the batch"));
    sequence_->setKeyboardTracking(false);
    target_->setAccessibleName(tr("Text of the decoder"));
    target_->setPlaceholderText(tr("Text of the decoder, for example what it has written so far"));
    compare_->setParent(tools_); // or showing it would open a window, until a row takes it
    compare_->setContent(tr("Compare texts"), icon(QStringLiteral("compare")));
    compare_->setToolTip(
        tr("A second text beside the first: what every head reads in both, token by token by position, "
           "and the difference"));
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
    counter_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    line_->setContentsMargins(0, 0, 0, 0);
    line_->addWidget(hint_, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{image_, without_image_, sound_, sequence_})
        line_->addWidget(part);
    line_->addStretch();
    for (QWidget* part : std::initializer_list<QWidget*>{busy_, counter_, cut_, edit_})
        line_->addWidget(part);
    both_->addWidget(text_, 1, Qt::AlignTop);
    both_->addWidget(other_, 1, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(both_);
    column->addWidget(target_);
    connect(edit_, &QPushButton::clicked, this, &TextPanel::editRequested);
    connect(text_, &QPlainTextEdit::textChanged, this, [this] { session_.setText(text_->toPlainText()); });
    connect(other_, &QPlainTextEdit::textChanged, this, [this] {
        if (compare_->isChecked())
            session_.setOther(other_->toPlainText());
    });
    connect(cut_, &QPushButton::clicked, this, [this] {
        for (const auto& [field, size] : {std::pair(text_, session_.size()), {other_, session_.otherSize()}})
            if (size.isTooLong() && size.readable >= 0) {
                field->setPlainText(field->toPlainText().left(size.readable));
                field->setFocus(Qt::OtherFocusReason); // the button is about to go
            }
    });
    connect(target_, &QLineEdit::textEdited, &session_, &ModelSession::setTarget);
    connect(image_, &QPushButton::clicked, this, &TextPanel::imageRequested);
    connect(without_image_, &QPushButton::clicked, this, [this] { session_.setImage({}); });
    connect(&session_, &ModelSession::inputsChanged, this, &TextPanel::showInputs);
    connect(sound_, &QPushButton::clicked, this, &TextPanel::soundRequested);
    connect(sequence_, &QSpinBox::valueChanged, &session_, &ModelSession::setSequence);
    connect(compare_, &QPushButton::toggled, this, &TextPanel::compare);
    connect(cancel_, &QToolButton::clicked, &session_, &ModelSession::cancel);
    connect(busy_delay_, &QTimer::timeout, this, [this] { busy_->setVisible(session_.isRunning()); });
    connect(&session_, &ModelSession::changed, this, &TextPanel::showSizes);
    connect(&session_, &ModelSession::opened, this, &TextPanel::showModel);
    connect(&session_, &ModelSession::runningChanged, this, &TextPanel::showProgress);
    connect(&session_, &ModelSession::textGrows, this, [this](const QString& text) {
        says_written_ = true;
        showHint({}, {}, tr("Writes: … %1").arg(text.right(written_letters)));
    });
    connect(&session_, &ModelSession::progressed, this,
            [this](double fraction) { progress_->setValue(static_cast<int>(std::lround(100.0 * fraction))); });
    showModel();
    showProgress();
    showSizes();
}

void TextPanel::setLow(bool low, QWidget* answer) {
    low_ = low;
    if (low && answer->parentWidget() != this)
        line_->insertWidget(0, answer, answer_stretch);
    answer->setMinimumWidth(low ? letters_of_answer * fontMetrics().averageCharWidth() : 0);
    placeHint();
    const int line = fontMetrics().lineSpacing();
    field_height_ = low ? line + beside_line : text_lines * line + beside_lines;
    if (!field_is_elsewhere_)
        for (auto* field : {text_, other_})
            field->setFixedHeight(field_height_);
}

void TextPanel::placeWritten(QWidget* line) {
    if (line->parentWidget() == tools_)
        return;
    written_ = line;
    line_->insertWidget(0, line, answer_stretch);
    line->removeEventFilter(this);
    line->installEventFilter(this);
    placeHint();
}

bool TextPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == written_ && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent))
        placeHint();
    return QWidget::eventFilter(watched, event);
}

void TextPanel::placeHint() {
    const auto& opened = session_.model();
    const bool is_sound = opened && opened->description().first().embedding.frames;
    const bool has_problem = !counter_problem_.isEmpty();
    const bool is_written_here = written_ && written_->parentWidget() == tools_ && !written_->isHidden();
    hint_->setVisible(is_sound || (field_is_elsewhere_ && (has_problem || !(low_ || is_written_here))));
    line_->setStretchFactor(hint_, low_ && has_problem ? 2 * answer_stretch : 1);
    const int most = letters_of_problem * fontMetrics().averageCharWidth();
    hint_->setMinimumWidth(has_problem ? std::min(most, fontMetrics().horizontalAdvance(counter_problem_)) : 0);
    edit_->setVisible(field_is_elsewhere_ && cut_->isHidden()); // of which one is needed
}

/// Where tokens take the place of the fields, nothing is left here.
void TextPanel::showPanel() {
    const auto& opened = session_.model();
    const bool reads_text = opened && opened->description().first().embedding.reads_tokens();
    setVisible((reads_text && !field_is_elsewhere_) || !target_->isHidden());
}

void TextPanel::placeField() {
    const auto& opened = session_.model();
    const bool reads_text = opened && opened->description().first().embedding.reads_tokens();
    const bool has_chips = reads_text && !(opened->description().encoder && opened->description().decoder);
    const bool moves = has_chips != field_is_elsewhere_;
    field_is_elsewhere_ = has_chips;
    placeHint();
    if (!has_chips) {
        if (moves)
            for (auto* field : {text_, other_}) {
                both_->addWidget(field, 1, Qt::AlignTop);
                field->setFixedHeight(field_height_);
            }
        text_->setVisible(reads_text);
        if (other_->hasFocus() && !compare_->isChecked())
            text_->setFocus(Qt::OtherFocusReason);
        other_->setVisible(reads_text && compare_->isChecked());
    }
    showPanel();
    if (moves)
        emit fieldMoved();
}

void TextPanel::showModel() {
    const auto& opened = session_.model();
    const bool image = opened && opened->description().first().embedding.patches;
    const bool image_in_text = opened && opened->description().image_tokens;
    const bool sound = opened && opened->description().first().embedding.frames;
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
    const bool reads_text = !image && !sound && !capture;
    compare_->setVisible(reads_text);
    image_->setVisible(image || image_in_text);
    showImage();
    sound_->setVisible(sound);
    target_->setVisible(opened && opened->description().encoder && opened->description().decoder);
    placeField();
}

void TextPanel::showImage() {
    const auto& opened = session_.model();
    without_image_->setVisible(opened && opened->description().image_tokens && !session_.request().image.isEmpty());
}

void TextPanel::showInputs() {
    const auto& request = session_.request();
    showText(*text_, request.text);
    if (request.other)
        showText(*other_, *request.other);
    showText(*target_, request.target);
    if (compare_->isChecked() != request.other.has_value()) {
        const QSignalBlocker quiet(compare_);
        compare_->setChecked(request.other.has_value());
        placeField();
    }
    showImage();
}

/// Begins with the same text, so that what is changed in it is all that differs.
void TextPanel::compare(bool on) {
    placeField();
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
    if (field_is_elsewhere_)
        emit otherRequested();
    else
        other_->setFocus();
}

/// Beside the counter, which stays: it takes room from the hint alone.
void TextPanel::showProgress() {
    if (says_written_ && !session_.isWriting())
        showSizes(); // what was written may be gone
    if (!session_.isRunning()) {
        busy_delay_->stop();
        busy_->hide();
    } else if (busy_->isHidden() && !busy_delay_->isActive()) {
        progress_->setValue(0);
        busy_delay_->start();
    }
}

namespace {

/// The texts of the tokens.
std::vector<std::string> piecesOf(const QString& text, const TextSize& size) {
    std::vector<std::string> pieces;
    qsizetype first = 0;
    for (const auto end : size.ends) {
        pieces.push_back(text.mid(first, end - first).toStdString());
        first = end;
    }
    return pieces;
}

/// Marks what the other text has not, and underlines what the model does not read.
void markText(QPlainTextEdit& text, const TextSize& size, const std::vector<bool>& differing) {
    QList<QTextEdit::ExtraSelection> marks;
    const qsizetype letters = text.document()->characterCount() - 1;
    for (std::size_t token = 0; token < std::min(differing.size(), size.ends.size()); ++token) {
        const qsizetype first = token > 0 ? size.ends[token - 1] : 0, end = size.ends[token];
        if (!differing[token] || end <= first || end > letters)
            continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = text.textCursor();
        mark.cursor.setPosition(static_cast<int>(first));
        mark.cursor.setPosition(static_cast<int>(end), QTextCursor::KeepAnchor);
        mark.format.setBackground(theme().accent_soft);
        marks << mark;
    }
    if (size.isTooLong() && size.readable >= 0 && size.readable < text.document()->characterCount()) {
        QTextEdit::ExtraSelection surplus;
        surplus.cursor = text.textCursor();
        surplus.cursor.setPosition(static_cast<int>(size.readable));
        surplus.cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
        surplus.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        surplus.format.setUnderlineColor(theme().error_text);
        marks << surplus;
    }
    text.setExtraSelections(marks);
}

} // namespace

void TextPanel::showSizes() {
    says_written_ = false;
    const bool second = session_.otherSize().isTooLong() && !session_.size().isTooLong();
    const TextSize& size = second ? session_.otherSize() : session_.size();
    std::pair<std::vector<bool>, std::vector<bool>> differing;
    if (compare_->isChecked() && !session_.isOutdated())
        differing = differingTokens(piecesOf(text_->toPlainText(), session_.size()),
                                    piecesOf(other_->toPlainText(), session_.otherSize()));
    markText(*text_, session_.size(), differing.first);
    markText(*other_, session_.otherSize(), differing.second);
    QString words, tip;
    if (size.tokens > 0)
        words = size.most > 0 ? tr("%1 of %2 tokens").arg(size.tokens).arg(size.most)
                              : tr("%n tokens", nullptr, static_cast<int>(size.tokens));
    if (size.isTooLong())
        tip = (second ? tr("This model reads at most %1 tokens; the second text has %2.")
                      : tr("This model reads at most %1 tokens; the text has %2."))
                  .arg(size.most)
                  .arg(size.tokens);
    counter_problem_ = tip;
    if (size.in_bytes > 0) {
        const int letters = static_cast<int>(size.in_bytes);
        if (isSample()) {
            words = tr("%1 · %n unreadable", nullptr, letters).arg(words);
            if (tip.isEmpty())
                tip = counter_problem_ =
                    tr("“%1” is unknown: the sample model reads small letters, common words and first names")
                        .arg(size.first_in_bytes);
        } else {
            words = tr("%1 · %n letters read as bytes", nullptr, letters).arg(words);
            if (tip.isEmpty())
                tip = tr("The vocabulary has no token for “%1”: each of these letters is read as the bytes of its code")
                          .arg(size.first_in_bytes);
        }
    }
    if (size.unknown > 0) {
        words = tr("%1 · %2 unknown").arg(words).arg(size.unknown);
        if (tip.isEmpty())
            tip = tr("%n tokens stand for words that the vocabulary does not have", nullptr,
                     static_cast<int>(size.unknown));
    }
    if (size.spelled > 0 && !(size.in_bytes > 0 && isSample())) { // whose words are such, too
        words = tr("%1 · %n words read letter by letter", nullptr, static_cast<int>(size.spelled)).arg(words);
        if (tip.isEmpty())
            tip = tr("The vocabulary does not have them: the model hardly knows these words, and its answer after them "
                     "may mean little");
    }
    counter_->setText(words);
    const QString longest = tr("%1 of %2 tokens").arg(size.most).arg(size.most); // a letter more moves nothing
    counter_->setMinimumWidth(size.most > 0 ? fontMetrics().horizontalAdvance(longest) : 0);
    counter_->setToolTip(tip);
    cut_->setVisible(size.isTooLong() && size.readable >= 0);
    showHint(counter_problem_, size.isTooLong() && size.readable >= 0
                                   ? (second ? other_ : text_)->toPlainText().mid(size.readable)
                                   : QString());
    showSound();
    placeHint();
    counter_->setForegroundRole(size.isTooLong() ? QPalette::BrightText : QPalette::PlaceholderText);
    for (auto* text : {text_, other_})
        text->setAccessibleDescription(tip);
}

bool TextPanel::isSample() const { return session_.model() && toPath(session_.path()) == sampleModelFolder(); }

/// The file, what is not read of it, and its letters where the model gives such.
void TextPanel::showSound() {
    const auto& opened = session_.model();
    if (!opened || !opened->description().first().embedding.frames)
        return;
    QStringList words;
    if (!session_.request().sound.isEmpty())
        words << displayName(QFileInfo(session_.request().sound).fileName());
    if (const auto& result = session_.result()) {
        if (result->spelled)
            words << tr("Spelled: “%1”").arg(displayToken(*result->spelled));
        for (const auto& note : result->sound_notes)
            words << translated(note);
    }
    showHint({}, {}, words.isEmpty() ? tr("Choose a sound file, or drop one here.") : words.join(tr(" · ")));
}

/// Where tokens take the place of the field, nothing marks in it what is too much.
void TextPanel::showHint(const QString& problem, const QString& surplus, const QString& words) {
    const bool is_same = compare_->isChecked() && other_->toPlainText() == text_->toPlainText();
    const QString usual =
        is_same ? tr("Change a word in B to see what it changes") : tr("Click a word, or double-click it to change it");
    hint_->setText(!words.isEmpty()              ? words
                   : problem.isEmpty()           ? usual
                   : surplus.trimmed().isEmpty() ? problem
                                                 : tr("%1 Not read: “%2”").arg(problem, surplus.simplified()));
    QPalette colors; // of the program: it follows the theme
    if (!problem.isEmpty())
        colors.setColor(QPalette::PlaceholderText, theme().error_text);
    hint_->setPalette(colors);
}

QString TextPanel::counter() const { return counter_->text(); }
QPushButton* TextPanel::compareButton() const { return compare_; }

} // namespace attnlab::ui
