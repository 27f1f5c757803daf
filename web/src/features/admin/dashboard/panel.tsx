import { type ReactNode, useId } from 'react';
import { Titled } from '../../../ui/titled';
import styles from './dashboard.module.css';

interface PanelProps {
  title: string;
  lead?: string;
  help?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, lead, help, action, children }: PanelProps) {
  const heading = useId();
  return (
    <section className={styles.panel} aria-labelledby={heading}>
      <header className={styles.header}>
        <div>
          <Titled help={help}>
            <h2 id={heading}>{title}</h2>
          </Titled>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
