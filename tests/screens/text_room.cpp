// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "screens/text_room.h"

#include "panels/model_picker.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSizeGrip>
#include <QSplitterHandle>
#include <QStyle>
#include <QStyleOptionButton>
#include <QStyleOptionComboBox>
#include <QStyleOptionDockWidget>
#include <QStyleOptionFrame>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace attn::test {

namespace {

constexpr int tolerance = 1; // pixels: of rounding
constexpr int collapsed = 8; // pixels, in which no letter can be read
constexpr int iconGap = 4; // between an icon and its text
constexpr int editMargin = 2; // left and right of what is typed, as QLineEdit draws it

bool isOfQt(const QWidget& widget)
{
    return widget.objectName().startsWith(QLatin1String("qt_"));
}

QString nameOf(const QWidget& widget)
{
    if (!widget.objectName().isEmpty() && !isOfQt(widget))
        return widget.objectName();
    const QString name = QLatin1String(widget.metaObject()->className());
    return name.mid(name.lastIndexOf(QLatin1Char(':')) + 1);
}

// The widget, and what is named around it.
QString placeOf(const QWidget& widget)
{
    QStringList names{nameOf(widget)};
    for (const QWidget* above = widget.parentWidget(); above != nullptr; above = above->parentWidget()) {
        if (!above->objectName().isEmpty() && !isOfQt(*above))
            names.prepend(above->objectName());
    }
    return names.join(QLatin1Char('/'));
}

// Widgets that are scrolled, and those of a panel that another one lies over, are seen another time.
bool isSeen(const QWidget& widget, const QWidget& window)
{
    if (widget.window() != &window || !widget.isVisibleTo(&window))
        return false;
    for (const QWidget* inner = &widget; inner != &window; inner = inner->parentWidget()) {
        if (qobject_cast<const QDockWidget*>(inner) != nullptr
            && !inner->parentWidget()->rect().intersects(inner->geometry()))
            return false;
    }
    return true;
}

bool isScrolled(const QWidget& widget)
{
    for (const QWidget* inner = &widget; inner->parentWidget() != nullptr; inner = inner->parentWidget()) {
        const auto* area = qobject_cast<const QAbstractScrollArea*>(inner->parentWidget());
        if (area != nullptr && area->viewport() == inner)
            return true;
    }
    return false;
}

class Look
{
public:
    void at(const QWidget& widget)
    {
        const std::size_t before = found.size();
        if (const auto* label = qobject_cast<const QLabel*>(&widget))
            atLabel(*label);
        else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
            atButton(*button);
        else if (const auto* box = qobject_cast<const QComboBox*>(&widget))
            atBox(*box);
        else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
            atTabs(*tabs);
        else if (const auto* header = qobject_cast<const QHeaderView*>(&widget))
            atHeader(*header);
        else if (const auto* group = qobject_cast<const QGroupBox*>(&widget))
            compare(*group, group->title(), widthOf(*group, group->title()), group->width() - 2 * iconGap);
        else if (const auto* number = qobject_cast<const QAbstractSpinBox*>(&widget))
            atNumber(*number);
        else if (const auto* edit = qobject_cast<const QLineEdit*>(&widget))
            atEdit(*edit);
        else if (const auto* dock = qobject_cast<const QDockWidget*>(&widget))
            atDock(*dock);
        else if (const auto* list = qobject_cast<const QListWidget*>(&widget))
            atList(*list);
        if (found.size() == before)
            atPlace(widget);
    }

    std::vector<Finding> found;

private:
    void say(const QWidget& widget, const QString& text, const QString& problem)
    {
        found.push_back({placeOf(widget), problem, text});
    }

    // Of a text that needs so many pixels and has so many; likewise lines.
    void compare(const QWidget& widget, const QString& text, int needs, int has, const char* what = "wide")
    {
        if (!text.isEmpty() && needs > has + tolerance)
            say(widget, text, QStringLiteral("cut: %1 of %2 pixels %3").arg(has).arg(needs).arg(QLatin1String(what)));
    }

