#include "core/model/model.h"
#include "tests/test_main.h"
#include "ui/document/samples.h"

#include <QtTest>

using namespace attnlab;

class TestSampleModelFolder : public QObject {
    Q_OBJECT

private slots:
    /// Programs of the build tree lie beside its data as installed ones do.
    void isFoundFromTheProgram() {
        const auto folder = ui::sampleModelFolder();
        QVERIFY(!folder.empty());
        const auto model = model::Model::open(folder);
        QVERIFY(model.tokenizer());
        QCOMPARE(model.pass_names().size(), std::size_t{3});
    }
};

ATTNLAB_TEST(TestSampleModelFolder)
#include "test_sample_model_folder.moc"
