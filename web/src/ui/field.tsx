import { LIMITS } from '@meetmark/contracts/limits';
import { commonText } from '@meetmark/i18n/texts/common';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './field.module.css';
import { EyeIcon, EyeOffIcon } from './icons';

interface FieldProps
  extends
    Omit<LabelledProps, 'children'>,
    Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'type' | 'className' | 'children'> {
  /**
   * Use `DateField` for a date, and 'text' with `readNumber` for a number. Browsers' number inputs drop
   * separators of another language.
   */
  type?: 'text' | 'email' | 'url' | 'password' | 'time';
  onChange?: (value: string) => void;
}

export function Field({ label, error, hint, type = 'text', onChange, autoFocus, ...input }: FieldProps) {
  const [revealed, setRevealed] = useState(false);
  const control = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) control.current?.focus();
  }, [autoFocus]);
  const isPassword = type === 'password';
  return (
    <Labelled label={label} error={error} hint={hint}>
      {(ties) => (
        <span className={styles.control}>
          <input
            {...input}
            {...ties}
            ref={control}
            className={styles.input}
            type={isPassword && revealed ? 'text' : type}
            onChange={(event) => onChange?.(event.target.value)}
          />
          {isPassword && <Reveal revealed={revealed} toggle={() => setRevealed(!revealed)} />}
        </span>
      )}
    </Labelled>
  );
}

function Reveal({ revealed, toggle }: { revealed: boolean; toggle: () => void }) {
  return (
    <button
      type="button"
      className={`${styles.bare} ${styles.reveal}`}
      onClick={toggle}
      aria-label={revealed ? commonText.hidePassword : commonText.showPassword}
    >
      {revealed ? <EyeOffIcon /> : <EyeIcon />}
    </button>
  );
}

interface TextAreaProps extends Omit<LabelledProps, 'children'> {
  instead?: ReactNode | ((ties: Ties) => ReactNode);
  value: string | undefined;
  onChange: (value: string) => void;
  placeholder?: string;
  maxLength: number;
  disabled?: boolean;
  rows?: number;
}

export function TextArea({ label, error, hint, side, instead, onChange, rows = 5, ...area }: TextAreaProps) {
  return (
    <Labelled
      label={label}
      error={error}
      hint={instead && typeof instead !== 'function' ? undefined : hint}
      side={side}
    >
      {(ties) =>
        (typeof instead === 'function' ? instead(ties) : instead) || (
          <textarea
            {...area}
            {...ties}
            rows={rows}
            className={`${styles.input} ${styles.area}`}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Labelled>
  );
}

type Given = Omit<ComponentProps<typeof Field>, 'type' | 'maxLength'>;

export const FirstNameField = (field: Given) => (
  <Field autoComplete="given-name" maxLength={LIMITS.name} {...field} />
);
export const LastNameField = (field: Given) => (
  <Field autoComplete="family-name" maxLength={LIMITS.name} {...field} />
);
/** By default, browsers fill in the saved user name. Another `autoComplete` prevents this. */
export const EmailField = (field: Given) => (
  <Field type="email" autoComplete="username" maxLength={LIMITS.email} {...field} />
);

export interface Ties {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface LabelledProps {
  label: string;
  error?: string | null;
  hint?: ReactNode;
  side?: ReactNode;
  children: (ties: Ties) => ReactNode;
}

export function Labelled({ label, error, hint, side, children }: LabelledProps) {
  const id = useId();
  const noted = error || hint;
  const noteId = `${id}-note`;
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label
          htmlFor={id}
          onClick={() => {
            const control = document.getElementById(id);
            if (control?.isContentEditable) control.focus();
          }}
        >
          {label}
        </label>
        {side}
      </div>
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
