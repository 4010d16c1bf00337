// Which pages read each other.
#pragma once

#include "ui/exhibits/exhibit_page.h"
#include "ui/exhibits/page_reads_drawing.h"
#include "ui/view_state.h"

namespace attnlab::ui {

/// The mouse or Up and Down mark a page of queries; what it reads is said in words.
class PageReadsView : public ExhibitPage {
    Q_OBJECT
public:
    explicit PageReadsView(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;
    bool hasExhibit() const override { return shown_; }
    std::shared_ptr<const Drawing> picture() const override;

    const PageReadsDrawing& drawing() const { return drawing_; }
    void mark(std::optional<std::int64_t> query_page);

protected:
    void retranslate() override { refresh(); }
    bool pressKey(int key) override;
    void point(std::optional<QPointF> position) override;

private:
    void refresh();
    void refreshWords();
    QString sumsText() const;

    ViewState& view_;
    ComputedPtr computed_;
    PageReadsDrawing drawing_;
    bool shown_ = false;
};

} // namespace attnlab::ui
