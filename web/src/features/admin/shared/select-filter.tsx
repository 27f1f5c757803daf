import { Select } from 'antd';
import { optionsOf } from '../../../ui/choice';
import styles from './admin.module.css';

interface SelectFilterProps<Value extends string> {
  label: string;
  value: Value;
  /** Each value with its words, in the order shown. */
  options: Readonly<Record<Value, string>>;
  change: (value: Value) => void;
}

/** A filter with too many values to show side by side. */
export const SelectFilter = <Value extends string>({
  label,
  value,
  options,
  change,
}: SelectFilterProps<Value>) => (
  <Select<Value>
    className={styles.select}
    aria-label={label}
    value={value}
    onChange={change}
    popupMatchSelectWidth={false}
    options={optionsOf(options)}
  />
);
