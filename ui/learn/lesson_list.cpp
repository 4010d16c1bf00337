#include "ui/learn/lesson_list.h"

#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/board_page.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QProgressBar>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {

LessonList::LessonList(QWidget* parent)
    : QWidget(parent), narrow_(new QWidget), folder_(new RowButton(this)), write_(new RowButton(this)),
      forget_(new RowButton(this)), column_(new QVBoxLayout), pictures_(new LessonPictures(this)) {
    auto* words = mutedLabel(this);
    words->setText(tr("Everything in a lesson is computed while you look at it. Move a slider or type a number, and "
                      "the text follows. Your own workspace stays as you left it."));
    auto *scale_lab = new RowButton(this), *mask_lab = new RowButton(this);
    scale_lab->setText(tr("Scale lab"));
    mask_lab->setText(tr("Mask lab"));
    auto* content = new QWidget;
    auto* middle = new QHBoxLayout(content);
    auto* column = new QVBoxLayout;
    narrow_->setLayout(column);
    middle->addStretch(1);
    middle->addWidget(narrow_, 20);
    middle->addStretch(1);
    fitWidth();
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(10);
    tools_ = rowOfTools(nullptr, {scale_lab, mask_lab, folder_});
    column->addWidget(words);
    column->addLayout(column_);
    auto* below = new FlowLayout(nullptr, 8, 6);
    below->addWidget(write_);
    below->addWidget(forget_);
    column->addLayout(below);
    column->addStretch(1);
    column_->setSpacing(6);
    words->setWordWrap(true);

    scroll_ = new FittingScrollArea(content, FittingScrollArea::Scrolls::Down, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll_);

    connect(scale_lab, &QPushButton::clicked, this, [this] { emit labChosen(lab::BoardKind::ScaleLab); });
    connect(mask_lab, &QPushButton::clicked, this, [this] { emit labChosen(lab::BoardKind::MaskLab); });
    connect(folder_, &QPushButton::clicked, this, &LessonList::folderRequested);
    connect(forget_, &QPushButton::clicked, this, &LessonList::forgetRequested);
    connect(write_, &QPushButton::clicked, this, &LessonList::editorRequested);
    write_->setText(tr("Write a lesson"));
    folder_->setText(tr("Open a lesson folder…"));
    forget_->setText(tr("Reset my progress"));
    connect(pictures_, &LessonPictures::drawn, this, [this](int index, std::shared_ptr<const Drawing> picture) {
        rows_[static_cast<std::size_t>(index)]->setPicture(std::move(picture));
    });
    refresh();
}

void LessonList::setLessons(std::vector<LessonPtr> lessons, int shipped) {
    lessons_ = std::move(lessons);
    shipped_ = shipped;
    clear();
    rows_.resize(lessons_.size());
    QWidget* before = folder_;
    for (const auto& section : lessonSections(lessons_)) {
        auto* heading = mutedLabel(this, true);
        setAccessibleRole(*heading, QAccessible::Heading);
        heading->setText(section.heading);
        heading->setAccessibleName(section.heading);
        if (!headings_.empty())
            column_->addSpacing(column_->spacing());
        column_->addWidget(heading);
        headings_.push_back(heading);
        for (const auto i : section.lessons) {
            auto* row = new LessonRow(this);
            column_->addWidget(row);
            connect(row, &QPushButton::clicked, this, [this, i] { emit lessonChosen(static_cast<int>(i)); });
            connect(row, &LessonRow::pictureWanted, this,
                    [this, i] { pictures_->want(static_cast<int>(i), lessons_[i]); });
            row->installEventFilter(this);
            QWidget::setTabOrder(before, row);
            before = row;
            rows_[i] = row;
            order_.push_back(row);
        }
    }
    QWidget::setTabOrder(before, write_);
    QWidget::setTabOrder(write_, forget_);
    refresh();
}

/// Larger letters, as in a presentation, need a wider column.
void LessonList::fitWidth() {
    constexpr int widest_lines = 60;
    narrow_->setMaximumWidth(widest_lines * fontMetrics().height());
}

void LessonList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitWidth();
}

void LessonList::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    pictures_->clear(); // rows that are seen again ask again
}

void LessonList::focusRow(int index) {
    if (order_.empty())
        return;
    auto* row = index >= 0 ? rows_[static_cast<std::size_t>(index)] : order_.front();
    row->setFocus(Qt::OtherFocusReason);
    // A row that is new is not visible yet, and gets no focus; the scroll area has no layout.
    const auto show = [this, row = QPointer<QWidget>(row)] {
        scroll_->fit();
        if (!row || !row->isVisible())
            return;
        row->setFocus(Qt::OtherFocusReason);
        scroll_->ensureWidgetVisible(row);
    };
    QMetaObject::invokeMethod(this, show, Qt::QueuedConnection);
}

void LessonList::clear() {
    pictures_->clear();
    std::ranges::for_each(rows_, removeSafely);
    std::ranges::for_each(headings_, removeSafely);
    while (auto* item = column_->takeAt(0)) // the spaces
        delete item;
    rows_.clear();
    order_.clear();
    headings_.clear();
}

