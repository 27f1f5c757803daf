import type { ReactNode } from 'react';
import { usePageTitle } from '../../../ui/page-title';
import styles from './page-heading.module.css';

/** Where the focus goes when the control that had it is gone (a deleted row). */
export const HEADING_ID = 'admin-heading';

interface PageHeadingProps {
  title: string;
  lead?: string;
  children?: ReactNode;
}

/** The screen's name, one line about it, and its main actions. */
export function PageHeading({ title, lead, children }: PageHeadingProps) {
  usePageTitle(title);
  return (
    <header className={styles.heading}>
      <div>
        <h1 id={HEADING_ID} className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        <p className={styles.lead}>{lead}</p>
      </div>
      <div className={styles.actions}>{children}</div>
    </header>
  );
}
