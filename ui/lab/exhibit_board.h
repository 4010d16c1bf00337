// An exhibit of one setting of a scene: tiles, pages, buckets or a curve.
#pragma once

#include "ui/lab/board.h"
#include "ui/view_state.h"

#include <string_view>

class QLabel;

namespace attnlab::ui {

class MarkdownLabel;
class ExhibitPage;
class SceneModel;

class ExhibitBoard : public Board {
    Q_OBJECT
public:
    explicit ExhibitBoard(SceneModel& model, QWidget* parent = nullptr);

    /// "tiles", "page_table", "page_reads", "buckets", "curve".
    static bool isFor(std::string_view board);

    void setWords(const QMap<QString, QString>& words) override;
    std::shared_ptr<const Drawing> picture() const override;

    ExhibitPage* page() const { return page_; }
    /// Why there is nothing to see; empty while there is.
    QString problem() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showPin();

    SceneModel& model_;
    ViewState view_;
    QMap<QString, QString> words_;
    MarkdownLabel* caption_;
    QLabel* problem_;
    ExhibitPage* page_;
};

} // namespace attnlab::ui
