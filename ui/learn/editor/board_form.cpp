#include "ui/learn/editor/board_form.h"

#include "ui/learn/cards/card_content.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

using lab::BoardControl;
using lab::BoardKind;

/// In the order of BoardControl.
constexpr const char* control_names[] = {
    QT_TRANSLATE_NOOP("BoardForm", "width d"),    QT_TRANSLATE_NOOP("BoardForm", "number of keys"),
    QT_TRANSLATE_NOOP("BoardForm", "draw again"), QT_TRANSLATE_NOOP("BoardForm", "distribution"),
    QT_TRANSLATE_NOOP("BoardForm", "scale"),      QT_TRANSLATE_NOOP("BoardForm", "masks"),
    QT_TRANSLATE_NOOP("BoardForm", "fill"),       QT_TRANSLATE_NOOP("BoardForm", "precision"),
    QT_TRANSLATE_NOOP("BoardForm", "inputs"),     QT_TRANSLATE_NOOP("BoardForm", "edited token"),
    QT_TRANSLATE_NOOP("BoardForm", "query"),      QT_TRANSLATE_NOOP("BoardForm", "stage"),
    QT_TRANSLATE_NOOP("BoardForm", "head"),       QT_TRANSLATE_NOOP("BoardForm", "training"),
    QT_TRANSLATE_NOOP("BoardForm", "groups"),     QT_TRANSLATE_NOOP("BoardForm", "context"),
    QT_TRANSLATE_NOOP("BoardForm", "readers")};

struct KindName {
    BoardKind kind;
    const char* name;
};
constexpr KindName kind_names[] = {
    {BoardKind::Matrices, QT_TRANSLATE_NOOP("BoardForm", "Matrices")},
    {BoardKind::ScaleLab, QT_TRANSLATE_NOOP("BoardForm", "Scale lab")},
    {BoardKind::MaskLab, QT_TRANSLATE_NOOP("BoardForm", "Mask lab")},
    {BoardKind::StepThrough, QT_TRANSLATE_NOOP("BoardForm", "A row step by step")},
    {BoardKind::Arrows, QT_TRANSLATE_NOOP("BoardForm", "Arrows")},
};

bool hasCards(const lab::BoardSpec& view) { return view.board == BoardKind::Matrices || view.is_lab(); }

} // namespace

std::vector<BoardControl> controlsOf(const lab::Scene& scene, const lab::BoardSpec& view) {
    using enum BoardControl;
    const bool own_stages = std::ranges::any_of(view.cards, [](const auto& card) { return !card.stage.empty(); });
    std::vector<BoardControl> controls;
    const auto add = [&](bool there, std::initializer_list<BoardControl> some) {
        if (there)
            controls.insert(controls.end(), some);
    };
    add(scene.cache.has_value(), {Groups, Context, Readers});
    add(view.board == BoardKind::StepThrough, {Query});
    add(view.board == BoardKind::Arrows, {Cells});
    if (hasCards(view)) {
        add(scene.draw.has_value(), {E, S, Draw, Distribution});
        add(!scene.model, {Scale, Masks, Fill, Precision, Cells});
        add(view.shows(lab::BoardPart::Leak), {Token});
        add(!own_stages, {Stage});
        add(true, {Head});
        add(scene.training.has_value(), {Steps});
    }
    std::ranges::sort(controls);
    return controls;
}

BoardForm::BoardForm(QWidget* parent)
    : DraftForm(parent), error_(new ErrorLabel(this)), kind_(new QComboBox(this)), live_(new QWidget(this)),
      live_error_(new ErrorLabel(this)), frame_(new BoardFrame), words_(new QWidget(this)),
      words_column_(new QVBoxLayout(words_)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* label = new Label(tr("Board"), live_);
    label->setBuddy(kind_);
    kind_->setAccessibleName(label->text());
    auto* line = new FlowLayout(live_, 6, 4);
    line->addWidget(label);
    line->addWidget(kind_);
    auto* words = mutedLabel(live_);
    words->setText(tr("The reader may change:"));
    line->addWidget(words);
    line->setAlignment(label, Qt::AlignVCenter);
    line->setAlignment(words, Qt::AlignVCenter);
    for (std::size_t k = 0; k < std::size(control_names); ++k) {
        auto* chip = new Chip(live_);
        chip->setText(QCoreApplication::translate("BoardForm", control_names[k]));
        chip->setAccessibleName(tr("The reader may change: %1").arg(chip->text()));
        chip->setCheckable(true);
        line->addWidget(chip);
        const auto control = static_cast<BoardControl>(k);
        chips_.emplace_back(control, chip);
        connect(chip, &Chip::clicked, this, [this, id = std::string(lab::id_of(control))](bool on) {
            emit stepChanged(
                [&](lessons::DraftStep& step) {
                    std::erase(step.live, id);
                    if (on)
                        step.live.push_back(id);
                },
                {});
        });
    }
    column->addWidget(error_);
    column->addWidget(live_);
    column->addWidget(live_error_);
    auto* room = new FittingScrollArea(frame_, FittingScrollArea::Scrolls::Both, this);
    constexpr int least_room = 240;
    room->setMinimumHeight(least_room);
    column->addWidget(room, 1);
    column->addWidget(words_);
    words_column_->setContentsMargins(0, 0, 0, 0);
    connect(frame_, &BoardFrame::changed, this, &BoardForm::takeBoard);
    connect(kind_, &QComboBox::activated, this, [this](int index) {
        view_.board = static_cast<BoardKind>(kind_->itemData(index).toInt());
        const QString field = QStringLiteral("kind");
        emit stepChanged([&](lessons::DraftStep& step) { lessons::set_board(step, scene_, view_, true); }, field);
    });
}

