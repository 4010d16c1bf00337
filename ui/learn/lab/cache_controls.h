// What a reader may choose about a cache: groups of heads, tokens and readers.
#pragma once

#include "core/lab/cache_costs.h"

#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QSlider;

namespace attnlab::ui {

class SceneModel;

/// A slider over a list of numbers.
class ChoiceSlider : public QWidget {
    Q_OBJECT
public:
    explicit ChoiceSlider(QWidget* parent = nullptr);

    void setTitles(const QString& title, const QString& name);
    void setChoices(std::vector<std::int64_t> choices);
    /// The nearest choice. Does not emit chosen().
    void setValue(std::int64_t value);
    QSlider* slider() const { return slider_; }

signals:
    /// By the user.
    void chosen(qint64 value);

private:
    std::int64_t value() const;
    void show();

    std::vector<std::int64_t> choices_{1};
    QLabel* title_;
    QLabel* number_;
    QSlider* slider_;
};

/// Hides what the view does not make live, and itself where that is everything.
class CacheControls : public QWidget {
    Q_OBJECT
public:
    explicit CacheControls(SceneModel& model, QWidget* parent = nullptr);

    ChoiceSlider* groups() const { return groups_; }
    ChoiceSlider* context() const { return context_; }
    ChoiceSlider* readers() const { return readers_; }

private:
    void refresh();
    void change(const std::function<void(lab::CacheModel&)>& change);

    SceneModel& model_;
    ChoiceSlider* groups_;
    ChoiceSlider* context_;
    ChoiceSlider* readers_;
};

} // namespace attnlab::ui
