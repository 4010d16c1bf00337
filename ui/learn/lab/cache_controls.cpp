#include "ui/learn/lab/cache_controls.h"

#include "ui/learn/lab/scene_model.h"
#include "ui/widgets/label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>

namespace attnlab::ui {

ChoiceSlider::ChoiceSlider(QWidget* parent)
    : QWidget(parent), title_(new Label(this)), number_(new Label(this)), slider_(new QSlider(Qt::Horizontal, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(title_);
    row->addWidget(number_);
    row->addWidget(slider_, 1);
    title_->setBuddy(slider_);
    number_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    slider_->setPageStep(1);
    connect(slider_, &QSlider::valueChanged, this, [this] {
        show();
        emit chosen(value());
    });
}

void ChoiceSlider::setTitles(const QString& title, const QString& name) {
    title_->setText(title);
    slider_->setAccessibleName(name);
    setToolTip(name); // not of the slider: a screen reader would say it twice
}

void ChoiceSlider::setChoices(std::vector<std::int64_t> choices) {
    if (choices == choices_ || choices.empty())
        return;
    choices_ = std::move(choices);
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, static_cast<int>(choices_.size()) - 1);
    number_->setMinimumWidth(number_->fontMetrics().horizontalAdvance(QString::number(choices_.back())));
    show();
}

std::int64_t ChoiceSlider::value() const { return choices_[static_cast<std::size_t>(slider_->value())]; }

void ChoiceSlider::setValue(std::int64_t value) {
    const auto found = std::ranges::lower_bound(choices_, value);
    const auto place = std::min(found - choices_.begin(), std::ssize(choices_) - 1);
    const QSignalBlocker quiet(slider_);
    slider_->setValue(static_cast<int>(place));
    show();
}

void ChoiceSlider::show() { number_->setText(QString::number(value())); }

CacheControls::CacheControls(SceneModel& model, QWidget* parent)
    : QWidget(parent), model_(model), groups_(new ChoiceSlider(this)), context_(new ChoiceSlider(this)),
      readers_(new ChoiceSlider(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(18);
    for (auto* slider : {groups_, context_, readers_})
        row->addWidget(slider, 1);
    groups_->setTitles(tr("groups"), tr("Groups of heads that share keys and values"));
    context_->setTitles(tr("tokens"), tr("Tokens in the cache of each reader"));
    readers_->setTitles(tr("readers"), tr("Texts that are written at once"));
    connect(groups_, &ChoiceSlider::chosen, this,
            [this](qint64 value) { change([&](lab::CacheModel& cache) { cache.groups = value; }); });
    connect(context_, &ChoiceSlider::chosen, this,
            [this](qint64 value) { change([&](lab::CacheModel& cache) { cache.context = value; }); });
    connect(readers_, &ChoiceSlider::chosen, this,
            [this](qint64 value) { change([&](lab::CacheModel& cache) { cache.readers = value; }); });
    connect(&model_, &SceneModel::sceneChanged, this, &CacheControls::refresh);
    connect(&model_, &SceneModel::viewChanged, this, &CacheControls::refresh);
    refresh();
}

void CacheControls::change(const std::function<void(lab::CacheModel&)>& change) {
    auto scene = model_.scene();
    if (!scene.cache)
        return;
    change(*scene.cache);
    model_.setScene(std::move(scene));
}

void CacheControls::refresh() {
    const auto& cache = model_.scene().cache;
    const auto& view = model_.view();
    groups_->setVisible(view.is_live(lab::BoardControl::Groups));
    context_->setVisible(view.is_live(lab::BoardControl::Context));
    readers_->setVisible(view.is_live(lab::BoardControl::Readers));
    setVisible(cache && (!groups_->isHidden() || !context_->isHidden() || !readers_->isHidden()));
    if (!cache)
        return;
    groups_->setChoices(lab::group_choices(*cache));
    context_->setChoices(lab::context_choices());
    readers_->setChoices(lab::reader_choices());
    groups_->setValue(cache->groups);
    context_->setValue(cache->context);
    readers_->setValue(cache->readers);
}

} // namespace attnlab::ui
