#include "ui/panels/mask/combination_form.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <string>
#include <utility>

namespace attnlab::ui {
namespace {

enum Joining { KeptByAll, KeptByAny, ByExpression };

/// "a and b", which is the same as no combination, to begin an expression with.
std::string allOf(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names)
        text += (text.empty() ? "" : " and ") + name;
    return text;
}

} // namespace

CombinationForm::CombinationForm(const ComparedSide& setting, QWidget* parent)
    : QWidget(parent), setting_(setting), label_(new Label(tr("Keep a cell"), this)),
      score_label_(new Label(tr("Score becomes"), this)), choice_(new QComboBox(this)),
      combination_(new ExpressionField(
          [this](const std::string& text) {
              auto spec = setting_.spec();
              spec.mask_combine = parse_combination(text);
              check_combination(spec);
          },
          this)),
      score_mod_(new ExpressionField(
          [](const std::string& text) {
              AttentionSpec spec;
              spec.score_mod = QString::fromStdString(text).trimmed().toStdString();
              check_score_mod(spec);
          },
          this)) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    grid->addWidget(label_, 0, 0);
    grid->addWidget(choice_, 0, 1);
    grid->addWidget(combination_, 1, 0, 1, 2);
    grid->addWidget(score_label_, 2, 0, Qt::AlignTop);
    grid->addWidget(score_mod_, 2, 1);
    for (QLabel* label : {label_, score_label_})
        label->setForegroundRole(QPalette::PlaceholderText);
    choice_->addItems({tr("if all keep it"), tr("if any keeps it"), tr("by an expression")});
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(6);
    label_->setBuddy(choice_);
    score_label_->setBuddy(score_mod_);
    choice_->setAccessibleName(tr("How masks are combined"));
    choice_->setToolTip(
        tr("Masks block together: a cell is kept if all keep it, if any keeps it, or by an expression of "
           "their names."));
    combination_->edit()->setAccessibleName(tr("Combination of masks"));
    combination_->setToolTip(tr("An expression of the masks with and, or, not and brackets: causal and (window or not "
                                "prefix). A second window is window_2."));
    score_mod_->edit()->setAccessibleName(tr("score_mod"));
    score_mod_->setPlaceholder(QStringLiteral("score - 0.5 * abs(q - k)"));
    score_mod_->setToolTip(
        tr("A number that replaces each scaled score before the masks, as score_mod of FlexAttention. "
           "score, b, h, q, k: the score, batch, head, query and key; -inf blocks a cell."));
    connect(choice_, &QComboBox::activated, this, &CombinationForm::choose);
    connect(combination_, &ExpressionField::textAccepted, this, [this](const QString& text) {
        setCombination(parse_combination(text.toStdString()), tr("Combine masks by “%1”").arg(text));
    });
    connect(score_mod_, &ExpressionField::textAccepted, this, [this](const QString& text) {
        auto spec = setting_.spec();
        spec.score_mod = text.trimmed().toStdString();
        setting_.setSpecCompletingInputs(std::move(spec), text.trimmed().isEmpty() ? tr("Remove score_mod")
                                                                                   : tr("score_mod “%1”").arg(text));
        showSetting();
    });
    connect(&setting_.document(), &Document::problemChanged, this, &CombinationForm::showSetting);
    showSetting();
}

void CombinationForm::setOpen(bool open) {
    open_ = open;
    showSetting();
}

void CombinationForm::choose(int index) {
    expresses_ = index == ByExpression;
    if (index == KeptByAll)
        setCombination({}, tr("Keep cells that all masks keep"));
    else if (index == KeptByAny)
        setCombination("or", tr("Keep cells that any mask keeps"));
    showSetting();
    if (expresses_)
        combination_->setFocus();
}

void CombinationForm::setCombination(const std::string& text, const QString& words) {
    auto spec = setting_.spec();
    spec.mask_combine = text;
    if (spec != setting_.spec())
        setting_.setSpec(std::move(spec), words);
}

void CombinationForm::showSetting() {
    const auto& spec = setting_.spec();
    const auto* chosen = lookup(mechanisms(), spec.variant);
    const auto names = names_in_combination(spec.masks);
    const bool joins = names.size() > 1 || combines_otherwise(spec);
    const bool by_expression = !spec.mask_combine.empty() && spec.mask_combine != "or";
    const bool expresses = joins && (by_expression || expresses_);
    {
        const QSignalBlocker quiet(choice_);
        choice_->setCurrentIndex(expresses ? ByExpression : spec.mask_combine == "or" ? KeptByAny : KeptByAll);
    }
    for (QWidget* part : {static_cast<QWidget*>(label_), static_cast<QWidget*>(choice_)})
        part->setVisible(joins);
    choice_->setEnabled(!chosen || !refusal_of_combination(*chosen) || combines_otherwise(spec));
    combination_->setVisible(expresses);
    if (expresses)
        combination_->setText(QString::fromStdString(by_expression ? spec.mask_combine : allOf(names)));
    const bool modifies = !spec.score_mod.empty() || open_;
    score_label_->setVisible(modifies);
    score_mod_->setVisible(modifies);
    score_mod_->setEnabled(!chosen || !refusal_of_score_mod(*chosen) || !spec.score_mod.empty());
    score_mod_->setText(QString::fromStdString(spec.score_mod));
    setVisible(joins || modifies);
}

} // namespace attnlab::ui
