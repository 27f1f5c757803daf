import { adminText } from '@meetmark/contracts/texts/admin';
import { Checkbox, Select, Skeleton, Table, type TableProps } from 'antd';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ChevronDownIcon } from '../../../ui/icons';
import { ActionButton } from '../../../ui/action-button';
import { optionsOf } from '../../../ui/choice';
import { Avatar, type AvatarPerson } from '../../../ui/marks';
import { MoreMenu } from '../../../ui/more-menu';
import { useMedia } from '../../../ui/use-media';
import { WordOrIcon } from '../../../ui/word-or-icon';
import styles from './admin.module.css';
import type { Selection } from './selection';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** `lead` is the heading of the card that a row becomes on a phone, `actions` its foot. */
  place?: 'lead' | 'actions';
  align?: 'end';
  /** Never broken over lines on a wide screen (dates). */
  oneLine?: boolean;
  /** Shows the column under the lead on a phone, in a compact list. */
  onPhone?: boolean;
  /** In a compact list, what the last line of a phone's row holds: a fact, also with the title before it, and a mark at its end. */
  phoneLine?: 'fact' | 'titled' | 'mark';
}

export interface ListTableProps<Row> {
  /** Names the table for screen readers. */
  caption: string;
  columns: Column<Row>[];
  /** Undefined until the first page is there. */
  rows: Row[] | undefined;
  /** Another page is on its way while this one stays on screen. */
  busy?: boolean;
  /** On a phone a row is two lines with its actions beside them, and not a card of all its columns. */
  compact?: boolean;
  empty: ReactNode;
  /** Rows can be chosen, to do something with them together. */
  selection?: Selection<Row>;
  /** What a row is called, for its checkbox. */
  nameOf?: (row: Row) => string;
}

// The roles are explicit: in some browsers a table whose rows are blocks loses its meaning.
const COMPONENTS = {
  table: (props: ComponentProps<'table'>) => <table {...props} role="table" />,
  header: { wrapper: (props: ComponentProps<'thead'>) => <thead {...props} role="rowgroup" /> },
  body: { wrapper: (props: ComponentProps<'tbody'>) => <tbody {...props} role="rowgroup" /> },
};
const ROW = () => ({ role: 'row' });

const SKELETONS = Array.from({ length: 6 }, (_, index) => ({ id: String(index) }));

/** A table on wide screens; on a phone each row becomes a card. */
export function ListTable<Row extends { id: string }>({
  caption,
  columns,
  rows,
  busy = false,
  compact = false,
  empty,
  selection,
  nameOf = ({ id }) => id,
}: ListTableProps<Row>) {
  if (rows?.length === 0) return <div className={styles.frame}>{empty}</div>;
  const common = { 'aria-label': caption, components: COMPONENTS, rowKey: 'id', pagination: false } as const;
  const checkboxes: TableProps<Row>['columns'] = selection &&
    rows && [
      {
        key: 'select',
        title: (
          <>
            <span className="visually-hidden">{adminText.selectColumn}</span>
            <Checkbox
              aria-label={adminText.selectPage}
              checked={rows.every(selection.has)}
              indeterminate={rows.some(selection.has) && !rows.every(selection.has)}
              onChange={({ target }) => selection.choose(rows, target.checked)}
            />
          </>
        ),
        onHeaderCell: () => ({ role: 'columnheader' }),
        render: (_, row) => (
          <Checkbox
            aria-label={adminText.select({ subject: nameOf(row) })}
            checked={selection.has(row)}
            onChange={({ target }) => selection.choose([row], target.checked)}
          />
        ),
        onCell: () => ({ role: 'cell', 'data-place': 'select' }),
      },
    ];
  const heads = columns.map(({ key, title, place, align }) => ({
    key,
    align,
    title: place === 'actions' ? <span className="visually-hidden">{title}</span> : title,
    onHeaderCell: () => ({ role: 'columnheader' }),
  }));
  const cells: TableProps<Row>['columns'] = columns.map(
    ({ cell, title, place = 'fact', oneLine, onPhone, phoneLine }, index) => ({
      ...heads[index],
      render: (_, row) => cell(row),
      onCell: () => ({
        role: 'cell',
        'data-place': place,
        'data-title': title,
        'data-one-line': oneLine,
        'data-on-phone': onPhone,
        'data-phone-line': phoneLine,
      }),
    }),
  );
  return (
    <div
      className={styles.frame}
      data-compact={compact || undefined}
      data-selectable={selection ? '' : undefined}
    >
      {rows ? (
        <Table
          {...common}
          aria-busy={busy}
          className={busy ? styles.busy : undefined}
          columns={[...(checkboxes ?? []), ...cells]}
          dataSource={rows}
          onRow={ROW}
          onHeaderRow={ROW}
        />
      ) : (
        <Table
          {...common}
          aria-busy
          columns={heads.map((head, index) => ({
            ...head,
            render: () => <Skeleton active title={false} paragraph={{ rows: 1, width: '100%' }} />,
            onCell: () => ({ role: 'cell', colSpan: index === 0 ? columns.length : 0 }),
          }))}
          dataSource={SKELETONS}
          onRow={() => ({ role: 'row', 'aria-hidden': true })}
          onHeaderRow={ROW}
        />
      )}
    </div>
  );
}

