// The interpretation of masks among the arrays of files.
#include "core/resolved_problem.h"
#include "core/tensor.h"
#include "tests/core/error_of.h"
#include "tests/core/recognition_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <limits>

using namespace attnlab;
using namespace attnlab::test;

namespace {

Tensor ones(const Shape& shape, DType dtype = DType::Int64) { return Tensor(shape, 1.0, dtype); }

/// query (B,1,L,4), key and value (B,1,S,4), and a mask.
Contents with_mask(std::int64_t B, std::int64_t L, std::int64_t S, const std::string& name, Tensor mask) {
    auto contents = contents_of({{"query", {B, 1, L, 4}}, {"key", {B, 1, S, 4}}, {"value", {B, 1, S, 4}}});
    contents.arrays.insert(contents.arrays.begin(),
                           {name, std::move(mask), "file"}); // before those that determine the sizes
    return contents;
}

} // namespace

class RecognitionMasksTest : public QObject {
    Q_OBJECT
private slots:
    /// Transformers' cache_position is an offset only where it is the positions of the queries.
    void positions_of_queries_data() {
        QTest::addColumn<Tensor>("positions");
        QTest::addColumn<QString>("offsets"); ///< or not read
        const auto row = [](const char* name, const Tensor& positions, const char* offsets) {
            QTest::newRow(name) << positions << QString(offsets);
        };
        row("consecutive", Tensor({3}, {4, 5, 6}, DType::Int64), "4 4");
        row("from 0", Tensor({3}, {0, 1, 2}, DType::Int64), "0 0");
        row("floating point", Tensor({3}, {4, 5, 6}, DType::Float32), "4 4");
        row("with a gap", Tensor({3}, {4, 5, 7}, DType::Int64), "");
        row("falling", Tensor({3}, {6, 5, 4}, DType::Int64), "");
        row("fractions", Tensor({3}, {0.5, 1.5, 2.5}), "");
        row("NaN", Tensor({3}, std::numeric_limits<double>::quiet_NaN()), "");
        row("too far", Tensor({3}, {1e15, 1e15 + 1, 1e15 + 2}), "");
        row("of all keys", Tensor({7}, {0, 1, 2, 3, 4, 5, 6}, DType::Int64), "");
        row("for each sequence", Tensor({2, 3}, {4, 5, 6, 1, 2, 3}, DType::Int64), "");
        row("empty", Tensor({0}, 0.0, DType::Int64), "");
    }
    void positions_of_queries() {
        QFETCH(Tensor, positions);
        QFETCH(QString, offsets);
        const auto recognition = recognise(with_mask(2, 3, 7, "cache_position", positions));
        QVERIFY(!recognition.question(Question::Kind::Roles));
        const auto& tensors = recognition.problem.tensors;
        QCOMPARE(tensors.contains("query_offset"), !offsets.isEmpty());
        if (offsets.isEmpty()) {
            QCOMPARE(why_not(recognition, "cache_position"),
                     "is not read as query_offset: expected consecutive positions, one for each of 3 queries");
            return;
        }
        const auto& array = tensors.at("query_offset");
        QCOMPARE(QString("%1 %2").arg(array.at({0})).arg(array.at({1})), offsets);
        QCOMPARE(array.shape(), Shape{2});
        auto problem = recognition.problem;
        problem.spec.masks = {{"causal", {}}};
        QVERIFY(!recognition.problem.spec.query_offset);
        resolve(problem);
    }

    /// An array under the name of the input itself is that input, and bad numbers are an error where it is used.
    void offsets_under_their_own_name() {
        const auto recognition = recognise(with_mask(2, 3, 7, "query_offset", Tensor({2}, {4, 1}, DType::Int64)));
        QVERIFY(recognition.problem.tensors.contains("query_offset"));
        QVERIFY(recognition.problem.spec.masks.empty());
    }

    /// Numbers of documents are neither cells nor a bias.
    void packed_documents() {
        const Tensor packed({2, 3}, {1, 1, 2, 1, 3, 0}, DType::Int64);
        const auto recognition = recognise(with_mask(2, 3, 3, "attention_mask", packed));
        const auto& problem = recognition.problem;
        QCOMPARE(problem.tensors.at("segment_ids"), Tensor({2, 3}, {0, 0, 1, 0, 2, -1}, DType::Int64));
        QCOMPARE(problem.spec.masks.size(), std::size_t{1});
        QCOMPARE(problem.spec.masks.front().id, std::string("documents"));
        resolve(problem);
        const Tensor negative({2, 3}, {1, 1, 2, 1, 3, -1}, DType::Int64);
        QVERIFY(error_of([&] {
                    recognise(with_mask(2, 3, 3, "attention_mask", negative));
                }).contains("has the whole number 2"));
        const auto own = recognise(with_mask(2, 3, 3, "segment_ids", packed));
        QCOMPARE(own.problem.tensors.at("segment_ids"), packed);
        QCOMPARE(own.problem.spec.masks.front().id, std::string("documents"));
    }

