import { adminText } from '@meetmark/i18n/texts/admin';
import { Checkbox, Select, Skeleton, Table, type TableProps } from 'antd';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ChevronDownIcon } from '../../../ui/icons';
import { ActionButton } from '../../../ui/action-button';
import { toOptions } from '../../../ui/choice';
import { Avatar, type AvatarPerson } from '../../../ui/marks';
import { MoreMenu } from '../../../ui/more-menu';
import { SearchBox } from '../../../ui/search-box';
import { useMedia } from '../../../ui/use-media';
import { WordOrIcon } from '../../../ui/word-or-icon';
import styles from './admin.module.css';
import type { Selection } from './selection';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  place?: 'lead' | 'actions';
  align?: 'end';
  oneLine?: boolean;
  onPhone?: boolean;
  /** How the last line of a compact row shows the cell: as text, with the column's title, or as a badge. */
  phoneLine?: 'fact' | 'titled' | 'mark';
}

export interface ListTableProps<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  busy?: boolean;
  /** On phones, shows rows as two lines instead of cards. */
  compact?: boolean;
  empty: ReactNode;
  selection?: Selection<Row>;
  getName?: (row: Row) => string;
}

// explicit roles, because some browsers drop table semantics if rows are blocks
const COMPONENTS = {
  table: (props: ComponentProps<'table'>) => <table {...props} role="table" />,
  header: { wrapper: (props: ComponentProps<'thead'>) => <thead {...props} role="rowgroup" /> },
  body: { wrapper: (props: ComponentProps<'tbody'>) => <tbody {...props} role="rowgroup" /> },
};
const ROW = () => ({ role: 'row' });

const SKELETONS = Array.from({ length: 6 }, (_, index) => ({ id: String(index) }));

export function ListTable<Row extends { id: string }>({
  caption,
  columns,
  rows,
  busy = false,
  compact = false,
  empty,
  selection,
  getName = ({ id }) => id,
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
            aria-label={adminText.select({ subject: getName(row) })}
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
  show?: () => void;
  children?: ReactNode;
}

export function Person({ person, show, children }: PersonProps) {
  const name = (
    <bdi>
      {person.firstName} {person.lastName}
    </bdi>
  );
  return (
    <div className={styles.person}>
      <Avatar person={person} size={40} />
      <div className="min-0">
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
  icon?: ReactNode;
  danger?: boolean;
  run: () => void | Promise<void>;
}

interface RowActionsProps {
  subject: string;
  actions: RowAction[];
  children?: ReactNode;
}

export const useWideRows = () => useMedia('(min-width: 64em)');

export function RowActions({ subject, actions, children }: RowActionsProps) {
  return (
    <div className={styles.actions}>
      {/* Keyed by position, to keep the focus when 'Make Admin' becomes 'Remove Admin'. */}
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

interface ListToolbarProps {
  hint: string;
  q: string;
  change: (changed: { q: string }) => void;
  children: ReactNode;
}

export const ListToolbar = ({ hint, q, change, children }: ListToolbarProps) => (
  <div className={styles.toolbar} role="search">
    <SearchBox
      className={styles.search}
      label={hint}
      placeholder={hint}
      value={q}
      onSearch={(sought) => change({ q: sought })}
    />
    {children}
  </div>
);

interface SelectFilterProps<Value extends string> {
  label: string;
  value: Value;
  options: Readonly<Record<Value, string>>;
  change: (value: Value) => void;
}

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
    suffixIcon={<ChevronDownIcon size={16} />}
    popupMatchSelectWidth={false}
    options={toOptions(options)}
  />
);