bool LessonList::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && pressKey(watched, static_cast<QKeyEvent*>(event)->key()))
        return true;
    return QWidget::eventFilter(watched, event);
}

/// Arrow keys stay among the lessons; Tab leaves them.
bool LessonList::pressKey(const QObject* row, int key) {
    const auto found = std::find(order_.begin(), order_.end(), row);
    if (found == order_.end())
        return false;
    const auto last = static_cast<std::ptrdiff_t>(order_.size()) - 1;
    std::ptrdiff_t to = found - order_.begin();
    switch (key) {
    case Qt::Key_Up:
        to = std::max<std::ptrdiff_t>(0, to - 1);
        break;
    case Qt::Key_Down:
        to = std::min(last, to + 1);
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = last;
        break;
    default:
        return false;
    }
    auto* next = order_[static_cast<std::size_t>(to)];
    next->setFocus(Qt::TabFocusReason);
    scroll_->ensureWidgetVisible(next);
    return true;
}

void LessonList::refresh() {
    std::vector<QString> groups(rows_.size());
    for (const auto& section : lessonSections(lessons_))
        for (const auto i : section.lessons)
            groups[i] = section.heading;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto& lesson = *lessons_[i];
        const auto progress = lessonProgress(lesson.key());
        LessonRow::Content content;
        content.group = groups[i];
        content.minutes = lesson.readingMinutes();
        content.planned = lesson.minutes() > 0.0;
        content.number = static_cast<int>(i) < shipped_ ? static_cast<int>(i) + 1 : 0;
        content.title = lesson.title();
        content.summary = lesson.summary();
        content.steps = lesson.stepCount();
        content.questions = lesson.questionCount();
        content.finished = isFinished(lesson, progress);
        // The lesson may have changed since: only existing steps count.
        for (int step = 0; step < content.steps; ++step) {
            content.seen += progress.seen.contains(lesson.stepId(step));
            content.answered += lesson.hasQuestion(step) && progress.answers.contains(lesson.stepId(step));
        }
        rows_[i]->setContent(content);
    }
    forget_->setEnabled(hasProgress());
}

