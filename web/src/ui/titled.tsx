import type { ReactNode } from 'react';
import styles from './titled.module.css';

interface TitledProps {
  /** Not part of the heading, so that the panel's name stays short. */
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
