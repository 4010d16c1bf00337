#include "ui/learn/lecture_dialog.h"

#include "core/lessons/lesson_files.h"
#include "ui/document/local_files.h"
#include "ui/document/settings.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <tuple>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int lesson_role = Qt::UserRole, step_role_of_lecture = Qt::UserRole + 1;

const QString lecture_ending = QString::fromLatin1(lessons::lecture_suffix.data());

std::vector<const lessons::Lesson*> contentsOf(const std::vector<LessonPtr>& lessons) {
    std::vector<const lessons::Lesson*> contents;
    for (const auto& lesson : lessons)
        if (!lesson->isLecture())
            contents.push_back(&lesson->content());
    return contents;
}

} // namespace

std::string lectureBytes(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw Error({ATTNLAB_TEXT("%1: cannot be read: %2"), {path.toStdString(), file.errorString().toStdString()}});
    return file.read(static_cast<qint64>(lessons::largest_lesson_text)).toStdString();
}

bool isLectureFile(const QString& path) { return path.endsWith(lecture_ending); }

LessonPtr readLectureFile(const QString& path, const std::vector<LessonPtr>& shipped) {
    const QFileInfo info(path);
    const auto contents = contentsOf(shipped);
    return std::make_shared<const Lesson>(lessons::read_lecture(lectureBytes(path),
                                                                info.completeBaseName().toStdString(),
                                                                info.fileName().toStdString(), contents),
                                          info.absoluteFilePath());
}

