import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { commonText } from '../strings/common';
import styles from './field.module.css';
import { EyeIcon, EyeOffIcon } from './icons';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'type' | 'className'> {
  label: string;
  /** A password gets a show/hide toggle. */
  type?: 'text' | 'email' | 'url' | 'password' | 'date' | 'time' | 'number';
  error?: string | null;
  hint?: ReactNode;
  onChange?: (value: string) => void;
}

/** A labelled input with its error below it, tied together for assistive technology. */
export function Field({ label, error, hint, type = 'text', onChange, ...input }: FieldProps) {
  const id = useId();
  const [revealed, setRevealed] = useState(false);
  const noteId = `${id}-note`;
  const isPassword = type === 'password';
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.control}>
        <input
          {...input}
          id={id}
          className={styles.input}
          type={isPassword && revealed ? 'text' : type}
          onChange={(event) => onChange?.(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? noteId : undefined}
        />
        {isPassword && <Reveal revealed={revealed} toggle={() => setRevealed(!revealed)} />}
      </span>
      {(error || hint) && (
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

function Reveal({ revealed, toggle }: { revealed: boolean; toggle: () => void }) {
  return (
    <button
      type="button"
      className={styles.reveal}
      onClick={toggle}
      aria-label={revealed ? commonText.hidePassword : commonText.showPassword}
    >
      {revealed ? <EyeOffIcon /> : <EyeIcon />}
    </button>
  );
}
