import { Skeleton, Table, type TableProps } from 'antd';
import type { ComponentProps, ReactNode } from 'react';
import styles from './admin.module.css';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** `lead` is the heading of the card that a row becomes on a phone, `actions` its foot. */
  place?: 'lead' | 'actions';
  align?: 'end';
  /** Never broken over lines on a wide screen (dates). */
  oneLine?: boolean;
}

interface ListTableProps<Row> {
  /** Names the table for screen readers. */
  caption: string;
  columns: Column<Row>[];
  /** Undefined until the first page is there. */
  rows: Row[] | undefined;
  /** Another page is on its way while this one stays on screen. */
  busy?: boolean;
  empty: ReactNode;
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
  empty,
}: ListTableProps<Row>) {
  if (rows?.length === 0) return <div className={styles.frame}>{empty}</div>;
  const common = { 'aria-label': caption, components: COMPONENTS, rowKey: 'id', pagination: false } as const;
  const heads = columns.map(({ key, title, place, align }) => ({
    key,
    align,
    title: place === 'actions' ? <span className="visually-hidden">{title}</span> : title,
    onHeaderCell: () => ({ role: 'columnheader' }),
  }));
  const cells: TableProps<Row>['columns'] = columns.map(
    ({ cell, title, place = 'fact', oneLine }, index) => ({
      ...heads[index],
      render: (_, row) => cell(row),
      onCell: () => ({ role: 'cell', 'data-place': place, 'data-title': title, 'data-one-line': oneLine }),
    }),
  );
  return (
    <div className={styles.frame}>
      {rows ? (
        <Table
          {...common}
          aria-busy={busy}
          className={busy ? styles.busy : undefined}
          columns={cells}
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
