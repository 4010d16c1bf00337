#include "ui/learn/editor/question_form.h"

#include "ui/learn/cards/card_content.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QRadioButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr const char* always_true = "1 = 1";
constexpr const char* always_false = "1 = 0";

} // namespace

QuestionForm::QuestionForm(QWidget* parent)
    : DraftForm(parent), asks_(new QCheckBox(tr("This step asks a question"), this)), parts_(new QWidget(this)),
      question_(new DraftField(DraftField::Lines::Several, tr("Question"), parts_)), decided_(new QComboBox(parts_)),
      options_(new QVBoxLayout), error_(new ErrorLabel(parts_)), add_(new QPushButton(parts_)),
      cards_(new QToolButton(parts_)), from_cards_(new QMenu(cards_)),
      hint_(new DraftField(DraftField::Lines::Several, tr("Hint, after a first wrong choice (optional)"), parts_)),
      answer_(new DraftField(DraftField::Lines::Several, tr("Answer, which explains"), parts_)),
      covers_(new QCheckBox(tr("Cover the board until there is an answer"), parts_)), sections_(new QVBoxLayout) {
    build();
    connect(asks_, &QCheckBox::clicked, this, &QuestionForm::ask);
    connect(covers_, &QCheckBox::clicked, this,
            [this](bool on) { changeQuestion([&](lessons::DraftQuestion& question) { question.covers = on; }); });
    for (const auto& [field, name, part] : {std::tuple{question_, "question", &lessons::DraftText::question},
                                            {hint_, "hint", &lessons::DraftText::hint},
                                            {answer_, "answer", &lessons::DraftText::answer}})
        connect(field, &DraftField::edited, this,
                [this, name = QLatin1String(name), part = part](const QString& words) {
                    emit textChanged([&](lessons::DraftText& text) { text.*part = words.toStdString(); }, name);
                });
    connect(add_, &QPushButton::clicked, this, [this] {
        changeQuestion([](lessons::DraftQuestion& question) {
            std::vector<std::string> ids;
            for (const auto& option : question.options)
                ids.push_back(option.id);
            const bool chosen = isChosen(question);
            question.options.push_back(
                {lessons::free_id("option", ids), chosen ? (ids.empty() ? always_true : always_false) : ""});
        });
    });
    connect(decided_, &QComboBox::activated, this, [this](int index) {
        if ((index == 0) == chosen_)
            return;
        changeQuestion([&](lessons::DraftQuestion& question) {
            for (auto& option : question.options)
                option.right = index != 0 ? "" : &option == &question.options.front() ? always_true : always_false;
        });
    });
}

void QuestionForm::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(asks_);
    column->addWidget(parts_);
    column->addStretch(1);
    auto* parts = new QVBoxLayout(parts_);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->addWidget(question_);
    auto* label = new Label(tr("The right option is"), parts_);
    label->setBuddy(decided_);
    decided_->setAccessibleName(label->text());
    decided_->addItem(tr("the one marked here"));
    decided_->addItem(tr("measured by expressions"));
    auto* line = new FlowLayout(nullptr, 8, 4);
    for (QWidget* part : std::initializer_list<QWidget*>{label, decided_, add_, cards_})
        line->addWidget(part);
    line->setAlignment(label, Qt::AlignVCenter);
    parts->addLayout(line);
    parts->addWidget(error_);
    parts->addLayout(options_);
    parts->addWidget(hint_);
    parts->addWidget(answer_);
    parts->addLayout(sections_);
    parts->addWidget(covers_);
    add_->setText(tr("Add an option"));
    cards_->setText(tr("Ask about the cards"));
    cards_->setToolTip(tr("Makes an option of each setting; the engine decides which has the largest number"));
    cards_->setPopupMode(QToolButton::InstantPopup);
    cards_->setFocusPolicy(Qt::StrongFocus);
    cards_->setMenu(from_cards_);
    constexpr int few_lines = 3;
    for (auto* field : {question_, hint_, answer_})
        field->editor()->setFixedHeight((few_lines + 1) * fontMetrics().lineSpacing());
}

