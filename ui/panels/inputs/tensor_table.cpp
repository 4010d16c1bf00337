#include "ui/panels/inputs/tensor_table.h"

#include "core/edit/cells.h"
#include "ui/document/document.h"
#include "ui/drawing/matrix_data.h"
#include "ui/drawing/text_drawing.h"
#include "ui/panels/inputs/tensor_model.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <utility>

namespace attnlab::ui {
namespace {

/// Above narrow columns, the first letters are more useful than an ellipsis; the tooltip has the full text.
QString shortened(QString label, const QFontMetrics& metrics, int width) {
    constexpr int room_for_dots = 6;
    if (width >= room_for_dots * metrics.averageCharWidth())
        return metrics.elidedText(label, Qt::ElideRight, width);
    while (label.size() > 1 && metrics.horizontalAdvance(label) > width)
        label.chop(1);
    return label;
}

/// Digits are equally wide: the last number of a section is the widest.
bool isNumber(const QString& label) {
    return std::all_of(label.begin(), label.end(), [](QChar letter) { return letter >= u'0' && letter <= u'9'; });
}

} // namespace

TokenHeader::TokenHeader(Qt::Orientation orientation, QWidget* parent) : QHeaderView(orientation, parent) {
    setSectionsClickable(true);
    setHighlightSections(true);
    recolor();
    setSectionResizeMode(orientation == Qt::Vertical ? QHeaderView::Fixed : QHeaderView::Interactive);
}

void TokenHeader::recolor() {
    // The style paints the area without sections in the window colour; the table is on a card.
    auto colors = palette();
    colors.setColor(QPalette::Window, colors.color(QPalette::Base));
    if (colors.color(QPalette::Window) != palette().color(QPalette::Window))
        setPalette(colors);
}

void TokenHeader::changeEvent(QEvent* event) {
    QHeaderView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolor();
}

void TokenHeader::setMarked(std::optional<int> section) {
    if (marked_ == section)
        return;
    marked_ = section;
    viewport()->update();
}

QSize TokenHeader::sizeHint() const {
    QSize hint = QHeaderView::sizeHint();
    if (orientation() == Qt::Horizontal || !model())
        return hint;
    // A sample of labels and the largest number determine the width; a table of a million rows is not read.
    constexpr int sample = 200;
    const auto metrics = fontMetrics();
    int width = metrics.horizontalAdvance(QString::number(std::max(0, count() - 1)));
    for (int section = 0; section < std::min(count(), sample); ++section)
        if (const auto label = model()->headerData(section, orientation()).toString(); !isNumber(label))
            width = std::max(width, metrics.horizontalAdvance(label));
    const int most = metrics.averageCharWidth() * 14;
    hint.setWidth(std::min(width, most) + 2 * metrics.averageCharWidth());
    return hint;
}

void TokenHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    const auto& colors = theme();
    const bool pinned = marked_ == section;
    const bool current = selectionModel() && (orientation() == Qt::Vertical
                                                  ? selectionModel()->rowIntersectsSelection(section, rootIndex())
                                                  : selectionModel()->columnIntersectsSelection(section, rootIndex()));
    painter->save();
    painter->fillRect(rect, palette().color(QPalette::Base));
    QFont bold = font();
    bold.setBold(pinned);
    painter->setFont(bold);
    painter->setPen(pinned ? chosenInk(colors) : current ? colors.text : colors.muted);
    painter->save();
    painter->setPen(colors.outline);
    if (orientation() == Qt::Vertical)
        painter->drawLine(rect.topRight(), rect.bottomRight());
    else
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    painter->restore();
    const int margin = fontMetrics().averageCharWidth() / 2;
    const auto inner = rect.adjusted(margin, 0, -margin, 0);
    const auto alignment = orientation() == Qt::Vertical ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignCenter;
    painter->drawText(inner, alignment,
                      shortened(model()->headerData(section, orientation()).toString(), QFontMetrics(painter->font()),
                                inner.width()));
    if (pinned) {
        const int thickness = 3;
        const auto bar = orientation() == Qt::Vertical
                             ? QRect(rect.right() - thickness + 1, rect.top(), thickness, rect.height())
                             : QRect(rect.left(), rect.bottom() - thickness + 1, rect.width(), thickness);
        painter->fillRect(bar, colors.pin);
    }
    painter->restore();
}

