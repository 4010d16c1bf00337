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

/// The text of the setting view().setting above its page, or the reason why nothing is shown.
class SettingBoard : public Board {
    Q_OBJECT
public:
    void setWords(const QMap<QString, QString>& words) override;
    std::shared_ptr<const Drawing> picture() const override;

    ExhibitPage* page() const { return page_; }
    /// Why nothing is shown; empty if something is.
    QString error() const;
    /// The text of the setting; may be empty.
    QString words() const;

protected:
    /// The model must outlive the board.
    SettingBoard(SceneModel& model, QWidget* parent);

    /// Called once, from the constructor.
    void setPage(ExhibitPage* page);
    QVBoxLayout* column() const { return column_; }
    SceneModel& model() const { return model_; }
    /// Shows the setting on the page; null while it has no result.
    virtual void showTrace(std::shared_ptr<const Trace> trace) = 0;
    /// The reason when the page has nothing to show for a trace.
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
