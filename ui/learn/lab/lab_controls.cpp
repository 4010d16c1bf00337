#include "ui/learn/lab/lab_controls.h"

#include "core/lab/scene.h"
#include "ui/learn/cards/card_content.h"
#include "ui/learn/lab/inputs_editor.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <numeric>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace attnlab::ui {
namespace {

constexpr int least_size = 2;
constexpr int most_width = 4096;
constexpr int most_keys = 1024;

/// The trace of the first setting that has one.
const Trace* anyTrace(const SceneModel& model) {
    if (model.result())
        for (const auto& setting : model.result()->settings)
            if (!setting.error)
                return &setting.trace;
    return nullptr;
}

struct Choice {
    QString text;
    QVariant data;
};

/// Updates a list only if it has changed, since it may be open.
void setChoices(QComboBox& box, const std::vector<Choice>& choices) {
    bool same = box.count() == static_cast<int>(choices.size());
    for (int k = 0; same && k < box.count(); ++k) {
        const Choice& choice = choices[static_cast<std::size_t>(k)];
        same = box.itemText(k) == choice.text && box.itemData(k) == choice.data;
    }
    if (same)
        return;
    box.clear();
    for (const auto& [text, data] : choices)
        box.addItem(text, data);
}

} // namespace

LabControls::LabControls(SceneModel& model, QWidget* parent)
    : QWidget(parent), model_(model), width_(new ValueSlider(ValueSlider::Value::Editable, this)),
      keys_(new ValueSlider(ValueSlider::Value::Editable, this)), training_(new TrainingControl(model, this)),
      distribution_(new QComboBox(this)), draw_again_(new QPushButton(this)), stage_(new QComboBox(this)),
      head_(new QComboBox(this)), token_(new QComboBox(this)), inputs_(new QPushButton(this)),
      inputs_editor_(new InputsEditor(model, this)), add_card_(new QPushButton(this)), parts_(new QToolButton(this)) {
    build();
    connectParts();
    connect(&model_, &SceneModel::sceneChanged, this, &LabControls::refresh);
    connect(&model_, &SceneModel::viewChanged, this, &LabControls::refresh);
    connect(&model_, &SceneModel::computed, this, &LabControls::refresh);
    refresh();
}

QWidget* LabControls::labelled(const QString& text, QComboBox* field, const QString& name) {
    auto* pair = new QWidget(this);
    auto* row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(5);
    auto* label = new Label(text, pair);
    label->setBuddy(field);
    row->addWidget(label);
    row->addWidget(field);
    field->setAccessibleName(name);
    return pair;
}

void LabControls::build() {
    auto* line = new FlowLayout(this, 14, 6);
    line->setContentsMargins(2, 2, 2, 2);
    line->addWidget(width_);
    line->addWidget(keys_);
    line->addWidget(training_);
    line->addWidget(labelled(tr("entries"), distribution_, tr("Distribution of the entries")));
    line->addWidget(draw_again_);
    line->addWidget(labelled(tr("stage"), stage_, tr("Stage that the cards show")));
    line->addWidget(labelled(tr("head"), head_, tr("Head that the cards show")));
    line->addWidget(labelled(tr("edited token"), token_, tr("Token that the leak test edits")));
    line->addWidget(inputs_);
    line->addWidget(parts_);
    line->addWidget(add_card_);
    width_->setChoices(logarithmicChoices(least_size, most_width));
    keys_->setChoices(logarithmicChoices(least_size, most_keys));
    width_->setTitles(tr("width d"), tr("Width d of queries and keys"));
    keys_->setTitles(tr("keys S"), tr("Number of keys S"));
    const QString helps[] = {tr("normal, mean 0, variance 1"), tr("uniform, mean 0, variance 1"),
                             tr("sparse: one in ten is not 0; mean 0, variance 1"),
                             tr("correlated: half of the variance is common to all rows")};
    for (int k = 0; k < static_cast<int>(std::size(helps)); ++k) {
        distribution_->addItem(CardContents::distributionTitle(static_cast<lab::Distribution>(k)));
        distribution_->setItemData(k, helps[k], Qt::ToolTipRole);
    }
    // Tokens may be long: the list shows their full texts.
    token_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    token_->setMinimumContentsLength(10);
    draw_again_->setText(tr("Draw again"));
    draw_again_->setToolTip(tr("Other random numbers of the same kind"));
    inputs_->setText(tr("Inputs…"));
    inputs_->setToolTip(tr("Edit the numbers that the cards are computed from"));
    add_card_->setText(tr("Add a card"));
    add_card_->setToolTip(tr("One more setting beside the others"));
    parts_->setText(tr("Show"));
    parts_->setToolTip(tr("What the cards show beside their matrices"));
    parts_->setAccessibleName(tr("What the cards show"));
    parts_->setPopupMode(QToolButton::InstantPopup);
    parts_->setFocusPolicy(Qt::StrongFocus);
    parts_->setMenu(new QMenu(parts_));
}

