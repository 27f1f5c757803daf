import { adminText } from '@meetmark/i18n/texts/admin';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import styles from './admin.module.css';

export interface Selection<Row> {
  rows: Row[];
  has: (row: Row) => boolean;
  choose: (rows: Row[], chosen: boolean) => void;
  clear: () => void;
}

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
  list: string;
  selection: Pick<Selection<unknown>, 'rows' | 'clear'>;
  children: ReactNode;
}

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
