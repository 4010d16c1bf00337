// The mask lab: masks and fills side by side, and leaks through them.
#include "core/lab/board.h"
#include "core/lab/leak.h"
#include "core/statistics.h"
#include "tests/test_main.h"
#include "tests/ui/board_support.h"
#include "ui/learn/lab/card_controls.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::ui;

class TestLabMask : public QObject {
    Q_OBJECT

    std::unique_ptr<ShownBoard> lab_;

    CardsBoard& board() { return *lab_->board; }
    /// The first card shows the shared scores.
    enum { Scores, None, Causal, Padded };

    const RowsPart& leak(std::size_t card) {
        for (const auto& part : lab_->card(card).content().below)
            if (const auto* rows = dynamic_cast<const RowsPart*>(part.get());
                rows && rows->bars.heading.contains("edited"))
                return *rows;
        qFatal("no leak bars");
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        lab_ = std::make_unique<ShownBoard>(lab::free_lab_scene(lab::BoardKind::MaskLab),
                                            lab::free_lab_view(lab::BoardKind::MaskLab), QSize(1280, 760));
    }
    void cleanup() { lab_.reset(); }

    void theSameScoresUnderEveryMask() {
        QCOMPARE(board().area()->cards().size(), std::size_t{4});
        QVERIFY(lab_->card(Scores).content().id.isEmpty());
        QCOMPARE(lab_->shown(Scores, 1, 5), lab_->trace("causal").find("scaled")->value.at({0, 0, 1, 5}));
        QCOMPARE(lab_->shown(Causal, 1, 5), 0.0);
        QVERIFY(lab_->card(Causal).heatmap()->matrix().isBlocked(1, 5));
        QVERIFY(!lab_->card(None).heatmap()->matrix().isBlocked(1, 5));
        QVERIFY(lab_->card(Causal).title().contains("causal"));
        QVERIFY(lab_->card(Padded).title().contains("−1e9"));
    }

    void partsOfNeighboursStandAtOneHeight() {
        const auto& none = lab_->card(None).parts();
        const auto& padded = lab_->card(Padded).parts();
        QCOMPARE(none.size(), padded.size());
        for (std::size_t k = 0; k < none.size(); ++k)
            QCOMPARE(none[k]->y(), padded[k]->y());
        // Additional lines of text must not be cut.
        const PartView* leak = padded.front();
        QVERIFY(leak->height() >= leak->heightForWidth(leak->width()));
    }

