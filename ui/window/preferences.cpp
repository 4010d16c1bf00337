#include "ui/window/preferences.h"

#include "ui/document/document.h"
#include "ui/document/settings.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/results.h"

#include <algorithm>
#include <array>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QSpinBox>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

QSpinBox* memoryField(int least, std::size_t bytes) {
    auto* field = new QSpinBox;
    field->setRange(least, 65'536);
    field->setSuffix(PreferencesDialog::tr(" MiB"));
    field->setValue(static_cast<int>(bytes / mebibyte));
    return field;
}

std::size_t bytesOf(const QSpinBox& field) { return static_cast<std::size_t>(field.value()) * mebibyte; }

QFormLayout* addGroup(QVBoxLayout& column, QWidget* dialog, const QString& title, const QString& words = {}) {
    auto* heading = mutedLabel(dialog, true);
    heading->setText(title);
    column.addWidget(heading);
    if (!words.isEmpty()) {
        auto* label = new Label(words);
        label->setWordWrap(true);
        column.addWidget(label);
    }
    auto* form = new QFormLayout;
    form->setContentsMargins(12, 0, 0, 8);
    column.addLayout(form);
    return form;
}

} // namespace

PreferencesDialog::PreferencesDialog(MainWindow& window)
    : QDialog(&window), window_(window), theme_(new QComboBox), language_(new QComboBox),
      motion_(new QCheckBox(tr("&Reduce motion"))), reopens_(new QCheckBox(tr("Reopen last &file at startup"))),
      cells_(new QSpinBox), memory_(memoryField(16, settings::mapBytes())),
      undo_(memoryField(1, window.document().undoBytes())) {
    setWindowTitle(tr("Preferences"));
    auto* column = new QVBoxLayout(this);
    auto* look = addGroup(*column, this, tr("Look"));
    look->addRow(tr("&Theme"), theme_);
    look->addRow(tr("&Language"), language_);
    look->addRow(motion_);
    auto* start = addGroup(*column, this, tr("Start"));
    start->addRow(reopens_);
    auto* large = addGroup(*column, this, tr("Large heads"),
                           tr("Larger heads (queries × keys) are drawn as a map: computed where you look, never stored "
                              "whole. Smaller ones have every stage of their computation."));
    large->addRow(tr("&Show as a map from"), cells_);
    large->addRow(tr("&Memory for tiles"), memory_);
    auto* undo = addGroup(*column, this, tr("Undo"),
                          tr("Undo keeps the last %1 steps as long as their numbers fit into this memory; then the "
                             "oldest steps go first. The last step can always be undone. The steps take %2 MiB now.")
                              .arg(Document::most_steps)
                              .arg((window.document().usedUndoBytes() + mebibyte - 1) / mebibyte));
    undo->addRow(tr("Memory for &steps"), undo_);
    alignFields(std::array{look, large, undo});
    fill();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &PreferencesDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addStretch();
    column->addWidget(buttons);
    // Qt's own size hint takes the room of a paragraph that wraps from the fields.
    const int width = std::max(sizeHint().width(), fontMetrics().averageCharWidth() * 64);
    setMinimumWidth(width);
    resize(width, layout()->totalHeightForWidth(width));
}

void PreferencesDialog::fill() {
    theme_->addItems({tr("Follow system"), tr("Light"), tr("Dark"), tr("High contrast, black on white"),
                      tr("High contrast, white on black")});
    theme_->setCurrentIndex(static_cast<int>(settings::themeChoice()));
    for (const auto& language : ui::languages())
        language_->addItem(QString::fromUtf8(language.name), QString::fromLatin1(language.code));
    language_->setCurrentIndex(std::max(0, language_->findData(currentLanguage())));
    motion_->setChecked(settings::reducedMotion());
    reopens_->setChecked(settings::reopensLast());
    cells_->setRange(1000, 100'000'000); // the stages of a larger matrix would take gigabytes
    cells_->setGroupSeparatorShown(true);
    cells_->setStepType(QSpinBox::AdaptiveDecimalStepType);
    cells_->setSuffix(tr(" cells"));
    cells_->setValue(static_cast<int>(std::min<std::int64_t>(settings::mapFromCells(), cells_->maximum())));
}

void PreferencesDialog::accept() {
    QDialog::accept();
    const auto choice = static_cast<ThemeChoice>(theme_->currentIndex());
    if (choice != settings::themeChoice()) {
        settings::setThemeChoice(choice);
        applyTheme(choice);
    }
    settings::setReducedMotion(motion_->isChecked());
    ui::setReducedMotion(motion_->isChecked());
    settings::setReopensLast(reopens_->isChecked());
    settings::setUndoBytes(bytesOf(*undo_));
    window_.document().setUndoBytes(settings::undoBytes());
    const bool maps_change = settings::mapFromCells() != cells_->value() || settings::mapBytes() != bytesOf(*memory_);
    settings::setMapFromCells(cells_->value());
    settings::setMapBytes(bytesOf(*memory_));
    if (maps_change) {
        window_.largeInputs()->session().setByteLimit(settings::mapBytes());
        window_.results().recompute();
    }
    if (const QString code = language_->currentData().toString(); code != currentLanguage()) {
        settings::setLanguage(code);
        // Deferred, since switching makes the widgets of the window anew.
        QMetaObject::invokeMethod(
            &window_, [code] { applyLanguage(code); }, Qt::QueuedConnection);
    }
}

} // namespace attnlab::ui
