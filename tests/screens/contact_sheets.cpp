// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "screens/contact_sheets.h"

#include <QPainter>

namespace attn::test {

namespace {

constexpr int columns = 4;
constexpr int rows = 4;
constexpr QSize cell(640, 400);
constexpr int captionHeight = 22;
constexpr int gap = 6;

} // namespace

ContactSheets::ContactSheets(const QDir& directory, const QString& name)
    : m_directory(directory)
    , m_name(name)
    , m_page(columns * (cell.width() + gap) + gap, rows * (cell.height() + captionHeight + gap) + gap,
             QImage::Format_RGB32)
{
    m_page.fill(Qt::gray);
}

ContactSheets::~ContactSheets()
{
    if (m_onPage > 0)
        write();
}

void ContactSheets::add(const QImage& picture, const QString& caption)
{
    const int x = gap + m_onPage % columns * (cell.width() + gap);
    const int y = gap + m_onPage / columns * (cell.height() + captionHeight + gap);
    const QImage small = picture.scaled(cell, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    QPainter painter(&m_page);
    painter.fillRect(x, y, cell.width(), captionHeight, Qt::white);
    painter.drawText(QRect(x + gap, y, cell.width() - gap, captionHeight), Qt::AlignVCenter | Qt::TextSingleLine,
                     caption);
    painter.drawImage(x, y + captionHeight, small);
    painter.end();
    if (++m_onPage == columns * rows)
        write();
}

void ContactSheets::write()
{
    m_page.save(m_directory.filePath(QStringLiteral("%1-%2.png").arg(m_name).arg(++m_pages)));
    m_page.fill(Qt::gray);
    m_onPage = 0;
}

} // namespace attn::test