void QuestionForm::ask(bool on) {
    emit stepChanged(
        [on](lessons::DraftStep& step) {
            if (!on)
                step.question.reset();
            else
                step.question.emplace().options = {{"a", always_true}, {"b", always_false}};
        },
        {});
}

void QuestionForm::changeQuestion(const std::function<void(lessons::DraftQuestion&)>& change, const QString& field) {
    emit stepChanged(
        [&](lessons::DraftStep& step) {
            if (step.question)
                change(*step.question);
        },
        field);
}

bool QuestionForm::isChosen(const lessons::DraftQuestion& question) {
    return std::ranges::all_of(question.options, [](const lessons::DraftOption& option) {
        return option.right == always_true || option.right == always_false;
    });
}

void QuestionForm::show(const EditedLesson& lesson) {
    const auto* step = lesson.edited();
    language_ = lesson.language;
    asks_->setEnabled(step);
    asks_->setChecked(step && step->question);
    parts_->setVisible(asks_->isChecked());
    listCards(lesson);
    if (!asks_->isChecked())
        return;
    const auto& question = *step->question;
    question_->show(lesson.text().question, lesson.textMistake("question"));
    hint_->show(lesson.text().hint, lesson.textMistake("hint"));
    answer_->show(lesson.text().answer, lesson.textMistake("answer"));
    covers_->setChecked(question.covers);
    const auto* mistake = lesson.mistake("options");
    error_->say(mistake ? std::optional(*mistake) : std::nullopt);
    chosen_ = isChosen(question);
    decided_->setCurrentIndex(chosen_ ? 0 : 1);
    makeRows(question);
    showRows(lesson, question);
    showSections(lesson);
}

void QuestionForm::makeRows(const lessons::DraftQuestion& question) {
    if (std::ranges::equal(rows_, question.options, {}, &Row::id, &lessons::DraftOption::id))
        return;
    for (auto& row : rows_)
        removeSafely(row.box);
    rows_.clear();
    for (const auto& option : question.options)
        makeRow(option.id);
}

