// Where the tokens of a paged cache lie.
#pragma once

#include "ui/exhibits/exhibit_page.h"
#include "ui/exhibits/page_table_drawing.h"

namespace attnlab::ui {

/// The mouse or the arrow keys mark a token; its page and slot are said in words.
class PageTableView : public ExhibitPage {
    Q_OBJECT
public:
    explicit PageTableView(QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;
    bool hasExhibit() const override { return table() != nullptr; }
    std::shared_ptr<const Drawing> picture() const override;

    const PageTableDrawing& drawing() const { return drawing_; }
    void mark(std::optional<std::int64_t> token);

protected:
    void retranslate() override { refresh(); }
    bool pressKey(int key) override;
    void point(std::optional<QPointF> position) override;

private:
    const PageTable* table() const;
    void refresh();
    void markAndReveal(std::int64_t token);
    QString useText() const;

    ComputedPtr computed_;
    PageTableDrawing drawing_;
};

} // namespace attnlab::ui
