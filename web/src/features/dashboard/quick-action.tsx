import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ArrowIcon } from '../../ui/icons';
import styles from './dashboard.module.css';

interface QuickActionProps {
  to: string;
  icon: ReactNode;
  name: string;
  hint: string;
}

export function QuickAction({ to, icon, name, hint }: QuickActionProps) {
  return (
    <li>
      <Link to={to} className={styles.action}>
        <span className={styles.actionIcon}>{icon}</span>
        <span>
          <strong>{name}</strong>
          <span className={styles.actionHint}>{hint}</span>
        </span>
        <span className={styles.arrow}>
          <ArrowIcon />
        </span>
      </Link>
    </li>
  );
}
