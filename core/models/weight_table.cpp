// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/weight_table.h"

#include "base/error.h"
#include "models/families/config_values.h"
#include "models/families/family.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace attn {

namespace {

// Columns of a matrix [inputs, outputs] of single values, as rows.
std::vector<std::byte> columnsOf(const TensorView& matrix, ColumnRange columns)
{
    const std::size_t width = blockBytes(matrix.dtype);
    const auto outputs = static_cast<std::size_t>(matrix.shape.at(1));
    const auto inputs = static_cast<std::size_t>(matrix.shape.at(0));
    std::vector<std::byte> rows(static_cast<std::size_t>(columns.count) * inputs * width);
    std::byte* to = rows.data();
    for (std::int64_t i = 0; i < columns.count; ++i) {
        const auto column = static_cast<std::size_t>(columns.first + i * columns.step);
        for (std::size_t input = 0; input < inputs; ++input, to += width)
            std::memcpy(to, matrix.bytes.data() + (input * outputs + column) * width, width);
    }
    return rows;
}

constexpr std::size_t mostListed = 12;
constexpr auto quantizationSettings = "quantization_config";

// Numbers as no model has them but a quantized one.
bool isWhole(DType dtype)
{
    return (dtype >= DType::I64 && dtype <= DType::U8) || dtype == DType::Other;
}

std::string shapeText(const Shape& shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

// Whether it is a layer's, as "layers.3.fc1.weight".
bool isNumbered(std::string_view name)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return std::ranges::adjacent_find(name, [&](char a, char b) { return a == '.' && isDigit(b); }) != name.end();
}

std::string listed(const std::vector<std::string>& names)
{
    const std::size_t count = std::min(names.size(), mostListed);
    std::string text =
        fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), ", "));
    if (names.size() > count)
        text += fmt::format(" and {} more", names.size() - count);
    return text;
}

void appendList(std::vector<std::string>& problems, const char* what, const std::vector<std::string>& names)
{
    if (!names.empty())
        problems.push_back(fmt::format("{} {}", what, listed(names)));
}

} // namespace

void WeightTable::expect(const std::string& name, Shape shape, Use use)
{
    const auto [entry, inserted] = m_entries.try_emplace(name, Entry{std::move(shape), use});
    if (!inserted) // a tied table
        entry->second.use = std::max(entry->second.use, use);
}

Weight<Tensor> WeightTable::tensor(const std::string& name, Shape shape)
{
    expect(name, std::move(shape));
    return [name](WeightReader& reader) { return reader.tensor(name); };
}

Weight<Embedding> WeightTable::embedding(const std::string& name, Shape shape)
{
    expect(name, std::move(shape), Use::LookedUp);
    return [name](WeightReader& reader) { return reader.embedding(name); };
}

Weight<Linear> WeightTable::matrix(const std::string& weight, Shape shape, const std::string& bias, Shape biasShape)
{
    expect(weight, std::move(shape), Use::Packed);
    if (!bias.empty())
        expect(bias, std::move(biasShape));
    return [weight, bias](WeightReader& reader) { return reader.linear(weight, bias); };
}

Weight<Linear> WeightTable::linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, bool bias)
{
    return matrix(name + ".weight", {outputs, inputs}, bias ? name + ".bias" : std::string(), {outputs});
}

Weight<Norm> WeightTable::norm(const std::string& name, std::int64_t width, float epsilon, NormKind kind)
{
    expect(name + ".weight", {width});
    if (kind == NormKind::Layer)
        expect(name + ".bias", {width});
    return [=](WeightReader& reader) { return reader.norm(name, epsilon, kind); };
}

Weight<std::vector<Linear>> WeightTable::fused(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                                               bool bias, std::vector<std::vector<RowRange>> layers)
{
    expect(name + ".weight", {outputs, inputs}, Use::Packed);
    if (bias)
        expect(name + ".bias", {outputs});
    return [name, bias, layers = std::move(layers)](WeightReader& reader) {
        std::vector<Linear> result;
        for (const auto& rows : layers)
            result.push_back(reader.rows(name + ".weight", bias ? name + ".bias" : std::string(), rows));
        return result;
    };
}

Weight<std::vector<Linear>> WeightTable::convolution(const std::string& name, std::int64_t inputs, std::int64_t outputs,
                                                     int parts)
{
    expect(name + ".weight", {inputs, outputs}, Use::Transposed);
    expect(name + ".bias", {outputs});
    return [=](WeightReader& reader) { return reader.convolution(name + ".weight", name + ".bias", parts); };
}