void TokenHeader::mouseDoubleClickEvent(QMouseEvent* event) {
    const int section = logicalIndexAt(event->pos());
    if (renamable_ && section >= 0 && cursor().shape() == Qt::ArrowCursor)
        rename(section);
    else
        QHeaderView::mouseDoubleClickEvent(event);
}

void TokenHeader::rename(int section) {
    if (!renamable_ || section < 0 || section >= count())
        return;
    finishRename(true);
    edited_ = section;
    editor_ = new QLineEdit(viewport());
    editor_->setText(model()->headerData(section, orientation(), Qt::EditRole).toString());
    editor_->setPlaceholderText(QString::number(section));
    editor_->setAccessibleName(tr("Token label %1").arg(section));
    const int at = sectionViewportPosition(section);
    editor_->setGeometry(orientation() == Qt::Vertical ? QRect(0, at, viewport()->width(), sectionSize(section))
                                                       : QRect(at, 0, sectionSize(section), viewport()->height()));
    editor_->setFrame(false);
    editor_->installEventFilter(this);
    editor_->selectAll();
    editor_->show();
    editor_->setFocus();
}

bool TokenHeader::eventFilter(QObject* watched, QEvent* event) {
    if (watched != editor_ || !editor_)
        return QHeaderView::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape) {
            finishRename(key != Qt::Key_Escape);
            return true;
        }
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_Tab) {
            const int next = edited_ + (key == Qt::Key_Up ? -1 : 1);
            finishRename(true);
            rename(next);
            return true;
        }
    } else if (event->type() == QEvent::FocusOut) {
        finishRename(true);
    }
    return QHeaderView::eventFilter(watched, event);
}

void TokenHeader::finishRename(bool keep) {
    if (!editor_)
        return;
    // Cleared first: writing the label or hiding the editor moves its focus and calls this again.
    auto* editor = editor_;
    editor_ = nullptr;
    const bool had_focus = editor->hasFocus();
    if (keep && edited_ < count())
        model()->setHeaderData(edited_, orientation(), editor->text().trimmed());
    editor->hide();
    editor->deleteLater();
    if (had_focus && parentWidget())
        parentWidget()->setFocus();
}

namespace {

QRect checkRect(const QStyleOptionViewItem& option) {
    const auto* style = option.widget ? option.widget->style() : QApplication::style();
    const QSize size(style->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, option.widget),
                     style->pixelMetric(QStyle::PM_IndicatorHeight, nullptr, option.widget));
    return QStyle::alignedRect(Qt::LeftToRight, Qt::AlignCenter, size, option.rect);
}

} // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto& colors = theme();
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const bool current = view && view->currentIndex() == index;
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, colors.accent_soft);

    if (const auto checked = index.data(Qt::CheckStateRole); checked.isValid()) {
        paintCheckBox(*painter, checkRect(option), static_cast<Qt::CheckState>(checked.toInt()), {});
    } else {
        constexpr int margin = 4;
        painter->setPen(colors.text);
        painter->setFont(option.font);
        const auto inner = option.rect.adjusted(margin, 0, -margin, 0);
        const auto text = index.data(Qt::DisplayRole).toString();
        painter->drawText(inner, Qt::AlignRight | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(text, Qt::ElideRight, inner.width()));
    }
    painter->setPen(colors.outline);
    painter->drawLine(option.rect.topRight(), option.rect.bottomRight());
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    if (current) {
        // A pen of two pixels inside the cell: thinner if the table does not have the focus.
        const int thickness = view->hasFocus() ? 2 : 1;
        painter->setPen(QPen(colors.accent, thickness, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        const int inset = thickness / 2;
        painter->drawRect(option.rect.adjusted(inset, inset, -thickness + inset, -thickness + inset));
    }
}

QWidget* CellDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
    auto* editor = QStyledItemDelegate::createEditor(parent, option, index);
    if (auto* line = qobject_cast<QLineEdit*>(editor))
        line->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return editor;
}

