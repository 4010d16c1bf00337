#include "ui/panels/mechanism/formula_panel.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "ui/document/document.h"
#include "ui/drawing/formula_view.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QEvent>
#include <QFontInfo>
#include <QPainter>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

/// Replacing by −∞ and adding −∞ are the same.
bool replacesByNumber(const AttentionSpec& spec) {
    const auto blocks = [&](const MaskKind& kind) { return !kind.adds && lookup(spec.masks, kind.id); };
    return spec.mask_fill.mode == MaskFill::Mode::Replace && std::isfinite(spec.mask_fill.value) &&
           std::ranges::any_of(mask_kinds(), blocks);
}

} // namespace

QString attentionFormula(const AttentionSpec& spec) {
    const auto* chosen = lookup(mechanisms(), spec.variant);
    if (!chosen)
        return {};
    if (!spec.normaliser.id.empty()) // the line of attention has the softmax
        return QStringLiteral("normaliser_") + QString::fromStdString(spec.normaliser.id);
    const QString scale = spec.scale.id.empty() ? textOf(chosen->default_scale) : QString::fromStdString(spec.scale.id);
    QString id = textOf(chosen->attention_line) + QLatin1Char('_') + scale;
    if (spec.scale_after_softmax && hasFormula(id + QStringLiteral("_after")))
        id += QStringLiteral("_after");
    // A mechanism with a built-in mask defines M in its own line.
    const auto terms = position_terms();
    const bool biased = std::any_of(terms.begin(), terms.end(),
                                    [&](const PositionTerm& term) { return term.id == spec.position.id && term.bias; });
    const bool masked = biased || !spec.masks.empty() || chosen->own_mask;
    if (masked)
        id += QStringLiteral("_masked");
    return hasFormula(id) ? id : QString();
}

namespace {

constexpr qreal attention_scale = 1.05;

/// The height of the attention line with every usual scale, so that changing the scale moves nothing below it.
int heightOfAnyScale(const AttentionSpec& spec, const QWidget& view) {
    const qreal em = QFontInfo(view.font()).pixelSize() * attention_scale;
    qreal height = 0.0;
    for (const char* scale : {"none", "sqrt_dk", "dk"}) {
        AttentionSpec other = spec;
        other.scale = {scale, {}};
        height = std::max(height, Formula(attentionFormula(other), Qt::black).size(em).height());
    }
    return static_cast<int>(std::ceil(height));
}

} // namespace

FormulaPanel::FormulaPanel(const Document& document, QWidget* parent)
    : QFrame(parent), document_(document), attention_(new FormulaView(this)), scale_(new FormulaView(this)),
      variant_(new FormulaView(this)), position_(new FormulaView(this)), decay_(new FormulaView(this)),
      fill_(new FormulaView(this)), help_(new ElidedLabel(this)), more_(new LinkButton(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(11, 7, 11, 2); // the link below has room of its own
    column->setSpacing(4);
    // Beside each other where they are narrow.
    auto* formulas = new FlowLayout(nullptr, 18, 4);
    for (auto* formula : {attention_, scale_, variant_, position_, decay_, fill_}) {
        formulas->addWidget(formula);
        formulas->setAlignment(formula, Qt::AlignVCenter);
    }
    column->addLayout(formulas);
    auto* words = new QHBoxLayout;
    words->setSpacing(6);
    words->addWidget(help_, 1);
    words->addWidget(more_);
    more_->setMinimumHeight(24); // a target by itself, not in a sentence
    column->addLayout(words);
    attention_->setMaximumScale(attention_scale);
    variant_->setMaximumScale(0.82);
    position_->setMaximumScale(0.82);
    scale_->setMaximumScale(0.82);
    decay_->setMaximumScale(0.82);
    fill_->setMaximumScale(0.82);
    help_->setForegroundRole(QPalette::PlaceholderText);
    more_->setText(tr("More…"));
    connect(more_, &QAbstractButton::clicked, this, &FormulaPanel::helpRequested);
    restyle();
    connect(&document_, &Document::problemChanged, this, &FormulaPanel::follow);
    follow(document_.problem());
}

/// Numbers change no formula: typesetting takes a tenth of an edit.
void FormulaPanel::follow(const AttentionProblem& problem) {
    if (followed_ == problem.spec)
        return;
    followed_ = problem.spec;
    const auto* chosen = lookup(mechanisms(), problem.spec.variant);
    const QString attention = attentionFormula(problem.spec);
    if (attention != attention_->id())
        attention_->setMinimumHeight(heightOfAnyScale(problem.spec, *attention_));
    attention_->setFormula(attention);
    attention_->setVisible(!attention.isEmpty());
    if (chosen) {
        const QString id = textOf(chosen->id);
        // The table's text is of the whole mechanism; it is used if there is no typeset formula.
        variant_->setFormula(id, hasFormula(id) ? QString() : textOf(chosen->formula));
        const QString help = translated(chosen->help);
        help_->setText(help);
        help_->setToolTip(help);
    }
    const QString scale = problem.spec.scale.id.empty() && chosen ? textOf(chosen->default_scale)
                                                                  : QString::fromStdString(problem.spec.scale.id);
    scale_->setFormula(QStringLiteral("scale_") + scale);
    scale_->setVisible(!problem.spec.normaliser.id.empty() && scale != QLatin1String("none"));
    const QString decay = QStringLiteral("decay_") + QString::fromStdString(problem.spec.decay.id);
    decay_->setFormula(decay);
    decay_->setVisible(hasFormula(decay));
    const QString position = QStringLiteral("position_") + QString::fromStdString(problem.spec.position.id);
    position_->setFormula(position);
    position_->setVisible(hasFormula(position));
    // The typeset line adds M to the scores.
    const bool replaces = replacesByNumber(problem.spec);
    fill_->setFormula(
        {}, replaces
                ? tr("Blocked scores become %1; M is not added to them.").arg(powerText(problem.spec.mask_fill.value))
                : QString());
    fill_->setVisible(replaces);
    variant_->setVisible(chosen);
    help_->setVisible(chosen);
    more_->setVisible(chosen);
}

void FormulaPanel::setHigh(bool high) {
    if (high == help_->wordWrap())
        return;
    help_->setWordWrap(high);
    updateGeometry();
}

QString FormulaPanel::shownHelp() const { return help_->shownText(); }

void FormulaPanel::restyle() {
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.9);
    help_->setFont(small);
    more_->setFont(small);
    update();
}

void FormulaPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().border);
    painter.setBrush(theme().card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0);
}

void FormulaPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
    QFrame::changeEvent(event);
}

} // namespace attnlab::ui
