import type { EventPage } from '@meetmark/contracts';
import { adminEventsText } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import { eventFormText } from '@meetmark/i18n/texts/event-form';
import { eventLifeText } from '@meetmark/i18n/texts/event-life';
import { workspaceText as text } from '@meetmark/i18n/texts/workspace';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { refusedFields } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { changesSince, getEditConflict } from '../../../ui/edit-conflict';
import { Refusal } from '../../../ui/feedback';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { whatToDo } from '../../../ui/what-to-do';
import { useFailure } from '../../auth/session';
import { CancelEventDialog, PublishDialog } from '../../events/event-menu';
import { type EventFormErrors, toFormFields, toPayload } from '../../events/event-form/event-fields';
import {
  PublishingFields,
  RegistrationWindow,
  WaitlistField,
} from '../../events/event-form/event-form-fields';
import { EventConflict, getWaitingCount } from '../../events/event-form/submit-event';
import { type EventChange, useSaveEvent, type WaitlistOff } from '../../events/shared/events.api';
import { useRegistrationState } from '../../events/shared/use-registration-state';
import { HelpButton } from '../../help/help-button';
import { Panel } from '../dashboard/panel';
import { DeleteEventDialog } from '../events/delete-event-dialog';
import { AddressForm } from './address';
import styles from './workspace.module.css';

export function Settings({ event }: { event: EventPage }) {
  // keeps the user's changes when another administrator saves; the form resets only after its own save
  const [base, setBase] = useState(event);
  const [saved, setSaved] = useState<number | null>(null);
  if (saved !== null && event.version >= saved && base !== event) {
    setBase(event);
    setSaved(null);
  }
  return (
    <div className={styles.columns}>
      {event.status === 'cancelled' ? (
        <p className={styles.soft}>{text.isCancelled}</p>
      ) : (
        <SettingsForm key={base.version} base={base} saved={setSaved} />
      )}
      <div className={styles.settings}>
        {event.slug && <AddressForm event={event} />}
        <Ending event={event} />
      </div>
    </div>
  );
}

const SETTINGS = [
  'registrationOpensAt',
  'registrationClosesAt',
  'waitlistEnabled',
  'visibility',
  'publishAt',
] as const;

function SettingsForm({ base, saved }: { base: EventPage; saved: (version: number) => void }) {
  const toasts = useToasts();
  const failed = useFailure();
  const { timeZone } = useCommunity();
  const saving = useSaveEvent(base.id);
  const saveOnce = useOnce(saving);
  const { form, fields, change, bind, refuse, submit } = useForm(
    toFormFields(timeZone, base),
    (): EventFormErrors => ({}),
  );
  const [waitlistOff, setWaitlistOff] = useState<WaitlistOff>();
  const [unanswered, setUnanswered] = useState(false);
  const conflict = getEditConflict<EventPage>(saving.error);
  const waiting = getWaitingCount(saving.error) ?? base.waitingCount;
  const asksOff = base.waitlistEnabled && !fields.waitlistEnabled && waiting > 0;

  const toSettings = (given: typeof fields) => {
    const payload = toPayload(given, timeZone, base);
    return Object.fromEntries(SETTINGS.map((name) => [name, payload[name]]));
  };
  const save = (version: number) => {
    setUnanswered(asksOff && !waitlistOff);
    if (asksOff && !waitlistOff) return;
    const changed: EventChange = changesSince(toSettings(toFormFields(timeZone, base)), toSettings(fields));
    saveOnce(
      { ...changed, ...(asksOff && { waitlistOff }), version },
      {
        onSuccess: (event) => {
          toasts.success(commonText.success, eventFormText.updated);
          saved(event.version);
        },
        onError: (error) => {
          if (getEditConflict(error) || getWaitingCount(error) !== null) return;
          failed(error, eventFormText.updateFailed);
          refuse(refusedFields(error));
        },
      },
    );
  };
  const refusal =
    saving.error && !conflict && getWaitingCount(saving.error) === null ? whatToDo(saving.error) : null;

  return (
    <form ref={form} className={styles.settings} onSubmit={submit(() => save(base.version))} noValidate>
      <Panel title={text.registration} help={<HelpButton panel="eventWhen" title={text.registration} />}>
        <div className={styles.fields}>
          <RegistrationWindow opens={bind('registrationOpensAt')} closes={bind('registrationClosesAt')} />
          <WaitlistField
            enabled={fields.waitlistEnabled}
            change={(waitlistEnabled) => change({ waitlistEnabled })}
            asks={asksOff ? waiting : 0}
            off={waitlistOff}
            choose={(chosen) => {
              setWaitlistOff(chosen);
              setUnanswered(false);
            }}
            unanswered={unanswered}
          />
        </div>
      </Panel>
      <Panel title={text.publishing} help={<HelpButton panel="eventPublishing" title={text.publishing} />}>
        <div className={styles.fields}>
          <PublishingFields
            visibility={fields.visibility}
            change={change}
            later={base.status === 'draft' ? bind('publishAt') : undefined}
          />
        </div>
      </Panel>
      {refusal && <Refusal>{refusal}</Refusal>}
      {conflict && (
        <EventConflict
          conflict={{ ...conflict, base }}
          fields={fields}
          saving={saving.isPending}
          saveMine={() => save(conflict.present.version)}
          takeTheirs={() => saved(conflict.present.version)}
        />
      )}
      <div>
        <ActionButton type="primary" htmlType="submit" inactive={saving.isPending}>
          {saving.isPending ? text.saving : text.save}
        </ActionButton>
      </div>
    </form>
  );
}

type Asked = 'publish' | 'cancel' | 'delete' | null;

function Ending({ event }: { event: EventPage }) {
  const [asked, setAsked] = useState<Asked>(null);
  const navigate = useNavigate();
  const over = useRegistrationState(event) === 'ended';
  const close = () => setAsked(null);
  return (
    <div className={styles.settings}>
      {event.status === 'draft' && (
        <Panel title={eventLifeText.publishTitle}>
          <Act hint={text.publishHint}>
            <Button type="primary" onClick={() => setAsked('publish')}>
              {eventLifeText.publish}
            </Button>
          </Act>
        </Panel>
      )}
      <Panel title={text.ending} help={<HelpButton panel="eventEnding" title={text.ending} />}>
        <div className={styles.fields}>
          {event.status === 'published' && !over && (
            <Act hint={text.cancelHint}>
              <Button danger onClick={() => setAsked('cancel')}>
                {eventLifeText.cancel}
              </Button>
            </Act>
          )}
          <Act hint={text.deleteHint}>
            <Button danger onClick={() => setAsked('delete')}>
              {adminEventsText.deleteConfirm}
            </Button>
          </Act>
        </div>
      </Panel>
      {asked === 'publish' && <PublishDialog event={event} close={close} />}
      {asked === 'cancel' && <CancelEventDialog event={event} close={close} />}
      {asked === 'delete' && (
        <DeleteEventDialog event={event} deleted={() => void navigate('/admin/events')} close={close} />
      )}
    </div>
  );
}

const Act = ({ hint, children }: { hint: string; children: ReactNode }) => (
  <div className={styles.act}>
    <p className={styles.soft}>{hint}</p>
    {children}
  </div>
);