interface PersonProps {
  person: AvatarPerson & { firstName: string; lastName: string; email: string };
  /** Shows more of them; a press anywhere in the row does. */
  show?: () => void;
  children?: ReactNode;
}

/** Picture, full name and address of someone in a list. */
export function Person({ person, show, children }: PersonProps) {
  const name = (
    <bdi>
      {person.firstName} {person.lastName}
    </bdi>
  );
  return (
    <div className={styles.person}>
      <Avatar person={person} size={40} />
      <div className={styles.words}>
        <p className={styles.name}>
          {show ? (
            <button type="button" className={styles.title} onClick={show}>
              {name}
            </button>
          ) : (
            name
          )}{' '}
          {children}
        </p>
        <p className={styles.email}>{person.email}</p>
      </div>
    </div>
  );
}

export interface RowAction {
  label: string;
  /** Stands in the place of the word where a list is narrow. */
  icon?: ReactNode;
  danger?: boolean;
  /** While the promise is open the button shows it and does nothing. */
  run: () => void | Promise<void>;
}

interface RowActionsProps {
  /** Whose actions they are: part of each button's name for screen readers. */
  subject: string;
  actions: RowAction[];
  /** What stands after the buttons, such as a menu. */
  children?: ReactNode;
}

/** Whether a row has room for all that is done with it as words. What the product has beside that stays behind 'More'. */
export const useWideRows = () => useMedia('(min-width: 80em)');

export function RowActions({ subject, actions, children }: RowActionsProps) {
  return (
    <div className={styles.actions}>
      {/* Keyed by position: 'Make Admin' becomes 'Remove Admin' and keeps the focus. */}
      {actions.map((action, place) => (
        <RowButton key={place} subject={subject} {...action} />
      ))}
      {children}
    </div>
  );
}

function RowButton({ subject, label, icon, danger, run }: RowAction & { subject: string }) {
  const [running, setRunning] = useState(false);
  const start = async () => {
    const outcome = run();
    if (!outcome) return;
    setRunning(true);
    await outcome;
    setRunning(false);
  };
  return (
    <ActionButton
      size="small"
      type="text"
      danger={danger}
      loading={running}
      aria-label={adminText.actionFor({ action: label, subject })}
      onClick={() => void start()}
    >
      {icon ? <WordOrIcon word={label} icon={icon} /> : label}
    </ActionButton>
  );
}

/** What is done seldom with a row, behind 'More'. */
export const RowMenu = ({ subject, actions }: Pick<RowActionsProps, 'subject' | 'actions'>) => (
  <MoreMenu
    label={adminText.more}
    name={adminText.actionFor({ action: adminText.more, subject })}
    items={actions.map(({ label, danger, run }) => ({
      key: label,
      label,
      danger,
      onClick: () => void run(),
    }))}
  />
);

interface SelectFilterProps<Value extends string> {
  label: string;
  value: Value;
  /** Each value with its words, in the order shown. */
  options: Readonly<Record<Value, string>>;
  change: (value: Value) => void;
}

/** A filter with too many values to show side by side. */
export const SelectFilter = <Value extends string>({
  label,
  value,
  options,
  change,
}: SelectFilterProps<Value>) => (
  <Select<Value>
    className={styles.select}
    aria-label={label}
    value={value}
    onChange={change}
    // antd's own has an English name
    suffixIcon={<ChevronDownIcon size={16} />}
    popupMatchSelectWidth={false}
    options={optionsOf(options)}
  />
);
