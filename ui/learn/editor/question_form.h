// The page of the lesson editor for the question of a step.
#pragma once

#include "ui/learn/editor/draft_field.h"

#include <QPointer>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QRadioButton;
class QToolButton;
class QVBoxLayout;

namespace attnlab::ui {

/// Which option is right is chosen here, or measured by an expression for each option.
class QuestionForm : public DraftForm {
    Q_OBJECT
public:
    explicit QuestionForm(QWidget* parent = nullptr);

    void show(const EditedLesson& lesson) override;

    /// One option: its words, and when it is right.
    struct Row {
        std::string id;
        QWidget* box = nullptr;
        QRadioButton* chosen = nullptr; ///< marks the right one; read-only where it is measured
        DraftField* words = nullptr;
        DraftField* right = nullptr; ///< an expression; hidden where the right one is chosen
        QLabel* measured = nullptr;
        QPushButton* remove = nullptr;
    };
    const std::vector<Row>& rows() const { return rows_; }
    QCheckBox* asks() const { return asks_; }
    QCheckBox* covers() const { return covers_; }
    QComboBox* decided() const { return decided_; }
    QPushButton* addOption() const { return add_; }
    QMenu* fromCards() const { return from_cards_; }
    DraftField* question() const { return question_; }
    DraftField* hint() const { return hint_; }
    DraftField* answer() const { return answer_; }

private:
    void build();
    void ask(bool on);
    void makeRows(const lessons::DraftQuestion& question);
    void makeRow(const std::string& id);
    void showRows(const EditedLesson& lesson, const lessons::DraftQuestion& question);
    void showSections(const EditedLesson& lesson);
    void listCards(const EditedLesson& lesson);
    void changeQuestion(const std::function<void(lessons::DraftQuestion&)>& change, const QString& field = {});
    /// Options of which the card with the largest or smallest number is right.
    void askAboutCards(const std::string& function, bool largest, const QString& words);
    static bool isChosen(const lessons::DraftQuestion& question);

    QCheckBox* asks_;
    QWidget* parts_; ///< all that a question has
    DraftField* question_;
    QComboBox* decided_;
    QVBoxLayout* options_;
    ErrorLabel* error_;
    QPushButton* add_;
    QToolButton* cards_;
    QMenu* from_cards_;
    DraftField* hint_;
    DraftField* answer_;
    QCheckBox* covers_;
    QVBoxLayout* sections_;
    std::vector<Row> rows_;
    std::vector<std::pair<std::string, DraftField*>> section_fields_;
    std::vector<std::pair<std::string, QString>> settings_; ///< ids and titles, for from_cards_
    std::string language_;
    bool chosen_ = true; ///< the right option is chosen, not measured
};

} // namespace attnlab::ui
