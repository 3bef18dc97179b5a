// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "checkpoint/pickle.h"
#include "checkpoint/stored_tensor.h"
#include "io/mapped_file.h"
#include "io/zip_archive.h"
#include "stored_files.h"
#include "support/broken_files.h"
#include "support/memory_used.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/mman.h>

using namespace attn;
using namespace attn::test;

namespace fs = std::filesystem;
using namespace std::string_literals;

namespace {

const fs::path data = fs::path(ATTN_TEST_DATA) / "torch";

Bytes contentOf(const std::string& name)
{
    return bytesOf(readWholeFile(data / name));
}

// --- pickles, assembled by hand ---

std::string text(const std::string& value)
{
    const auto length = static_cast<std::uint32_t>(value.size());
    const Bytes bytes = littleEndian(length);
    return "X" + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) + value;
}

std::string number(std::int64_t value)
{
    const Bytes bytes = littleEndian(value);
    return "\x8a\x08" + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::string tuple(const std::vector<std::int64_t>& values)
{
    std::string result = "(";
    for (const std::int64_t value : values)
        result += number(value);
    return result + "t";
}

std::string global(const std::string& module, const std::string& name)
{
    return "c" + module + "\n" + name + "\n";
}

std::string storage(const std::string& type, const std::string& key, std::int64_t elements)
{
    return "(" + text("storage") + global("torch", type) + text(key) + text("cpu") + number(elements) + "tQ";
}

std::string rebuilt(const std::string& arguments)
{
    return global("torch._utils", "_rebuild_tensor_v2") + "(" + arguments + "tR";
}

std::string tensor(std::int64_t offset, const std::vector<std::int64_t>& size, const std::vector<std::int64_t>& stride,
                   std::int64_t elements = 4)
{
    return rebuilt(storage("FloatStorage", "0", elements) + number(offset) + tuple(size) + tuple(stride) + "\x89}");
}

std::string pickled(const std::string& value)
{
    return "\x80\x02" + value + ".";
}

std::string dictionaryOf(const std::string& value)
{
    return pickled("}" + text("w") + value + "s");
}

// A torch.save archive with one storage of four floats (1, 2, 3, 4).
Bytes archive(const std::string& pickle, const std::vector<std::pair<std::string, std::string>>& more = {})
{
    ZipWriter writer(Compression::Stored);
    writer.add("top/data.pkl", bytesOf(pickle));
    writer.add("top/data/0", littleEndian(1.0F) + littleEndian(2.0F) + littleEndian(3.0F) + littleEndian(4.0F));
    for (const auto& [name, content] : more)
        writer.add(name, bytesOf(content));
    return writer.finish();
}

void verifyRefused(const Bytes& file, const QString& expected)
{
    const std::string message = errorOf([&] { readTorchFile(file, "w.bin"); });
    QVERIFY2(message.starts_with("w.bin"), message.c_str());
    QVERIFY2(message.find(expected.toStdString()) != std::string::npos, message.c_str());
}

} // namespace

namespace {

// A dictionary of `count` entries that share one value and one name.
std::string sharing(const std::string& value, const std::string& name, int count)
{
    std::string pickle = "\x80\x02" + value + "q" + '\0' + '0' + text(name) + "q\x01" + "0}(";
    for (int i = 0; i < count; ++i)
        pickle += "h\x01h"s + '\0';
    return pickle + "u.";
}

} // namespace

class TestTorchFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("ATTNSCOPE_LIMITS", "memory=48M"); } // asked for what is large only

    void readsTensorsAsTheyWereSaved_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"zip.bin", "zip_protocol4.bin", "legacy.bin"})
            QTest::newRow(name) << name;
    }

    void readsTensorsAsTheyWereSaved()
    {
        QFETCH(QString, file);
        const Bytes bytes = contentOf(file.toStdString());
        const StoredTensors tensors = readTorchFile(bytes, "file");
        using Values = std::vector<float>;
        QCOMPARE(tensors.size(), std::size_t{13});
        QCOMPARE(tensors.at("matrix").view.shape, (Shape{2, 3}));
        QCOMPARE(valuesOf(tensors, "matrix"), (Values{0, 1, 2, 3, 4, 5}));
        QCOMPARE(tensors.at("transposed").view.shape, (Shape{3, 2}));
        QCOMPARE(valuesOf(tensors, "transposed"), (Values{0, 3, 1, 4, 2, 5}));
        QCOMPARE(valuesOf(tensors, "parameter"), (Values{1.5F, -2.5F}));
        QCOMPARE(tensors.at("half").view.dtype, DType::F16);
        QCOMPARE(valuesOf(tensors, "half"), (Values{1, -0.5F}));
        QCOMPARE(tensors.at("bfloat16").view.shape, (Shape{2, 1}));
        QCOMPARE(valuesOf(tensors, "bfloat16"), (Values{3, -4}));
        QCOMPARE(valuesOf(tensors, "double"), (Values{0.25F}));
        QCOMPARE(valuesOf(tensors, "shared.head"), (Values{100, 101, 102}));
        QCOMPARE(valuesOf(tensors, "shared.tail"), (Values{105, 106, 107}));
        QCOMPARE(valuesOf(tensors, "shared.even"), (Values{100, 102, 104, 106}));
        QCOMPARE(tensors.at("shared.tail").view.bytes.data() - tensors.at("shared.head").view.bytes.data(), 20);
        QCOMPARE(tensors.at("ids").view.dtype, DType::I64);
        QCOMPARE(tensors.at("ids").view.shape, (Shape{1, 4}));
        QCOMPARE(tensors.at("flags").view.dtype, DType::Bool);
        QVERIFY(tensors.at("scalar").view.shape.empty());
        QCOMPARE(valuesOf(tensors, "scalar"), (Values{7}));
        QCOMPARE(tensors.at("empty").view.shape, (Shape{0, 3}));
        QVERIFY(valuesOf(tensors, "empty").empty());
    }

    void findsTheDictionaryOfTensors()
    {
        for (const char* name : {"state_dict.bin", "nested.bin"}) {
            const Bytes bytes = contentOf(name);
            const StoredTensors tensors = readTorchFile(bytes, name);
            QCOMPARE(tensors.size(), std::size_t{2});
            QCOMPARE(valuesOf(tensors, "weight"), (std::vector<float>{0, 1, 2, 3, 4, 5}));
            QCOMPARE(valuesOf(tensors, "bias"), (std::vector<float>{0.5F, 0.5F, 0.5F}));
        }
    }

    void loneTensorsBesideTheDictionaryArePassedOver_data()
    {
        QTest::addColumn<std::string>("dictionary");
        const auto entry = [](const char* key, const std::string& value) { return text(key) + value + "s"; };
        const std::string one = tensor(0, {1}, {1});
        const std::string network = "}" + entry("weight", one) + entry("bias", one);
        const auto row = [](const char* name, const std::string& entries) { QTest::newRow(name) << "}" + entries; };
        row("behind", entry("model", network) + entry("loss", one));
        row("before", entry("step", one) + entry("state_dict", network));
        row("in a dictionary",
            entry("state_dict", network) + entry("hyper_parameters", "}" + entry("class_weights", one)));
        row("both", entry("loss", one) + entry("state_dict", network) + entry("metrics", "}" + entry("best", one)));
        row("two levels down",
            entry("loss", one) + entry("checkpoint", "}" + entry("model", network) + entry("epoch", one)));
        row("dictionary beside a network", entry("weight", one) + entry("bias", one) + entry("more", network));
    }

    void loneTensorsBesideTheDictionaryArePassedOver()
    {
        QFETCH(std::string, dictionary);
        std::vector<std::string> names;
        for (const auto& [name, stored] : readTorchFile(archive(pickled(dictionary)), "w.bin"))
            names.push_back(name);
        QCOMPARE(names, (std::vector<std::string>{"bias", "weight"}));
    }

    void opensAsACheckpoint()
    {
        const QTemporaryDir directory;
        const fs::path path = directory.path().toStdString();
        fs::copy_file(data / "legacy.bin", path / "pytorch_model.bin");
        const auto checkpoint = openCheckpoint(path);
        QCOMPARE(checkpoint->name(), (path / "pytorch_model.bin").string());
        QCOMPARE(checkpoint->load("transposed", {3, 2}).values()[1], 3.0F);
        QVERIFY(checkpoint->find("transposed")->bytes.empty()); // not row by row
        QCOMPARE(checkpoint->find("matrix")->bytes.size(), std::size_t{24});
        QCOMPARE(checkpoint->files().front().dtypes.front(), DType::F32);

        fs::copy_file(data / "zip.bin", path / "one.bin");
        fs::remove(path / "pytorch_model.bin");
        std::ofstream(path / "pytorch_model.bin.index.json") << R"({"weight_map": {"matrix": "one.bin"}})";
        QCOMPARE(openCheckpoint(path)->load("matrix", {2, 3}).values()[5], 5.0F);
    }

    void whatIsNotReadIsNamedWhenItIsAskedFor_data()
    {
        addColumns<QByteArray, QString>("pickle", "problem");
        const auto row = [](const char* name, const std::string& value, const char* problem) {
            QTest::newRow(name) << QByteArray::fromStdString(dictionaryOf(value)) << QString(problem);
        };
        row("expanded", tensor(0, {8}, {0}), "repeats its values (shape [8], strides [0])");
        row("overlapping", tensor(0, {3, 2}, {1, 1}), "repeats its values (shape [3, 2], strides [1, 1])");
        row("complex", rebuilt(storage("ComplexFloatStorage", "0", 2) + number(0) + tuple({2}) + tuple({1})),
            "is stored as ComplexFloatStorage, which is not read");
    }

    void whatIsNotReadIsNamedWhenItIsAskedFor()
    {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, problem);
        const Bytes file = archive(pickle.toStdString());
        const StoredTensors tensors = readTorchFile(file, "file");
        QCOMPARE(QString::fromStdString(tensors.at("w").problem), problem);
        QVERIFY(tensors.at("w").view.bytes.empty());
        QVERIFY(errorOf([&] { (void)toFloat32(tensors.at("w")); }).find(problem.toStdString()) != std::string::npos);
        QVERIFY(!readTorchFile(contentOf("complex.bin"), "file").empty());
    }

    void foreignContentIsRefused_data()
    {
        addColumns<QString, QString>("file", "expected");
        const auto row = [](const char* file, const char* expected) {
            QTest::newRow(file) << file << QString(expected);
        };
        row("runs_a_program.bin", "refers to posix.system, which no set of tensors needs (nothing of it was run)");
        row("runs_a_program_legacy.bin", "refers to posix.system");
        row("whole_module.bin", "refers to torch.nn.modules.linear.Linear");
        row("ambiguous.bin", "holds several dictionaries of tensors: model, average");
        row("deflated.bin", "data.pkl: is compressed");
    }

    void foreignContentIsRefused()
    {
        QFETCH(QString, file);
        QFETCH(QString, expected);
        verifyRefused(contentOf(file.toStdString()), expected);
    }

    void brokenTensorsAreRefused_data()
    {
        constexpr std::int64_t huge = std::int64_t{1} << 62;
        addColumns<QByteArray, QString>("pickle", "expected");
        const auto row = [](const char* name, const std::string& value, const char* expected) {
            QTest::newRow(name) << QByteArray::fromStdString(dictionaryOf(value)) << QString(expected);
        };
        const std::string four = storage("FloatStorage", "0", 4);
        row("one value too many", tensor(0, {5}, {1}), "of shape [5], strides [1], from value 0 does not fit");
        row("offset too far", tensor(1, {2, 2}, {2, 1}), "does not fit into its storage of 4 values");
        row("offset overflows", tensor(huge, {2}, {huge}), "does not fit");
        row("stride too large", tensor(0, {2}, {huge}), "does not fit");
        row("strides overflow", tensor(0, {3, 3}, {huge, huge}), "does not fit");
        row("size overflows", tensor(0, {huge, huge}, {1, 1}), "does not fit");
        row("expanded without end", tensor(0, {huge, 4}, {0, 0}), "does not fit");
        row("negative offset", tensor(-1, {1}, {1}), "needs an offset from 0");
        row("negative size", tensor(0, {-1}, {1}), "needs a size from 0");
        row("negative stride", tensor(3, {2}, {-1}), "needs a stride from 0");
        row("strides missing", tensor(0, {2, 2}, {2}), "has not as many strides as dimensions");
        row("forty dimensions", tensor(0, std::vector<std::int64_t>(40, 1), std::vector<std::int64_t>(40, 1)),
            "more than 16 dimensions");
        row("storage shorter than announced", tensor(0, {4}, {1}, 5), "should hold 5 values of f32, holds 16 bytes");
        row("storage of absurd size", tensor(0, {4}, {1}, huge), "too large for any memory");
        row("storage missing", rebuilt(storage("FloatStorage", "1", 4) + number(0) + tuple({1}) + tuple({1})),
            "holds no \"top/data/1\"");
        row("storage outside", rebuilt(storage("FloatStorage", "../data.pkl", 4) + number(0) + tuple({1}) + tuple({1})),
            "holds no");
        row("a module as storage", rebuilt("(" + text("module") + "NNNNtQ" + number(0) + tuple({1}) + tuple({1})),
            "not a storage");
        row("too few arguments", rebuilt(four), "too few arguments");
        row("no storage", rebuilt("N" + number(0) + tuple({1}) + tuple({1})), "lies in no storage");
        row("size is no tuple", rebuilt(four + number(0) + "N" + tuple({1})), "needs a list as a size");
        row("size of texts", rebuilt(four + number(0) + "(" + text("a") + "t" + tuple({1})), "needs a size from 0");
        row("parameter of nothing", global("torch._utils", "_rebuild_parameter") + "(N\x88}tR", "without a tensor");
        row("no tensors", "N", "holds no tensors");
        row("tensor twice", tensor(0, {1}, {1}) + "s" + text("w") + tensor(0, {1}, {1}), "w: is there twice");
    }

    void brokenTensorsAreRefused()
    {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, expected);
        verifyRefused(archive(pickle.toStdString()), expected);
    }

    void brokenPicklesAreRefused_data()
    {
        addColumns<QByteArray, QString>("pickle", "expected");
        const auto row = [](const char* name, const std::string& pickle, const char* expected) {
            QTest::newRow(name) << QByteArray::fromStdString(pickle) << QString(expected);
        };
        row("empty", "", "ends too early");
        row("no end", "\x80\x02}", "ends too early");
        row("protocol 0", "(dp0\n.", "the pickle instruction 0x70");
        row("protocol 9", "\x80\x09}.", "protocol 9");
        row("eval", pickled("}" + text("w") + global("builtins", "eval") + text("1") + "\x85Rs"),
            "refers to builtins.eval");
        row("eval by stack", "\x80\x04" + text("builtins") + text("eval") + "\x93.", "refers to builtins.eval");
        row("import with strange letters", pickled(global("o\x1b[31ms", "system")), "refers to o?[31ms.system");
        row("other function of torch", pickled(global("torch", "load")), "refers to torch.load");
        row("other function of torch.serialization", pickled(global("torch.serialization", "_load")), "refers to");
        row("endless name", pickled("c" + std::string(5000, 'a')), "a name that is too long");
        row("text beyond the end", "\x80\x02X\xff\xff\xff\xff.", "ends too early");
        row("bytes beyond the end", "\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\xff.", "ends too early");
        row("empty stack", pickled(""), "from an empty stack");
        row("tuple of nothing", pickled("\x87"), "from an empty stack");
        row("below a mark", pickled("N(\x85"), "from an empty stack");
        row("no mark", pickled("}u"), "was not opened");
        row("key without a value", pickled("}(Nu"), "a key without a value");
        row("append to a dictionary", pickled("}Na"), "uses something else as a list");
        row("item of a list", pickled("]NNs"), "uses something else as a dictionary");
        row("unknown memory", pickled("h\x05"), "asks for value 5");
        row("call of a text", pickled(text("f") + ")R"), "uses something else as a function");
        row("call without a tuple", pickled(global("torch", "Size") + "NR"), "uses something else as arguments");
        row("state of a tensor", pickled(tensor(0, {1}, {1}) + "}b"), "an object whose state is set");
        row("old instruction", pickled("i"), "the pickle instruction 0x69");
        row("more values than there is memory for", pickled("(" + std::string(300'000, 'N') + "l"), "needs about");
        row("deep marks", pickled(std::string(1000, '(')), "nested deeper than 256");
        row("a list", pickled("]"), "does not hold a dictionary");
    }

    void brokenPicklesAreRefused()
    {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, expected);
        verifyRefused(archive(pickle.toStdString()), expected);
    }

    void untypedStoragesTakeTheTensorsType()
    {
        const std::string untyped = "(" + text("storage") + global("torch.storage", "UntypedStorage") + text("0")
            + text("cpu") + number(16) + "tQ";
        const std::string value = global("torch._utils", "_rebuild_tensor_v3") + "(" + untyped + number(1) + tuple({2})
            + tuple({1}) + "\x89}" + global("torch", "float32") + "tR";
        const Bytes file = archive(dictionaryOf(value));
        QCOMPARE(valuesOf(readTorchFile(file, "file"), "w"), (std::vector<float>{2, 3}));

        verifyRefused(archive(dictionaryOf(rebuilt(untyped + number(0) + tuple({1}) + tuple({1})))), "without a type");
        verifyRefused(archive(dictionaryOf(tensor(0, {1}, {1})), {{"top/byteorder", "big"}}), "big-endian");
        verifyRefused(archive(dictionaryOf(tensor(0, {1}, {1})), {{"other/data.pkl", ""}}), "more than one data.pkl");
        verifyRefused(archive(dictionaryOf(tensor(0, {1}, {1})), {{"top/constants.pkl", ""}}), "TorchScript");
        ZipWriter other(Compression::Stored);
        other.add("notes.txt", bytesOf("hello"));
        verifyRefused(other.finish(), "not one that torch.save wrote");
        const Bytes little = archive(dictionaryOf(tensor(0, {2, 2}, {2, 1})), {{"top/byteorder", "little"}});
        QCOMPARE(valuesOf(readTorchFile(little, "file"), "w"), (std::vector<float>{1, 2, 3, 4}));
    }

    void descriptionsHaveTheirChecksum()
    {
        Bytes file = archive(dictionaryOf(tensor(0, {1}, {1})));
        const Bytes key = bytesOf(text("w"));
        const auto found = std::ranges::search(file, key).begin();
        QVERIFY(found != file.end());
        *(found + std::ssize(key) - 1) = std::byte{'v'};
        verifyRefused(file, "top/data.pkl: has another CRC than its content");

        const Bytes entry = bytesOf("PK\x01\x02");
        for (auto at = file.begin();
             (at = std::ranges::search(std::ranges::subrange(at, file.end()), entry).begin()) != file.end(); ++at)
            std::fill_n(at + 16, 4, std::byte{0}); // not computed
        QCOMPARE(valuesOf(readTorchFile(file, "file"), "v"), (std::vector<float>{1}));
    }

    void sharedDictionariesTakeNoLonger()
    {
        constexpr int entries = 200'000;
        std::string inner = "}" + text("a") + "q\x02" + "0(";
        for (int i = 0; i < entries; ++i)
            inner += "h\x02N";
        verifyRefused(archive(sharing(inner + "u", "b", entries)), "holds no tensors");
    }

    void manyDictionariesMakeAShortMessage()
    {
        const std::string inner = "}" + text("w") + tensor(0, {1}, {1}) + "s";
        const Bytes file = archive(sharing(inner, std::string(100'000, 'n'), 1000));
        const std::string message = errorOf([&] { readTorchFile(file, "w.bin"); });
        QVERIFY2(message.find("holds several dictionaries of tensors: nnn") != std::string::npos, message.c_str());
        QVERIFY2(message.size() < 1000, qPrintable(QString::number(message.size())));
    }

    // Numbers that a table of a prime number of places, as libstdc++ has, would keep in one of them.
    void keptValuesWithAlikeHashesTakeNoLonger()
    {
        constexpr std::uint32_t places = 42'043;
        const auto word = [](std::uint32_t value) {
            const Bytes bytes = littleEndian(value);
            return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        };
        std::string pickle = "}";
        for (std::uint32_t i = 0; i < places - 1000; ++i)
            pickle += "Nr" + word(i * places) + "0";
        for (int i = 0; i < 200'000; ++i)
            pickle += "r" + word(0);
        verifyRefused(archive(pickled(pickle)), "holds no tensors");
    }

    void aValueIsNotKeptAgainAndAgain()
    {
        const Bytes file = archive(pickled("N" + std::string(16'000'000, '\x94')));
        const auto most = mostMemoryOf([&] { verifyRefused(file, "keeps more values than it has"); });
        QVERIFY2(most.value_or(0) < 8e6, qPrintable(QString::number(most.value_or(0))));
    }

    void whatLiesBetweenStridesIsNotRead()
    {
        constexpr std::int64_t stride = std::int64_t{1} << 30;
        constexpr std::size_t size = 3 * stride * 2 + 2;
        void* const memory =
            ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            QSKIP("There are not so many addresses");
        auto* const halves = static_cast<std::uint16_t*>(memory);
        const std::uint16_t ones[] = {0x3C00, 0x4000, 0x4200, 0x4400}; // 1, 2, 3, 4
        for (std::int64_t i = 0; i < 4; ++i)
            halves[i * stride] = ones[i];
        const StoredTensor stored{{DType::F16, {4}, {static_cast<const std::byte*>(memory), size}}, {{4, stride}}, {}};
        const Tensor tensor = toFloat32(stored);
        QCOMPARE((std::vector<float>{tensor.values().begin(), tensor.values().end()}),
                 (std::vector<float>{1, 2, 3, 4}));
        ::munmap(memory, size);
    }

    void damageIsAValueOrAnError_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"legacy.bin", "zip_protocol4.bin", "nested.bin"})
            QTest::newRow(name) << name;
    }

    void damageIsAValueOrAnError()
    {
        QFETCH(QString, file);
        const std::string problem = surviveDamage(contentOf(file.toStdString()), 1, [](const Bytes& bytes) {
            for (const auto& [name, stored] : readTorchFile(bytes, "damaged"))
                errorOf([&] { toFloat32(stored); });
        });
        QVERIFY2(problem.empty(), problem.c_str());
    }
};

ATTN_TEST(TestTorchFile)
#include "tst_torch_file.moc"
