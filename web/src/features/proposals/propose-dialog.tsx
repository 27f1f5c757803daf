import { LIMITS } from '@meetmark/contracts/limits';
import { commonText } from '@meetmark/contracts/texts/common';
import { proposalsText as text } from '@meetmark/contracts/texts/proposals';
import { Button } from 'antd';
import { hasCode, serverMessage } from '../../api/client';
import { useCommunity } from '../../api/community';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { Refusal } from '../../ui/feedback';
import { Field, TextArea } from '../../ui/field';
import { useToasts } from '../../ui/toasts';
import { useForm } from '../../ui/use-form';
import { inputLater, momentOfInput } from '../../ui/zoned-time';
import { useFailure } from '../auth/session';
import { usePropose } from './proposals.api';
import styles from './proposals.module.css';

/** Minutes that an event lasts until its end is chosen. */
const USUAL_LENGTH = 120;

const EMPTY = { title: '', description: '', startDate: '', endDate: '' };

export default function ProposeDialog({ close }: { close: () => void }) {
  const toasts = useToasts();
  const failed = useFailure();
  const { timeZone } = useCommunity();
  const proposing = usePropose();
  const proposeOnce = useOnce(proposing);
  const { form, fields, bind, change, refuse, refuseAs, submit } = useForm(
    EMPTY,
    ({ title, startDate, endDate }) => ({
      ...(title.trim() === '' && { title: text.titleRequired }),
      ...(startDate === '' && { startDate: text.startRequired }),
      ...(endDate === ''
        ? { endDate: text.endRequired }
        : // texts of one form sort as their moments
          startDate !== '' && endDate <= startDate && { endDate: text.endBeforeStart }),
    }),
  );
  const send = (dismiss: () => void) =>
    proposeOnce(
      {
        title: fields.title.trim(),
        description: fields.description.trim() || null,
        startDate: momentOfInput(fields.startDate, timeZone).toISOString(),
        endDate: momentOfInput(fields.endDate, timeZone).toISOString(),
      },
      {
        onSuccess: () => {
          toasts.success(commonText.success, text.sent);
          dismiss();
        },
        onError: (error) => {
          if (hasCode(error, 'DATE_RANGE_INVALID')) return refuse({ endDate: text.endBeforeStart });
          failed(error, serverMessage(error) ?? text.failed);
          return refuseAs(error);
        },
      },
    );
  return (
    <Dialog title={text.propose} close={close} width={560} form>
      {(dismiss) => (
        <form ref={form} className={styles.form} noValidate onSubmit={submit(() => send(dismiss))}>
          <p className={styles.soft}>{text.next}</p>
          <Field label={text.eventTitle} autoFocus maxLength={LIMITS.title} {...bind('title')} />
          <TextArea
            label={text.description}
            hint={text.descriptionHint}
            maxLength={LIMITS.description}
            rows={5}
            {...bind('description')}
          />
          <div className={styles.when}>
            <Field
              label={text.startDate}
              type="datetime-local"
              hint={text.zone({ zone: timeZone.replaceAll('_', ' ') })}
              {...bind('startDate')}
              onChange={(startDate) =>
                change({
                  startDate,
                  ...(fields.endDate === '' && startDate && { endDate: inputLater(startDate, USUAL_LENGTH) }),
                })
              }
            />
            <Field label={text.endDate} type="datetime-local" {...bind('endDate')} />
          </div>
          {proposing.error && <Refusal>{serverMessage(proposing.error) ?? text.failed}</Refusal>}
          <DialogActions>
            <Button onClick={dismiss}>{commonText.cancel}</Button>
            <ActionButton type="primary" htmlType="submit" inactive={proposing.isPending}>
              {proposing.isPending ? text.sending : text.send}
            </ActionButton>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
