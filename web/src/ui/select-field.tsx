import type { ComponentProps } from 'react';
import { Labelled } from './field';
import styles from './field.module.css';

interface SelectFieldProps extends Omit<ComponentProps<typeof Labelled>, 'children'> {
  options: readonly { value: string; label: string; lang?: string }[];
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
}

export const SelectField = ({ options, value, onChange, disabled, ...labelled }: SelectFieldProps) => (
  <Labelled {...labelled}>
    {(ties) => (
      <select
        {...ties}
        className={styles.input}
        value={value}
        disabled={disabled}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);
