#pragma once

#include "ui/pages/page.h"

namespace attnlab::test {

/// A page of the centre with nothing on it.
class PlainPage : public ui::Page {
public:
    QString title() const override { return {}; }
    void setTrace(ui::ComputedPtr) override {}
    QSize sizeHint() const override { return {80, 20}; }
};

} // namespace attnlab::test