WeightMemory WeightTable::neededMemory(const Checkpoint& checkpoint, const Engine& engine) const
{
    WeightMemory all;
    std::uint64_t largest = 0;
    for (const auto& [name, entry] : m_entries) {
        if (entry.use == Use::LookedUp)
            continue;
        const DType stored = checkpoint.find(name).value().dtype;
        std::size_t each = sizeof(float);
        if (entry.use == Use::Packed || entry.use == Use::Transposed)
            each =
                std::max(Linear::bytesPerWeight(engine, stored, entry.shape.front()),
                         Linear::bytesPerWeight(engine, stored, entry.shape.back())); // outputs: the one or the other
        if (entry.use == Use::PackedValues)
            each *= 2;
        const auto count = static_cast<std::size_t>(elementCount(entry.shape));
        const DType matrix = entry.use == Use::PackedValues ? DType::MXFP4 : stored;
        const bool isBeside =
            (entry.use == Use::Packed || entry.use == Use::PackedValues) && WeightReader::staysBeside(matrix);
        const Linear::Kept kept = isBeside ? Linear::keptBoth(engine, matrix) : Linear::Kept{};
        const std::uint64_t bytes = std::uint64_t{count} * each;
        const bool stays = entry.use == Use::PackedValues
            || (entry.use == Use::Packed && Linear::canStay(stored, false))
            || (entry.use == Use::Transposed && WeightReader::canTurn(stored));
        all.widened += (kept.copied ? bytes : 0) + (kept.stored ? storedBytes(stored, count) : 0);
        all.asStored += stays ? storedBytes(stored, count) : bytes;
        largest = std::max(largest, kept.copied ? bytes : 0);
    }
    all.widened += largest;
    return all;
}

WeightReader::WeightReader(const FamilyInput& input, std::shared_ptr<const Checkpoint> checkpoint,
                           const WeightTable& table)
    : m_engine(input.engine)
    , m_checkpoint(std::move(checkpoint))
    , m_progress(input.progress)
    , m_stop(input.stop)
{
    for (const auto& [name, entry] : table.entries()) {
        m_expected.emplace(name, entry.shape);
        if (entry.use == WeightTable::Use::PackedValues)
            m_packedValues.insert(name);
    }
    for (const std::string& name : m_checkpoint->tensorNames()) {
        if (!m_expected.contains(name))
            m_ignored.push_back(m_checkpoint->storedName(name));
    }
    std::ranges::sort(m_ignored);
    compare(input.config);
    for (const auto& [name, shape] : m_expected)
        m_parameters += elementCount(shape);
    if (input.chooseStorage)
        m_staysStored = input.chooseStorage(table.neededMemory(*m_checkpoint, m_engine)) == WeightStorage::AsStored;
}

// Stored biases of matrices that are said to have none: without them the network would be another one.
std::vector<std::string> WeightReader::undescribed() const
{
    constexpr std::string_view bias = ".bias";
    std::vector<std::string> result;
    for (const std::string& name : m_checkpoint->tensorNames()) {
        if (!m_expected.contains(name) && name.ends_with(bias) && isNumbered(name)
            && m_expected.contains(name.substr(0, name.size() - bias.size()) + ".weight"))
            result.push_back(m_checkpoint->storedName(name));
    }
    return result;
}

// said: the method that the configuration names. Otherwise the tensors tell, or what is stored beside them.
WeightReader::Quantization WeightReader::quantization(const std::string& said) const
{
    constexpr std::pair<std::string_view, std::string_view> tellings[] = {
        {".qweight", "GPTQ or AWQ"},
        {".SCB", "bitsandbytes (8 bits)"},
        {".absmax", "bitsandbytes (4 bits)"},
        {".weight_scale_inv", "FP8 blocks"},
        {".weight_scale", "compressed-tensors or another program"},
        {".weight_packed", "compressed-tensors"},
        {".codebooks", "AQLM"},
        {".W_q", "HQQ"},
        {"qdata", "torchao"},
        {"_blocks", "mxfp4"}};
    const bool isRead = said == "fp8" || !m_packedValues.empty();
    if (!said.empty() && !isRead)
        return {said, quantizationSettings};
    for (const std::string& name : m_ignored)
        for (const auto& [ending, packer] : tellings)
            if (name.ends_with(ending))
                return {std::string(packer), name};
    for (const auto& [name, shape] : m_expected) {
        const auto view = m_checkpoint->find(name);
        if (view && view->shape != shape && isWhole(view->dtype) && !m_packedValues.contains(name))
            return {"torchao or another program",
                    fmt::format("{}, {}", m_checkpoint->storedName(name), attn::name(view->dtype))};
    }
    return {};
}

