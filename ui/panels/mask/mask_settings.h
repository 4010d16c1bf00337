// The masks of a setting as chips, the value of blocked cells, and a description of all of them.
#pragma once

#include "core/attention.h"
#include "core/stages/mask.h"
#include "ui/document/document.h"

#include <optional>
#include <QCoreApplication>
#include <QString>
#include <QWidget>
#include <vector>

namespace attnlab::ui {

class MaskDescription {
    Q_DECLARE_TR_FUNCTIONS(MaskDescription)
public:
    /// The effect of `fill` in a hatched cell.
    static QString ofFill(const MaskFill& fill);
    /// The sentence below the grid; `blocks_any`: some cell is currently hatched.
    static QString of(const AttentionSpec& spec, bool blocks_any);
    /// The meaning of True in attn_mask.
    static QString ofTrue(MaskTrue meaning);
};

} // namespace attnlab::ui

// The value of blocked cells, and the meaning of True in attn_mask.

class QComboBox;
class QLabel;

namespace attnlab::ui {

class MaskFillForm : public QWidget {
    Q_OBJECT
public:
    explicit MaskFillForm(const ComparedSide& setting, QWidget* parent = nullptr);
    ~MaskFillForm() override;

    QComboBox* mode() const { return mode_; }
    /// Editable: one of the usual fills or any other number.
    QComboBox* value() const { return value_; }
    QComboBox* meaning() const { return meaning_; }

    /// Reads "-1e9", "−∞", "-inf", "−0,5". nullopt for NaN, +∞ and text that is not a number.
    static std::optional<double> parseFill(QString text);

signals:
    void refused(const QString& why);

private:
    void applyValue();
    void showSetting();

    ComparedSide setting_;
    QComboBox* mode_;
    QComboBox* value_;
    QLabel* meaning_label_;
    QComboBox* meaning_;
    QLabel* meaning_words_;
};

} // namespace attnlab::ui

// The table of masks as chips: each turns one mask of a setting on or off.

class QLabel;

namespace attnlab::ui {

class Chip;
class LengthsField;
class ParameterForm;
class FittingScrollArea;
class WindowForm;

/// A chip for each of mask_kinds(), and one for the sliding window, which consists of two masks. The area for
/// parameters below has a fixed height and scrolls, so that nothing moves under the mouse. A mask that reads an array
/// gets one that blocks nothing if there is none yet.
class MaskChips : public QWidget {
    Q_OBJECT
public:
    explicit MaskChips(const ComparedSide& setting, QWidget* parent = nullptr);

    /// The chip of a kind and the form of its parameter; null if there is none.
    Chip* chip(std::string_view kind) const;
    Chip* slidingWindow() const { return sliding_; }
    /// While it is on, the chips of kinds that are `aside` are shown; those that are on always are.
    Chip* more() const { return more_; }
    ParameterForm* form(std::string_view kind) const;
    /// The field of the numbers that it reads from a short array; null if there is none.
    LengthsField* lengths(std::string_view kind) const;
    /// That of the first kind with a window; null if there is none.
    WindowForm* windowForm() const;

private:
    struct Item {
        const MaskKind* kind;
        Chip* chip;
        QWidget* row; ///< of the parameter, null without one
        QLabel* label;
        ParameterForm* form;
        LengthsField* lengths = nullptr; ///< of an array of whole numbers
        WindowForm* window = nullptr;    ///< contains `form` if the parameters define a window
        const char* refusal = nullptr;   ///< why it cannot be turned on (translated)
    };
    const Item* item(std::string_view kind) const;
    void addItem(const MaskKind& kind);
    void addRow(QWidget*& row, QLabel*& label, QWidget& form);
    void toggle(const MaskKind& kind, bool on);
    void setParameters(const MaskKind& kind, const ParameterValues& values, int gesture);
    void slide(std::optional<std::int64_t> keys, int gesture = 0);
    void showSlidingWindow();
    void showSetting();
    void describeChips();

    ComparedSide setting_;
    std::optional<AttentionSpec> shown_; ///< by the chips
    QWidget* chips_;
    QWidget* rows_;
    FittingScrollArea* room_;
    std::vector<Item> items_;
    Chip *sliding_, *more_;
    QWidget* sliding_row_ = nullptr;
    QLabel* sliding_label_ = nullptr;
    ParameterForm* sliding_form_ = nullptr;
};

} // namespace attnlab::ui