LectureDialog::LectureDialog(std::vector<LessonPtr> lessons, QWidget* parent)
    : QDialog(parent), lessons_(std::move(lessons)), title_(new QLineEdit(this)), summary_(new QLineEdit(this)),
      steps_(new QTreeWidget(this)), entries_(new QListWidget(this)), add_(new RowButton(this)),
      up_(new RowButton(this)), down_(new RowButton(this)), remove_(new RowButton(this)),
      minutes_(new QDoubleSpinBox(this)), asks_(new QCheckBox(tr("Ask the question of this step"), this)),
      text_(new TextEdit(this)), answer_(new TextEdit(this)), text_words_(mutedLabel(this)),
      answer_words_(mutedLabel(this)), total_(mutedLabel(this)), error_(new ErrorLabel(this)) {
    setWindowTitle(tr("Compose a lecture"));
    setModal(true);
    build();
    fillSteps();
    connect(title_, &QLineEdit::textEdited, this, [this](const QString& words) { draft_.title = words.toStdString(); });
    connect(summary_, &QLineEdit::textEdited, this,
            [this](const QString& words) { draft_.summary = words.toStdString(); });
    const auto add_chosen = [this] {
        if (const auto* item = steps_->currentItem(); item && item->parent())
            add(item->data(0, lesson_role).toInt(), item->data(0, step_role_of_lecture).toInt());
    };
    connect(add_, &QPushButton::clicked, this, add_chosen);
    connect(steps_, &QTreeWidget::itemActivated, this, add_chosen);
    connect(steps_, &QTreeWidget::currentItemChanged, this,
            [this](const QTreeWidgetItem* item) { add_->setEnabled(item && item->parent()); });
    connect(entries_, &QListWidget::currentRowChanged, this, [this] { showEntry(); });
    connect(up_, &QPushButton::clicked, this, [this] { move(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { move(1); });
    connect(remove_, &QPushButton::clicked, this, &LectureDialog::removeEntry);
    connect(minutes_, &QDoubleSpinBox::valueChanged, this, [this] { takeEntry(); });
    connect(asks_, &QCheckBox::toggled, this, [this] { takeEntry(); });
    for (auto* field : {text_, answer_})
        connect(field, &QPlainTextEdit::textChanged, this, [this] { takeEntry(); });
    showEntries();
}

void LectureDialog::build() {
    auto* column = new QVBoxLayout(this);
    auto* words = new QFormLayout;
    words->addRow(tr("Title"), title_);
    words->addRow(tr("Summary"), summary_);
    column->addLayout(words);
    auto* parts = new QHBoxLayout;
    column->addLayout(parts, 1);

    const auto titled_list = [this](const QString& title, QAbstractItemView* list) {
        auto* label = new Label(title, this);
        label->setBuddy(list);
        list->setAccessibleName(title);
        auto* listed = new QVBoxLayout;
        listed->addWidget(label);
        listed->addWidget(list, 1);
        return listed;
    };
    auto* left = titled_list(tr("Steps of lessons"), steps_);
    left->addWidget(add_);
    steps_->setHeaderHidden(true);
    add_->setText(tr("Add to the lecture"));
    add_->setEnabled(false);
    parts->addLayout(left, 1);

    auto* middle = titled_list(tr("Lecture"), entries_);
    auto* buttons = new QHBoxLayout;
    up_->setText(QStringLiteral("▲"));
    up_->setAccessibleName(tr("Move the step up"));
    down_->setText(QStringLiteral("▼"));
    down_->setAccessibleName(tr("Move the step down"));
    remove_->setText(tr("Remove"));
    for (auto* button : {up_, down_, remove_})
        buttons->addWidget(button);
    middle->addLayout(buttons);
    middle->addWidget(total_);
    parts->addLayout(middle, 1);

    auto* right = new QVBoxLayout;
    auto* form = new QFormLayout;
    constexpr double most_minutes = 240.0, step = 0.25;
    minutes_->setRange(step, most_minutes);
    minutes_->setSingleStep(step);
    form->addRow(tr("Minutes"), minutes_);
    right->addLayout(form);
    right->addWidget(asks_);
    const std::tuple<QPlainTextEdit*, QLabel*, QString> fields[] = {
        {text_, text_words_, tr("Text of the slide (optional)")}, {answer_, answer_words_, tr("Answer on the slide")}};
    for (const auto& [field, count, name] : fields) {
        auto* label = new Label(name, this);
        label->setBuddy(field);
        field->setAccessibleName(name);
        field->setTabChangesFocus(true);
        right->addWidget(label);
        right->addWidget(field, 1);
        right->addWidget(count);
    }
    text_->setPlaceholderText(tr("Empty: the audience reads the text of the lesson."));
    parts->addLayout(right, 1);

    column->addWidget(error_);
    auto* box = new QDialogButtonBox(this);
    auto* open = box->addButton(tr("Open…"), QDialogButtonBox::ActionRole);
    auto* save = box->addButton(tr("Save"), QDialogButtonBox::ActionRole);
    auto* close = box->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    for (auto* button : {open, save, close})
        button->setAutoDefault(false);
    connect(open, &QPushButton::clicked, this, &LectureDialog::chooseFile);
    connect(save, &QPushButton::clicked, this, [this] { path_.isEmpty() ? chooseWhereToSave() : this->save(path_); });
    connect(box, &QDialogButtonBox::rejected, this, &LectureDialog::reject);
    column->addWidget(box);
    constexpr int letters_wide = 130, lines_high = 32;
    resize(letters_wide * fontMetrics().averageCharWidth(), lines_high * fontMetrics().height());
}

void LectureDialog::fillSteps() {
    for (int k = 0; k < static_cast<int>(lessons_.size()); ++k) {
        const auto& lesson = *lessons_[static_cast<std::size_t>(k)];
        if (lesson.isLecture())
            continue;
        auto* item = new QTreeWidgetItem(steps_, {lesson.title()});
        for (int step = 0; step < lesson.stepCount(); ++step) {
            auto* child = new QTreeWidgetItem(item, {lesson.stepTitle(step)});
            child->setData(0, lesson_role, k);
            child->setData(0, step_role_of_lecture, step);
        }
    }
}

std::vector<const lessons::Lesson*> LectureDialog::contents() const { return contentsOf(lessons_); }

const lessons::Step* LectureDialog::stepOf(const lessons::LectureEntry& entry) const {
    for (const auto* lesson : contents())
        if (lesson->id == entry.lesson)
            for (const auto& step : lesson->steps)
                if (step.id == entry.step)
                    return &step;
    return nullptr;
}

QString LectureDialog::titleOf(const lessons::LectureEntry& entry) const {
    const auto* step = stepOf(entry);
    return step ? textOf(step->text_in(currentLanguage().toStdString()).title) : textOf(entry.step);
}

lessons::LectureEntry* LectureDialog::chosen() {
    const auto row = static_cast<std::size_t>(entries_->currentRow());
    return entries_->currentRow() >= 0 && row < draft_.entries.size() ? &draft_.entries[row] : nullptr;
}

void LectureDialog::add(int lesson, int step) {
    const auto& content = lessons_.at(static_cast<std::size_t>(lesson))->content();
    lessons::LectureEntry entry{.lesson = content.id, .step = content.steps.at(static_cast<std::size_t>(step)).id};
    const auto same = std::ranges::find_if(
        draft_.entries, [&](const auto& other) { return other.lesson == entry.lesson && other.step == entry.step; });
    int row = static_cast<int>(same - draft_.entries.begin());
    if (same == draft_.entries.end()) { // a lecture has a step once
        row = entries_->currentRow() + 1;
        draft_.entries.insert(draft_.entries.begin() + row, std::move(entry));
        showEntries();
    }
    choose(row);
}

void LectureDialog::choose(int entry) { entries_->setCurrentRow(entry); }

void LectureDialog::move(int by) {
    const int from = entries_->currentRow(), to = from + by;
    if (!chosen() || to < 0 || to >= static_cast<int>(draft_.entries.size()))
        return;
    std::swap(draft_.entries[static_cast<std::size_t>(from)], draft_.entries[static_cast<std::size_t>(to)]);
    showEntries();
    choose(to);
}

void LectureDialog::removeEntry() {
    if (!chosen())
        return;
    const int row = entries_->currentRow();
    draft_.entries.erase(draft_.entries.begin() + row);
    showEntries();
    choose(std::min(row, static_cast<int>(draft_.entries.size()) - 1));
}

void LectureDialog::showEntries() {
    const int row = entries_->currentRow();
    {
        const QSignalBlocker quiet(entries_);
        entries_->clear();
        double minutes = 0.0;
        for (const auto& entry : draft_.entries) {
            entries_->addItem(tr("%1. %2 (%3 min)", "number, title and minutes of a step of a lecture")
                                  .arg(entries_->count() + 1)
                                  .arg(titleOf(entry))
                                  .arg(entry.minutes));
            minutes += entry.minutes;
        }
        total_->setText(tr("%1 minutes in all").arg(minutes));
        entries_->setCurrentRow(std::min(row, entries_->count() - 1));
    }
    showEntry();
}

void LectureDialog::showEntry() {
    showing_ = true;
    const auto* entry = chosen();
    const auto* step = entry ? stepOf(*entry) : nullptr;
    const bool has_question = step && step->question;
    minutes_->setEnabled(entry);
    asks_->setEnabled(has_question);
    text_->setEnabled(entry);
    minutes_->setValue(entry ? entry->minutes : 1.0);
    asks_->setChecked(has_question && entry->asks);
    const auto fill = [](QPlainTextEdit& field, const QString& words) {
        if (field.toPlainText() != words)
            field.setPlainText(words);
    };
    fill(*text_, entry ? textOf(entry->text) : QString());
    fill(*answer_, entry ? textOf(entry->answer) : QString());
    const int row = entries_->currentRow();
    up_->setEnabled(entry && row > 0);
    down_->setEnabled(entry && row + 1 < entries_->count());
    remove_->setEnabled(entry);
    showing_ = false;
    showWords();
}

void LectureDialog::showWords() {
    answer_->setEnabled(asks_->isChecked() && !text_->toPlainText().trimmed().isEmpty());
    for (const auto& [field, label] : {std::pair(text_, text_words_), {answer_, answer_words_}}) {
        const auto words = lessons::slide_words(field->toPlainText().toStdString());
        label->setText(words ? tr("%1 of %2 words").arg(*words).arg(lessons::most_slide_words)
                             : tr("A number in {{…}} cannot be read."));
        QPalette colors = palette();
        const bool wrong = !words || *words > lessons::most_slide_words;
        colors.setColor(QPalette::WindowText, wrong ? theme().error_text : theme().muted);
        label->setPalette(colors);
    }
}

void LectureDialog::takeEntry() {
    auto* entry = chosen();
    if (showing_ || !entry)
        return;
    const auto* step = stepOf(*entry);
    entry->text = text_->toPlainText().trimmed().toStdString();
    entry->answer = answer_->toPlainText().trimmed().toStdString();
    if (step && step->question)
        entry->asks = asks_->isChecked();
    if (const double minutes = minutes_->value(); minutes != entry->minutes) {
        entry->minutes = minutes;
        showEntries();
    }
    showWords();
}

QString LectureDialog::error() const { return error_->said(); }

bool LectureDialog::readFile(const QString& path) {
    try {
        draft_ = lessons::read_lecture_draft(lectureBytes(path), QFileInfo(path).fileName().toStdString(), contents());
    } catch (const Error& error) {
        error_->say(error.message());
        return false;
    }
    error_->say(std::nullopt);
    saved_ = draft_;
    path_ = path;
    title_->setText(textOf(draft_.title));
    summary_->setText(textOf(draft_.summary));
    showEntries();
    choose(0);
    return true;
}

bool LectureDialog::save(const QString& path) {
    try {
        if (draft_.title.empty() || draft_.summary.empty())
            throw Error(Message{ATTNLAB_TEXT("The lecture needs a title and a summary.")});
        if (draft_.entries.empty())
            throw Error(Message{ATTNLAB_TEXT("The lecture has no step yet.")});
        for (const auto& entry : draft_.entries)
            if (const auto* step = stepOf(entry);
                step && step->question && entry.asks && !entry.text.empty() && entry.answer.empty())
                throw Error({ATTNLAB_TEXT("The slide “%1” asks a question and has no answer."),
                             {titleOf(entry).toStdString()}});
        writeBytes(path, QByteArray::fromStdString(lessons::lecture_text(draft_, contents())));
    } catch (const Error& error) {
        error_->say(error.message());
        return false;
    }
    error_->say(std::nullopt);
    saved_ = draft_;
    path_ = path;
    emit saved(path);
    return true;
}

void LectureDialog::chooseFile() {
    const auto path = QFileDialog::getOpenFileName(this, tr("Open a lecture"), settings::lastFolder(),
                                                   tr("Lectures (%1)").arg(QLatin1Char('*') + lecture_ending));
    if (!path.isEmpty() && mayDiscard())
        readFile(path);
}

bool LectureDialog::chooseWhereToSave() {
    QString name = title_->text().simplified();
    name.replace(QLatin1Char('/'), QLatin1Char('-'));
    const QString path = choosePathToSave(this, {tr("Save the lecture"),
                                                 name,
                                                 {lecture_ending.mid(1)},
                                                 tr("Lectures (%1)").arg(QLatin1Char('*') + lecture_ending)});
    return !path.isEmpty() && save(path);
}

bool LectureDialog::mayDiscard() {
    return !isChanged() || ask(this, {tr("Unsaved lecture"), tr("The lecture has changes that are not saved.")},
                               QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Discard;
}

void LectureDialog::reject() {
    if (mayDiscard())
        QDialog::reject();
}

} // namespace attnlab::ui
