#include "core/io/file_bytes.h"
#include "core/io/npy.h"
#include "core/model/generation.h"
#include "core/model/image.h"
#include "core/model/image_tokens.h"
#include "core/model/one_head.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace attnlab;
using namespace attnlab::test;
using model::Model;

namespace {

model::Picture picture_in(const std::string& name) {
    const auto pixels = io::read_npy(model_folder(name) / "image.npy");
    model::Picture picture{pixels.dim(0), pixels.dim(1), {}};
    for (const double value : pixels.values())
        picture.values.push_back(static_cast<std::uint8_t>(value));
    return picture;
}

std::vector<std::int64_t> ids_of(const std::vector<tokens::Token>& tokens) {
    std::vector<std::int64_t> ids;
    for (const auto& token : tokens)
        ids.push_back(token.id);
    return ids;
}

/// What `action` throws.
template <class Action>
std::string refusal(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.message().english();
    }
    return "nothing was thrown";
}

void verify_equal(const model::Result& result, const model::Result& expected) {
    QCOMPARE(result.passes.size(), expected.passes.size());
    for (std::size_t i = 0; i < result.passes.size(); ++i)
        for (std::int64_t head = 0; head < result.passes[i]->heads; ++head)
            QVERIFY(difference(result.passes[i]->weights(head), expected.passes[i]->weights(head), false) < 1e-5);
    QVERIFY(difference(result.decoder_hidden.back()->values, expected.decoder_hidden.back()->values, true) < 1e-5);
}

} // namespace

