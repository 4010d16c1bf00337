#include "core/io/csv.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

/// A table that was read is written and read again with equal result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto table = io::read_table(fuzz::text(data, size), "table", fuzz::limits);
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