void BoardForm::clear() {
    step_.clear();
    frame_->clear();
}

void BoardForm::show(const EditedLesson& lesson) {
    const auto* step = lesson.edited();
    const auto* report = lesson.board.get();
    const auto* mistake = lesson.mistake("board");
    error_->say(mistake ? std::optional(*mistake) : std::nullopt);
    const auto* live = lesson.mistake("live");
    live_error_->say(live ? std::optional(*live) : std::nullopt);
    const bool there = step && report && report->scene;
    if (!step || (report && !report->scene)) {
        clear();
        live_->hide();
        words_->hide();
        return;
    }
    if (!there)
        return; // it is being read
    live_->show();
    scene_ = *report->scene;
    view_ = report->view;
    view_.live.clear();
    showKind(*report);
    showChips(lesson);
    showCards(lesson);
    auto shown = view_;
    for (const auto control : controlsOf(scene_, view_))
        shown.live.insert(control);
    const auto& model = frame_->model();
    if (step_ == step->id && frame_->board() && model.scene() == scene_ && model.view() == shown)
        return;
    const QScopedValueRollback<bool> showing(showing_, true);
    step_ = step->id;
    frame_->begin(scene_, shown);
}

/// What the author has changed on the board. Inputs that are unchanged keep their name: a sample, a model.
void BoardForm::takeBoard() {
    if (showing_ || step_.empty())
        return;
    const auto scene = frame_->model().scene();
    auto view = frame_->model().view();
    view.live.clear();
    if (scene == scene_ && view == view_)
        return;
    const bool keep = scene == scene_;
    scene_ = scene;
    view_ = view;
    emit stepChanged(
        [&](lessons::DraftStep& step) {
            try {
                lessons::set_board(step, scene, view, keep);
            } catch (const Error& error) { // NaN in the inputs, for example
                error_->say(error.message());
            }
        },
        QStringLiteral("board"));
}

void BoardForm::showKind(const lessons::DraftStepReport& report) {
    kind_->clear();
    const auto add = [&](BoardKind kind, const QString& name) { kind_->addItem(name, static_cast<int>(kind)); };
    const bool known = std::ranges::find(kind_names, report.view.board, &KindName::kind) != std::end(kind_names);
    const bool arrows = report.result && !report.result->settings.empty() && !report.scene->cache &&
                        !lab::arrows_unsupported_reason(report.result->settings.front().trace);
    for (const auto& [kind, name] : kind_names)
        if (known && (kind != BoardKind::Arrows || arrows || report.view.board == kind))
            add(kind, QCoreApplication::translate("BoardForm", name));
    if (!known)
        add(report.view.board, textOf(lab::id_of(report.view.board)));
    kind_->setCurrentIndex(kind_->findData(static_cast<int>(report.view.board)));
    kind_->setEnabled(kind_->count() > 1);
}

void BoardForm::showChips(const EditedLesson& lesson) {
    const auto& live = lesson.edited()->live;
    const auto controls = controlsOf(scene_, view_);
    for (const auto& [control, chip] : chips_) {
        const bool on = std::ranges::find(live, lab::id_of(control)) != live.end();
        chip->setChecked(on);
        // One that is on although the board lacks it can be switched off.
        chip->setVisible(on || std::ranges::find(controls, control) != controls.end());
    }
}

void BoardForm::showCards(const EditedLesson& lesson) {
    std::vector<std::string> ids;
    if (hasCards(view_))
        for (const auto& card : lab::cards_of(view_, scene_))
            ids.push_back(card.id);
    for (const auto& [id, words] : lesson.text().cards)
        if (std::ranges::find(ids, id) == ids.end())
            ids.push_back(id); // has words, but no card any more
    if (!std::ranges::equal(cards_, ids, {}, &std::pair<std::string, DraftField*>::first)) {
        for (auto& [id, field] : cards_)
            removeSafely(field);
        cards_.clear();
        for (const auto& one : ids) {
            const std::string& id = one;
            auto* field = new DraftField(DraftField::Lines::One, {}, words_);
            const QString name = tr("Words beside the card %1").arg(textOf(id));
            field->editor()->setAccessibleName(name);
            field->setPlaceholder(name);
            words_column_->addWidget(field);
            connect(field, &DraftField::edited, this, [this, id](const QString& words) {
                emit textChanged([&](lessons::DraftText& text) { text.cards[id] = words.toStdString(); },
                                 QStringLiteral("card ") + textOf(id));
            });
            cards_.emplace_back(id, field);
        }
    }
    words_->setVisible(!cards_.empty());
    for (auto& [id, field] : cards_) {
        const auto words = lesson.text().cards.find(id);
        field->show(words == lesson.text().cards.end() ? std::string() : words->second,
                    lesson.textMistake("card " + id));
    }
}

} // namespace attnlab::ui
