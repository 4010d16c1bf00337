#include "core/io/saved/figure_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

/// Settings that were read are written and read again with equal result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto read = io::read_figure(std::as_bytes(std::span(data, size)), "file");
        const auto text = io::figure_settings_text(read.problem, read.view_json);
        const auto again =
            "%PDF-1.4\n" + std::string(io::before_pdf_settings) + text + std::string(io::after_pdf_settings);
        io::FigureSettings second;
        try {
            second = io::read_figure(std::as_bytes(std::span(again)), "again");
        } catch (const Error&) {
            std::abort();
        }
        fuzz::require(io::figure_settings_text(second.problem, second.view_json) == text);
    });
}