    void attention_mask_data() {
        QTest::addColumn<Shape>("sizes");
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<QString>("role");
        QTest::addColumn<bool>("doubtful");
        const auto row = [](const char* name, const Shape& sizes, const Shape& shape, const char* role, bool doubtful) {
            QTest::newRow(name) << sizes << shape << role << doubtful;
        };
        row("(B,S)", {2, 5, 7}, {2, 7}, "key_padding_mask", false);
        row("(1,S)", {2, 5, 7}, {1, 7}, "key_padding_mask", false);
        row("(S)", {2, 5, 7}, {7}, "key_padding_mask", false);
        row("(L,S)", {2, 5, 7}, {5, 7}, "attn_mask", false);
        row("(L,L)", {2, 5, 5}, {5, 5}, "attn_mask", false);
        row("(L,L), B = L", {5, 5, 5}, {5, 5}, "key_padding_mask", true);
        row("(L,S), B = L", {5, 5, 7}, {5, 7}, "key_padding_mask", true);
        row("(B,L,S)", {2, 5, 7}, {2, 5, 7}, "attn_mask", false);
        row("(B,1,L,S)", {2, 5, 7}, {2, 1, 5, 7}, "attn_mask", false);
    }
    void attention_mask() {
        QFETCH(Shape, sizes);
        QFETCH(Shape, shape);
        QFETCH(QString, role);
        QFETCH(bool, doubtful);
        const auto contents = with_mask(sizes[0], sizes[1], sizes[2], "attention_mask", ones(shape));
        const auto recognition = recognise(contents);
        QVERIFY2(summary(recognition).contains(role + "=attention_mask"), qPrintable(summary(recognition)));
        QCOMPARE(notes_of(recognition).contains("--role attention_mask=attn_mask"), doubtful);
        // Nothing is blocked in either reading, also with a chosen role.
        for (const char* chosen : {"", "attn_mask", "key_padding_mask"}) {
            Choices choices;
            if (*chosen)
                choices.roles["attention_mask"] = chosen;
            if (*chosen && (!doubtful || shape.size() != 2))
                continue;
            const auto decided = recognise(contents, choices);
            const auto& problem = decided.problem;
            const bool cells = problem.tensors.contains("attn_mask");
            QCOMPARE(cells, *chosen ? QString(chosen) == "attn_mask" : role == "attn_mask");
            if (cells)
                QVERIFY(problem.spec.mask_true == MaskTrue::Keeps);
            else
                QCOMPARE(problem.tensors.at("key_padding_mask").at({0, 0}), 0.0);
            QVERIFY(*chosen == '\0' || !notes_of(decided).contains("--role attention_mask"));
        }
    }

    /// Alone, as when dropped on an open table.
    void a_square_attention_mask_alone() {
        Contents contents;
        contents.arrays.push_back({"attention_mask", ones({4, 4}), "file"});
        const auto recognition = recognise(contents);
        QCOMPARE(summary(recognition), QStringLiteral("key_padding_mask=attention_mask"));
        QVERIFY(notes_of(recognition).contains("--role attention_mask=attn_mask"));
        contents.arrays.back().tensor = ones({2, 4});
        QVERIFY(recognise(contents).notes.empty());
    }

    /// PyTorch adds masks that are not bool.
    void floating_point_masks_are_added() {
        const Tensor mask({2, 2}, {0, 1, 0, 0}, DType::Float32);
        const auto contents = with_mask(1, 2, 2, "attn_mask", mask);
        const auto added = recognise(contents);
        QCOMPARE(added.problem.tensors.at("attn_bias"), mask);
        QVERIFY2(notes_of(added).contains("--role attn_mask=attn_mask"), qPrintable(notes_of(added)));
        const auto cells = recognise(contents, {.roles = {{"attn_mask", "attn_mask"}}});
        QCOMPARE(cells.problem.tensors.at("attn_mask"), mask);
        QVERIFY(notes_of(cells).contains("True blocks"));
        for (const auto dtype : {DType::Bool, DType::Int64}) {
            const auto whole = recognise(with_mask(1, 2, 2, "attn_mask", Tensor({2, 2}, {0, 1, 0, 0}, dtype)));
            QVERIFY(whole.problem.tensors.contains("attn_mask"));
        }
        auto table = contents;
        table.arrays.front().has_type = false;
        QVERIFY(recognise(table).problem.tensors.contains("attn_mask"));
        // Transformers' additive mask of a batch without padding blocked every cell when its zeros were read as cells.
        const auto nothing = recognise(with_mask(1, 2, 2, "attention_mask", Tensor({1, 1, 2, 2}, 0.0, DType::Float32)));
        QVERIFY(nothing.problem.tensors.contains("attn_bias"));
    }