void WeightReader::compare(const JsonObject& config) const
{
    std::vector<std::string> missing;
    std::vector<std::string> misshapen;
    std::vector<std::string> unread;
    bool isPlain = m_packedValues.empty();
    for (const auto& [name, shape] : m_expected) {
        const auto view = m_checkpoint->find(name);
        if (!view)
            missing.push_back(m_checkpoint->storedName(name) + ' ' + shapeText(shape));
        else if (view->shape != shape)
            misshapen.push_back(fmt::format("{} {} instead of {}", m_checkpoint->storedName(name),
                                            shapeText(view->shape), shapeText(shape)));
        else if (m_packedValues.contains(name) && view->dtype != DType::U8)
            unread.push_back(fmt::format("{} is not stored as u8", m_checkpoint->storedName(name)));
        else if (const std::string problem = m_checkpoint->problemOf(name);
                 !problem.empty() && !m_packedValues.contains(name))
            unread.push_back(fmt::format("{} {}", m_checkpoint->storedName(name), problem));
        else
            isPlain = isPlain && view->dtype <= DType::F64;
    }
    const std::string said = config.has(quantizationSettings)
        ? config.requireObject(quantizationSettings).stringOr("quant_method", "")
        : std::string();
    const auto [method, place] = quantization(said);
    const bool isComplete = missing.empty() && misshapen.empty() && unread.empty();
    if (!method.empty() && !isComplete)
        throw Error(ErrorKind::Unsupported, m_checkpoint->name(),
                    fmt::format("holds weights that {} has quantized ({}), which are not read", method, place),
                    "open the model that they were made from, or a GGUF file of it");
    const bool mayBePlain = said.empty() || said == "compressed-tensors" || said == "torchao";
    if (isComplete && isPlain && !mayBePlain)
        refuseSetting(config, quantizationSettings,
                      fmt::format("says that {} has quantized the weights, which are plain {}", said, storedDType()),
                      "remove it if they are the model's");
    const std::vector<std::string> extra = undescribed();
    if (missing.empty() && misshapen.empty() && extra.empty()) {
        if (unread.empty())
            return;
        throw Error(ErrorKind::Unsupported, m_checkpoint->name(), listed(unread), "save the model as f32, f16 or bf16");
    }
    std::vector<std::string> problems;
    appendList(problems, "missing:", missing);
    appendList(problems, "of another shape:", misshapen);
    appendList(problems, "not described there:", extra);
    if (extra.empty())
        appendList(problems, "not expected:", m_ignored);
    throw Error(ErrorKind::Format, m_checkpoint->name(),
                fmt::format("the tensors are not those that {} describes; {}", m_checkpoint->configName(),
                            fmt::join(problems, "; ")),
                m_checkpoint->config() != nullptr ? "convert the model again"
                                                  : "check that config.json and the weights belong together");
}

void WeightReader::advance(const std::string& name)
{
    throwIfStopped(m_stop);
    m_read.insert(name);
    if (m_progress)
        m_progress({static_cast<double>(m_read.size()) / static_cast<double>(m_expected.size()), Progress::Part::Tensor,
                    0, 0, name});
}

Tensor WeightReader::tensor(const std::string& name)
{
    advance(name);
    return m_checkpoint->load(name, m_expected.at(name));
}

Embedding WeightReader::embedding(const std::string& name)
{
    advance(name);
    const TensorView view = m_checkpoint->find(name).value();
    if (!view.bytes.empty() || elementCount(view.shape) == 0)
        return {view, m_checkpoint, [checkpoint = m_checkpoint, name] { checkpoint->requireUnchanged(name); }};
    const auto rows = std::make_shared<const Tensor>(m_checkpoint->load(name, m_expected.at(name)));
    return {{DType::F32, rows->shape(), std::as_bytes(rows->values())}, rows};
}

// Blocks and f16 are multiplied faster by few rows as they are stored than widened.
bool WeightReader::staysBeside(DType dtype)
{
    return dtype == DType::F16 || valuesPerBlock(dtype) > 1;
}

