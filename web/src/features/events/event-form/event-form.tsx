import type { Event } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { Button } from 'antd';
import { eventFormText as text } from '../../../strings/event-form';
import { ActionButton } from '../../../ui/action-button';
import { DialogActions } from '../../../ui/dialog-actions';
import { Field, TextArea } from '../../../ui/field';
import { Refusal } from '../../../ui/feedback';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { EventConflict } from './event-conflict';
import { BannerField } from './banner-field';
import { DateTimeFields } from './date-time-fields';
import { eventFormErrors, fieldsOf, isRangeValid } from './event-fields';
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
  const { form, fields, errors, change, bind, refuse, refuseAs, submit } = useForm(
    () => fieldsOf(event ?? template),
    eventFormErrors,
  );
  const { save, isPending, refusal, conflict } = useSubmitEvent(event, { done: dismiss, refused: refuseAs });

  const saveIfInOrder = submit((valid) => {
    if (isRangeValid(valid)) return save(valid);
    toasts.error(text.invalidRange, text.invalidRangeDetail);
    refuse({ endTime: text.invalidRangeDetail });
  });

  const saveMine = () => {
    const found = eventFormErrors(fields);
    if (Object.keys(found).length > 0) return refuse(found);
    if (!isRangeValid(fields)) return refuse({ endTime: text.invalidRangeDetail });
    conflict?.saveMine(fields);
  };

  return (
    <form ref={form} className={styles.form} onSubmit={saveIfInOrder} noValidate>
      <Field label={text.title} autoFocus placeholder={text.titlePlaceholder} {...bind('title')} />
      <TextArea
        label={text.description}
        placeholder={text.descriptionPlaceholder}
        maxLength={LIMITS.description}
        {...bind('description')}
      />
      <DateTimeFields fields={fields} errors={errors} change={change} />
      <FormatField format={fields.format} change={change} />
      <div className={styles.pair}>
        <Field
          label={text.location}
          placeholder={text.locationPlaceholder}
          maxLength={LIMITS.location}
          {...bind('location')}
        />
        <Field
          label={text.capacity}
          type="number"
          min={1}
          step={1}
          placeholder={text.capacityPlaceholder}
          hint={event && event.registrationCount > 0 ? text.registered(event.registrationCount) : undefined}
          {...bind('capacity')}
        />
      </div>
      <BannerField url={fields.bannerImageUrl} change={(bannerImageUrl) => change({ bannerImageUrl })} />
      <PricingFields fields={fields} error={errors.price} change={change} />
      {refusal && <Refusal>{refusal}</Refusal>}
      {conflict && (
        <EventConflict
          conflict={conflict}
          fields={fields}
          saving={isPending}
          saveMine={saveMine}
          takeTheirs={() => {
            change(fieldsOf(conflict.present));
            conflict.takeTheirs();
          }}
        />
      )}
      <DialogActions>
        <Button onClick={dismiss}>{text.cancel}</Button>
        <ActionButton type="primary" htmlType="submit" inactive={isPending}>
          {event ? (isPending ? text.updating : text.update) : isPending ? text.creating : text.create}
        </ActionButton>
      </DialogActions>
    </form>
  );
}
