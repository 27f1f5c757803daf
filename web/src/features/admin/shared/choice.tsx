import { Select } from 'antd';
import styles from './toolbar.module.css';

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  /** Each value with its words, in the order shown. */
  options: Readonly<Record<Value, string>>;
  onChange: (value: Value) => void;
}

/** One filter of a list. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const entries = Object.entries(options) as [Value, string][];
  return (
    <Select<Value>
      className={styles.choice}
      aria-label={label}
      value={value}
      onChange={onChange}
      popupMatchSelectWidth={false}
      options={entries.map(([option, words]) => ({ value: option, label: words }))}
    />
  );
}
