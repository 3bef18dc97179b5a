// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/selection.h"

namespace attn::ui {

void Selection::setSite(Site site)
{
    setSiteAndHead(site, m_head);
}

void Selection::setHead(HeadChoice head)
{
    setSiteAndHead(m_site, head);
}

void Selection::setSiteAndHead(Site site, HeadChoice head)
{
    Fields fields;
    fields.setFlag(SiteField, site != m_site);
    fields.setFlag(HeadField, head != m_head);
    m_site = site;
    m_head = head;
    if (fields)
        Q_EMIT changed(fields);
}

void Selection::setLeaf(std::optional<int> leaf)
{
    if (leaf == m_leaf)
        return;
    m_leaf = leaf;
    Q_EMIT changed(LeafField);
}

void Selection::setStep(int step)
{
    if (step == m_step)
        return;
    m_step = step;
    Q_EMIT changed(StepField);
}

void Selection::setCell(int row, int column)
{
    if (row == m_row && column == m_column)
        return;
    m_row = row;
    m_column = column;
    Q_EMIT changed(CellField);
}

} // namespace attn::ui
