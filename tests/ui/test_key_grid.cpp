#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/panels/key_grid/key_picture.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

MatrixData weights() {
    MatrixData data;
    data.values = Tensor({2, 6}, {0.1, 0.2, 0.3, 0.4, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0});
    return data;
}

ColorScale scale() { return colorScale({}, {0.0, 0.5, 0.1, false}, false); }

} // namespace

class TestKeyGrid : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void squarest_data() {
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("none") << 0 << 1 << 1;
        QTest::newRow("196 patches") << 196 << 14 << 14;
        QTest::newRow("12") << 12 << 3 << 4;
        QTest::newRow("a prime") << 13 << 1 << 13;
    }

    void squarest() {
        QFETCH(int, keys);
        QFETCH(int, rows);
        QFETCH(int, columns);
        QCOMPARE(squarest_grid(keys), (KeyGrid{rows, columns}));
    }

    void aClickFindsItsKey() {
        KeyPicture picture;
        picture.resize(240, 200);
        picture.setRow(weights(), 0, {2, 3}, scale());
        QSignalSpy clicked(&picture, &KeyPicture::keyClicked);
        for (int key = 0; key < 6; ++key) {
            QTest::mouseClick(&picture, Qt::LeftButton, {}, picture.cellRect(key).center().toPoint());
            QCOMPARE(clicked.takeFirst().first().toInt(), key);
        }
        QCOMPARE(picture.keyAt({-5, 5}), std::nullopt);
        QVERIFY(picture.cellRect(3).top() > picture.cellRect(2).top()); // key 3 begins the second row
        QCOMPARE(picture.weightOf(3), 0.4);
    }

    void arrowsMoveWithinThePicture() {
        KeyPicture picture;
        picture.setRow(weights(), 0, {2, 3}, scale());
        picture.setMarked(1);
        QSignalSpy clicked(&picture, &KeyPicture::keyClicked);
        QTest::keyClick(&picture, Qt::Key_Down);
        QCOMPARE(clicked.takeFirst().first().toInt(), 4);
        QTest::keyClick(&picture, Qt::Key_Right);
        QCOMPARE(clicked.takeFirst().first().toInt(), 2);
        QTest::keyClick(&picture, Qt::Key_Up);
        QVERIFY(clicked.isEmpty());
    }

    void cellsHaveTheColourOfTheirWeight() {
        KeyPicture picture;
        picture.resize(300, 200);
        picture.setRow(weights(), 1, {2, 3}, scale());
        const QImage grab = picture.grab().toImage();
        for (int key = 0; key < 6; ++key)
            QCOMPARE(grab.pixel(picture.cellRect(key).center().toPoint()), scale().color(picture.weightOf(key)));
    }

    void aWeightThatIsNoNumberCoversNothing() {
        QTest::failOnWarning(QRegularExpression(".*"));
        auto data = weights();
        data.values.mutable_values()[1] = std::nan("");
        KeyPicture picture;
        picture.resize(300, 200);
        picture.setRow(data, 0, {2, 3}, scale());
        QImage image(3, 2, QImage::Format_RGB32);
        image.fill(Qt::green);
        picture.setImage(image);
        const QImage grab = picture.grab().toImage();
        QCOMPARE(grab.pixelColor(picture.cellRect(1).center().toPoint()), QColor(Qt::green));
        QVERIFY(grab.pixelColor(picture.cellRect(5).center().toPoint()) != QColor(Qt::green));
    }

    void theCardSaysWhenTheGridDoesNotFit() {
        KeyPictureCard card;
        AttentionProblem problem;
        const auto data = weights();
        card.setProblem(problem);
        card.setRow(&data, 0, {}, scale());
        QVERIFY(card.isHidden()); // no grid, no card
        problem.key_grid = KeyGrid{2, 4};
        card.setProblem(problem);
        card.setRow(&data, 0, {}, scale());
        QVERIFY(!card.isHidden());
        QCOMPARE(card.complaint(), QStringLiteral("The grid has 8 cells, but there are 6 keys."));
        problem.key_grid = KeyGrid{3, 2};
        card.setProblem(problem);
        card.setRow(&data, 0, 5, scale());
        QCOMPARE(card.complaint(), QString());
        QCOMPARE(card.picture()->marked(), std::optional(5));
    }

    void picturesGoThroughTensors() {
        QImage image(3, 2, QImage::Format_RGB32);
        image.fill(QColor(10, 200, 255));
        image.setPixel(2, 1, qRgb(0, 0, 7));
        const Tensor tensor = tensorOf(image);
        QCOMPARE(tensor.shape(), (Shape{2, 3, 3}));
        QCOMPARE(imageOf(tensor), image);
        QCOMPARE(tensorOf(QImage(1000, 10, QImage::Format_RGB32)).shape(), (Shape{5, 512, 3}));
        QCOMPARE(imageOf(Tensor({1, 1}, 128.0)).pixel(0, 0), qRgb(128, 128, 128));
        QVERIFY(imageOf(Tensor({4})).isNull());
        QVERIFY(imageOf(Tensor({2, 2, 4})).isNull());
    }

    void theDialogTakesOnlyAGridThatFits() {
        AttentionProblem problem;
        KeyGridDialog dialog(problem, 12);
        QCOMPARE(dialog.rows()->value(), 3);
        QCOMPARE(dialog.columns()->value(), 4);
        auto* ok = dialog.buttons()->button(QDialogButtonBox::Ok);
        QVERIFY(ok->isEnabled());
        dialog.rows()->setValue(5);
        QVERIFY(!ok->isEnabled());
        QVERIFY(dialog.verdict()->text().contains(QStringLiteral("12")));
        dialog.rows()->setValue(2);
        dialog.columns()->setValue(6);
        QVERIFY(ok->isEnabled());
        QCOMPARE(dialog.result().key_grid, (std::optional(KeyGrid{2, 6})));
        dialog.enabledBox()->setChecked(false);
        QCOMPARE(dialog.result().key_grid, std::nullopt);
    }

    void theDialogReadsAPicture() {
        const QTemporaryDir folder;
        QImage image(8, 4, QImage::Format_RGB32);
        image.fill(Qt::red);
        const auto path = folder.filePath(QStringLiteral("p.png"));
        QVERIFY(image.save(path));
        KeyGridDialog dialog({}, 6);
        dialog.readImage(folder.filePath(QStringLiteral("none.png")));
        QVERIFY(!dialog.result().tensors.contains(key_image_name));
        dialog.readImage(path);
        QCOMPARE(imageOf(dialog.result().tensors.at(key_image_name)), image);
    }
};

ATTNLAB_TEST(TestKeyGrid)
#include "test_key_grid.moc"
