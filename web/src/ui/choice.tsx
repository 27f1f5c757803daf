import { useId } from 'react';
import styles from './choice.module.css';

interface ChoiceProps<Value extends string> {
  /** Names the group for assistive technology. */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  change: (value: Value) => void;
  /** Whether it fills the width it is given. */
  block?: boolean;
}

/** A few options of which exactly one holds, side by side. */
export function Choice<Value extends string>({ label, options, value, change, block }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.choice} data-block={block || undefined}>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => change(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}

/** Options in the order of their labels' catalogue. */
export const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
