// The dialog for arrays whose names and shapes are ambiguous: which is the query, the number of heads, the layer.
#pragma once

#include "core/recognition/recognition.h"
#include "core/run_control.h"
#include "ui/widgets/latest_job.h"

#include <memory>
#include <optional>
#include <QDialog>
#include <QStringList>
#include <string>
#include <vector>

namespace attnlab::ui {

struct RoleList {
    QStringList likely; ///< the usual inputs, the most likely one first
    QStringList others; ///< all other inputs of mechanisms, by name
};

/// By the array's name, shape, type and whether its rows sum to 1; each input is in one of the lists.
RoleList rolesFor(const HeldArray& array);

} // namespace attnlab::ui

// A dialog for arrays whose names and shapes are ambiguous: which is the query, the number of heads, the layer.

class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QTableWidget;

namespace attnlab::ui {

class ElidedLabel;
class WrappedLabel;

/// Shows every array of the files with its shape, type and role. Each choice is applied at once, and a line describes
/// the result; OK is enabled only when there is one.
class ArrayPicker : public QDialog {
    Q_OBJECT
public:
    ArrayPicker(std::shared_ptr<const Contents> contents, Choices choices, QWidget* parent = nullptr);

    const Choices& choices() const { return choices_; }
    /// The result of the current choices, or the reason why there is none.
    QString summary() const;
    bool canAccept() const;

private:
    void fillTable();
    /// What choices lead to.
    struct Tried {
        std::optional<Recognition> recognition;
        Message refusal;                   ///< without a recognition
        std::vector<std::string> prefixes; ///< the layers of the files; read once
    };
    static Tried tried(const Contents& contents, Choices choices, bool first, const RunControl& control);
    void showTried(const Tried& tried);
    void showRefusal(const Message& why);
    void addPrefixes(const std::vector<std::string>& prefixes);
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
    std::vector<QComboBox*> roles_; ///< one for each row of the table
    bool shows_prefixes_ = false;
    LatestJob<Tried> trying_;
};

} // namespace attnlab::ui
