import type { Event } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { eventFormText as text } from '../../../strings/event-form';
import { DialogActions } from '../../../ui/dialog-actions';
import { Field } from '../../../ui/field';
import { Refusal } from '../../../ui/notice';
import { TextArea } from '../../../ui/text-area';
import { useToasts } from '../../../ui/toasts';
import { BannerField } from './banner-field';
import { DateTimeFields } from './date-time-fields';
import {
  type EventFormErrors,
  eventFormErrors,
  type EventFormFields,
  fieldsOf,
  isRangeValid,
} from './event-fields';
import styles from './event-form.module.css';
import { FormatField } from './format-field';
import { PricingFields } from './pricing-fields';
import { useSubmitEvent } from './use-submit-event';

interface EventFormProps {
  event?: Event;
  template?: Event;
  dismiss: () => void;
}

export function EventForm({ event, template, dismiss }: EventFormProps) {
  const toasts = useToasts();
  const { submit: save, isPending, refusal } = useSubmitEvent(event, dismiss);
  const [fields, setFields] = useState<EventFormFields>(() => fieldsOf(event ?? template));
  const [errors, setErrors] = useState<EventFormErrors>({});
  const change = (changed: Partial<EventFormFields>) => setFields((current) => ({ ...current, ...changed }));

  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    const found = eventFormErrors(fields);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    if (isRangeValid(fields)) save(fields);
    else toasts.error(text.invalidRange, text.invalidRangeDetail);
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field
        label={text.title}
        autoFocus
        placeholder={text.titlePlaceholder}
        value={fields.title}
        error={errors.title}
        onChange={(title) => change({ title })}
      />
      <TextArea
        label={text.description}
        placeholder={text.descriptionPlaceholder}
        maxLength={LIMITS.description}
        value={fields.description}
        onChange={(description) => change({ description })}
      />
      <DateTimeFields fields={fields} errors={errors} change={change} />
      <FormatField format={fields.format} change={change} />
      <div className={styles.pair}>
        <Field
          label={text.location}
          placeholder={text.locationPlaceholder}
          maxLength={LIMITS.location}
          value={fields.location}
          onChange={(location) => change({ location })}
        />
        <Field
          label={text.capacity}
          type="number"
          min={1}
          step={1}
          placeholder={text.capacityPlaceholder}
          value={fields.capacity}
          error={errors.capacity}
          hint={event && event.registrationCount > 0 ? text.registered(event.registrationCount) : undefined}
          onChange={(capacity) => change({ capacity })}
        />
      </div>
      <BannerField url={fields.bannerImageUrl} change={(bannerImageUrl) => change({ bannerImageUrl })} />
      <PricingFields fields={fields} error={errors.price} change={change} />
      {refusal && <Refusal>{refusal}</Refusal>}
      <DialogActions>
        <Button onClick={dismiss}>{text.cancel}</Button>
        <Button type="primary" htmlType="submit" disabled={isPending}>
          {event ? (isPending ? text.updating : text.update) : isPending ? text.creating : text.create}
        </Button>
      </DialogActions>
    </form>
  );
}
