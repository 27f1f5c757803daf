import type { ReactNode } from 'react';
import styles from './titled.module.css';

interface TitledProps {
  /** Beside the heading, and no part of it: its name stays that of the panel. */
  help?: ReactNode;
  /** The heading. */
  children: ReactNode;
}

export const Titled = ({ help, children }: TitledProps) =>
  help ? (
    <div className={styles.titled}>
      {children}
      {help}
    </div>
  ) : (
    children
  );
