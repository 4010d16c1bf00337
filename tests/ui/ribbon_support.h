// The card of the sentence, and documents for it.
#pragma once

#include "tests/ui/traces.h"
#include "ui/document/document.h"
#include "ui/document/samples.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

namespace attnlab::ui {

/// The card of the sentence over a document, with its result.
struct Ribbon {
    using Side = RibbonTokens::Side;

    Document document;
    ViewState view;
    ComputedPtr result;
    SentenceRibbon card{document, view};

    explicit Ribbon(const AttentionProblem& problem, int width = 1200) {
        document.reset(problem);
        card.resize(width, card.sizeHint().height());
        compute();
        card.show();
    }
    void compute() {
        result = computed(document.problem());
        card.setTrace(result);
        card.resize(card.width(), card.sizeHint().height());
    }
    TokenArcs& arcs() { return *card.arcs(); }
    QPoint chip(Side side, int token) { return arcs().chipRect(side, token).center().toPoint(); }
    void click(int query) { QTest::mouseClick(&arcs(), Qt::LeftButton, {}, chip(Side::Queries, query)); }
};

inline AttentionProblem sampleOf(const char* id) {
    for (const auto& sample : samples())
        if (QLatin1String(sample.id) == QLatin1String(id)) {
            std::string view;
            return sample.read(&view);
        }
    qFatal("no sample %s", id);
}

/// These numbers as weights.
inline AttentionProblem withWeights(int L, int S, const std::vector<double>& weights) {
    AttentionProblem problem;
    problem.spec.variant = "given_weights";
    problem.tensors["weights"] = Tensor({1, 1, L, S}, weights);
    return problem;
}

inline int largestKey(const Ribbon& ribbon, int query) {
    const auto row = matrix_at(ribbon.result->trace.find("weights")->value, ribbon.view.head()).row(query);
    return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

} // namespace attnlab::ui
