import { adminText } from '@meetmark/contracts/texts/admin';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import styles from './admin.module.css';

export interface Selection<Row> {
  /** Those that are chosen, in the order in which they were, also from other pages of the list. */
  rows: Row[];
  has: (row: Row) => boolean;
  choose: (rows: Row[], chosen: boolean) => void;
  clear: () => void;
}

/** Rows of a list that something is done with together; they stay chosen while one goes through its pages. */
export function useSelection<Row extends { id: string }>(): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  return {
    rows: [...chosen.values()],
    has: ({ id }) => chosen.has(id),
    choose(rows, on) {
      const next = new Map(chosen);
      for (const row of rows)
        if (on) next.set(row.id, row);
        else next.delete(row.id);
      setChosen(next);
    },
    clear: () => setChosen(new Map()),
  };
}

interface SelectionBarProps {
  /** What the list holds. */
  list: string;
  selection: Pick<Selection<unknown>, 'rows' | 'clear'>;
  /** What can be done with them. */
  children: ReactNode;
}

/** How many rows are chosen, and what can be done with them; nothing while none is. */
export function SelectionBar({ list, selection: { rows, clear }, children }: SelectionBarProps) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {rows.length > 0 && adminText.selected({ count: rows.length })}
      </p>
      {rows.length > 0 && (
        <section className={styles.selection} aria-label={adminText.selectionOf({ list })}>
          <p aria-hidden="true">{adminText.selected({ count: rows.length })}</p>
          {children}
          <Button type="text" onClick={clear}>
            {adminText.clearSelection}
          </Button>
        </section>
      )}
    </>
  );
}
