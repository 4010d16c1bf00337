#include "ui/learn/lab/setting_board.h"

#include "ui/learn/lab/lab_controls.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/pages/exhibits/player.h"
#include "ui/pages/exhibits/tile_walk_view.h"
#include "ui/pages/step/step_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace attnlab::ui {

SettingBoard::SettingBoard(SceneModel& model, QWidget* parent)
    : Board(parent), model_(model), column_(new QVBoxLayout(this)), caption_(new MarkdownLabel(this)),
      error_(new QWidget(this)), error_words_(new StateBox(error_, StateBox::Place::Middle)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(6);
    column_->addWidget(caption_);
    column_->addWidget(error_, 1);
    connect(&model_, &SceneModel::computed, this, &SettingBoard::refresh);
    connect(&model_, &SceneModel::failed, this, &SettingBoard::refresh);
}

void SettingBoard::setPage(ExhibitPage* page) {
    page_ = page;
    column_->addWidget(page_, 1);
}

void SettingBoard::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    refresh();
}

std::shared_ptr<const Drawing> SettingBoard::picture() const { return page_->picture(); }
QString SettingBoard::error() const { return error_->isHidden() ? QString() : error_words_->state().what; }
QString SettingBoard::words() const { return caption_->isHidden() ? QString() : caption_->source(); }

/// Shows the computed scene, which may still be the previous one.
void SettingBoard::refresh() {
    const auto& settings = model_.computedScene().settings;
    const auto found = std::ranges::find(settings, model_.view().setting, &lab::SceneSetting::id);
    const auto index = static_cast<std::size_t>(found == settings.end() ? 0 : found - settings.begin());
    std::shared_ptr<const Trace> trace;
    QString why;
    bool failed = false;
    if (const auto result = model_.result(); result && index < result->settings.size()) {
        const auto& setting = result->settings[index];
        failed = setting.error.has_value();
        if (failed)
            why = translated(*setting.error);
        else
            trace = {result, &setting.trace};
    }
    showTrace(trace);
    const bool shown = page_->hasExhibit();
    if (trace && !shown)
        why = emptyReason();
    caption_->setSource(index < settings.size() ? words_.value(QString::fromStdString(settings[index].id)) : QString());
    caption_->setVisible(why.isEmpty() && !caption_->source().isEmpty());
    page_->setVisible(shown);
    error_words_->setState({failed ? PictureState::Look::Error : PictureState::Look::Empty, why});
    error_->setVisible(!shown);
}

ExhibitBoard::ExhibitBoard(SceneModel& model, QWidget* parent) : SettingBoard(model, parent) {
    setPage(findExhibitKind(lab::id_of(model.view().board))->make(view_));
    tiles_ = qobject_cast<TileWalkView*>(page());
    if (tiles_)
        connect(tiles_->player(), &Player::positionChanged, this, &ExhibitBoard::storeTile);
    connect(&model, &SceneModel::viewChanged, this, &ExhibitBoard::showView);
    connect(&view_, &ViewState::pinnedChanged, this, [this](std::optional<Cell> cell) {
        auto view = this->model().view();
        view.pin = cell ? std::optional(lab::BoardCell{cell->row, cell->column}) : std::nullopt;
        this->model().setView(std::move(view));
    });
    refresh();
}

void ExhibitBoard::showTrace(std::shared_ptr<const Trace> trace) {
    const auto& pin = model().view().pin;
    view_.setPinned(pin ? std::optional(Cell{static_cast<int>(pin->query), static_cast<int>(pin->key)}) : std::nullopt);
    auto computed = trace ? std::make_shared<Computed>() : nullptr;
    if (trace)
        computed->trace = *trace;
    const QScopedValueRollback<bool> updating(updating_, true);
    page()->setTrace(computed);
    if (begins_ && tiles_ && tiles_->hasExhibit()) {
        showTile();
        begins_ = model().isComputing();
    }
}

void ExhibitBoard::showView() {
    if (updating_)
        return;
    const auto& tile = model().view().tile;
    begins_ = begins_ || !tiles_ || tile != shown_tile_;
    refresh();
}

void ExhibitBoard::showTile() {
    shown_tile_ = model().view().tile;
    if (shown_tile_)
        tiles_->showTile({shown_tile_->query, shown_tile_->key});
    else
        tiles_->player()->toStart();
}

void ExhibitBoard::storeTile() {
    if (updating_ || tiles_->drawing().steps.empty())
        return;
    const auto& drawing = tiles_->drawing();
    const auto tile = drawing.steps.tile(drawing.step);
    shown_tile_ = lab::BoardCell{tile.query, tile.key};
    auto view = model().view();
    view.tile = shown_tile_;
    const QScopedValueRollback<bool> updating(updating_, true);
    model().setView(std::move(view));
}

QString ExhibitBoard::emptyReason() const { return tr("This setting has nothing to show here."); }

StepBoard::StepBoard(SceneModel& model, QWidget* parent) : SettingBoard(model, parent), steps_(new StepView(this)) {
    column()->insertWidget(0, new LabControls(model, this));
    setPage(steps_);
    connect(&model, &SceneModel::viewChanged, this, &StepBoard::showView);
    connect(steps_, &StepView::queryChosen, this, &StepBoard::updateModel);
    connect(steps_, &StepView::keyChosen, this, &StepBoard::updateModel);
    showView();
}

void StepBoard::showTrace(std::shared_ptr<const Trace> trace) {
    const lab::BoardSpec& view = model().view();
    StepPass pass;
    if (!view.cards.empty()) {
        pass.batch = static_cast<int>(view.cards.front().batch);
        pass.head = static_cast<int>(view.cards.front().head.value_or(0));
    }
    steps_->setPass(std::move(trace), pass);
    // The previous scene may have had fewer rows and other steps.
    steps_->setQuery(static_cast<int>(view.query));
    if (view.pin)
        steps_->setKey(static_cast<int>(view.pin->key));
    if (begins_ && steps_->hasExhibit()) {
        steps_->setStep(QString::fromStdString(view.at));
        begins_ = model().isComputing();
    }
}

/// The controls name the query, so its title can make room for them.
void StepBoard::setFitting(bool on) { steps_->setTitleShown(!on); }

QString StepBoard::emptyReason() const {
    return tr("This mechanism does not go from scores to weights to the output in one pass: there is no row to walk.");
}

void StepBoard::showView() {
    if (updating_model_)
        return;
    const lab::BoardSpec& view = model().view();
    begins_ = begins_ || !shown_ || shown_->at != view.at || shown_->setting != view.setting;
    shown_ = view;
    steps_->setQueryFixed(!view.is_live(lab::BoardControl::Query));
    refresh();
}

/// Stores the choices in the model, so that it can detect and reset changes.
void StepBoard::updateModel() {
    lab::BoardSpec view = model().view();
    view.query = steps_->query();
    view.pin = lab::BoardCell{steps_->query(), steps_->key()};
    shown_ = view;
    updating_model_ = true;
    model().setView(std::move(view));
    updating_model_ = false;
}

} // namespace attnlab::ui