    static int widthOf(const QWidget& widget, const QString& text)
    {
        return widget.fontMetrics().size(Qt::TextShowMnemonic, text).width();
    }

    void atLabel(const QLabel& label)
    {
        if (label.text().isEmpty())
            return;
        if (!label.wordWrap()) {
            compare(label, label.text(), label.sizeHint().width(), label.width());
            compare(label, label.text(), label.sizeHint().height(), label.height(), "high");
        } else {
            compare(label, label.text(), label.heightForWidth(label.width()), label.height(), "high");
        }
    }

    void atButton(const QAbstractButton& button)
    {
        const QString text = button.text();
        if (const auto* tool = qobject_cast<const QToolButton*>(&button)) {
            const bool showsText = tool->toolButtonStyle() != Qt::ToolButtonIconOnly || tool->icon().isNull();
            if (showsText)
                compare(button, text, button.sizeHint().width(), button.width());
            return;
        }
        QStyle::SubElement contents = QStyle::SE_PushButtonContents;
        if (qobject_cast<const QCheckBox*>(&button) != nullptr)
            contents = QStyle::SE_CheckBoxContents;
        else if (qobject_cast<const QRadioButton*>(&button) != nullptr)
            contents = QStyle::SE_RadioButtonContents;
        else if (qobject_cast<const QPushButton*>(&button) == nullptr)
            return;
        QStyleOptionButton option;
        option.initFrom(&button);
        const QRect room = button.style()->subElementRect(contents, &option, &button);
        const int icon = button.icon().isNull() ? 0 : button.iconSize().width() + iconGap;
        compare(button, text, widthOf(button, text) + icon, room.width());
        compare(button, text, button.fontMetrics().height(), button.height(), "high");
    }

    void atBox(const QComboBox& box)
    {
        if (box.isEditable() || qobject_cast<const ui::ElidedComboBox*>(&box) != nullptr)
            return;
        QStyleOptionComboBox option;
        option.initFrom(&box);
        option.frame = box.hasFrame();
        const QRect room =
            box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
        const int icon = box.itemIcon(box.currentIndex()).isNull() ? 0 : box.iconSize().width() + iconGap;
        compare(box, box.currentText(), box.fontMetrics().horizontalAdvance(box.currentText()) + icon, room.width());
    }

    void atTabs(const QTabBar& tabs)
    {
        for (int i = 0; i < tabs.count(); ++i) {
            const QRect tab = tabs.tabRect(i);
            if (!tabs.isTabVisible(i))
                continue;
            compare(tabs, tabs.tabText(i), widthOf(tabs, tabs.tabText(i)), tab.width() - 2 * iconGap);
            if (!tabs.rect().contains(tab))
                say(tabs, tabs.tabText(i), QStringLiteral("a tab that has to be scrolled to"));
        }
    }

    void atHeader(const QHeaderView& header)
    {
        for (int i = 0; i < header.count() && header.orientation() == Qt::Horizontal; ++i) {
            if (!header.isSectionHidden(i))
                compare(header, header.model()->headerData(i, Qt::Horizontal).toString(), header.sectionSizeHint(i),
                        header.sectionSize(i));
        }
    }

    void atNumber(const QAbstractSpinBox& box)
    {
        const auto* edit = box.findChild<const QLineEdit*>();
        if (edit != nullptr)
            compare(box, box.text(), widthOf(box, box.text()), roomIn(*edit));
    }

    static int roomIn(const QLineEdit& edit)
    {
        QStyleOptionFrame option;
        option.initFrom(&edit);
        option.lineWidth =
            edit.hasFrame() ? edit.style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, &edit) : 0;
        const QRect room = edit.style()->subElementRect(QStyle::SE_LineEditContents, &option, &edit);
        const QMargins margins = edit.textMargins();
        return room.width() - margins.left() - margins.right() - 2 * editMargin;
    }

    // What it says while nothing is typed.
    void atEdit(const QLineEdit& edit)
    {
        if (edit.text().isEmpty())
            compare(edit, edit.placeholderText(), edit.fontMetrics().horizontalAdvance(edit.placeholderText()),
                    roomIn(edit));
    }