    /// Ids of packed sequences were added to the scores.
    void whole_numbers_other_than_0_and_1_are_refused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("role");
        QTest::addColumn<QString>("has");
        QTest::newRow("ids of the keys") << "encoder_attention_mask"
                                         << ""
                                         << "2 at (0, 1)";
        QTest::newRow("cells") << "attn_mask"
                               << ""
                               << "file: attn_mask: has the whole number 2 at (0, 1), ";
        QTest::newRow("causal") << "causal_mask"
                                << ""
                                << "2 at (0, 1)";
        QTest::newRow("chosen") << "ids"
                                << "attn_mask"
                                << "file: ids: has the whole number 2 at (0, 1), ";
    }
    void whole_numbers_other_than_0_and_1_are_refused() {
        QFETCH(QString, name);
        QFETCH(QString, role);
        QFETCH(QString, has);
        const auto key = name.toStdString();
        auto contents = with_mask(2, 2, 3, key, Tensor({2, 3}, {1, 2, 2, 1, 1, 2}, DType::Int64));
        Choices choices;
        if (!role.isEmpty())
            choices.roles[key] = role.toStdString();
        const auto error = error_of([&] { recognise(contents, choices); });
        QVERIFY2(error.contains(has) && error.contains("expected 0 and 1") && error.contains("packed"),
                 qPrintable(error));
        contents.arrays.front().tensor = contents.arrays.front().tensor.with_dtype(DType::Float32);
        QVERIFY(recognise(contents, choices).problem.tensors.contains("attn_bias"));
        choices.roles[key] = "attn_bias"; // as a bias they are asked for
        contents.arrays.front().tensor = contents.arrays.front().tensor.with_dtype(DType::Int64);
        QVERIFY(recognise(contents, choices).problem.tensors.contains("attn_bias"));
    }

    /// nn.MultiheadAttention adds a key_padding_mask of floating-point numbers.
    void padding_in_floating_point() {
        const double least = -3.4028234663852886e38;
        const auto padding = [](Tensor mask, std::int64_t B = 2) {
            return recognise(with_mask(B, 2, 3, "key_padding_mask", std::move(mask)));
        };
        for (const double low : {-infinity, least, -1e4}) {
            const auto read = padding(Tensor({2, 3}, {0, 0, low, 0, low, low}, DType::Float32));
            QCOMPARE(read.problem.tensors.at("key_padding_mask"), Tensor({2, 3}, {0, 0, 1, 0, 1, 1}, DType::Bool));
            QCOMPARE(resolve(read.problem).spec.masks.size(), std::size_t{1});
        }
        const auto one = padding(Tensor({3}, {0, 0, -infinity}, DType::Float32), 1);
        QCOMPARE(one.problem.tensors.at("key_padding_mask"), Tensor({1, 3}, {0, 0, 1}, DType::Bool));
        const Tensor cells({2, 3}, {0, 0, 1, 0, 1, 1}, DType::Float32);
        QCOMPARE(padding(cells).problem.tensors.at("key_padding_mask"), cells);
        const QString both_readings =
            "key_padding_mask holds 0 and 1, in floating point: 1 is read as padding. PyTorch adds "
            "such numbers to the scores; --role key_padding_mask=attn_bias reads them so";
        QCOMPARE(notes_of(padding(cells)), both_readings);
        QCOMPARE(notes_of(padding(Tensor({2, 3}, {0, 0, 1, 0, 1, 1}, DType::Bool))), "");
        QCOMPARE(notes_of(padding(Tensor({2, 3}, 0.0, DType::Float32))), "");
        auto contents = with_mask(2, 2, 3, "key_padding_mask", cells);
        QCOMPARE(notes_of(recognise(contents, {.roles = {{"key_padding_mask", "key_padding_mask"}}})), "");
        contents.arrays.front().has_type = false;
        QCOMPARE(notes_of(recognise(contents)), "");
        const auto error = error_of([&] { padding(Tensor({2, 3}, {0, 0, -0.5, 0, 0, 0}, DType::Float32)); });
        QVERIFY2(error.contains("file: key_padding_mask: has -0.5 at (0, 2), expected True and False, 0 and 1, or"),
                 qPrintable(error));
        QVERIFY(error.endsWith("--role key_padding_mask=attn_bias adds other numbers to the scores"));
        QVERIFY(error_of([&] {
                    padding(Tensor({2, 3}, {0, 0, 255, 0, 0, 0}, DType::Int64));
                }).contains("255 at (0, 2)"));
        // One axis for two sequences is that of neither.
        const auto both = padding(Tensor({3}, {0, 0, 1}, DType::Bool));
        QVERIFY(error_of([&] { resolve(both.problem); }).contains("key_padding_mask: has shape (3,)"));
    }

    /// The arguments of torch's Transformer layers.
    void masks_of_torch_layers() {
        const Tensor padding({2, 3}, {0, 0, 1, 0, 1, 1}, DType::Bool), cells({2, 3}, {0, 1, 1, 0, 0, 1}, DType::Bool);
        for (const char* name : {"src_key_padding_mask", "tgt_key_padding_mask", "memory_key_padding_mask"})
            QCOMPARE(recognise(with_mask(2, 2, 3, name, padding)).problem.tensors.at("key_padding_mask"), padding);
        for (const char* name : {"src_mask", "tgt_mask", "memory_mask"})
            QCOMPARE(recognise(with_mask(2, 2, 3, name, cells)).problem.tensors.at("attn_mask"), cells);
        // Of several the one that is meant has to be said.
        auto both = with_mask(2, 2, 3, "src_mask", cells);
        both.arrays.push_back({"tgt_mask", cells, "file"});
        const auto error = error_of([&] { recognise(both); });
        QVERIFY2(error.contains("src_mask") && error.contains("tgt_mask"), qPrintable(error));
        QCOMPARE(recognise(both, {.roles = {{"tgt_mask", ""}}}).problem.tensors.at("attn_mask"), cells);
    }

    void a_causal_mask_says_which_way_it_points() {
        const Tensor lower({3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1}, DType::Bool),
            upper({3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0}, DType::Float32);
        const auto keeps = recognise(with_mask(1, 3, 3, "causal_mask", lower));
        QVERIFY(keeps.problem.spec.mask_true == MaskTrue::Keeps);
        const auto blocks = recognise(with_mask(1, 3, 3, "causal_mask", upper));
        QVERIFY(blocks.problem.spec.mask_true == MaskTrue::Blocks);
        for (const auto& recognition : {keeps, blocks})
            QVERIFY(recognition.problem.tensors.contains("attn_mask") && recognition.notes.empty());
    }

    void a_mask_of_other_keys_is_named() {
        auto contents = contents_of({{"x", {1, 3, 8}}, {"w_q", {8, 8}}, {"w_k", {8, 8}}, {"w_v", {8, 8}}});
        contents.arrays.push_back({"attention_mask", ones({1, 3}), "file"});
        contents.arrays.push_back({"encoder_attention_mask", ones({1, 5}), "file"});
        const auto alone = recognise(contents);
        QVERIFY(summary(alone).contains("key_padding_mask=attention_mask"));
        QVERIFY(why_not(alone, "encoder_attention_mask").contains("cross-attention"));
        contents.arrays.push_back({"context", random_normal({1, 5, 8}, 2), "file"});
        const auto crossing = recognise(contents);
        QVERIFY(summary(crossing).contains("key_padding_mask=encoder_attention_mask"));
        QVERIFY(why_not(crossing, "attention_mask").contains("context"));
    }

    void the_mask_of_a_model_is_named() {
        const Arrays layer{{"x", {1, 3, 8}},
                           {"attn.q_proj.weight", {8, 8}},
                           {"attn.k_proj.weight", {8, 8}},
                           {"attn.v_proj.weight", {8, 8}}};
        auto contents = contents_of(layer);
        contents.arrays.push_back({"attn.mask", ones({16, 16}, DType::Bool), "file"});
        contents.arrays.push_back({"attn.bias", ones({1, 1, 16, 16}), "file"});
        const auto recognition = recognise(contents);
        for (const char* name : {"attn.mask", "attn.bias"})
            QVERIFY2(why_not(recognition, name).contains("--mask causal"), qPrintable(why_not(recognition, name)));
        auto bias = contents_of({{"q", {1, 1, 3, 4}}, {"k", {1, 1, 3, 4}}, {"attn.bias", {1, 1, 3, 3}}});
        QVERIFY(recognise(bias).question(Question::Kind::Roles));
        // Together with arrays from a forward pass it is their mask.
        auto pass = contents_of({{"attn.q", {1, 1, 3, 4}}, {"attn.k", {1, 1, 3, 4}}, {"attn.v", {1, 1, 3, 4}}});
        pass.arrays.push_back({"attn.mask", ones({3, 3}, DType::Bool), "file"});
        QVERIFY(summary(recognise(pass)).contains("attn_mask=attn.mask"));
    }
};

ATTNLAB_TEST(RecognitionMasksTest)
#include "test_recognition_masks.moc"
