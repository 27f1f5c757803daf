import { LIMITS } from '@meetmark/contracts/limits';
import { commonText } from '@meetmark/contracts/texts/common';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './field.module.css';
import { EyeIcon, EyeOffIcon } from './icons';

interface FieldProps
  extends
    Omit<LabelledProps, 'children'>,
    Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'type' | 'className' | 'children'> {
  /** A password gets a show/hide toggle. */
  type?: 'text' | 'email' | 'url' | 'password' | 'date' | 'time' | 'datetime-local' | 'number';
  onChange?: (value: string) => void;
}

/** A labelled input. */
export function Field({ label, error, hint, type = 'text', onChange, autoFocus, ...input }: FieldProps) {
  const [revealed, setRevealed] = useState(false);
  const control = useRef<HTMLInputElement>(null);
  // React itself would do so before antd has put a dialog into the page.
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
  /** Takes the place of the field: another one with its ties, or what is no field, such as how its text will look. */
  instead?: ReactNode | ((ties: Ties) => ReactNode);
  value: string | undefined;
  onChange: (value: string) => void;
  placeholder?: string;
  maxLength: number;
  disabled?: boolean;
  rows?: number;
}

/** A labelled field of several lines. */
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

/** The fields of every form about a person, with the browser's autofill and the server's limits. */
export const FirstNameField = (field: Given) => (
  <Field autoComplete="given-name" maxLength={LIMITS.name} {...field} />
);
export const LastNameField = (field: Given) => (
  <Field autoComplete="family-name" maxLength={LIMITS.name} {...field} />
);
/** Filled in as the name that signs in, by default. */
export const EmailField = (field: Given) => (
  <Field type="email" autoComplete="username" maxLength={LIMITS.email} {...field} />
);

/** Attributes that tie a control to its label and note for assistive technology. */
export interface Ties {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface LabelledProps {
  label: string;
  error?: string | null;
  hint?: ReactNode;
  /** Stands at the other end of the label's line. */
  side?: ReactNode;
  children: (ties: Ties) => ReactNode;
}

/** A control with its label above, its error and a hint below. */
export function Labelled({ label, error, hint, side, children }: LabelledProps) {
  const id = useId();
  const noted = error || hint;
  const noteId = `${id}-note`;
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label
          htmlFor={id}
          // browsers do so for inputs alone
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
