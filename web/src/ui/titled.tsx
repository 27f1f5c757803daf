import type { ReactNode } from 'react';
import styles from './titled.module.css';

interface TitledProps {
  /** Shown next to the heading, not in it, so that the panel's accessible name stays short. */
  help?: ReactNode;
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
