import type {
  LeftOutSetting,
  ProcessStatus,
  QueueStatus,
  RetentionRun,
  SystemStatus,
} from '@meetmark/contracts';
import { RETENTION_SETTINGS } from '@meetmark/contracts/retention';
import { adminSystemText as text, adminText } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import { settingsText } from '@meetmark/i18n/texts/settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { Link } from 'react-router-dom';
import { send } from '../../../api/client';
import { useMutation } from '../../../api/mutation';
import { readQuery } from '../../../api/query-client';
import { ActionButton } from '../../../ui/action-button';
import { EmptyState, ErrorState } from '../../../ui/feedback';
import { RefreshIcon } from '../../../ui/icons';
import { MailIcon } from '../../../ui/more-icons';
import { Badge } from '../../../ui/marks';
import { useToasts } from '../../../ui/toasts';
import { useFormats } from '../../../ui/use-formats';
import { useFailure, useMember } from '../../auth/session';
import { AdminHeading } from '../shared/admin-heading';
import { type Column, ListTable } from '../shared/list-table';
import { MailCheck } from './mail-check';
import { MailsTable, RefusedMails } from './mails-table';
import styles from './system-page.module.css';

export function SystemPage() {
  const formats = useFormats();
  const system = useQuery(systemQuery);
  const status = system.data;
  return (
    <>
      <AdminHeading panel="system" text={text}>
        <ActionButton
          icon={<RefreshIcon size={18} />}
          loading={system.isRefetching}
          onClick={() => void system.refetch()}
        >
          {adminText.refresh}
        </ActionButton>
        <TestMailButton />
      </AdminHeading>
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
              <p className="soft small">
                {status.lastSchedulerTick
                  ? text.schedulerTick({ moment: formats.dateTime(status.lastSchedulerTick) })
                  : text.schedulerNever}
              </p>
            </header>
            <QueuesTable queues={status.queues} />
          </section>
          {status.lastBackup !== undefined && (
            <section aria-labelledby="backup-heading">
              <header className={styles.header}>
                <h2 id="backup-heading">{text.backup}</h2>
                <p className="soft small">{text.backupHint}</p>
              </header>
              <p>
                {status.lastBackup === null
                  ? text.backupNever
                  : text.backupMade({ moment: formats.dateTime(status.lastBackup) })}
              </p>
            </section>
          )}
          {status.lastRetention !== undefined && (
            <section aria-labelledby="retention-heading">
              <header className={styles.header}>
                <h2 id="retention-heading">{text.retention}</h2>
                <p className="soft small">{text.retentionHint}</p>
              </header>
              {status.lastRetention ? <Retention run={status.lastRetention} /> : <p>{text.retentionNever}</p>}
            </section>
          )}
          {status.leftOutSettings && status.leftOutSettings.length > 0 && (
            <section aria-labelledby="settings-heading">
              <header className={styles.header}>
                <h2 id="settings-heading">{text.leftOutSettings}</h2>
                <p className="soft small">{text.leftOutHint}</p>
              </header>
              <LeftOutSettings settings={status.leftOutSettings} />
            </section>
          )}
          <MailCheck />
          {status.refusedMails.length > 0 && (
            <section aria-labelledby="refused-heading">
              <header className={styles.header}>
                <h2 id="refused-heading">{text.refusedMails}</h2>
                <p className="soft small">{text.refusedHint}</p>
              </header>
              <RefusedMails mails={status.refusedMails} />
            </section>
          )}
          <section aria-labelledby="mails-heading">
            <h2 id="mails-heading">{text.mails}</h2>
            <MailsTable mails={status.lastMails} />
          </section>
        </div>
      )}
    </>
  );
}

const LeftOutSettings = ({ settings }: { settings: LeftOutSetting[] }) => (
  <ul className={styles.leftOut}>
    {settings.map(({ name, sponsor, value }) => (
      <li key={`${name} ${sponsor}`}>
        <strong>{settingsText.fields[name]}</strong>
        <bdi>{[sponsor, value].filter((words) => words !== null).join(': ')}</bdi>
      </li>
    ))}
    <li>
      <Link to="/admin/settings">{settingsText.title}</Link>
    </li>
  </ul>
);

function Retention({ run: { ranAt, removed } }: { run: RetentionRun }) {
  const { count, dateTime } = useFormats();
  return (
    <>
      <p>{text.retentionRan({ moment: dateTime(ranAt) })}</p>
      <ul className={styles.leftOut}>
        {RETENTION_SETTINGS.flatMap((name) =>
          removed[name] === undefined ? (
            []
          ) : (
            <li key={name}>
              {text.retentionKinds[name]} <strong>{count(removed[name])}</strong>
            </li>
          ),
        )}
      </ul>
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
      onSuccess: () => toasts.success(commonText.success, text.testMailSent({ email: me.email })),
      onError: (error) => failed(error, text.testMailFailed),
    });
  return (
    <ActionButton type="primary" icon={<MailIcon size={18} />} loading={testMail.isPending} onClick={run}>
      {text.sendTestMail}
    </ActionButton>
  );
}

function ProcessList({ processes }: { processes: ProcessStatus[] }) {
  return (
    <ul className={styles.processes}>
      {processes.map(({ name, replicas, withoutPictures }) => (
        <li key={name} className={styles.process}>
          <div>
            <p className={styles.name}>{name}</p>
            <p className="soft small">{text.replicas({ count: replicas })}</p>
            {withoutPictures !== undefined && <p>{text.withoutPictures({ count: withoutPictures })}</p>}
          </div>
          {replicas > 0 ? (
            <Badge tone="good">{text.running}</Badge>
          ) : (
            <Badge tone="accent">{text.notRunning}</Badge>
          )}
        </li>
      ))}
    </ul>
  );
}

function QueuesTable({ queues }: { queues: QueueStatus[] }) {
  const { count } = useFormats();
  const figure = (
    key: 'waiting' | 'active' | 'delayed',
    title: string,
  ): Column<QueueStatus & { id: string }> => ({
    key,
    title,
    align: 'end',
    cell: (queue) => count(queue[key]),
  });
  const columns: Column<QueueStatus & { id: string }>[] = [
    { key: 'name', title: text.queue, place: 'lead', cell: ({ name }) => <strong>{name}</strong> },
    figure('waiting', text.waiting),
    figure('active', text.active),
    figure('delayed', text.delayed),
    {
      key: 'failed',
      title: text.failed,
      align: 'end',
      cell: ({ failed }) => (failed === 0 ? count(0) : <Badge tone="accent">{count(failed)}</Badge>),
    },
    {
      key: 'oldest',
      title: text.oldestWaiting,
      align: 'end',
      cell: ({ oldestWaiting }) =>
        oldestWaiting === null ? text.none : text.seconds({ seconds: count(oldestWaiting) }),
    },
  ];
  return (
    <ListTable
      caption={text.queues}
      columns={columns}
      rows={queues.map((queue) => ({ ...queue, id: queue.name }))}
      empty={<EmptyState title={text.noQueues} />}
    />
  );
}

const SYSTEM = '/api/admin/system';

const systemQuery = readQuery<SystemStatus>(SYSTEM);

function useSendTestMail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(`${SYSTEM}/test-mail`, { method: 'POST' }),
    onSuccess: () => client.invalidateQueries({ queryKey: [SYSTEM] }),
  });
}
