import styles from './field.module.css';
import { Labelled, type LabelledProps } from './labelled';

interface TextAreaProps extends Omit<LabelledProps, 'children'> {
  value: string | undefined;
  onChange: (value: string) => void;
  placeholder?: string;
  maxLength: number;
  rows?: number;
}

/** A labelled field of several lines. */
export function TextArea({ label, error, hint, onChange, rows = 5, ...area }: TextAreaProps) {
  return (
    <Labelled label={label} error={error} hint={hint}>
      {(ties) => (
        <textarea
          {...area}
          {...ties}
          rows={rows}
          className={`${styles.input} ${styles.area}`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  );
}
