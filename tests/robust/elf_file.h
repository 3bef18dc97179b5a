// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QByteArrayView>

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>
#include <vector>

namespace attn::test {

// What a program for 64 bits says of itself, to the one who starts it.
class ElfFile
{
public:
    explicit ElfFile(QByteArray bytes)
        : m_bytes(std::move(bytes))
    {
        const auto header = at<Elf64_Ehdr>(0);
        m_type = header.e_type;
        m_machine = header.e_machine;
        for (std::size_t i = 0; i < header.e_phnum; ++i)
            m_segments.push_back(at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr)));
    }

    bool isElf() const
    {
        return m_bytes.startsWith(ELFMAG) && m_bytes.size() > EI_CLASS && m_bytes[EI_CLASS] == ELFCLASS64;
    }
    const QByteArray& bytes() const { return m_bytes; }
    unsigned type() const { return m_type; }
    unsigned machine() const { return m_machine; }
    const std::vector<Elf64_Phdr>& segments() const { return m_segments; }

    std::optional<Elf64_Phdr> segment(std::uint32_t type) const
    {
        for (const Elf64_Phdr& one : m_segments) {
            if (one.p_type == type)
                return one;
        }
        return std::nullopt;
    }

    // Of the dynamic section; 0 where it is not there.
    std::uint64_t dynamic(std::int64_t tag) const
    {
        const auto section = segment(PT_DYNAMIC);
        for (std::uint64_t i = 0; section && i < section->p_filesz; i += sizeof(Elf64_Dyn)) {
            const auto entry = at<Elf64_Dyn>(section->p_offset + i);
            if (entry.d_tag == tag)
                return entry.d_un.d_val;
        }
        return 0;
    }

    // Names in the table of texts that the dynamic section uses: of what is imported, among others.
    QByteArrayList dynamicNames() const
    {
        const std::uint64_t begin = offsetOf(dynamic(DT_STRTAB));
        return m_bytes.mid(static_cast<qsizetype>(begin), static_cast<qsizetype>(dynamic(DT_STRSZ))).split('\0');
    }

    // How often these bytes are among the instructions.
    qsizetype countInCode(QByteArrayView bytes) const
    {
        qsizetype count = 0;
        for (const Elf64_Phdr& one : m_segments) {
            if (one.p_type == PT_LOAD && (one.p_flags & PF_X) != 0)
                count += m_bytes.mid(static_cast<qsizetype>(one.p_offset), static_cast<qsizetype>(one.p_filesz))
                             .count(bytes);
        }
        return count;
    }

private:
    template<class T>
    T at(std::uint64_t offset) const
    {
        T result = {};
        if (offset + sizeof(T) <= static_cast<std::uint64_t>(m_bytes.size()))
            std::memcpy(&result, m_bytes.constData() + offset, sizeof(T));
        return result;
    }

    std::uint64_t offsetOf(std::uint64_t address) const
    {
        for (const Elf64_Phdr& one : m_segments) {
            if (one.p_type == PT_LOAD && address >= one.p_vaddr && address < one.p_vaddr + one.p_filesz)
                return address - one.p_vaddr + one.p_offset;
        }
        return 0;
    }

    QByteArray m_bytes;
    unsigned m_type = 0;
    unsigned m_machine = 0;
    std::vector<Elf64_Phdr> m_segments;
};

} // namespace attn::test
