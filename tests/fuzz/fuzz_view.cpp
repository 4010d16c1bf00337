#include "tests/fuzz/fuzz.h"
#include "ui/document/view_state.h"

using namespace attnlab;

/// The view read from a workspace can be saved and read again with equal result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ui::ViewState view, again;
    ui::viewFromJson(fuzz::text(data, size), view);
    const auto written = ui::viewToJson(view);
    ui::viewFromJson(written, again);
    fuzz::require(ui::viewToJson(again) == written);
    return 0;
}
