// A mask panel on a document.
#pragma once

#include "core/random.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/widgets/controls.h"

#include <QTest>

namespace attnlab::ui {

inline AttentionProblem randomProblem(std::int64_t B, std::int64_t H, std::int64_t L, std::int64_t S) {
    AttentionProblem problem;
    problem.tensors["query"] = random_normal({B, H, L, 3}, 1);
    problem.tensors["key"] = random_normal({B, H, S, 3}, 2);
    problem.tensors["value"] = random_normal({B, H, S, 3}, 3);
    return problem;
}

struct Lab {
    explicit Lab(AttentionProblem problem = randomProblem(1, 1, 4, 5)) {
        document.reset(std::move(problem));
        panel.resize(280, 330);
        panel.show();
    }
    QStringList masks() const {
        QStringList ids;
        for (const auto& mask : document.problem().spec.masks)
            ids << QString::fromStdString(mask.id);
        return ids;
    }
    void click(std::string_view kind) { QTest::mouseClick(panel.chips()->chip(kind), Qt::LeftButton); }

    Document document;
    ViewState view;
    MaskPainter painter{document, view};
    MaskPanel panel{painter};
};

} // namespace attnlab::ui
