#include "core/io/csv.h"
#include "core/io/matrix_text.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

/// A table that was read is written and read again with equal result. Matrices in other notations are only read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto text = fuzz::text(data, size);
        const auto table = io::read_table(text, "table", fuzz::limits);
        if (io::is_matrix_text(text))
            return;
        const auto written = io::write_table(table.values, '\t', table.row_labels, table.column_labels);
        io::Table again;
        try {
            again = io::read_table(written, "again");
        } catch (const Error&) {
            std::abort();
        }
        fuzz::require(again.values == table.values);
        fuzz::require(again.row_labels == table.row_labels);
        fuzz::require(again.column_labels == table.column_labels);
    });
}
