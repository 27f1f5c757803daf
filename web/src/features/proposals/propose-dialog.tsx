import { LIMITS } from '@meetmark/contracts/limits';
import { commonText } from '@meetmark/i18n/texts/common';
import { proposalsText as text } from '@meetmark/i18n/texts/proposals';
import { hasCode, serverMessage } from '../../api/client';
import { useCommunity } from '../../api/community';
import { useOnce } from '../../ui/action-button';
import { Dialog, DialogButtons } from '../../ui/dialog';
import { Refusal } from '../../ui/feedback';
import { dateError, toTimestamp } from '../../ui/date-input';
import { DateField } from '../../ui/date-field';
import { Field, TextArea } from '../../ui/field';
import { useToasts } from '../../ui/toasts';
import { useForm } from '../../ui/use-form';
import { inputLater } from '../../ui/zoned-time';
import { useFailure } from '../auth/session';
import { usePropose } from './proposals.api';
import styles from './proposals.module.css';

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
    ({ title, startDate, endDate }) => {
      const wrongStart = startDate === '' ? text.startRequired : dateError(startDate);
      const wrongEnd = endDate === '' ? text.endRequired : dateError(endDate);
      return {
        ...(title.trim() === '' && { title: text.titleRequired }),
        ...(wrongStart && { startDate: wrongStart }),
        ...(wrongEnd
          ? { endDate: wrongEnd }
          : !wrongStart && endDate <= startDate && { endDate: text.endBeforeStart }),
      };
    },
  );
  const send = (dismiss: () => void) =>
    proposeOnce(
      {
        title: fields.title.trim(),
        description: fields.description.trim() || null,
        startDate: toTimestamp(fields.startDate, timeZone),
        endDate: toTimestamp(fields.endDate, timeZone),
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
        <form ref={form} className="grid one-column gap-4" noValidate onSubmit={submit(() => send(dismiss))}>
          <p className={styles.soft}>{text.next}</p>
          <Field label={text.eventTitle} autoFocus maxLength={LIMITS.title} {...bind('title')} />
          <TextArea
            label={text.description}
            hint={text.descriptionHint}
            maxLength={LIMITS.description}
            rows={5}
            {...bind('description')}
          />
          <div className="columns columns-wide">
            <DateField
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
            <DateField label={text.endDate} type="datetime-local" {...bind('endDate')} />
          </div>
          {proposing.error && <Refusal>{serverMessage(proposing.error) ?? text.failed}</Refusal>}
          <DialogButtons dismiss={dismiss} inactive={proposing.isPending}>
            {proposing.isPending ? text.sending : text.send}
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}
