#include "ui/map/large_inputs.h"

#include "core/resolved_problem.h"
#include "ui/settings.h"

namespace attnlab::ui {

LargeInputs::LargeInputs(ViewState& view, QObject* parent)
    : QObject(parent), page_(new MapPage(session_, view)), heads_(new HeadOverview(session_, view)) {
    connect(&session_, &MapSession::started, this, [this] {
        computing_ = true;
        emit started();
    });
    connect(&session_, &MapSession::progressed, this, &LargeInputs::progressed);
    connect(&session_, &MapSession::ready, this, [this] {
        computing_ = false;
        emit ready(QString::fromStdString(session_.pyramid()->map().backend()));
    });
    connect(&session_, &MapSession::noted, this, &LargeInputs::noted);
    connect(&session_, &MapSession::failed, this, [this](const Message& why) {
        computing_ = false;
        emit failed(why);
    });
}

bool LargeInputs::open(const AttentionProblem& problem) {
    Bindings sizes;
    try {
        sizes = resolve(problem).sizes;
    } catch (const Error&) {
        close();
        return false; // whoever computes it says what is wrong
    }
    const auto size = [&](const char* symbol) { return sizes.find(symbol)->second; };
    if (size("L") * size("S") <= settings::mapFromCells()) {
        close();
        return false;
    }
    open_ = true;
    sizes_.clear();
    for (const char* symbol : {"B", "H", "L", "S"})
        sizes_ += QStringLiteral("%1%2 %3")
                      .arg(sizes_.isEmpty() ? QString() : QStringLiteral(" · "), QLatin1String(symbol))
                      .arg(size(symbol));
    page_->open(problem);
    heads_->open(size("H"), size("L"), size("S"));
    return true;
}

void LargeInputs::close() {
    if (open_)
        page_->close();
    open_ = false;
    computing_ = false;
}

} // namespace attnlab::ui