/// Images among the tokens of a text. core.model_golden compares the numbers of such models.
class TestImageTokens : public QObject {
    Q_OBJECT

private slots:
    void tokensAndPixelsAreThoseOfTheProcessor_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"llava_processor", "paligemma_processor", "gemma3_processor", "mistral3_processor",
                                 "llava_next_processor", "llava_onevision_processor", "internvl_processor",
                                 "aya_vision_processor", "aya_vision_tall", "idefics3_processor", "smolvlm_processor"})
            QTest::addRow("%s", name) << name;
    }
    void tokensAndPixelsAreThoseOfTheProcessor() {
        QFETCH(QString, name);
        const auto folder = model_folder(name.toStdString());
        const auto expected = expected_arrays(name.toStdString());
        const auto opened = Model::open(folder);
        const auto& images = *opened.description().image_tokens;
        const auto pixels = model::prepare(picture_in(name.toStdString()), images, folder).pixels;
        const auto& wanted = expected.at("pixel_values");
        Shape shape{pixels.channels, pixels.height, pixels.width};
        if (images.tiles) {
            QCOMPARE(std::vector({pixels.tile_rows, pixels.tile_columns}), ids_in(expected, "tile_grid"));
            QCOMPARE(std::vector({pixels.picture_height, pixels.picture_width}), ids_in(expected, "image_sizes"));
            shape.insert(shape.begin(), 1 + pixels.tile_rows * pixels.tile_columns);
        }
        QCOMPARE(shape, wanted.shape());
        QVERIFY(difference(pixels.values, wanted.values(), false) < 1e-5);
        const auto text = io::read_file(folder / "text.txt", 1000);
        const auto tokens = model::tokens_with_image(opened, text, pixels);
        QCOMPARE(ids_of(tokens), ids_in(expected, "input_ids"));
        const auto letters = QString::fromStdString(text).size();
        for (const auto& token : tokens)
            QVERIFY2(0 <= token.begin && token.begin <= token.end && token.end <= letters + 1, token.text.c_str());
    }

    /// The numbers of Pillow 13. Rounding between both directions shows which of them comes first.
    void picturesAreResizedInTheOrderOfPillow_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("new_height");
        QTest::addColumn<int>("new_width");
        QTest::addColumn<std::vector<float>>("expected");
        QTest::addRow("down first") << 9 << 4 << 3 << 3
                                    << std::vector<float>{68, 175, 115, 153, 130, 112, 100, 141, 138};
        QTest::addRow("down first, wider")
            << 9 << 4 << 3 << 5
            << std::vector<float>{34, 124, 180, 154, 90, 154, 149, 130, 114, 113, 92, 116, 143, 148, 131};
        QTest::addRow("twice as much lost is too little")
            << 7 << 5 << 3 << 3 << std::vector<float>{75, 159, 122, 141, 143, 99, 160, 96, 131};
        QTest::addRow("higher") << 3 << 4 << 5 << 2
                                << std::vector<float>{59, 96, 79, 131, 110, 180, 122, 158, 127, 138};
    }
    void picturesAreResizedInTheOrderOfPillow() {
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(int, new_height);
        QFETCH(int, new_width);
        QFETCH(std::vector<float>, expected);
        const QTemporaryDir folder;
        QFile settings(folder.filePath("preprocessor_config.json"));
        QVERIFY(settings.open(QIODevice::WriteOnly));
        settings.write(QString(R"({"do_normalize": false, "rescale_factor": 1.0, "resample": 3,
                                   "size": {"height": %1, "width": %2}})")
                           .arg(new_height)
                           .arg(new_width)
                           .toUtf8());
        settings.close();
        model::Picture picture{height, width, {}};
        for (int row = 0; row < height; ++row)
            for (int column = 0; column < width; ++column)
                picture.values.insert(picture.values.end(), 3,
                                      static_cast<std::uint8_t>((37 * row + 91 * column + 17 * row * column) % 256));
        const model::Patches patches{.image_height = new_height, .image_width = new_width, .height = 1, .width = 1};
        const auto values = model::prepare(picture, patches, folder.path().toStdString()).pixels.values;
        const auto count = std::ssize(expected);
        QCOMPARE(std::ssize(values), 3 * count);
        QCOMPARE(std::vector<float>(values.begin(), values.begin() + count), expected);
    }

    void withoutAPlaceStandsInFront() {
        const auto opened = Model::open(model_folder("llava_processor"));
        const auto& images = *opened.description().image_tokens;
        const auto pixels =
            model::prepare(picture_in("llava_processor"), images, model_folder("llava_processor")).pixels;
        const auto tokens = model::tokens_with_image(opened, "quick fox", pixels);
        QCOMPARE(ids_of(tokens), ids_of(model::tokens_with_image(opened, "<image>quick fox", pixels)));
        QCOMPARE(tokens.back().end, 9);
        QVERIFY(!tokens.back().special);
        const auto place = model::place_of_image(images, ids_of(tokens));
        QCOMPARE(place.rows * place.columns, 9);
        QVERIFY(tokens[static_cast<std::size_t>(place.position(2, 2))].special);
        model::Input input{.ids = ids_of(tokens), .image = pixels};
        std::vector<std::string> labels(input.ids.size());
        model::label_image(opened, input, labels);
        QCOMPARE(labels[static_cast<std::size_t>(place.position(1, 2))], "[1,2]");
    }

    /// tests/data/make_several_images.py wrote the numbers of Transformers.
    void twoImagesAreReadAsByTransformers_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"llava_image", "vipllava_image", "mistral3_image", "qwen2_vl_image", "qwen2_5_vl_image", "qwen3_vl_image",
              "llava_next_image", "aya_vision_image", "idefics3_image", "smolvlm_image", "internvl_rms"})
            QTest::addRow("%s", name) << name;
    }
    void twoImagesAreReadAsByTransformers() {
        QFETCH(QString, name);
        const auto folder = model_folder(name.toStdString());
        const auto expected = io::read_npz(folder / "two_images.npz", {}, io::Members::All).tensors;
        const auto opened = Model::open(folder);
        auto input = input_of(name.toStdString(), expected_arrays(name.toStdString()));
        input.ids = ids_in(expected, "input_ids");
        const auto& pixels = expected.at("second");
        auto second = *input.image;
        second.height = pixels.dim(-2);
        second.values.assign(pixels.values().begin(), pixels.values().end());
        auto alone = input;
        QVERIFY(refusal([&] { opened.run(alone); }).find("tokens of an image") != std::string::npos);
        input.further_images = {second};
        const auto result = opened.run(input, {.logits = model::Options::Logits::All});
        QVERIFY(difference(result.logits.values, expected.at("logits").values(), true) < 1e-4);
        const auto& pass = *result.passes.back();
        std::vector<float> weights;
        for (std::int64_t head = 0; head < pass.heads; ++head) {
            const auto own = pass.weights(head);
            weights.insert(weights.end(), own.begin(), own.end());
        }
        QVERIFY(difference(weights, expected.at("weights").values(), false) < 2e-5);
        auto longer = input;
        longer.ids.insert(longer.ids.end(), {5, 9});
        verify_equal(opened.run(longer, {}, {}, &result), opened.run(longer));
        longer.further_images.front().values.front() += 1.0F;
        verify_equal(opened.run(longer, {}, {}, &result), opened.run(longer));
    }

    void eachPlaceHasAnImage() {
        const auto opened = Model::open(model_folder("llava_processor"));
        const auto& images = *opened.description().image_tokens;
        const auto pixels =
            model::prepare(picture_in("llava_processor"), images, model_folder("llava_processor")).pixels;
        const auto one = [&](std::string_view text) { return ids_of(model::tokens_with_image(opened, text, pixels)); };
        const auto tokens = model::tokens_with_images(opened, "quick<image> the fox<image> a", {&pixels, &pixels});
        auto ids = one("quick<image> the fox");
        const auto end = one(" <image> a"); // the first word of a text has a space before it
        ids.insert(ids.end(), std::ranges::find(end, images.token), end.end());
        QCOMPARE(ids_of(tokens), ids);
        QCOMPARE(tokens.back().end, 29);
        QVERIFY(!tokens.back().special);
        QCOMPARE(std::ranges::count_if(tokens, &tokens::Token::special), 1 + 2 * 9); // and the one that begins the text
        const auto in_front = model::tokens_with_images(opened, "fox", {&pixels, &pixels});
        QCOMPARE(ids_of(in_front), ids_of(model::tokens_with_images(opened, "<image><image>fox", {&pixels, &pixels})));

        const model::Input input{.ids = ids, .image = pixels, .further_images = {pixels}};
        std::vector<std::string> labels(ids.size());
        model::label_image(opened, input, labels);
        const auto places = model::places_of_images(images, input);
        QCOMPARE(labels[static_cast<std::size_t>(places[0].position(1, 2))], "[1,2]");
        QCOMPARE(labels[static_cast<std::size_t>(places[1].position(1, 2))], "[2:1,2]");
    }

    void oneImageIsReadWhereOthersCount() {
        for (const auto& [name, text] : {std::pair("gemma3_processor", "<start_of_image> a <start_of_image>"),
                                         std::pair("paligemma_processor", "<image><image>"),
                                         std::pair("llava_onevision_processor", "<image><image>")}) {
            const auto opened = Model::open(model_folder(name));
            const auto pixels =
                model::prepare(picture_in(name), *opened.description().image_tokens, model_folder(name)).pixels;
            const auto said = refusal([&, &text = text] {
                model::tokens_with_images(opened, text, {&pixels, &pixels});
            });
            QCOMPARE(said, "2 images are given, expected one: of this model AttnLab reads one image");
            QVERIFY(refusal([&, &text = text] {
                        model::tokens_with_image(opened, text, pixels);
                    }).ends_with("of this model AttnLab reads one image"));
        }
    }

    void wrongImagesAreRefused() {
        const auto opened = Model::open(model_folder("llava_processor"));
        const auto& images = *opened.description().image_tokens;
        const auto pixels =
            model::prepare(picture_in("llava_processor"), images, model_folder("llava_processor")).pixels;
        QCOMPARE(refusal([&] { model::tokens_with_image(opened, "<image> a <image>", pixels); }),
                 "The text has 2 places for an image (<image>), expected 1: one for each image that is given");
        QVERIFY(refusal([&] {
                    opened.run({.ids = {1, 393, 393, 5}, .image = pixels});
                }).find("has 2 tokens") != std::string::npos);
        auto other = pixels;
        other.height = 8;
        other.values.resize(3 * 8 * 12);
        QVERIFY(refusal([&] {
                    opened.run({.ids = {1, 5}, .image = other});
                }).find("image: has shape") != std::string::npos);
        const auto text_alone = Model::open(model_folder("qwen2_vl"));
        QVERIFY(refusal([&] {
                    text_alone.run({.ids = {1, 5}, .image = pixels});
                }).find("reads none") != std::string::npos);
        QVERIFY(refusal([&] {
                    model::prepare(picture_in("llava_processor"), images, model_folder("llava"));
                }).find("preprocessor_config.json") != std::string::npos);
    }

    void earlierRunsGiveTheSameNumbers_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"llava_image", "paligemma_image", "paligemma2_image", "gemma3_image", "mistral3_image", "qwen2_vl_image",
              "qwen2_5_vl_image", "qwen3_vl_image", "llava_next_image", "idefics3_image"})
            QTest::addRow("%s", name) << name;
    }
    void earlierRunsGiveTheSameNumbers() {
        QFETCH(QString, name);
        const auto opened = Model::open(model_folder(name.toStdString()));
        const auto input = input_of(name.toStdString(), expected_arrays(name.toStdString()));
        const auto first = opened.run(input);
        auto longer = input;
        longer.ids.insert(longer.ids.end(), {5, 9});
        verify_equal(opened.run(longer, {}, {}, &first), opened.run(longer));
        longer.written = 2;
        const auto written = opened.run(longer);
        verify_equal(opened.run(longer, {}, {}, &first), written);
        auto without = input;
        std::erase(without.ids, opened.description().image_tokens->token);
        without.image.reset();
        verify_equal(opened.run(without, {}, {}, &first), opened.run(without));
        // What the model wrote does not change what was read before.
        const auto& before = *first.decoder_hidden.back();
        QVERIFY(difference(std::span(written.decoder_hidden.back()->values).first(before.values.size()),
                           std::span<const float>(before.values), true) < 1e-5);
    }

    /// The sizes that smart_resize() of Transformers gives.
    void sizesAreInWholeTokens_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("new_height");
        QTest::addColumn<int>("new_width");
        const auto row = [](int height, int width, int new_height, int new_width) {
            QTest::addRow("%d x %d", height, width) << height << width << new_height << new_width;
        };
        row(20, 36, 16, 32); // halves are rounded to even numbers
        row(24, 40, 24, 40);
        row(100, 70, 56, 40);
        row(9, 11, 16, 24);
        row(4, 100, 8, 80);
        row(33, 64, 32, 64);
    }
    void sizesAreInWholeTokens() {
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(int, new_height);
        QFETCH(int, new_width);
        const QTemporaryDir folder;
        QFile file(folder.filePath("preprocessor_config.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"image_processor_type": "Qwen2VLImageProcessor", "min_pixels": 256, "max_pixels": 2304})");
        file.close();
        const auto opened = Model::open(model_folder("qwen2_vl_image"));
        const model::Picture picture{height, width,
                                     std::vector<std::uint8_t>(static_cast<std::size_t>(3 * height * width))};
        const auto pixels =
            model::prepare(picture, *opened.description().image_tokens, folder.path().toStdString()).pixels;
        QCOMPARE(pixels.height, new_height);
        QCOMPARE(pixels.width, new_width);
        QVERIFY(std::abs(pixels.values.front() + 0.48145466F / 0.26862954F) < 1e-5F);
    }

    /// The rows and columns that the processors of Transformers cut, 0 for none beside the whole.
    void picturesAreCutInTiles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        const auto row = [](const char* name, int height, int width, int rows, int columns) {
            QTest::addRow("%s %d x %d", name, height, width) << name << height << width << rows << columns;
        };
        row("llava_next_processor", 12, 12, 1, 2);
        row("llava_next_processor", 17, 40, 1, 3);
        row("llava_next_processor", 40, 17, 2, 1);
        row("llava_next_processor", 100, 99, 2, 2);
        row("internvl_processor", 12, 12, 0, 0);
        row("internvl_processor", 17, 40, 1, 2);
        row("internvl_processor", 5, 60, 1, 6);
        row("internvl_processor", 33, 31, 2, 2);
        row("aya_vision_processor", 5, 60, 1, 4);
        row("idefics3_processor", 12, 12, 3, 3);
        row("idefics3_processor", 17, 40, 2, 3);
        row("idefics3_processor", 5, 60, 1, 3);
        row("smolvlm_processor", 40, 17, 2, 1);
        row("smolvlm_processor", 100, 99, 2, 2);
    }
    void picturesAreCutInTiles() {
        QFETCH(QString, name);
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(int, rows);
        QFETCH(int, columns);
        const auto opened = Model::open(model_folder(name.toStdString()));
        const auto& images = *opened.description().image_tokens;
        const model::Picture picture{height, width,
                                     std::vector<std::uint8_t>(static_cast<std::size_t>(3 * height * width), 7)};
        const auto pixels = model::prepare(picture, images, model_folder(name.toStdString())).pixels;
        QCOMPARE(pixels.tile_rows, rows);
        QCOMPARE(pixels.tile_columns, columns);
        // All patches of the picture have a token.
        const auto tokens = model::tokens_with_image(opened, "fox", pixels);
        const auto place = model::place_of_image(model::fitted(images, pixels), ids_of(tokens));
        for (const auto position : place.positions)
            QCOMPARE(tokens[static_cast<std::size_t>(position)].id, images.token);
        const std::set<std::int64_t> apart(place.positions.begin(), place.positions.end());
        QCOMPARE(std::ssize(apart), place.rows * place.columns);
        const auto result = opened.run({.ids = ids_of(tokens), .image = pixels});
        QVERIFY(std::isfinite(result.logits.values.front()));
    }

    void otherTilesAreRefused() {
        const auto opened = Model::open(model_folder("llava_next_image"));
        const auto input = input_of("llava_next_image", expected_arrays("llava_next_image"));
        auto fewer = input;
        fewer.ids.erase(std::ranges::find(fewer.ids, opened.description().image_tokens->token));
        QVERIFY(refusal([&] { opened.run(fewer); }).find("tokens of an image") != std::string::npos);
        auto other = input;
        other.image->tile_columns = 3;
        QVERIFY(refusal([&] { opened.run(other); }).find("image: has shape") != std::string::npos);
        other = input;
        other.image->tile_rows = 0;
        QVERIFY(refusal([&] { opened.run(other); }).find("tiles, which this model") != std::string::npos);
        other = input;
        other.image->picture_width = 0;
        QVERIFY(refusal([&] { opened.run(other); }).find("before it was cut") != std::string::npos);
    }

    void problemsHaveTheSameMask() {
        for (const char* name : {"paligemma2_image", "gemma3_image"}) {
            const auto opened = Model::open(model_folder(name));
            const auto result = opened.run(input_of(name, expected_arrays(name)));
            for (const auto& pass : result.passes) {
                QVERIFY(pass->reads_both_ways());
                const auto blocked = *model::problem_of(*pass, 0, {}).tensors.at("attn_mask").values().begin();
                QCOMPARE(blocked, 0.0);
                for (std::int64_t row = 0; row < pass->queries; ++row) {
                    const auto range = pass->readable(row);
                    const auto weights = pass->weights(0);
                    for (std::int64_t key = 0; key < pass->keys; ++key)
                        QCOMPARE(weights[static_cast<std::size_t>(row * pass->keys + key)] > 0.0F,
                                 range.first <= key && key < range.last);
                }
            }
        }
    }
};

ATTNLAB_TEST(TestImageTokens)
#include "test_image_tokens.moc"
