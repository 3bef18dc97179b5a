// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/part_access.h"

#include <QAccessibleWidget>
#include <QWidget>

#include <vector>

namespace attn::ui {

namespace {

class PartAccess;

// The widget with its parts, before the controls that lie in it.
class PartedAccess final : public QAccessibleWidget
{
public:
    explicit PartedAccess(QWidget* widget)
        : QAccessibleWidget(widget, QAccessible::Grouping)
    {
    }
    ~PartedAccess() override
    {
        for (const QAccessible::Id id : m_parts)
            QAccessible::deleteAccessibleInterface(id);
    }

    // Null while the widget is being taken down.
    PartSource* source() const { return dynamic_cast<PartSource*>(object()); }
    int partCount() const { return source() == nullptr ? 0 : source()->partCount(); }
    QWidget& shown() const { return *widget(); }

    int childCount() const override { return partCount() + QAccessibleWidget::childCount(); }
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* focusChild() const override
    {
        for (int i = 0; i < partCount(); ++i) {
            if (source()->part(i).focused)
                return child(i);
        }
        return QAccessibleWidget::focusChild();
    }

private:
    mutable std::vector<QAccessible::Id> m_parts; // that were asked for, from the first
};

class PartAccess final : public QAccessibleInterface,
                         public QAccessibleValueInterface,
                         public QAccessibleActionInterface
{
public:
    PartAccess(const PartedAccess& owner, int index)
        : m_owner(owner)
        , m_index(index)
    {
    }

    int index() const { return m_index; }

    bool isValid() const override { return m_owner.isValid() && m_index < m_owner.partCount(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_owner.window(); }
    QAccessibleInterface* parent() const override { return const_cast<PartedAccess*>(&m_owner); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text what) const override
    {
        return what == QAccessible::Name ? now().name : what == QAccessible::Value ? now().text : QString();
    }
    void setText(QAccessible::Text, const QString&) override { }
    QRect rect() const override
    {
        const QRect box = now().box;
        return box.isNull() ? box : QRect(m_owner.shown().mapToGlobal(box.topLeft()), box.size());
    }
    QAccessible::Role role() const override { return now().role; }
    QAccessible::State state() const override
    {
        const AccessPart part = now();
        QAccessible::State state;
        state.invalid = !isValid();
        state.focusable = true;
        state.focused = part.focused;
        state.checkable = part.checkable;
        state.checked = part.checked;
        state.invisible = !state.invalid && !m_owner.shown().isVisible();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::ValueInterface && now().role == QAccessible::Slider)
            return static_cast<QAccessibleValueInterface*>(this);
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }

    QVariant currentValue() const override { return now().value; }
    void setCurrentValue(const QVariant& value) override
    {
        if (isValid())
            m_owner.source()->setPart(m_index, value.toDouble());
    }
    QVariant maximumValue() const override { return {}; } // there is none
    QVariant minimumValue() const override { return {}; }
    QVariant minimumStepSize() const override { return 0.0; }

    QStringList actionNames() const override
    {
        return now().checkable ? QStringList{toggleAction(), pressAction()} : QStringList();
    }
    void doAction(const QString& action) override
    {
        if (isValid() && actionNames().contains(action))
            m_owner.source()->pressPart(m_index);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    AccessPart now() const { return isValid() ? m_owner.source()->part(m_index) : AccessPart(); }

    const PartedAccess& m_owner; // which takes its parts along
    int m_index;
};

QAccessibleInterface* PartedAccess::child(int index) const
{
    const int parts = partCount();
    if (index < 0 || index >= parts)
        return index < 0 ? nullptr : QAccessibleWidget::child(index - parts);
    while (static_cast<int>(m_parts.size()) <= index) {
        auto* const made = new PartAccess(*this, static_cast<int>(m_parts.size()));
        m_parts.push_back(QAccessible::registerAccessibleInterface(made));
    }
    return QAccessible::accessibleInterface(m_parts[static_cast<std::size_t>(index)]);
}

int PartedAccess::indexOfChild(const QAccessibleInterface* child) const
{
    if (const auto* const part = dynamic_cast<const PartAccess*>(child))
        return part->index();
    const int control = QAccessibleWidget::indexOfChild(child);
    return control < 0 ? control : partCount() + control;
}

QAccessibleInterface* partedAccess(const QString&, QObject* object)
{
    return dynamic_cast<PartSource*>(object) == nullptr ? nullptr : new PartedAccess(qobject_cast<QWidget*>(object));
}

} // namespace

PartSource::PartSource()
{
    QAccessible::installFactory(partedAccess); // once, however often it is said
}

void tellPart(QWidget& widget, int index)
{
    QAccessibleEvent event(&widget, QAccessible::Focus);
    event.setChild(index);
    QAccessible::updateAccessibility(&event);
}

void tellParts(QWidget& widget, const PartSource& source)
{
    for (int i = 0; i < (QAccessible::isActive() ? source.partCount() : 0); ++i) {
        const AccessPart part = source.part(i);
        if (part.checkable) {
            QAccessible::State changed;
            changed.checked = true;
            QAccessibleStateChangeEvent event(&widget, changed);
            event.setChild(i);
            QAccessible::updateAccessibility(&event);
        } else {
            QAccessibleValueChangeEvent event(&widget, part.value);
            event.setChild(i);
            QAccessible::updateAccessibility(&event);
        }
    }
}

} // namespace attn::ui
