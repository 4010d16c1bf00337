// The tokens of a paged cache.
#pragma once

#include "ui/pages/exhibits/marking_page.h"
#include "ui/pages/exhibits/page_table_drawing.h"

namespace attnlab::ui {

/// Left and Right mark a token; a text describes its page and slot.
class PageTableView : public MarkingPage<PageTableDrawing> {
    Q_OBJECT
public:
    explicit PageTableView(QWidget* parent = nullptr);

    bool hasExhibit() const override { return table() != nullptr; }

protected:
    std::int64_t read() override;
    QString wordsNow() const override;
    std::optional<std::int64_t> markAt(const QPointF& position) const override;
    QRectF rectOf(std::int64_t token) const override;

private:
    const PageTable* table() const;
    QString useText() const;
};

} // namespace attnlab::ui
