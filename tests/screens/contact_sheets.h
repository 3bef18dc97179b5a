// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QImage>
#include <QString>

namespace attn::test {

// Many pictures made small on a few pages, each with a caption: NAME-1.png, NAME-2.png.
class ContactSheets
{
public:
    ContactSheets(const QDir& directory, const QString& name);
    ContactSheets(const ContactSheets&) = delete;
    ContactSheets& operator=(const ContactSheets&) = delete;
    ~ContactSheets(); // writes the last page, which need not be full

    void add(const QImage& picture, const QString& caption);

private:
    void write();

    QDir m_directory;
    QString m_name;
    QImage m_page;
    int m_onPage = 0;
    int m_pages = 0;
};

} // namespace attn::test
