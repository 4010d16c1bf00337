// Forms for the numbers of masks: the position of the first query among the keys, and the window.
#pragma once

#include "core/parameter.h"
#include "ui/document/document.h"

#include <cstdint>
#include <optional>
#include <QWidget>

class QComboBox;
class QLabel;

namespace attnlab {
struct MaskContext;
}

namespace attnlab::ui {

class LinkButton;
class NumberField;
class ParameterForm;

/// The position of the first query among the keys, for masks and positions that depend on it.
/// Hidden unless the setting depends on the place. Where keys and queries differ in number and no place is chosen, a
/// note names both usual ones. An array of places belongs to both compared settings: side A makes and removes it.
class FirstQueryForm : public QWidget {
    Q_OBJECT
public:
    /// FirstKey: offset 0. LastKey: the last query has the position of the last key, offset S - L.
    enum class Place { FirstKey, LastKey, Number, PerSequence };

    explicit FirstQueryForm(const ComparedSide& setting, QWidget* parent = nullptr);
    ~FirstQueryForm() override;

    QComboBox* placeBox() const { return place_; }
    NumberField* number() const { return number_; }
    /// Empty while nothing is in doubt.
    QString doubt() const;
    LinkButton* firstKeyButton() const { return first_key_; }
    LinkButton* lastKeyButton() const { return last_key_; }

    Place place() const;
    void choose(Place place);

    /// "first query at key 3".
    static QString words(const AttentionSpec& spec);

signals:
    /// The array has been made.
    void arrayMade(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void setOffset(std::int64_t offset);
    void store(AttentionSpec spec, const QString& text, int gesture = 0);
    void storeArray();
    void showSetting();
    void showDoubt();
    std::optional<MaskContext> sizes() const;
    bool hasArray() const;

    ComparedSide setting_;
    QLabel* label_;
    QComboBox* place_;
    NumberField* number_;
    QWidget* doubt_;
    QLabel* doubt_words_;
    LinkButton* first_key_;
    LinkButton* last_key_;
    bool shows_number_ = false; ///< the user has chosen to type it, also where it equals another place
    int gesture_ = 0;           ///< of the number being typed, or 0
};

/// The parameter of the window mask: its full width, or its reaches to the left and to the right of a query.
class WindowForm : public QWidget {
    Q_OBJECT
public:
    explicit WindowForm(QWidget* parent = nullptr);
    ~WindowForm() override;

    void setValues(const ParameterValues& values);
    /// The field of the width.
    ParameterForm* width() const { return width_; }
    /// Editable lists: a number of keys, or "unlimited".
    QComboBox* left() const { return left_; }
    QComboBox* right() const { return right_; }
    /// Changes between width and reaches; the mask stays where both can express it.
    LinkButton* modeButton() const { return mode_; }

    /// Reads "4", "∞", "inf", "-1" and "unlimited" in the language of the window; unlimited is -1. nullopt for other
    /// texts.
    static std::optional<std::int64_t> parseReach(const QString& text);
    static QString reachText(std::int64_t reach);
    /// "window 4", "window 3 left, unlimited right": `title` with the values.
    static QString words(const QString& title, const ParameterValues& values);

signals:
    /// By the user. Edits of one interaction share a gesture number.
    void valuesChanged(const attnlab::ParameterValues& values, int gesture);

private:
    QComboBox* makeReach(const QString& name, const QString& help);
    void applyReaches(QComboBox& edited);
    void changeMode();
    void showValues();

    ParameterForm* width_;
    QComboBox* left_;
    QComboBox* right_;
    QLabel* before_;
    QLabel* after_;
    LinkButton* mode_;
    ParameterValues values_;
};

} // namespace attnlab::ui
