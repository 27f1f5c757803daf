import { calendarText } from '../../../strings/events';
import { eventFormText as text } from '../../../strings/event-form';
import { Field } from '../../../ui/field';
import { useFormats } from '../../../ui/use-formats';
import type { EventFormErrors, EventFormFields } from './event-fields';
import styles from './event-form.module.css';

interface DateTimeFieldsProps {
  fields: EventFormFields;
  errors: EventFormErrors;
  change: (changed: Partial<EventFormFields>) => void;
}

/** Start and end on the viewer's clock. The browser's own pickers: the best there are on a phone, and no weight. */
export function DateTimeFields({ fields, errors, change }: DateTimeFieldsProps) {
  const zone = useFormats().viewerZone();
  // A new start on a form without an end suggests the same day.
  const changeStart = (startDate: string) => change({ startDate, endDate: fields.endDate || startDate });
  return (
    <>
      <div className={styles.pair}>
        <Field
          label={text.startDate}
          type="date"
          value={fields.startDate}
          error={errors.startDate}
          onChange={changeStart}
        />
        <Field
          label={text.startTime}
          type="time"
          value={fields.startTime}
          error={errors.startTime}
          onChange={(startTime) => change({ startTime })}
        />
      </div>
      <div className={styles.pair}>
        <Field
          label={text.endDate}
          type="date"
          value={fields.endDate}
          error={errors.endDate}
          onChange={(endDate) => change({ endDate })}
        />
        <Field
          label={text.endTime}
          type="time"
          value={fields.endTime}
          error={errors.endTime}
          onChange={(endTime) => change({ endTime })}
        />
      </div>
      {zone && <p className={styles.soft}>{calendarText.zone(zone)}</p>}
    </>
  );
}