void LabControls::connectParts() {
    connect(width_, &ValueSlider::chosen, this,
            [this](qint64 size) { changeDraw([&](lab::RandomInputs& draw) { draw.E = size; }); });
    connect(keys_, &ValueSlider::chosen, this, [this](qint64 size) {
        model_.setScene(lab::with_keys(model_.scene(), size, model_.view().board == lab::BoardKind::MaskLab));
    });
    connect(distribution_, &QComboBox::activated, this, [this](int index) {
        changeDraw([&](lab::RandomInputs& draw) { draw.distribution = static_cast<lab::Distribution>(index); });
    });
    connect(draw_again_, &QPushButton::clicked, this,
            [this] { changeDraw([](lab::RandomInputs& draw) { ++draw.seed; }); });
    connect(stage_, &QComboBox::activated, this, [this] {
        changeView([&](lab::BoardSpec& view) { view.stage = stage_->currentData().toString().toStdString(); });
    });
    connect(head_, &QComboBox::activated, this, [this] {
        const int head = head_->currentData().toInt();
        changeView([&](lab::BoardSpec& view) {
            view.cards = lab::cards_of(view, model_.scene());
            for (auto& card : view.cards) {
                card.head = head < 0 ? std::nullopt : std::optional<std::int64_t>(head);
                if (card.stage == view.stage)
                    card.stage.clear(); // it continues to follow the board
            }
        });
    });
    connect(token_, &QComboBox::activated, this,
            [this](int index) { changeView([&](lab::BoardSpec& view) { view.token = index; }); });
    connect(inputs_, &QPushButton::clicked, this, [this] { inputs_editor_->open(); });
    connect(add_card_, &QPushButton::clicked, this, &LabControls::addCardRequested);
    connect(parts_->menu(), &QMenu::aboutToShow, this, &LabControls::listParts);
}

void LabControls::changeDraw(const std::function<void(lab::RandomInputs&)>& change) {
    if (!model_.scene().draw)
        return;
    lab::RandomInputs draw = *model_.scene().draw;
    change(draw);
    model_.setDraw(draw);
}

void LabControls::changeView(const std::function<void(lab::BoardSpec&)>& change) {
    lab::BoardSpec view = model_.view();
    change(view);
    model_.setView(std::move(view));
}

void LabControls::refresh() {
    showDraw();
    showSlices();
    showToken();
    training_->refresh();
    const auto& view = model_.view();
    const auto most = view.board == lab::BoardKind::ScaleLab ? std::size_t{4} : lab::most_settings;
    add_card_->setVisible(view.is_lab() && model_.scene().settings.size() < most &&
                          (view.is_live(lab::BoardControl::Scale) || view.is_live(lab::BoardControl::Masks)));
    inputs_->setVisible(view.is_live(lab::BoardControl::Cells));
    parts_->setVisible(view.is_lab() && view.is_live(lab::BoardControl::Stage));
    const auto shown = [](const QWidget* each) { return !each->isHidden(); };
    bool any = false;
    for (int k = 0; k < layout()->count(); ++k)
        any = any || shown(layout()->itemAt(k)->widget());
    setVisible(any);
    updateGeometry();
}

void LabControls::showDraw() {
    const auto& draw = model_.scene().draw;
    const auto live = [&](lab::BoardControl control) { return draw && model_.view().is_live(control); };
    width_->setVisible(live(lab::BoardControl::E));
    keys_->setVisible(live(lab::BoardControl::S));
    distribution_->parentWidget()->setVisible(live(lab::BoardControl::Distribution));
    draw_again_->setVisible(live(lab::BoardControl::Draw));
    if (!draw)
        return;
    width_->setValue(draw->E);
    keys_->setValue(draw->S);
    distribution_->setCurrentIndex(static_cast<int>(draw->distribution));
}

void LabControls::showSlices() {
    const auto& view = model_.view();
    const Trace* trace = anyTrace(model_);
    // Cards with their own stage are distinguished by it.
    const bool one_stage = std::ranges::all_of(
        view.cards, [&](const lab::Card& card) { return card.stage.empty() || card.stage == view.stage; });
    stage_->parentWidget()->setVisible(trace && view.is_live(lab::BoardControl::Stage) && one_stage);
    const int heads = trace ? sizeOf(*trace).heads : 1;
    head_->parentWidget()->setVisible(view.is_live(lab::BoardControl::Head) && heads > 1);
    if (!trace)
        return;
    std::vector<Choice> stages, numbers;
    for (const auto& stage : trace->stages)
        if ((stage.role == StageRole::Step && endsWithAxes(stage, Axis::Query, Axis::Key)) || stage.name == view.stage)
            stages.push_back({stageWordsInPass(stage.name), QString::fromStdString(stage.name)});
    setChoices(*stage_, stages);
    stage_->setCurrentIndex(stage_->findData(QString::fromStdString(view.stage)));
    for (int head = 0; head < heads; ++head)
        numbers.push_back({QString::number(head), head});
    numbers.push_back({tr("mean of heads"), -1});
    setChoices(*head_, numbers);
    const auto cards = lab::cards_of(view, model_.scene());
    const int head = cards.empty() || !cards.front().head ? -1 : static_cast<int>(*cards.front().head);
    head_->setCurrentIndex(head_->findData(head));
}