template<typename Make>
void WeightReader::withMatrix(const std::string& name, Make make)
{
    WeightMatrix matrix;
    matrix.stored = m_checkpoint->find(name).value();
    const bool isMapped = !matrix.stored.bytes.empty();
    const auto kept = stays(matrix.stored.dtype) ? m_checkpoint->asStored(name) : std::nullopt;
    if (kept) {
        matrix.stored = kept->view;
        matrix.owner = kept->owner ? kept->owner : m_checkpoint;
        matrix.check = [checkpoint = m_checkpoint, name] { checkpoint->requireUnchanged(name); };
        matrix.isCopied = !m_staysStored;
    }
    if (isMapped)
        matrix.release = [&](std::span<const std::byte> part) { m_checkpoint->release(name, part); };
    if (isMapped || kept) {
        advance(name);
        return make(std::move(matrix));
    }
    const Tensor values = tensor(name);
    matrix.stored = TensorView{DType::F32, values.shape(), std::as_bytes(values.values())};
    make(std::move(matrix));
}

Linear WeightReader::linear(const std::string& weight, const std::string& bias)
{
    std::optional<Linear> result;
    withMatrix(weight, [&](WeightMatrix matrix) {
        matrix.outputs = matrix.stored.shape.at(0);
        result.emplace(m_engine, matrix, bias.empty() ? Tensor() : tensor(bias));
    });
    return std::move(*result);
}

Norm WeightReader::norm(const std::string& prefix, float epsilon, NormKind kind)
{
    Tensor scale = tensor(prefix + ".weight");
    if (kind == NormKind::Layer || kind == NormKind::LayerUnshifted) {
        Tensor shift = kind == NormKind::Layer ? tensor(prefix + ".bias") : Tensor(scale.shape());
        return LayerNorm(std::move(scale), std::move(shift), epsilon);
    }
    if (kind == NormKind::RmsAboveOne)
        std::ranges::transform(scale.values(), scale.data(), [](float value) { return 1.0F + value; });
    return RmsNorm(std::move(scale), epsilon);
}

Linear WeightReader::rows(const std::string& weight, const std::string& bias, std::span<const RowRange> rows)
{
    const Tensor biases = bias.empty() ? Tensor() : tensor(bias);
    std::int64_t outputs = 0;
    NumberVector<float> shifts;
    for (const auto& [first, count] : rows) {
        outputs += count;
        if (!bias.empty())
            shifts.insert(shifts.end(), biases.values().begin() + first, biases.values().begin() + first + count);
    }
    std::optional<Linear> result;
    withMatrix(weight, [&](WeightMatrix matrix) {
        const TensorView whole = matrix.stored;
        const std::int64_t inputs = whole.shape.at(1);
        const std::size_t rowBytes = storedBytes(whole.dtype, static_cast<std::size_t>(inputs));
        const auto bytesOf = [&](const RowRange& range) {
            return whole.bytes.subspan(static_cast<std::size_t>(range.first) * rowBytes,
                                       static_cast<std::size_t>(range.count) * rowBytes);
        };
        matrix.outputs = outputs;
        matrix.stored = {whole.dtype, {outputs, inputs}, bytesOf(rows.front())};
        const auto gathered = std::make_shared<std::vector<std::byte>>();
        if (rows.size() > 1) { // they do not lie together
            for (const RowRange& range : rows) {
                const auto bytes = bytesOf(range);
                gathered->insert(gathered->end(), bytes.begin(), bytes.end());
                if (matrix.release)
                    matrix.release(bytes);
            }
            matrix.stored.bytes = *gathered;
            matrix.release = nullptr;
            matrix.owner = matrix.owner ? std::shared_ptr<const void>(gathered) : nullptr;
        }
        result.emplace(m_engine, matrix, bias.empty() ? Tensor() : Tensor({outputs}, std::move(shifts)));
    });
    return std::move(*result);
}

TensorView WeightReader::stored(const std::string& name)
{
    advance(name);
    TensorView view = m_checkpoint->find(name).value();
    if (view.bytes.empty() && elementCount(view.shape) > 0)
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", m_checkpoint->name(), m_checkpoint->storedName(name)),
                    "is stored with gaps, which is not read for experts", "save the model as safetensors");
    return view;
}