    void theMaskAsAMatrix() {
        const auto* none = lab_->card(None).content().part<MatrixPart>();
        const auto* causal = lab_->card(Causal).content().part<MatrixPart>();
        const auto* padded = lab_->card(Padded).content().part<MatrixPart>();
        QVERIFY(none && causal && padded);
        QCOMPARE(causal->matrix.columnLabel(3), QString()); // they stand above the matrix of the weights
        QCOMPARE(causal->keys.size(), 8);
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j) {
                QCOMPARE(none->matrix.view()(i, j), 0.0);
                QCOMPARE(causal->matrix.view()(i, j), j <= i ? 0.0 : -std::numeric_limits<double>::infinity());
                QCOMPARE(padded->matrix.view()(i, j), j <= i && j > 0 ? 0.0 : -1e9);
            }
    }

    void entropyOfEveryRow() {
        const auto* rows = dynamic_cast<const RowsPart*>(lab_->card(Causal).content().below.back().get());
        QVERIFY(rows && !rows->clickable);
        QCOMPARE(rows->bars.rows.size(), std::size_t{8});
        const auto weights = matrix_at(lab_->trace("causal").find("weights")->value);
        for (int i = 0; i < 8; ++i)
            QCOMPARE(rows->bars.rows[static_cast<std::size_t>(i)].value, row_statistics(weights.row(i)).entropy);
        QCOMPARE(rows->bars.rows[0].value, 0.0);
        const auto mean = mean_statistics(weights);
        QVERIFY(rows->footer.contains(numberText(mean.entropy, 3)));
        QVERIFY(rows->footer.contains(numberText(mean.effective_keys, 3)));
    }

    void aRowThatIsNoShareHasNoEntropy() {
        auto setting = lab_->model.scene().settings[1];
        setting.spec.scale_after_softmax = true; // the weights of each row sum to 1/4
        lab_->model.setSetting(1, setting);
        lab_->settle();
        const auto* rows = dynamic_cast<const RowsPart*>(lab_->card(Causal).content().below.back().get());
        for (const auto& row : rows->bars.rows) {
            QCOMPARE(row.numbers, (QStringList{QStringLiteral("–"), QStringLiteral("–")}));
            QCOMPARE(row.value, 0.0);
        }
        QCOMPARE(rows->footer, QStringLiteral("Rows that do not sum to 1, so without entropy: 8"));
        auto view = lab_->model.view();
        view.show.insert(lab::BoardPart::Numbers);
        lab_->model.setView(view);
        const auto* numbers = lab_->card(Causal).content().part<NumbersPart>();
        QCOMPARE(numbers->value("entropy"), QStringLiteral("–"));
        QCOMPARE(numbers->value("effective_keys"), QStringLiteral("–"));
        QVERIFY(numbers->value("max_weight") != QStringLiteral("–"));
        QVERIFY(lab_->card(None).content().part<NumbersPart>()->value("entropy") != QStringLiteral("–"));
    }

    void whatMovesWhenATokenIsEdited() {
        // The last token: under a causal mask nothing before it changes.
        const auto& scene = lab_->model.scene();
        const auto expected = lab::effect_of_token(
            lab::problem_of(scene, scene.settings[1], lab_->model.result()->drawn), lab_->model.view().token);
        for (std::size_t row = 0; row < 8; ++row) {
            QCOMPARE(leak(Causal).bars.rows[row].value, row == 7 ? *expected.own_by_reading : expected.moved[row]);
            QCOMPARE(leak(Causal).bars.rows[row].value > 0.0, row == 7);
            QVERIFY(leak(None).bars.rows[row].value > 0.0);
            QVERIFY(!leak(Causal).bars.rows[row].wrong);
        }
        // Its own row: the frame is how far it moves with its new query.
        QCOMPARE(*leak(Causal).bars.rows[7].reference, expected.moved[7]);
        QVERIFY(leak(Causal).footer.endsWith(QStringLiteral("Frame: with the new query of “sweet”.")));
        QVERIFY(leak(Causal).footer.contains("sweet"));
        QVERIFY(!leak(Causal).footer_is_wrong);
        // The row whose keys are all blocked still reads them all.
        QVERIFY(leak(Padded).bars.rows[0].wrong && leak(Padded).footer_is_wrong);
        QVERIFY(leak(Padded).footer.contains("the"));
        QVERIFY(!leak(Padded).bars.rows[1].wrong);
    }

    /// Padding is edited: nobody may read it. Its own output moves by its query, and with a finite fill by itself.
    void theOwnQueryIsNoLeak() {
        auto view = lab_->model.view();
        view.token = 0;
        lab_->model.setView(view);
        lab_->settle();
        QVERIFY(leak(Padded).bars.rows[0].wrong && leak(Padded).footer_is_wrong);
        auto setting = lab_->model.scene().settings[2];
        setting.spec.mask_fill.value = -std::numeric_limits<double>::infinity();
        lab_->model.setSetting(2, setting);
        lab_->settle();
        const auto& own = leak(Padded).bars.rows[0];
        QCOMPARE(own.value, 0.0);
        QCOMPARE(*own.reference, 0.0); // every key is blocked: zeros, whatever the query asks
        setting.spec.masks = {parse_mask("key_padding")};
        lab_->model.setSetting(2, setting);
        lab_->settle();
        QCOMPARE(leak(Padded).bars.rows[0].value, 0.0);
        QVERIFY(*leak(Padded).bars.rows[0].reference > 0.1);
        QVERIFY(!leak(Padded).bars.rows[0].wrong && !leak(Padded).footer_is_wrong);
        QCOMPARE(leak(Padded).footer, QStringLiteral("Only output “the” moves; all others stay exactly as they were. "
                                                     "Output “the” moves by its own query alone."));
    }

    void anotherTokenByClickAndByKey() {
        PartView* bars = nullptr;
        for (auto* part : lab_->card(Causal).parts())
            if (part->part().get() == &leak(Causal))
                bars = part;
        QVERIFY(bars);
        const auto& rows = leak(Causal);
        const QRectF bar = rows.barRect(3, bars->rect(), bars->font());
        QTest::mouseClick(bars, Qt::LeftButton, Qt::NoModifier, QPointF(bar.left() + 1, bar.center().y()).toPoint());
        QCOMPARE(lab_->model.view().token, std::int64_t{3});
        lab_->settle();
        for (std::size_t row = 0; row < 8; ++row)
            QCOMPARE(leak(Causal).bars.rows[row].value > 0.0, row >= 3);
        auto* token = board().controls()->token();
        QCOMPARE(token->currentText(), QString("milk"));
        token->setFocus();
        QTest::keyClick(token, Qt::Key_Up);
        lab_->settle();
        QCOMPARE(lab_->model.view().token, std::int64_t{2});
        QVERIFY(leak(Causal).bars.heading.contains("drank"));
    }

    void fillsAndPrecision() {
        auto* fill = lab_->controls(Padded)->fill();
        QVERIFY(lab_->controls(None)->fill()->isHidden()); // nothing is blocked there
        fill->setEditText("-inf");
        QTest::keyClick(fill->lineEdit(), Qt::Key_Return);
        lab_->settle();
        QCOMPARE(lab_->model.scene().settings[2].spec.mask_fill.value, -std::numeric_limits<double>::infinity());
        QVERIFY(!leak(Padded).footer_is_wrong);
        QCOMPARE(lab_->shown(Padded, 0, 0), 0.0);
        QSignalSpy refused(&board(), &CardsBoard::refused);
        fill->setEditText("much");
        QTest::keyClick(fill->lineEdit(), Qt::Key_Return);
        QVERIFY(refused.count() >= 1);
        QCOMPARE(fill->currentText(), QString("−∞"));
        fill->setEditText("-1e9");
        QTest::keyClick(fill->lineEdit(), Qt::Key_Return);
        auto* mode = lab_->controls(Padded)->fillMode();
        mode->setFocus();
        QTest::keyClick(mode, Qt::Key_Down);
        lab_->settle();
        QVERIFY(lab_->model.scene().settings[2].spec.mask_fill.mode == MaskFill::Mode::Add);
        // Added in float64, the fill keeps the order of the scores in the blocked row; in float32 the row becomes
        // uniform.
        QVERIFY(qAbs(lab_->shown(Padded, 0, 0) - 0.125) > 1e-3);
        auto* precision = lab_->controls(Padded)->precision();
        precision->setFocus();
        QTest::keyClick(precision, Qt::Key_Down);
        lab_->settle();
        QCOMPARE(lab_->shown(Padded, 0, 0), 0.125);
        QVERIFY(lab_->card(Padded).title().contains("float32"));
    }

    void masksByTheirEditor() {
        CardControls* controls = lab_->controls(None);
        QTest::mouseClick(controls->masks(), Qt::LeftButton);
        MaskEditor* editor = controls->maskEditor();
        QVERIFY(editor->isVisible());
        QTest::mouseClick(editor->panel()->chips()->chip("window"), Qt::LeftButton);
        lab_->settle();
        QCOMPARE(lab_->model.scene().settings[0].spec.masks.front().id, std::string("window"));
        QVERIFY(lab_->card(None).heatmap()->matrix().isBlocked(0, 5));
        // Painted on the grid.
        MaskGrid* grid = editor->panel()->grid();
        QTest::mouseClick(grid, Qt::LeftButton, Qt::NoModifier, grid->cellRect({3, 3}).center().toPoint());
        lab_->settle();
        QVERIFY(lab_->card(None).heatmap()->matrix().isBlocked(3, 3));
        QVERIFY(lab_->model.scene().settings[0].tensors.contains("painted_mask"));
        QVERIFY(!lab_->card(Causal).heatmap()->matrix().isBlocked(3, 3));
        editor->hide();
    }

    void arraysOfMasksAreTyped() {
        CardControls* controls = lab_->controls(Padded);
        QTest::mouseClick(controls->masks(), Qt::LeftButton);
        QLineEdit* padding = controls->maskEditor()->line("key_padding_mask");
        QVERIFY(padding);
        QCOMPARE(padding->text(), QString("1, 0, 0, 0, 0, 0, 0, 0"));
        padding->selectAll();
        QTest::keyClicks(padding, "0 0 0 0 0 0 1 1");
        lab_->settle();
        QVERIFY(lab_->card(Padded).heatmap()->matrix().isBlocked(7, 7));
        QVERIFY(!lab_->card(Padded).heatmap()->matrix().isBlocked(0, 0));
        controls->maskEditor()->hide();
    }

    void moreTokensKeepTheMasks() {
        board().controls()->keys()->number()->setValue(11);
        lab_->settle();
        QCOMPARE(lab_->model.scene().draw->L, std::int64_t{11});
        for (std::size_t k = 1; k < 4; ++k)
            QCOMPARE(lab_->card(k).error(), QString());
        QVERIFY(lab_->card(Padded).heatmap()->matrix().isBlocked(10, 0));
    }

    void aSettingThatCannotBeComputedSaysWhy() {
        auto setting = lab_->model.scene().settings[1];
        setting.spec.masks = {parse_mask("valid_lens")};
        lab_->model.setSetting(1, setting);
        lab_->settle();
        QVERIFY(lab_->card(Causal).error().contains("valid_lens"));
        QVERIFY(!lab_->card(Causal).heatmap()->isVisible());
        QVERIFY(lab_->card(None).error().isEmpty());
    }

    void cardsComeWithAnotherMask() {
        QTest::mouseClick(board().controls()->addCard(), Qt::LeftButton);
        lab_->settle();
        QCOMPARE(board().area()->cards().size(), std::size_t{5});
        QVERIFY(lab_->card(4).title().contains("window"));
        QTest::mouseClick(lab_->controls(Causal)->removeButton(), Qt::LeftButton);
        lab_->settle();
        QCOMPARE(board().area()->cards().size(), std::size_t{4});
        QVERIFY(!lab_->model.result()->trace_of(lab_->model.scene(), "causal"));
    }
};

ATTNLAB_TEST(TestLabMask)
#include "test_lab_mask.moc"
