// An editable scene and its result: the model of all boards of labs.
#pragma once

#include "core/lab/board.h"
#include "ui/widgets/latest_job.h"

#include <QObject>

#include <memory>

namespace attnlab::ui {

using SceneResultPtr = std::shared_ptr<const lab::SceneResult>;

/// Computes in the background after each change; only the latest one counts. Independent of the document and the user's
/// work.
class SceneModel : public QObject {
    Q_OBJECT
public:
    explicit SceneModel(QObject* parent = nullptr);

    const lab::Scene& scene() const { return scene_; }
    const lab::BoardSpec& view() const { return view_; }
    /// The latest result, of scene() once isComputing() is false; null before the first.
    SceneResultPtr result() const { return result_; }
    /// The scene of result(): an earlier one than scene() while a newer result is being computed.
    const lab::Scene& computedScene() const { return computed_scene_; }
    bool isComputing() const { return stale_ || job_.isRunning(); }

    /// Sets a new initial scene, which reset() restores. result() is null until its own is ready, unless the scene is
    /// unchanged.
    void begin(lab::Scene scene, lab::BoardSpec view);
    /// Shows a result that is given. Nothing is computed, and the scene stays as it is.
    void showOnly(lab::Scene scene, lab::BoardSpec view, SceneResultPtr result);
    void reset();
    bool isChanged() const { return !(scene_ == first_scene_ && view_ == first_view_); }

    void setScene(lab::Scene scene);
    void setDraw(const lab::RandomInputs& draw);
    /// Looks at the training after another step; ignored without a training. Kept within its range.
    void setTrainingStep(std::int64_t step);
    void setSetting(std::size_t index, lab::SceneSetting setting);
    void setView(lab::BoardSpec view);

signals:
    void sceneChanged();
    void viewChanged();
    /// result() has changed.
    void computed();
    /// The scene itself could not be computed; result() stays.
    void failed(const attnlab::Message& why);

private:
    struct Outcome {
        lab::Scene scene;
        SceneResultPtr result;
    };
    void computeLater();
    void compute();

    lab::Scene first_scene_, scene_, computed_scene_;
    lab::BoardSpec first_view_, view_;
    SceneResultPtr result_;
    bool fixed_ = false; ///< of showOnly()
    bool stale_ = false; ///< scene_ still has to be requested
    LatestJob<Outcome> job_;
};

} // namespace attnlab::ui