void QuestionForm::makeRow(const std::string& id) {
    Row row;
    row.id = id;
    row.box = new QWidget(parts_);
    row.chosen = new QRadioButton(row.box);
    row.words = new DraftField(DraftField::Lines::One, {}, row.box);
    row.right = new DraftField(DraftField::Lines::One, {}, row.box);
    row.measured = new WrappedLabel(row.box);
    row.remove = newButton(QStringLiteral("×"), tr("Remove this option"));
    row.measured->setWordWrap(true);
    row.chosen->setAutoExclusive(false);
    row.chosen->setFixedHeight(row.words->editor()->sizeHint().height());
    row.remove->setFixedWidth(controlHeight(font()));
    const auto number = static_cast<int>(rows_.size()) + 1;
    row.chosen->setAccessibleName(tr("Option %1 is right").arg(number));
    row.words->editor()->setAccessibleName(tr("Words of option %1").arg(number));
    row.right->editor()->setAccessibleName(tr("Option %1 is right when").arg(number));
    row.remove->setAccessibleName(tr("Remove option %1").arg(number));
    row.words->setPlaceholder(tr("Words of option %1").arg(number));
    auto* column = new QVBoxLayout(row.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->addWidget(row.chosen, 0, Qt::AlignTop);
    line->addWidget(row.words, 1);
    line->addWidget(row.remove, 0, Qt::AlignTop);
    column->addLayout(line);
    column->addWidget(row.right);
    column->addWidget(row.measured);
    options_->addWidget(row.box);
    connect(row.chosen, &QRadioButton::clicked, this, [this, id] {
        changeQuestion([&](lessons::DraftQuestion& question) {
            for (auto& option : question.options)
                option.right = option.id == id ? always_true : always_false;
        });
    });
    const QString field = textOf(id);
    connect(row.words, &DraftField::edited, this, [this, id, field](const QString& words) {
        emit textChanged([&](lessons::DraftText& text) { text.options[id] = words.toStdString(); },
                         QStringLiteral("option ") + field);
    });
    connect(row.right, &DraftField::edited, this, [this, id, field](const QString& expression) {
        changeQuestion(
            [&](lessons::DraftQuestion& question) {
                for (auto& option : question.options)
                    if (option.id == id)
                        option.right = expression.toStdString();
            },
            QStringLiteral("right ") + field);
    });
    connect(row.remove, &QPushButton::clicked, this, [this, id] {
        changeQuestion([&](lessons::DraftQuestion& question) {
            std::erase_if(question.options, [&](const auto& option) { return option.id == id; });
        });
    });
    rows_.push_back(row);
}

void QuestionForm::showRows(const EditedLesson& lesson, const lessons::DraftQuestion& question) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        auto& row = rows_[k];
        const auto& text = lesson.text();
        const auto words = text.options.find(row.id);
        row.words->show(words == text.options.end() ? std::string() : words->second,
                        lesson.textMistake("option " + row.id));
        row.right->show(question.options[k].right, lesson.mistake("right " + row.id));
        row.right->setVisible(!chosen_);
        const QString example = lesson.exampleStatement();
        row.right->setPlaceholder(example.isEmpty() ? QString() : tr("Right when: %1").arg(example));
        const auto* options = lesson.report ? &lesson.report->options : nullptr;
        const bool known = options && k < options->size();
        row.chosen->setChecked(chosen_ ? question.options[k].right == always_true : known && (*options)[k].claim.holds);
        row.chosen->setEnabled(chosen_);
        const bool measured = !chosen_ && known && (*options)[k].claim.evaluated;
        row.measured->setVisible(measured && row.right->error().isEmpty());
        if (measured)
            row.measured->setText(((*options)[k].claim.holds ? tr("Right: %1") : tr("Not right: %1"))
                                      .arg(textOf((*options)[k].claim.measured)));
    }
}

namespace {

const std::string why = "why ";

/// "why a" of the heading "why a: words"; other headings stay.
std::string keyOf(const std::string& heading) {
    return heading.starts_with(why) ? heading.substr(0, heading.find(':')) : heading;
}

/// The words of a reason stand in its heading.
std::string wordsOf(const std::string& heading) {
    const auto colon = heading.find(':');
    const auto first = colon == heading.npos ? heading.npos : heading.find_first_not_of(' ', colon + 1);
    return first == heading.npos ? std::string() : heading.substr(first);
}

void setReason(lessons::DraftText& text, const std::string& key, const std::string& words) {
    auto& sections = text.sections;
    const auto found = std::ranges::find(sections, key, [](const auto& section) { return keyOf(section.first); });
    if (words.empty()) {
        if (found != sections.end())
            sections.erase(found);
    } else if (found != sections.end()) {
        found->first = key + ": " + words;
    } else {
        sections.emplace_back(key + ": " + words, std::string());
    }
}

} // namespace

