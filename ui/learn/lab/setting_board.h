// A board about one setting of a scene: an exhibit, or a row step by step.
#pragma once

#include "core/lab/board.h"
#include "ui/learn/lab/board.h"

#include <memory>

class QLabel;
class QVBoxLayout;

namespace attnlab {
struct Trace;
} // namespace attnlab

namespace attnlab::ui {

class ExhibitPage;
class MarkdownLabel;
class SceneModel;

/// The words of the setting view().setting above its page, or why there is nothing to see.
class SettingBoard : public Board {
    Q_OBJECT
public:
    void setWords(const QMap<QString, QString>& words) override;
    std::shared_ptr<const Drawing> picture() const override;

    ExhibitPage* page() const { return page_; }
    /// Why there is nothing to see; empty while there is something.
    QString error() const;
    /// What is said of the setting; empty: nothing.
    QString words() const;

protected:
    /// The model must outlive the board.
    SettingBoard(SceneModel& model, QWidget* parent);

    /// Once, from the constructor.
    void setPage(ExhibitPage* page);
    QVBoxLayout* column() const { return column_; }
    SceneModel& model() const { return model_; }
    /// Shows the setting on the page; null while there is nothing computed of it.
    virtual void showTrace(std::shared_ptr<const Trace> trace) = 0;
    /// Where the page has nothing to show of a trace.
    virtual QString whyNothing() const = 0;
    void refresh();

private:
    SceneModel& model_;
    QMap<QString, QString> words_;
    QVBoxLayout* column_;
    MarkdownLabel* caption_;
    QLabel* error_;
    ExhibitPage* page_ = nullptr;
};

} // namespace attnlab::ui
