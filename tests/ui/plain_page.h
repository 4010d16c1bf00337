#pragma once

#include "ui/pages/page.h"

namespace attnlab::test {

/// An empty page of the centre.
class PlainPage : public ui::Page {
public:
    QString title() const override { return {}; }
    void setTrace(ui::ComputedPtr) override {}
    QSize sizeHint() const override { return {80, 20}; }
};

} // namespace attnlab::test