bool CellDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                               const QModelIndex& index) {
    const auto checked = index.data(Qt::CheckStateRole);
    if (!checked.isValid())
        return QStyledItemDelegate::editorEvent(event, model, option, index);
    if (event->type() != QEvent::MouseButtonRelease)
        return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() != Qt::LeftButton || mouse->modifiers() != Qt::NoModifier ||
        !checkRect(option).contains(mouse->position().toPoint()))
        return false;
    return model->setData(index, checked.toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

namespace {

constexpr QKeyCombination whole_paste = Qt::CTRL | Qt::SHIFT | Qt::Key_V;

/// Return is processed in the next event: by then another document may have removed the cell and hidden its editor.
bool isReleased(const QWidget& editor) { return editor.isHidden(); }

} // namespace

TensorTable::TensorTable(TensorModel& model, QWidget* parent)
    : QTableView(parent), model_(model), rows_(new TokenHeader(Qt::Vertical, this)),
      columns_(new TokenHeader(Qt::Horizontal, this)) {
    setVerticalHeader(rows_);
    setHorizontalHeader(columns_);
    setModel(&model_);
    setItemDelegate(new CellDelegate(this));
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed);
    setTabKeyNavigation(false); // one stop of Tab; arrow keys move between cells
    setSelectionMode(ExtendedSelection);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setShowGrid(false); // drawn by the delegate: the style's is invisible on a dark card
    if (auto* corner = findChild<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly))
        corner->installEventFilter(this);
    setWordWrap(false);
    setFrameShape(NoFrame);
    connect(&model_, &QAbstractItemModel::modelReset, this, &TensorTable::settle);
    connect(&model_, &QAbstractItemModel::dataChanged, this, &TensorTable::widenSections);
    connect(&model_, &QAbstractItemModel::headerDataChanged, this, [this] {
        rows_->updateGeometry();
        updateGeometries();
    });
    connect(&model_, &TensorModel::inputRefused, this, [this](const QString& why) {
        refused_ = true;
        emit messageRaised(why);
    });
    using enum QKeySequence::SequenceFormat;
    const auto keys = [](const QKeySequence& sequence) { return sequence.toString(NativeText); };
    declareShortcuts(*this, {tr("Table of numbers"),
                             {{tr("Arrow keys"), tr("Move between the cells")},
                              {tr("F2, or type"), tr("Edit the cell")},
                              {tr("Drag left or right"), tr("Change the selected number; Shift × 10, Alt ÷ 10")},
                              {keys(Qt::Key_Return), tr("Enter the number, and go down; with Shift up")},
                              {keys(Qt::Key_Tab), tr("Enter the number, and go right; with Shift left")},
                              {keys(Qt::Key_Space), tr("True or false, in a table of them")},
                              {keys(QKeySequence::Delete), tr("Set the selected cells to zero")},
                              {keys(QKeySequence::Copy), tr("Copy the selected cells")},
                              {keys(QKeySequence::Cut), tr("Cut the selected cells")},
                              {keys(QKeySequence::Paste), tr("Paste cells")},
                              {keys(QKeySequence(whole_paste)), tr("Paste as the whole tensor")},
                              {keys(QKeySequence::SelectAll), tr("Select all cells")},
                              {tr("Ctrl + Shift + Left, Right"), tr("Make the column narrower, or wider")},
                              {keys(QKeySequence(Qt::SHIFT | Qt::Key_F2)), tr("Name the token of the row")}}});
    connectDrag();
    settle();
}

void TensorTable::connectDrag() {
    auto* drag = new NumberDrag(*viewport());
    drag->setWhere([this](const QPoint& at) {
        const QModelIndex index = indexAt(at);
        return index.isValid() && index == currentIndex() && !model_.isBool() && state() != EditingState &&
               selectionModel()->selectedIndexes().size() < 2;
    });
    connect(drag, &NumberDrag::began, this, [this] {
        drag_gesture_ = Document::newGesture();
        dragged_from_ = model_.number(currentIndex());
    });
    const auto set = [this](double number) { model_.setCells(selectedRanges(), number, {}, drag_gesture_); };
    connect(drag, &NumberDrag::moved, this, [this, set](double steps) {
        const double number = draggedNumber(dragged_from_, steps, model_.tensor().dtype() == DType::Int64);
        if (number != model_.number(currentIndex()))
            set(number);
    });
    connect(drag, &NumberDrag::ended, this, [this, set](bool kept) {
        if (!kept)
            set(dragged_from_);
    });
}

void TensorTable::settle() {
    widest_ = 0;
    fitSections();
    rows_->setRenamable(model_.rowTokens().has_value());
    columns_->setRenamable(model_.columnTokens().has_value());
    if (model_.rowCount() > 0 && model_.columnCount() > 0)
        setCurrentIndex(firstToEdit());
}

