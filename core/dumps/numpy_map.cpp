// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dumps/dump.h"
#include "io/byte_reader.h"
#include "io/npy_stream.h"

#include <string_view>
#include <utility>

namespace attn {

namespace {

DumpedSentence map(const DumpFile& file)
{
    auto reader = std::make_shared<ByteReader>(file.bytes(), file.where());
    NpyStream array({file.bytes().size(),
                     [reader](std::span<std::byte> part) {
                         const auto bytes = reader->take(part.size());
                         std::ranges::copy(bytes, part.begin());
                     }},
                    file.where());
    const auto values = array.floats(array.size());
    DumpedMaps maps = shownRuns({array.shape(), {values.begin(), values.end()}}, file.where());
    DumpedSentence sentence;
    const bool isSquare = maps.rows == maps.columns;
    sentence.maps.emplace(isSquare ? ownStage(maps) : Stage::Cross, std::move(maps));
    return sentence;
}

} // namespace

const DumpKind numpyMap = {"an array of 2 to 4 dimensions (.npy)",
                           [](const DumpFile& file) {
                               const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()),
                                                           file.bytes().size());
                               return text.starts_with(npyMagic);
                           },
                           [](const SharedDumpFile& file) {
                               return Dump{1, [file](std::size_t) { return map(*file); }};
                           }};

} // namespace attn