Linear WeightReader::rowsOfPart(const std::string& name, std::int64_t index, RowRange rows, const Tensor& bias)
{
    const TensorView whole = stored(name);
    const std::int64_t inputs = whole.shape.back();
    const std::size_t rowBytes = storedBytes(whole.dtype, static_cast<std::size_t>(inputs));
    const std::int64_t first = index * whole.shape.at(1) + rows.first;
    WeightMatrix matrix{{whole.dtype,
                         {rows.count, inputs},
                         whole.bytes.subspan(static_cast<std::size_t>(first) * rowBytes,
                                             static_cast<std::size_t>(rows.count) * rowBytes)},
                        false,
                        0,
                        rows.count};
    matrix.release = [&](std::span<const std::byte> part) { m_checkpoint->release(name, part); };
    if (stays(whole.dtype)) {
        matrix.owner = m_checkpoint;
        matrix.check = [checkpoint = m_checkpoint, name] { checkpoint->requireUnchanged(name); };
        matrix.isCopied = !m_staysStored;
    }
    return {m_engine, matrix, bias};
}

bool WeightReader::canTurn(DType dtype)
{
    return Linear::canStay(dtype, false) && valuesPerBlock(dtype) == 1;
}

Linear WeightReader::columnsOfPart(const std::string& name, std::int64_t index, ColumnRange columns, const Tensor& bias)
{
    const TensorView whole = stored(name);
    const Shape shape(whole.shape.begin() + 1, whole.shape.end());
    if (!canTurn(whole.dtype)) {
        const Tensor widened = part(name, index);
        return made(DType::F32, shape.at(0), columnsOf({DType::F32, shape, std::as_bytes(widened.values())}, columns),
                    bias);
    }
    const std::size_t bytes = storedBytes(whole.dtype, static_cast<std::size_t>(elementCount(shape)));
    const auto own = whole.bytes.subspan(static_cast<std::size_t>(index) * bytes, bytes);
    return made(whole.dtype, shape.at(0), columnsOf({whole.dtype, shape, own}, columns), bias);
}

Linear WeightReader::made(DType dtype, std::int64_t inputs, std::vector<std::byte> rows, const Tensor& bias)
{
    const auto kept = std::make_shared<const std::vector<std::byte>>(std::move(rows));
    const auto outputs = static_cast<std::int64_t>(kept->size() / storedBytes(dtype, static_cast<std::size_t>(inputs)));
    WeightMatrix matrix{{dtype, {outputs, inputs}, *kept}, false, 0, outputs};
    if (stays(dtype)) {
        matrix.owner = kept;
        matrix.isCopied = !m_staysStored;
    }
    return {m_engine, matrix, bias};
}

Tensor WeightReader::part(const std::string& name, std::int64_t index)
{
    const TensorView whole = stored(name);
    const Shape shape(whole.shape.begin() + 1, whole.shape.end());
    const std::size_t bytes = storedBytes(whole.dtype, static_cast<std::size_t>(elementCount(shape)));
    const auto own = whole.bytes.subspan(static_cast<std::size_t>(index) * bytes, bytes);
    Tensor values = toFloat32(TensorView{whole.dtype, shape, own});
    m_checkpoint->release(name, own);
    return values;
}

std::vector<Linear> WeightReader::convolution(const std::string& weight, const std::string& bias, int parts)
{
    const Tensor shifts = tensor(bias);
    std::vector<Linear> result;
    withMatrix(weight, [&](const WeightMatrix& whole) {
        const std::int64_t outputs = whole.stored.shape.at(1) / parts;
        for (std::int64_t part = 0; part < parts; ++part) {
            const auto own = shifts.values().subspan(part * outputs, outputs);
            const Tensor shift({outputs}, {own.begin(), own.end()});
            if (m_staysStored && canTurn(whole.stored.dtype)) {
                result.push_back(made(whole.stored.dtype, whole.stored.shape.at(0),
                                      columnsOf(whole.stored, {part * outputs, 1, outputs}), shift));
                continue;
            }
            WeightMatrix matrix{whole.stored, true, part * outputs, outputs};
            if (part + 1 == parts)
                matrix.release = whole.release;
            result.emplace_back(m_engine, matrix, shift);
        }
    });
    return result;
}

std::string WeightReader::storedDType() const
{
    std::map<DType, std::int64_t> counts;
    for (const auto& [tensorName, shape] : m_expected)
        counts[m_checkpoint->find(tensorName).value().dtype] += elementCount(shape);
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    return most == counts.end() ? std::string() : std::string(name(most->first));
}

} // namespace attn
