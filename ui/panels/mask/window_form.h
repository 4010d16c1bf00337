// The parameter of the window mask: its full width, or its reaches to the left and to the right of a query.
#pragma once

#include "core/parameter.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;

namespace attnlab::ui {

class LinkButton;
class ParameterForm;

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
