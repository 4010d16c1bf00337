#include "ui/learn/lab/scene_model.h"

#include <QMetaObject>

#include <algorithm>

namespace attnlab::ui {

SceneModel::SceneModel(QObject* parent)
    : QObject(parent), job_(
                           [this](Outcome outcome) {
                               computed_scene_ = std::move(outcome.scene);
                               result_ = std::move(outcome.result);
                               emit computed();
                           },
                           drag_grace) {
    connect(&job_, &LatestJobBase::failed, this, [this](const Message& why) {
        if (!stale_)
            emit failed(why);
    });
}

void SceneModel::begin(lab::Scene scene, lab::BoardSpec view) {
    first_scene_ = scene;
    first_view_ = view;
    const bool same = scene == scene_ && (result_ || isComputing());
    scene_ = std::move(scene);
    view_ = std::move(view);
    if (!same) {
        result_.reset();
        job_.cancel(); // it belongs to the previous scene
        computeLater();
    }
    emit sceneChanged();
    emit viewChanged();
}

void SceneModel::showOnly(lab::Scene scene, lab::BoardSpec view, SceneResultPtr result) {
    fixed_ = true;
    job_.cancel();
    stale_ = false;
    first_scene_ = scene_ = computed_scene_ = std::move(scene);
    first_view_ = view_ = std::move(view);
    result_ = std::move(result);
    emit sceneChanged();
    emit viewChanged();
    emit computed();
}

void SceneModel::reset() {
    setScene(first_scene_);
    setView(first_view_);
}

void SceneModel::setScene(lab::Scene scene) {
    if (fixed_ || scene == scene_)
        return;
    scene_ = std::move(scene);
    computeLater();
    emit sceneChanged();
}

void SceneModel::setDraw(const lab::RandomInputs& draw) {
    lab::Scene next = scene_;
    next.draw = draw;
    setScene(std::move(next));
}

void SceneModel::setTrainingStep(std::int64_t step) {
    if (!scene_.training)
        return;
    lab::Scene next = scene_;
    next.training->at = std::clamp<std::int64_t>(step, 0, next.training->steps);
    setScene(std::move(next));
}

void SceneModel::setSetting(std::size_t index, lab::SceneSetting setting) {
    lab::Scene next = scene_;
    next.settings.at(index) = std::move(setting);
    setScene(std::move(next));
}

void SceneModel::setView(lab::BoardSpec view) {
    if (view == view_)
        return;
    view_ = std::move(view);
    emit viewChanged();
}

/// Combines several changes of one event into one run.
void SceneModel::computeLater() {
    if (!std::exchange(stale_, true))
        QMetaObject::invokeMethod(this, &SceneModel::compute, Qt::QueuedConnection);
}

void SceneModel::compute() {
    stale_ = false;
    job_.request([scene = scene_](const RunControl& control) {
        return Outcome{scene, std::make_shared<const lab::SceneResult>(lab::compute(scene, control))};
    });
}

} // namespace attnlab::ui
