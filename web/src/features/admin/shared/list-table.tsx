import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
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

const SKELETON_ROWS = 6;

/**
 * A table on wide screens; on a phone each row becomes a card. The roles are written out because CSS that turns rows
 * into blocks takes a table's meaning away in some browsers.
 */
export function ListTable<Row extends { id: string }>({
  caption,
  columns,
  rows,
  busy = false,
  empty,
}: ListTableProps<Row>) {
  if (rows?.length === 0) return <div className={styles.frame}>{empty}</div>;
  return (
    <div className={styles.frame}>
      <table className={styles.table} role="table" aria-label={caption} aria-busy={busy || !rows}>
        <thead role="rowgroup" className={styles.head}>
          <tr role="row">
            {columns.map(({ key, title, place, align }) => (
              <th key={key} role="columnheader" scope="col" data-align={align}>
                {place === 'actions' ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className={busy ? styles.busy : undefined}>
          {rows
            ? rows.map((row) => (
                <tr key={row.id} role="row">
                  {columns.map(({ key, title, cell, place, align, oneLine }) => (
                    <td
                      key={key}
                      role="cell"
                      data-place={place ?? 'fact'}
                      data-title={title}
                      data-align={align}
                      data-one-line={oneLine}
                    >
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))
            : Array.from({ length: SKELETON_ROWS }, (_, index) => (
                <tr key={index} role="row" aria-hidden="true">
                  <td role="cell" colSpan={columns.length}>
                    <Skeleton active title={false} paragraph={{ rows: 1, width: '100%' }} />
                  </td>
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}
