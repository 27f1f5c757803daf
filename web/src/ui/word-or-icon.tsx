import type { ReactNode } from 'react';
import styles from './word-or-icon.module.css';

/** The word of a button, or its icon where what it stands in sets `--word: none` and `--icon: inline-flex`. The button names itself. */
export const WordOrIcon = ({ word, icon }: { word: string; icon: ReactNode }) => (
  <>
    <span className={styles.word}>{word}</span>
    <span className={styles.icon}>{icon}</span>
  </>
);
