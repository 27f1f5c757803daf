import { formatText } from '../../../strings/events';
import { Choice, optionsOf } from '../../../ui/choice';
import type { EventFormFields } from './event-fields';
import styles from './event-form.module.css';

const OPTIONS = optionsOf(formatText.names);

interface FormatFieldProps {
  format: EventFormFields['format'];
  change: (changed: Partial<EventFormFields>) => void;
}

/** In person, online or both. */
export function FormatField({ format, change }: FormatFieldProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{formatText.label}</legend>
      <Choice
        label={formatText.label}
        options={OPTIONS}
        value={format}
        change={(chosen) => change({ format: chosen })}
      />
    </fieldset>
  );
}
