#include "ui/document/computation.h"

namespace attnlab::ui {

Computation::Computation(Backends backends, QObject* parent)
    : LatestJobBase(JobOptions(drag_grace), parent), backends_(backends) {
    qRegisterMetaType<ComputedPtr>();
}

void Computation::request(const AttentionProblem& problem) {
    requestAny([this, problem, backends = backends_](const RunControl& control) {
        const auto result = std::make_shared<const Computed>(compute(problem, backends, "auto", control));
        return Delivery([this, result, problem] { emit finished(result, problem); });
    });
}

} // namespace attnlab::ui
