// What the page Compare shows until a large comparison is made.
#include "core/chunked_numbers.h"
#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/document/document.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_view.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// The numbers of a tensor, which nobody can read before they are open.
class LatePart : public NumberSource {
public:
    explicit LatePart(Tensor values) : values_(std::move(values)) {}
    std::int64_t size() const override { return values_.size(); }
    void read(std::int64_t first, std::span<double> values) const override { readOpen(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { readOpen(first, values); }

    void open() {
        open_ = true;
        open_.notify_all();
    }

private:
    template <class Number>
    void readOpen(std::int64_t first, std::span<Number> values) const {
        open_.wait(false);
        std::copy_n(values_.values().begin() + first, values.size(), values.begin());
    }

    Tensor values_;
    std::atomic<bool> open_ = false;
};

bool hasVeil(const QWidget* part) {
    const auto* veil = part->findChild<QWidget*>(QStringLiteral("staleVeil"), Qt::FindDirectChildrenOnly);
    return veil && veil->isVisible();
}

} // namespace

class TestCompareDimmed : public QObject {
    Q_OBJECT

    std::unique_ptr<Document> document_;
    std::unique_ptr<ViewState> view_;
    std::unique_ptr<ComparePage> page_;

    std::vector<std::shared_ptr<LatePart>> late_;

    /// The comparison takes until open(), since stages of B are not there before.
    void show(int tokens) {
        auto problem = attnlab::ui::problemOf(2, tokens, tokens, 4);
        problem.compared_with = problem.spec;
        problem.compared_with->scale = {"none", {}};
        document_->edit(QStringLiteral("edit"), problem);
        auto result = *computed(problem);
        for (auto& stage : result.compared->trace.stages)
            if (stage.name == "weights" || stage.name == "scores") {
                late_.push_back(std::make_shared<LatePart>(stage.value));
                stage.value = Tensor::from(stage.value.shape(), late_.back(), stage.value.dtype());
            }
        page_->setTrace(std::make_shared<const Computed>(std::move(result)));
    }
    void open() {
        for (const auto& part : late_)
            part->open();
    }
    ComputedPtr small() {
        auto problem = attnlab::ui::problemOf(2, 5, 5, 4);
        problem.compared_with = problem.spec;
        return computed(problem);
    }
    int rows() const { return static_cast<int>(page_->view()->difference()->matrix().view().rows); }

private slots:
    void init() {
        document_ = std::make_unique<Document>();
        view_ = std::make_unique<ViewState>();
        view_->setStage("weights");
        page_ = std::make_unique<ComparePage>(*document_, *view_);
        page_->resize(900, 500);
        page_->show();
    }
    void cleanup() {
        open();
        page_.reset();
        view_.reset();
        document_.reset();
        late_.clear();
    }

    void theComparisonBefore() {
        page_->setTrace(small());
        QVERIFY(page_->exportedStages());
        QVERIFY(!hasVeil(page_->view()) && !hasVeil(page_->numbers()));
        show(600);
        QTRY_VERIFY(hasVeil(page_->view()) && hasVeil(page_->numbers()));
        QCOMPARE(rows(), 5);
        QVERIFY(!page_->exportedStages());
        open();
        QTRY_COMPARE(rows(), 600);
        QVERIFY(!hasVeil(page_->view()) && !hasVeil(page_->numbers()));
        QVERIFY(page_->exportedStages());
    }

    void theStageBefore() {
        view_->setStage("output"); // small, and compared at once
        show(600);
        QCOMPARE(rows(), 600);
        view_->setStage("scores");
        QTRY_VERIFY(hasVeil(page_->view()) && hasVeil(page_->numbers()));
        view_->setStage("output");
        QVERIFY(!hasVeil(page_->view()) && !hasVeil(page_->numbers()));
        QCOMPARE(page_->view()->difference()->matrix().view().columns, 4);
    }

    /// Nothing can be out of date before there is anything.
    void notTheFirst() {
        show(600);
        QTest::qWait(500);
        QVERIFY(!hasVeil(page_->view()));
        open();
        QTRY_COMPARE(rows(), 600);
    }
};

ATTNLAB_TEST(TestCompareDimmed)
#include "test_compare_dimmed.moc"
