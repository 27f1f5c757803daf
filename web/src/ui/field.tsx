import { type ComponentProps, useState } from 'react';
import { commonText } from '../strings/common';
import styles from './field.module.css';
import { EyeIcon, EyeOffIcon } from './icons';
import { Labelled, type LabelledProps } from './labelled';

interface FieldProps
  extends
    Omit<LabelledProps, 'children'>,
    Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'type' | 'className' | 'children'> {
  /** A password gets a show/hide toggle. */
  type?: 'text' | 'email' | 'url' | 'password' | 'date' | 'time' | 'number';
  onChange?: (value: string) => void;
}

/** A labelled input. */
export function Field({ label, error, hint, type = 'text', onChange, ...input }: FieldProps) {
  const [revealed, setRevealed] = useState(false);
  const isPassword = type === 'password';
  return (
    <Labelled label={label} error={error} hint={hint}>
      {(ties) => (
        <span className={styles.control}>
          <input
            {...input}
            {...ties}
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
      className={styles.reveal}
      onClick={toggle}
      aria-label={revealed ? commonText.hidePassword : commonText.showPassword}
    >
      {revealed ? <EyeOffIcon /> : <EyeIcon />}
    </button>
  );
}
