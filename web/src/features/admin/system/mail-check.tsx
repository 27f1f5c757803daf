import type { MailCheck as Check, MailRecord } from '@meetmark/contracts';
import { adminSystemText as text } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from '../../../api/client';
import { useMutation } from '../../../api/mutation';
import { ActionButton, CopyButton } from '../../../ui/action-button';
import { Loaded } from '../../../ui/feedback';
import { Field } from '../../../ui/field';
import { Badge } from '../../../ui/marks';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { useFormats } from '../../../ui/use-formats';
import { checklistQuery } from '../dashboard/dashboard.api';
import styles from './system-page.module.css';
import { useAction } from '../../auth/use-action';

const MAIL_CHECK = 'mail-check';
const TONES = { found: 'good', missing: 'accent', several: 'accent', unknown: 'quiet' } as const;
const SAID = { found: text.foundRecord, several: text.severalRecords };

export function MailCheck() {
  const checklist = useQuery(checklistQuery);
  return (
    <section aria-labelledby={MAIL_CHECK}>
      <header className={styles.header}>
        <h2 id={MAIL_CHECK} tabIndex={-1}>
          {text.mailCheck}
        </h2>
        <p className={styles.soft}>{text.mailCheckHint}</p>
      </header>
      <div className={styles.frame}>
        <Loaded query={checklist}>
          {({ mailCheck }) => (
            <>
              <CheckForm last={mailCheck} />
              {mailCheck && <Records check={mailCheck} />}
            </>
          )}
        </Loaded>
      </div>
    </section>
  );
}

function CheckForm({ last }: { last: Check | null }) {
  const toasts = useToasts();
  const checking = useCheckMail(last);
  const checkOnce = useAction(checking);
  const { form, bind, refuseAs, submit } = useForm({ selector: last?.selector ?? '' });
  const check = submit(({ selector }) =>
    checkOnce(selector.trim(), {
      failed: text.mailCheckFailed,
      onSuccess: (checked) => {
        if (!checked) toasts.error(commonText.error, text.mailCheckLate);
      },
      onError: refuseAs,
    }),
  );
  return (
    <form ref={form} className={styles.check} onSubmit={check} noValidate>
      <Field
        label={text.selector}
        hint={text.selectorHint}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        {...bind('selector')}
      />
      <ActionButton htmlType="submit" inactive={checking.isPending}>
        {checking.isPending ? text.checking : text.check}
      </ActionButton>
    </form>
  );
}

function Records({ check: { domain, records, checkedAt } }: { check: Check }) {
  const { dateTime } = useFormats();
  return (
    <div role="status">
      <p className={styles.soft}>{text.checked({ domain, moment: dateTime(checkedAt) })}</p>
      <ul className={styles.records}>
        {records.map((record) => (
          <li key={record.name}>
            <p className={styles.record}>
              <strong>{text.records[record.name]}</strong>
              <Badge tone={TONES[record.state]}>{text.recordStates[record.state]}</Badge>
            </p>
            <RecordWords record={record} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function RecordWords({ record: { name, state, host, value } }: { record: MailRecord }) {
  if (host === null) return <p className={styles.soft}>{text.noSelector}</p>;
  if (value === null) return <p className={styles.soft}>{text.noAnswer({ host })}</p>;
  return (
    <>
      <p className={styles.soft}>
        {state === 'found' || state === 'several' ? SAID[state] : text.toWrite[name]}
      </p>
      <dl className={styles.entry}>
        <dt>{text.recordHost}</dt>
        <dd>
          <code>{host}</code>
        </dd>
        <dt>{text.recordText}</dt>
        <dd>
          {value.split('\n').map((each, at) => (
            <code key={at}>{each}</code>
          ))}
        </dd>
      </dl>
      {state === 'missing' && (
        <CopyButton
          text={value}
          label={text.copyRecord}
          copied={text.recordCopied}
          failed={text.copyFailed}
        />
      )}
    </>
  );
}

/**
 * Milliseconds between polls, and longest wait for a check. A check takes up to 3 s, plus its time in the
 * queue.
 */
const [LOOK_EVERY, PATIENCE] = [500, 12_000];

function useCheckMail(last: Check | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (selector: string) => {
      await send('/api/admin/mail-check', { method: 'POST', body: { selector } });
      for (let waited = 0; waited < PATIENCE; waited += LOOK_EVERY) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
        const { mailCheck } = await client.fetchQuery({ ...checklistQuery, staleTime: 0 });
        if (mailCheck !== null && mailCheck.checkedAt !== last?.checkedAt) return true;
      }
      return false;
    },
  });
}
