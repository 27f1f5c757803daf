import type { EventPage } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventPath } from '@meetmark/contracts/events/event-path';
import type { RegistrationState } from '@meetmark/contracts/events/registration-state';
import { workspaceText as text } from '@meetmark/i18n/texts/workspace';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { hasCode, refusedFields, serverMessage } from '../../../api/client';
import { ActionButton, CopyButton, useOnce } from '../../../ui/action-button';
import { Field } from '../../../ui/field';
import { qrPng, qrSvg } from '../../../ui/qr-code';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { useFailure } from '../../auth/session';
import { useChangeSlug } from '../../events/event-life.api';
import { eventQuery } from '../../events/shared/events.api';
import { HelpButton } from '../../help/help-button';
import { Panel } from '../dashboard/panel';
import styles from './workspace.module.css';

const getEventUrl = (event: Pick<EventPage, 'id' | 'slug'>) => window.location.origin + eventPath(event);

const CopyAddress = ({ address }: { address: string }) => (
  <CopyButton text={address} label={text.copyLink} copied={text.copied} failed={text.copyFailed} />
);

export function Address({ event, state }: { event: EventPage; state: RegistrationState }) {
  const address = getEventUrl(event);
  const { status, visibility } = event;
  const hint = status !== 'published' ? status : visibility === 'unlisted' ? visibility : state;
  return (
    <Panel title={text.address}>
      <div className={styles.address} data-keep-clear>
        <Field
          label={text.link}
          hint={text.addressHint[hint]}
          value={address}
          readOnly
          onFocus={({ target }) => target.select()}
        />
        <div className={styles.ending}>
          <CopyAddress address={address} />
          {event.slug && (
            <>
              <Button onClick={() => save(qrSvg(address), `${event.slug}.svg`)}>{text.qrSvg}</Button>
              <Button onClick={() => void qrPng(address).then((file) => save(file, `${event.slug}.png`))}>
                {text.qrPng}
              </Button>
            </>
          )}
        </div>
      </div>
    </Panel>
  );
}

/** Milliseconds that a browser may need to start saving the file. Then the file's URL is revoked. */
const BEGUN = 10_000;

function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), BEGUN);
}

const asSlug = (typed: string) => typed.toLowerCase().replaceAll(/\s+/g, '-');

export function AddressForm({ event }: { event: EventPage }) {
  const toasts = useToasts();
  const failed = useFailure();
  const client = useQueryClient();
  const changing = useChangeSlug(event);
  const changeOnce = useOnce(changing);
  const { form, fields, change, errors, refuse, submit } = useForm({ slug: event.slug ?? '' });
  const send = ({ slug }: typeof fields) =>
    changeOnce(slug, {
      onSuccess: (changed) => {
        client.setQueryData(eventQuery(event.id).queryKey, changed);
        change({ slug: changed.slug ?? slug });
        toasts.success(text.slugSaved);
      },
      onError: (error) => {
        if (hasCode(error, 'SLUG_TAKEN')) return refuse({ slug: serverMessage(error) ?? text.slugFailed });
        failed(error, text.slugFailed);
        refuse(refusedFields(error));
      },
    });
  return (
    <form ref={form} onSubmit={submit(send)} noValidate>
      <Panel title={text.address} help={<HelpButton panel="eventAddress" title={text.address} />}>
        <div className={styles.address}>
          <Field
            label={text.slug}
            hint={getEventUrl({ id: event.id, slug: fields.slug || '…' })}
            error={errors.slug}
            value={fields.slug}
            maxLength={LIMITS.eventSlug}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(typed) => change({ slug: asSlug(typed) })}
          />
          <p className={styles.soft}>
            {text.slugKept}
            {event.visibility === 'unlisted' && ` ${text.slugUnlisted}`}
          </p>
          <div className={styles.ending}>
            <ActionButton htmlType="submit" inactive={changing.isPending || fields.slug === event.slug}>
              {changing.isPending ? text.slugSaving : text.slugSave}
            </ActionButton>
            <CopyAddress address={getEventUrl(event)} />
          </div>
        </div>
      </Panel>
    </form>
  );
}