/// The first nonzero cell of the first row: changing it changes scores where Q, K and V are one matrix.
QModelIndex TensorTable::firstToEdit() const {
    constexpr int most = 64;
    for (int column = 0; column < std::min(model_.columnCount(), most) && !model_.isBool(); ++column)
        if (const auto index = model_.index(0, column);
            QLocale::c().toDouble(index.data(Qt::EditRole).toString()) != 0.0)
            return index;
    return model_.index(0, 0);
}

int TensorTable::sampledWidth(int digits) const {
    const auto metrics = fontMetrics();
    const int padding = 3 * metrics.averageCharWidth() / 2;
    if (model_.isBool())
        return metrics.height() + metrics.averageCharWidth() / 2;
    // Wide enough for usual numbers; a sample of rows and columns shows whether these are longer. Never reads all
    // cells.
    constexpr int sampled_rows = 32, sampled_columns = 16;
    const int rows = std::min(model_.rowCount(), sampled_rows),
              columns = std::min(model_.columnCount(), sampled_columns);
    const bool sampled_all = rows == model_.rowCount() && columns == model_.columnCount();
    // Digits are equally wide, so only the longest text is measured: this runs at every edit.
    QString longest = sampled_all ? QStringLiteral("−0.00") : QStringLiteral("−0.000");
    try {
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                if (const auto text = cellText(model_.number(model_.index(row, column)), digits);
                    text.size() > longest.size())
                    longest = text;
    } catch (const Error&) { // the model shows the error in each cell
    }
    int width = metrics.horizontalAdvance(longest);
    for (int column = 0; column < columns; ++column) {
        const auto label = model_.headerData(column, Qt::Horizontal).toString();
        width = std::max(width, std::min(metrics.horizontalAdvance(label), 8 * metrics.averageCharWidth()));
    }
    return width + padding;
}

void TensorTable::fitSections() {
    rows_->setDefaultSectionSize(fontMetrics().height() + 8);
    updateGeometries();
    const int columns = model_.columnCount();
    const int room = viewport()->width() - 1;
    // One digit fewer if that makes all columns visible.
    constexpr int many_digits = 4, few_digits = 3;
    const auto fits = [&](int width) { return static_cast<std::int64_t>(width) * columns <= room; };
    const int few = sampledWidth(few_digits), many = sampledWidth(many_digits);
    const int digits = !fits(many) && fits(few) ? few_digits : many_digits;
    widest_ = std::max(widest_, digits == few_digits ? few : many);
    // Columns are widened to fill the room, so that none is cut within a number.
    const int in_sight = std::min(columns, std::max(1, room / std::max(1, widest_)));
    const int share = in_sight > 0 ? room / in_sight : 0;
    columns_->setMinimumSectionSize(fontMetrics().averageCharWidth() * 2);
    columns_->setDefaultSectionSize(std::clamp(share, widest_, widest_ * 3 / 2));
    updateGeometries();
    const std::int64_t rows = model_.rowCount();
    setMaximumHeight(static_cast<int>(
        std::min<std::int64_t>(QWIDGETSIZE_MAX, columns_->sizeHint().height() + rows * rows_->defaultSectionSize() +
                                                    horizontalScrollBar()->sizeHint().height() + 2)));
    model_.setDigits(digits);
}

void TensorTable::widenSections() {
    // Only widened while the same matrix is shown: columns that shrink during an edit would move.
    if (sampledWidth(model_.digits()) > widest_)
        fitSections();
}

void TensorTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) {
        widest_ = 0;
        fitSections();
    }
}

CellRanges TensorTable::selectedRanges() const {
    CellRanges ranges;
    for (const auto& range : selectionModel()->selection())
        ranges.push_back({range.top(), range.left(), range.height(), range.width()});
    if (ranges.empty() && currentIndex().isValid())
        ranges.push_back({currentIndex().row(), currentIndex().column(), 1, 1});
    return ranges;
}

void TensorTable::copy() { (void)copyCells(false); }
void TensorTable::copyWithLabels() { (void)copyCells(true); }

