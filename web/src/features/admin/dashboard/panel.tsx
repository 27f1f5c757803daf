import { type ReactNode, useId } from 'react';
import styles from './dashboard.module.css';

interface PanelProps {
  title: string;
  lead?: string;
  /** Stands beside the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** One of the dashboard's framed parts. */
export function Panel({ title, lead, action, children }: PanelProps) {
  const heading = useId();
  return (
    <section className={styles.panel} aria-labelledby={heading}>
      <header className={styles.header}>
        <div>
          <h2 id={heading}>{title}</h2>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
