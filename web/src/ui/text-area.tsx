import { useId } from 'react';
import styles from './field.module.css';

interface TextAreaProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  maxLength: number;
  rows?: number;
}

/** A labelled field of several lines. */
export function TextArea({ label, onChange, rows = 5, ...area }: TextAreaProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        {...area}
        id={id}
        rows={rows}
        className={`${styles.input} ${styles.area}`}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