/// False where there are none, or too many, which is reported.
bool TensorTable::copyCells(bool labels) {
    const auto range = bounds_of(selectedRanges());
    if (range.rows == 0 || range.columns == 0)
        return false;
    if (range.rows > most_copied_cells / range.columns) {
        emit messageRaised(
            tr("%L1 × %L2 cells are selected, and at most %L3 can be copied. The menu of the tensor saves "
               "all of them to a file.")
                .arg(range.rows)
                .arg(range.columns)
                .arg(most_copied_cells));
        return false;
    }
    QStringList row_labels, column_labels;
    if (labels) {
        for (auto row = range.top; row < range.top + range.rows; ++row)
            row_labels << model_.headerData(static_cast<int>(row), Qt::Vertical).toString();
        for (auto column = range.left; column < range.left + range.columns; ++column)
            column_labels << model_.headerData(static_cast<int>(column), Qt::Horizontal).toString();
    }
    const auto cells = cells_of(model_.tensor(), model_.place().leading, range);
    QGuiApplication::clipboard()->setMimeData(mimeOf(matrix_at(cells), row_labels, column_labels).release());
    return true;
}

void TensorTable::cut() {
    if (!copyCells(false))
        return;
    model_.setCells(selectedRanges(), 0.0, tr("Cut from %1").arg(shortNameOf(model_.tensorName())));
}

void TensorTable::clearCells() {
    model_.setCells(selectedRanges(), 0.0, tr("Clear cells of %1").arg(shortNameOf(model_.tensorName())));
}

void TensorTable::paste() { pasteText(QGuiApplication::clipboard()->text()); }

void TensorTable::pasteAsTensor() { pasteText(QGuiApplication::clipboard()->text(), true); }

void TensorTable::pasteText(const QString& text, bool as_tensor) {
    if (text.trimmed().isEmpty()) {
        emit messageRaised(tr("The clipboard holds no text"));
        return;
    }
    try {
        CellRange cells;
        Message message;
        const auto paste = [&, place = model_.place(), selection = selectedRanges()](AttentionProblem& problem,
                                                                                     const RunControl& control) {
            const auto table = tableFrom(text, control);
            auto result = as_tensor ? pasted_as_tensor(problem, place, table, control)
                                    : pasted(problem, place, selection, table, control);
            if (!result.problem)
                throw Error(result.message);
            problem = std::move(*result.problem);
            cells = result.cells;
            message = result.message;
        };
        // A letter takes about as long to read as a number to draw.
        if (!model_.document().editBy(tr("Paste into %1").arg(shortNameOf(model_.tensorName())),
                                      model_.document().problem(), static_cast<double>(text.size()), paste))
            return;
        selectCells(cells);
        // After the edit, which clears the previous message.
        if (!message.empty())
            emit messageRaised(translated(message));
    } catch (const Error& error) {
        emit messageRaised(translated(error.message()));
    }
}

void TensorTable::selectCells(const CellRange& cells) {
    if (cells.rows == 0 || cells.columns == 0)
        return;
    const auto first = model_.index(static_cast<int>(cells.top), static_cast<int>(cells.left));
    const auto last =
        model_.index(static_cast<int>(cells.top + cells.rows - 1), static_cast<int>(cells.left + cells.columns - 1));
    selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    selectionModel()->select(QItemSelection(first, last), QItemSelectionModel::ClearAndSelect);
}

void TensorTable::renameCurrentRow() {
    if (!currentIndex().isValid())
        return;
    if (rows_->isRenamable())
        rows_->rename(currentIndex().row());
    else
        emit messageRaised(tr("The rows of %1 are not tokens").arg(model_.tensorName()));
}

void TensorTable::toggleSelected() {
    if (currentIndex().isValid())
        model_.setCells(selectedRanges(), model_.number(currentIndex()) == 0.0 ? 1.0 : 0.0);
}

void TensorTable::moveBy(int rows, int columns) {
    const auto at = currentIndex();
    if (!at.isValid())
        return;
    const auto moved = [](std::int64_t from, int by, int count) {
        return static_cast<int>(std::clamp<std::int64_t>(from + by, 0, count - 1));
    };
    const int row = moved(at.row(), rows, model_.rowCount());
    const int column = moved(at.column(), columns, model_.columnCount());
    setCurrentIndex(model_.index(row, column));
}

bool TensorTable::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // The window's menus may use the same keys; here they apply to cells.
        const auto* key = static_cast<QKeyEvent*>(event);
        for (const auto standard : {QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste, QKeySequence::SelectAll,
                                    QKeySequence::Delete}) {
            if (key->matches(standard)) {
                event->accept();
                return true;
            }
        }
        if (key->keyCombination() == whole_paste) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