LessonRow::LessonRow(QWidget* parent) : CardButton(new QHBoxLayout, parent) {
    auto& row = static_cast<QBoxLayout&>(*layout());
    row.setContentsMargins(14, 8, 14, 8);
    row.setSpacing(12);
    number_ = addWords(row, QPalette::PlaceholderText);
    number_->setAlignment(Qt::AlignCenter);
    frame_ = new QWidget(this);
    frame_->setAttribute(Qt::WA_TransparentForMouseEvents);
    row.addWidget(frame_, 0, Qt::AlignVCenter);
    auto* words = new QVBoxLayout;
    words->setSpacing(3);
    row.addLayout(words, 1);
    title_ = addWords(*words, QPalette::WindowText);
    summary_ = addWords(*words, QPalette::PlaceholderText);
    words->addStretch(1);
    beside_ = new QWidget(this);
    beside_->setAttribute(Qt::WA_TransparentForMouseEvents);
    row.addWidget(beside_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(beside_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* first = new QHBoxLayout;
    column->addLayout(first);
    next_ = addWords(*first, QPalette::Highlight);
    minutes_ = addWords(*first, QPalette::PlaceholderText);
    minutes_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    first->setStretch(0, 2);
    first->setStretch(1, 3);
    QFont bold;
    bold.setBold(true); // and no size, which is inherited
    next_->setFont(bold);
    bar_ = new QProgressBar(beside_);
    bar_->setTextVisible(false);
    column->addWidget(bar_);
    progress_ = addWords(*column, QPalette::PlaceholderText);
    fit();
}

/// Widths are measured in letters.
void LessonRow::fit() {
    constexpr int progress_letters = 28;
    constexpr double picture_height = 4.4, picture_width = 7.0; ///< lines of text
    const int line = fontMetrics().height();
    frame_->setFixedSize(static_cast<int>(picture_width * line), static_cast<int>(picture_height * line));
    small_ = {};
    number_->setFixedWidth(2 * fontMetrics().height());
    beside_->setFixedWidth(progress_letters * fontMetrics().averageCharWidth());
    bar_->setFixedHeight(std::max(5, fontMetrics().height() / 3));
    QFont large = font();
    large.setBold(true);
    large.setPointSizeF(std::max(1.0, font().pointSizeF() * 1.12));
    title_->setFont(large);
    large.setPointSizeF(large.pointSizeF() * 1.5);
    number_->setFont(large);
}

void LessonRow::setContent(const Content& content) {
    setWords(*this, content.title);
    number_->setText(content.number > 0 ? QString::number(content.number) : QString());
    title_->setText(content.title);
    summary_->setText(content.summary);
    next_->setText(content.seen == 0 ? tr("Start") : content.finished ? tr("Again") : tr("Continue"));
    const auto minutes = content.planned ? tr("%1 min") : tr("about %1 min");
    minutes_->setText(minutes.arg(content.minutes));
    bar_->setRange(0, std::max(1, content.steps));
    bar_->setValue(content.seen);
    const QString steps = tr("%1 of %2 steps").arg(content.seen).arg(content.steps);
    progress_->setText(content.questions == 0 ? steps
                                              : tr("%1 · %2 of %3 questions", "steps, questions")
                                                    .arg(steps)
                                                    .arg(content.answered)
                                                    .arg(content.questions));
    setAccessibleName(content.number > 0 ? tr("Lesson %1: %2").arg(content.number).arg(content.title) : content.title);
    setAccessibleDescription(
        QStringList{content.group, minutesText(), content.summary, progressText()}.join(QLatin1Char('\n')));
}

QString LessonRow::minutesText() const { return minutes_->text(); }

QString LessonRow::progressText() const { return progress_->text(); }

QString LessonRow::nextText() const { return next_->text(); }

void LessonRow::paintEvent(QPaintEvent*) {
    const bool has_focus = showsFocus(*this);
    paintFrame(has_focus ? theme().accent : theme().outline, has_focus, isDown());
    paintPicture();
}

void LessonRow::setPicture(std::shared_ptr<const Drawing> picture) {
    picture_ = std::move(picture);
    small_ = {};
    update();
}

void LessonRow::paintPicture() {
    if (!picture_) {
        emit pictureWanted();
        return;
    }
    if (small_.isNull() || small_.devicePixelRatio() != devicePixelRatio())
        small_ = LessonPictures::thumbnail(*picture_, frame_->size(), devicePixelRatio());
    QPainter(this).drawPixmap(frame_->geometry().topLeft(), small_);
}

void LessonRow::changeEvent(QEvent* event) {
    CardButton::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
    if (event->type() == QEvent::PaletteChange)
        small_ = {};
}

namespace {

/// Room in which a board lays itself out; a picture shows all of it.
constexpr QSize room_of_board(520, 330);
constexpr int picture_look_milliseconds = 30;
constexpr int most_picture_looks = 60'000 / picture_look_milliseconds;

/// A board without the parts that cannot be seen in a small picture.
lab::BoardSpec bareView(lab::BoardSpec view) {
    view.show.clear();
    view.live.clear();
    view.pin.reset();
    view.highlight.clear();
    return view;
}

} // namespace

LessonPictures::LessonPictures(QObject* parent) : QObject(parent) {
    timer_.setInterval(picture_look_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &LessonPictures::look);
}

LessonPictures::~LessonPictures() = default;

void LessonPictures::want(int index, LessonPtr lesson) {
    if (wanted_.contains(index) || lesson->stepCount() == 0)
        return;
    wanted_.insert(index);
    waiting_.push_back({index, std::move(lesson)});
    if (!timer_.isActive())
        timer_.start();
}

void LessonPictures::clear() {
    timer_.stop();
    waiting_.clear();
    wanted_.clear();
    frame_.reset();
    looks_ = 0;
}

void LessonPictures::begin() {
    if (!frame_) {
        frame_ = std::make_unique<BoardFrame>();
        frame_->resize(room_of_board);
        connect(frame_.get(), &BoardFrame::failed, this, [this] { failed_ = true; });
    }
    failed_ = false;
    const auto& lesson = *waiting_.front().lesson;
    frame_->begin(lesson.scene(0), bareView(lesson.view(0)));
}

void LessonPictures::look() {
    if (waiting_.empty()) {
        timer_.stop();
        frame_.reset();
        return;
    }
    if (looks_++ == 0) {
        begin();
        return;
    }
    const auto& model = frame_->model();
    const bool patient = looks_ < most_picture_looks && !failed_;
    if (patient && (!model.result() || model.isComputing() || !frame_->board()->isSettled()))
        return;
    finish(model.result() ? frame_->board()->picture() : nullptr);
}

void LessonPictures::finish(std::shared_ptr<const Drawing> picture) {
    const int index = waiting_.front().index;
    waiting_.pop_front();
    looks_ = 0;
    frame_->clear();
    if (picture)
        emit drawn(index, std::move(picture));
}

QPixmap LessonPictures::thumbnail(const Drawing& picture, const QSize& size, double pixel_ratio) {
    QPixmap pixmap(size * pixel_ratio);
    pixmap.setDevicePixelRatio(pixel_ratio);
    pixmap.fill(Qt::transparent);
    const QFont font = QApplication::font();
    const QSizeF area = picture.smallest(font, room_of_board.width()).expandedTo(room_of_board);
    const double scale = std::min(size.width() / area.width(), size.height() / area.height());
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate((size.width() - scale * area.width()) / 2.0, (size.height() - scale * area.height()) / 2.0);
    painter.scale(scale, scale);
    picture.paint(painter, QRectF(QPointF(), area), {theme(), font});
    return pixmap;
}

} // namespace attnlab::ui
