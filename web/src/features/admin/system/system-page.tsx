import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { adminSystemText as text, adminText } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { ActionButton } from '../../../ui/action-button';
import { ErrorState } from '../../../ui/feedback';
import { MailIcon, RefreshIcon } from '../../../ui/icons';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { useToasts } from '../../../ui/toasts';
import { useFormats } from '../../../ui/use-formats';
import { useMember } from '../../auth/session';
import { useFailure } from '../../auth/use-failure';
import { MailsTable } from './mails-table';
import { ProcessList } from './process-list';
import { QueuesTable } from './queues-table';
import { systemQuery, useSendTestMail } from './system.api';
import styles from './system-page.module.css';

/** Whether everything runs: for an administrator who wonders where a mail is. */
export function SystemPage() {
  usePageTitle(text.title);
  const formats = useFormats();
  const system = useQuery(systemQuery);
  const status = system.data;
  return (
    <>
      <ScreenHeading title={text.title} intro={text.intro}>
        <ActionButton
          icon={<RefreshIcon size={18} />}
          loading={system.isRefetching}
          onClick={() => void system.refetch()}
        >
          {adminText.refresh}
        </ActionButton>
        <TestMailButton />
      </ScreenHeading>
      {system.isError && <ErrorState error={system.error} retry={() => void system.refetch()} />}
      {system.isPending && <Skeleton active paragraph={{ rows: 10 }} />}
      {status && !system.isError && (
        <div className={styles.sections}>
          <section aria-labelledby="processes-heading">
            <h2 id="processes-heading">{text.processes}</h2>
            <ProcessList processes={status.processes} />
          </section>
          <section aria-labelledby="queues-heading">
            <header className={styles.header}>
              <h2 id="queues-heading">{text.queues}</h2>
              <p className={styles.soft}>
                {status.lastSchedulerTick
                  ? text.schedulerTick(formats.dateTime(status.lastSchedulerTick))
                  : text.schedulerNever}
              </p>
            </header>
            <QueuesTable queues={status.queues} />
          </section>
          <section aria-labelledby="mails-heading">
            <h2 id="mails-heading">{text.mails}</h2>
            <MailsTable mails={status.lastMails} />
          </section>
        </div>
      )}
    </>
  );
}

function TestMailButton() {
  const toasts = useToasts();
  const failed = useFailure();
  const me = useMember();
  const testMail = useSendTestMail();
  const run = () =>
    testMail.mutate(undefined, {
      onSuccess: () => toasts.success(commonText.success, text.testMailSent(me.email)),
      onError: (error) => failed(error, text.testMailFailed),
    });
  return (
    <ActionButton type="primary" icon={<MailIcon size={18} />} loading={testMail.isPending} onClick={run}>
      {text.sendTestMail}
    </ActionButton>
  );
}
