import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

/** What a control takes over, so that assistive technology reads its label and note with it. */
interface Ties {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export interface LabelledProps {
  label: string;
  error?: string | null;
  hint?: ReactNode;
  children: (ties: Ties) => ReactNode;
}

/** A control below its label, what is wrong with it and a hint below that. */
export function Labelled({ label, error, hint, children }: LabelledProps) {
  const id = useId();
  const noted = error || hint;
  const noteId = `${id}-note`;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': noted ? noteId : undefined,
      })}
      {noted && (
        <div id={noteId} className={styles.note}>
          {error && (
            <p className={styles.error} role="alert">
              {error}
            </p>
          )}
          {hint}
        </div>
      )}
    </div>
  );
}
