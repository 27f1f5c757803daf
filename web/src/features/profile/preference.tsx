import { Switch } from 'antd';
import { type ReactNode, useId } from 'react';
import styles from './profile.module.css';

interface PreferenceProps {
  name: string;
  hint: ReactNode;
  on: boolean;
  busy: boolean;
  turn: (on: boolean) => void;
}

export function Preference({ name, hint, on, busy, turn }: PreferenceProps) {
  const id = useId();
  return (
    <div className={styles.preference}>
      <label htmlFor={id}>
        <strong>{name}</strong>
        <span className={styles.soft}>{hint}</span>
      </label>
      {/* Doesn't use `disabled` while saving, because the switch would lose the focus. */}
      <Switch
        id={id}
        checked={on}
        className={busy ? 'ant-switch-disabled' : undefined}
        aria-disabled={busy || undefined}
        onChange={turn}
      />
    </div>
  );
}