void LabControls::showToken() {
    const auto& view = model_.view();
    const Trace* trace = anyTrace(model_);
    const Stage* weights = trace ? trace->find("weights") : nullptr;
    const auto count = weights ? weights->value.dim(-1) : 0;
    token_->parentWidget()->setVisible(view.is_live(lab::BoardControl::Token) && view.shows(lab::BoardPart::Leak) &&
                                       count > 0 && count <= 256);
    if (count == 0 || token_->parentWidget()->isHidden())
        return;
    const auto& tokens = trace->key_tokens.empty() ? trace->query_tokens : trace->key_tokens;
    std::vector<Choice> names;
    for (std::int64_t k = 0; k < count; ++k)
        names.push_back({k < static_cast<std::int64_t>(tokens.size())
                             ? QString::fromStdString(tokens[static_cast<std::size_t>(k)])
                             : QString::number(k),
                         static_cast<int>(k)});
    setChoices(*token_, names);
    token_->setCurrentIndex(static_cast<int>(view.token < 0 ? view.token + count : view.token));
}

void LabControls::listParts() {
    QMenu* menu = parts_->menu();
    menu->clear();
    const std::pair<lab::BoardPart, QString> all[] = {
        {lab::BoardPart::Scores, tr("Scores before the mask")},
        {lab::BoardPart::Histogram, tr("Histogram of the scaled scores")},
        {lab::BoardPart::Numbers, tr("Numbers")},
        {lab::BoardPart::Additive, tr("The mask as the matrix M")},
        {lab::BoardPart::Rows, tr("Entropy of each row")},
        {lab::BoardPart::Output, tr("Output")},
        {lab::BoardPart::Leak, tr("Outputs that move when a token is edited")},
        {lab::BoardPart::Curve, tr("Curve against the size")}};
    for (const auto& [part, title] : all) {
        if (part == lab::BoardPart::Curve && !model_.scene().draw)
            continue;
        QAction* action = menu->addAction(title, this, [this, part = part] { togglePart(part); });
        action->setCheckable(true);
        action->setChecked(model_.view().shows(part));
    }
}

void LabControls::togglePart(lab::BoardPart part) {
    changeView([&](lab::BoardSpec& view) {
        if (view.show.erase(part) == 0)
            view.show.insert(part);
    });
}

namespace {

constexpr int tick_milliseconds = 60;
constexpr int ticks = 60; ///< of a whole run

} // namespace

TrainingControl::TrainingControl(SceneModel& model, QWidget* parent)
    : QWidget(parent), model_(model), button_(new QPushButton(this)),
      step_(new ValueSlider(ValueSlider::Value::Editable, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(button_);
    row->addWidget(step_, 1);
    step_->setTitles(tr("step"), tr("Step of the training"));
    button_->setToolTip(tr("Trains from the beginning and shows every stage of it; again to stop"));
    connect(button_, &QPushButton::clicked, this, &TrainingControl::runOrStop);
    connect(step_, &ValueSlider::chosen, this, [this](qint64 step) {
        stop();
        model_.setTrainingStep(static_cast<int>(step));
    });
    timer_.setInterval(tick_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &TrainingControl::advance);
    showButton();
}

void TrainingControl::refresh() {
    const auto& training = model_.scene().training;
    setVisible(training && model_.view().is_live(lab::BoardControl::Steps));
    if (!training)
        return;
    const int at = static_cast<int>(training->at);
    if (isRunning() && at != shown_)
        stop(); // another control has changed the step
    shown_ = at;
    std::vector<std::int64_t> steps(static_cast<std::size_t>(training->steps) + 1);
    std::iota(steps.begin(), steps.end(), std::int64_t{0});
    step_->setChoices(std::move(steps));
    step_->setValue(at);
}

void TrainingControl::hideEvent(QHideEvent* event) {
    stop();
    QWidget::hideEvent(event);
}

void TrainingControl::runOrStop() {
    if (isRunning()) {
        stop();
        return;
    }
    shown_ = 0;
    model_.setTrainingStep(0);
    timer_.start();
    showButton();
}

void TrainingControl::stop() {
    timer_.stop();
    showButton();
}

/// Waits for the picture of the step before, so that none is left out.
void TrainingControl::advance() {
    const auto& training = model_.scene().training;
    if (!training || training->at >= training->steps) {
        stop();
        return;
    }
    if (model_.isComputing())
        return;
    const auto stride = std::max<std::int64_t>(1, training->steps / ticks);
    // Shows every step at the beginning, where the loss falls fastest.
    shown_ = static_cast<int>(std::min(training->steps, training->at + (training->at < 10 ? 1 : stride)));
    model_.setTrainingStep(shown_);
}

void TrainingControl::showButton() { button_->setText(isRunning() ? tr("Stop") : tr("Train")); }

} // namespace attnlab::ui
