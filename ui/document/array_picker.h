// A dialog about arrays whose names or shapes do not say all: which is the query, how many heads there are, which
// layer.
#pragma once

#include "core/recognition/recognition.h"

#include <QDialog>

#include <memory>
#include <vector>

class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QTableWidget;

namespace attnlab::ui {

class ElidedLabel;
class WrappedLabel;

/// Shows every array of the files with its shape, its type and what it is taken for. Each choice is tried at once, and
/// a line says what would open; OK is there only when something does.
class ArrayPicker : public QDialog {
    Q_OBJECT
public:
    ArrayPicker(std::shared_ptr<const Contents> contents, Choices choices, QWidget* parent = nullptr);

    const Choices& choices() const { return choices_; }
    /// What opens with the present choices, or why nothing does.
    QString summary() const;
    bool canAccept() const;

private:
    void fillTable();
    void addPrefixes();
    void addLayouts();
    void addHeads();
    void tryChoices();
    void showHeads(const Recognition& recognition);
    std::optional<std::int64_t> headsWidth(const Recognition& recognition) const;
    QString ignoredHeads(const AttentionProblem& problem) const;
    void showRecognition(const Recognition& recognition);
    void showRoles(const Recognition& recognition);
    void showPreview();

    std::shared_ptr<const Contents> contents_;
    Choices choices_;
    QTableWidget *table_, *preview_;
    ElidedLabel* preview_title_;
    QComboBox *prefix_, *layout_, *heads_, *kv_heads_;
    QFormLayout* form_;
    WrappedLabel* summary_;
    QDialogButtonBox* buttons_;
    std::vector<QComboBox*> roles_; ///< one a row of the table
};

} // namespace attnlab::ui
