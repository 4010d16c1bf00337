// The table of masks as chips: each turns one mask of the document on or off.
#pragma once

#include "core/stages/mask.h"
#include "ui/document.h"

#include <QWidget>

#include <vector>

class QTimer;

namespace attnlab::ui {

class Chip;

/// One chip a kind of mask_kinds(), with an editor for its parameter beside it while it is on. A mask that reads an
/// array gets one that blocks nothing where there is none yet.
class MaskChips : public QWidget {
    Q_OBJECT
public:
    explicit MaskChips(Document& document, QWidget* parent = nullptr);

    /// The chip of a kind and the editor of its parameter; null where there is none.
    Chip* chip(std::string_view kind) const;
    QWidget* editor(std::string_view kind) const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Item {
        const MaskKind* kind;
        Chip* chip;
        QWidget* editor; ///< null without a parameter
    };
    const Item* item(std::string_view kind) const;
    QWidget* makeEditor(const MaskKind& kind);
    void toggle(const MaskKind& kind, bool on);
    void setParameter(const MaskKind& kind, ParameterValue value);
    void showDocument();
    void retranslate();

    Document& document_;
    std::vector<Item> items_;
    int gesture_ = 0;         ///< steps of one editor in quick succession are one undo step
    QTimer* gesture_timer_;
    bool showing_ = false;
};

} // namespace attnlab::ui