bool TensorTable::eventFilter(QObject* watched, QEvent* event) {
    // The corner between the headers is as flat as they are.
    if (event->type() == QEvent::Paint && qobject_cast<QAbstractButton*>(watched)) {
        auto* corner = static_cast<QWidget*>(watched);
        QPainter(corner).fillRect(corner->rect(), palette().color(QPalette::Base));
        return true;
    }
    return QTableView::eventFilter(watched, event);
}

void TensorTable::keyPressEvent(QKeyEvent* event) {
    // An editor passes on the Enter that closes it.
    if (state() == EditingState)
        return QTableView::keyPressEvent(event);
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const auto column_keys = Qt::ControlModifier | Qt::ShiftModifier;
    const bool narrower = event->key() == Qt::Key_Left;
    if ((event->modifiers() & ~Qt::KeypadModifier) == column_keys && (narrower || event->key() == Qt::Key_Right))
        return resizeCurrentColumn(narrower ? -1 : 1);
    if (event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab)
        return event->ignore(); // there is no other stop; the character would begin an entry
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->matches(QKeySequence::Cut))
        cut();
    else if (event->matches(QKeySequence::Paste))
        paste();
    else if (event->keyCombination() == whole_paste)
        pasteAsTensor();
    else if (plain && (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace))
        clearCells();
    else if (plain && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        moveBy(shift ? -1 : 1, 0);
    else if (shift && event->key() == Qt::Key_F2)
        renameCurrentRow();
    else if (plain && model_.isBool() && event->key() == Qt::Key_Space)
        toggleSelected();
    else if (plain && model_.isBool() && (event->key() == Qt::Key_0 || event->key() == Qt::Key_1))
        model_.setCells(selectedRanges(), event->key() == Qt::Key_1 ? 1.0 : 0.0);
    else
        return QTableView::keyPressEvent(event);
    event->accept();
}

void TensorTable::resizeCurrentColumn(int letters) {
    if (!currentIndex().isValid())
        return;
    const int width = columns_->sectionSize(currentIndex().column()) + letters * fontMetrics().averageCharWidth();
    columns_->resizeSection(currentIndex().column(), std::max(columns_->minimumSectionSize(), width));
}

void TensorTable::commitData(QWidget* editor) {
    refused_ = false;
    if (!isReleased(*editor))
        QTableView::commitData(editor);
}

void TensorTable::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) {
    if (isReleased(*editor))
        return;
    QTableView::closeEditor(editor, QAbstractItemDelegate::NoHint);
    // After a refusal the cell stays current, to be edited again.
    if (std::exchange(refused_, false))
        return;
    switch (hint) {
    case QAbstractItemDelegate::SubmitModelCache:
        moveBy(1, 0);
        break;
    case QAbstractItemDelegate::EditNextItem:
        setCurrentIndex(moveCursor(MoveNext, Qt::NoModifier));
        break;
    case QAbstractItemDelegate::EditPreviousItem:
        setCurrentIndex(moveCursor(MovePrevious, Qt::NoModifier));
        break;
    default:
        break;
    }
}

void TensorTable::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [menu](const QString& text, const QKeySequence& keys, auto&& slot) {
        auto* action = menu->addAction(text, slot);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        return action;
    };
    add(tr("Cu&t"), QKeySequence::Cut, [this] { cut(); });
    add(tr("&Copy"), QKeySequence::Copy, [this] { copy(); });
    add(tr("Copy with &labels"), {}, [this] { copyWithLabels(); });
    add(tr("&Paste"), QKeySequence::Paste, [this] { paste(); });
    add(tr("Paste as the &whole tensor"), QKeySequence(whole_paste), [this] { pasteAsTensor(); });
    menu->addSeparator();
    add(tr("&Zero"), QKeySequence::Delete, [this] { clearCells(); });
    add(tr("&Fill…"), {}, [this] { emit fillRequested(); });
    add(tr("Re&name word"), QKeySequence(Qt::SHIFT | Qt::Key_F2), [this] {
        renameCurrentRow();
    })->setEnabled(rows_->isRenamable());
    menu->addSeparator();
    add(tr("Select &all"), QKeySequence::SelectAll, [this] { selectAll(); });
    menu->popup(event->globalPos());
}

void TensorTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        widest_ = 0;
        fitSections();
    }
}

} // namespace attnlab::ui