    void atDock(const QDockWidget& dock)
    {
        if (dock.titleBarWidget() != nullptr || dock.widget() == nullptr)
            return;
        QStyleOptionDockWidget option;
        option.initFrom(&dock);
        option.rect = QRect(0, 0, dock.width(), dock.widget()->y());
        option.closable = dock.features().testFlag(QDockWidget::DockWidgetClosable);
        option.floatable = dock.features().testFlag(QDockWidget::DockWidgetFloatable);
        option.movable = dock.features().testFlag(QDockWidget::DockWidgetMovable);
        const QRect room = dock.style()->subElementRect(QStyle::SE_DockWidgetTitleBarText, &option, &dock);
        compare(dock, dock.windowTitle(), widthOf(dock, dock.windowTitle()), room.width());
    }

    void atList(const QListWidget& list)
    {
        if (list.flow() == QListView::LeftToRight)
            return;
        if (list.horizontalScrollBar()->isVisibleTo(&list) && list.horizontalScrollBar()->maximum() > 0)
            say(list, QString(), QStringLiteral("lines that have to be scrolled sideways"));
        else if (list.horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff && list.count() > 0)
            compare(list, list.item(0)->text(), list.sizeHintForColumn(0), list.viewport()->width());
    }

    void atPlace(const QWidget& widget)
    {
        if (isOfQt(widget)) {
            const QString name = widget.objectName();
            if (name.contains(QLatin1String("ext_button")))
                say(widget, QString(), QStringLiteral("not everything fits, the rest is in a menu"));
            return;
        }
        const QWidget* const parent = widget.parentWidget();
        const bool isFree = qobject_cast<const QSizeGrip*>(&widget) != nullptr
            || qobject_cast<const QSplitterHandle*>(&widget) != nullptr || isScrolled(widget)
            || (parent != nullptr && qobject_cast<const QTabBar*>(parent) != nullptr)
            || (qobject_cast<const QTabBar*>(&widget) != nullptr && qobject_cast<const QMainWindow*>(parent) != nullptr
                && !parent->rect().intersects(widget.geometry())); // of docks, of which one at most is open
        if (isFree || parent == nullptr || widget.isWindow())
            return;
        if (!widget.geometry().isEmpty() && !parent->rect().contains(widget.geometry())) {
            const QRect outside = widget.geometry();
            say(widget, QString(),
                QStringLiteral("outside: %1,%2 %3x%4 in %5x%6")
                    .arg(outside.x())
                    .arg(outside.y())
                    .arg(outside.width())
                    .arg(outside.height())
                    .arg(parent->width())
                    .arg(parent->height()));
        }
        if (holdsText(widget) && (widget.width() < collapsed || widget.height() < collapsed))
            say(widget, QString(), QStringLiteral("collapsed: %1x%2").arg(widget.width()).arg(widget.height()));
    }

    static bool holdsText(const QWidget& widget)
    {
        const auto* label = qobject_cast<const QLabel*>(&widget);
        const auto* button = qobject_cast<const QAbstractButton*>(&widget);
        return (label != nullptr && !label->text().isEmpty()) || (button != nullptr && !button->text().isEmpty())
            || qobject_cast<const QComboBox*>(&widget) != nullptr || qobject_cast<const QLineEdit*>(&widget) != nullptr
            || qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr;
    }
};

} // namespace

std::vector<Finding> findingsIn(const QWidget& window)
{
    Look look;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (isSeen(*widget, window))
            look.at(*widget);
    }
    return std::move(look.found);
}

QString textOf(const std::vector<Finding>& findings)
{
    QString text;
    for (const Finding& finding : findings)
        text += QStringLiteral("%1: %2%3\n")
                    .arg(finding.widget, finding.problem,
                         finding.text.isEmpty() ? QString() : QStringLiteral(": \u201C%1\u201D").arg(finding.text));
    return text;
}

} // namespace attn::test