/// A reason for each option, and parts of the text that have no field of their own, so that nothing of a lesson is
/// hidden.
void QuestionForm::showSections(const EditedLesson& lesson) {
    std::vector<std::pair<std::string, std::string>> shown; // key and words
    if (const auto* step = lesson.edited(); step && step->question)
        for (const auto& option : step->question->options)
            shown.emplace_back(why + option.id, std::string());
    const auto options = shown.size();
    for (const auto& [heading, content] : lesson.text().sections) {
        const auto key = keyOf(heading);
        const auto found = std::ranges::find(shown, key, &std::pair<std::string, std::string>::first);
        if (found == shown.end())
            shown.emplace_back(key, key == heading ? content : wordsOf(heading));
        else
            found->second = wordsOf(heading);
    }
    if (!std::ranges::equal(section_fields_, shown, {}, &std::pair<std::string, DraftField*>::first,
                            &std::pair<std::string, std::string>::first)) {
        for (auto& [key, field] : section_fields_)
            removeSafely(field);
        section_fields_.clear();
        for (const auto& [key, words] : shown) {
            const bool is_reason = key.starts_with(why);
            // Numbered as the fields of the options are.
            const auto place = section_fields_.size();
            const QString name = place < options ? QString::number(place + 1)
                                 : is_reason     ? textOf(key.substr(why.size()))
                                                 : QString();
            auto* field =
                new DraftField(is_reason ? DraftField::Lines::One : DraftField::Lines::Several,
                               is_reason ? tr("Why option %1 is right or wrong").arg(name) : textOf(key), parts_);
            if (!is_reason)
                field->editor()->setFixedHeight(3 * fontMetrics().lineSpacing());
            sections_->addWidget(field);
            connect(field, &DraftField::edited, this, [this, key = key, is_reason](const QString& typed) {
                emit textChanged(
                    [&](lessons::DraftText& text) {
                        if (is_reason)
                            setReason(text, key, typed.simplified().toStdString());
                        else
                            for (auto& [other, content] : text.sections)
                                if (other == key)
                                    content = typed.toStdString();
                    },
                    QStringLiteral("section ") + textOf(key));
            });
            section_fields_.emplace_back(key, field);
        }
    }
    for (std::size_t k = 0; k < shown.size(); ++k)
        section_fields_[k].second->show(shown[k].second, lesson.textMistake("section " + shown[k].first));
}

void QuestionForm::listCards(const EditedLesson& lesson) {
    std::vector<std::pair<std::string, QString>> settings;
    if (lesson.board && lesson.board->scene && !lesson.board->scene->cache) {
        const auto& scene = *lesson.board->scene;
        const auto titles = CardContents::settingTitles(scene);
        for (std::size_t k = 0; k < scene.settings.size(); ++k) {
            const QString title = titles.value(static_cast<qsizetype>(k));
            const auto& id = scene.settings[k].id;
            settings.emplace_back(id, title.isEmpty() || titles.count(title) > 1 ? textOf(id) : title);
        }
    }
    cards_->setEnabled(settings.size() > 1);
    settings_ = std::move(settings);
    if (!from_cards_->isEmpty())
        return;
    const std::tuple<const char*, QString, QString> measures[] = {
        {"entropy", tr("Which has the largest entropy?"), tr("Which has the smallest entropy?")},
        {"max_weight", tr("Which has the largest weight in a row?"), tr("In which is the largest weight smallest?")},
        {"effective_keys", tr("Which attends to the most keys?"), tr("Which attends to the fewest keys?")},
        {"jacobian_norm", tr("Which passes the largest gradient?"), tr("Which passes the smallest gradient?")}};
    for (const auto& [function, largest, smallest] : measures)
        for (const bool most : {true, false})
            from_cards_->addAction(menuText(most ? largest : smallest), this,
                                   [this, name = std::string(function), most, words = most ? largest : smallest] {
                                       askAboutCards(name, most, words);
                                   });
}

void QuestionForm::askAboutCards(const std::string& function, bool largest, const QString& words) {
    emit stepChanged(
        [&, settings = settings_](lessons::DraftStep& step) { // settings_ changes when the editor shows the step
            if (!step.question)
                step.question.emplace();
            step.question->options.clear();
            for (const auto& setting : settings) {
                std::string right;
                for (const auto& other : settings)
                    if (other.first != setting.first)
                        right.append(right.empty() ? "" : " and ")
                            .append(function + "(" + setting.first + ")" + (largest ? " > " : " < ") + function + "(" +
                                    other.first + ")");
                step.question->options.push_back({setting.first, right});
            }
            auto& text = step.texts[language_];
            text.question = words.toStdString();
            text.options.clear();
            for (const auto& [id, title] : settings)
                text.options[id] = title.toStdString();
        },
        {});
}

} // namespace attnlab::ui
