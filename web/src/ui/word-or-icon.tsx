import type { ReactNode } from 'react';
import styles from './word-or-icon.module.css';

/** Shows the word, or the icon if the container sets `--word: none` and `--icon: inline-flex`. */
export const WordOrIcon = ({ word, icon }: { word: string; icon: ReactNode }) => (
  <>
    <span className={styles.word}>{word}</span>
    <span className={styles.icon}>{icon}</span>
  </>
);
