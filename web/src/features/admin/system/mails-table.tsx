import type { MailStatus } from '@meetmark/contracts';
import { adminSystemText as text } from '@meetmark/i18n/texts/admin';
import { Badge } from '../../../ui/marks';
import { EmptyState } from '../../../ui/feedback';
import { useFormats } from '../../../ui/use-formats';
import { type Column, ListTable } from '../shared/list-table';
import styles from './system-page.module.css';

const TONES = {
  waiting: 'warm',
  sent: 'good',
  skipped: 'quiet',
  failing: 'accent',
  refused: 'accent',
} as const;

export function RefusedMails({ mails }: { mails: MailStatus[] }) {
  const { dateTime } = useFormats();
  const columns: Column<MailStatus>[] = [
    {
      key: 'recipient',
      title: text.recipient,
      place: 'lead',
      cell: ({ recipient }) => <strong className={styles.anywhere}>{recipient ?? text.none}</strong>,
    },
    {
      key: 'reason',
      title: text.reason,
      cell: ({ lastError }) => <span className={styles.anywhere}>{lastError ?? text.none}</span>,
    },
    { key: 'kind', title: text.kind, cell: ({ kind }) => inWords(kind) },
    { key: 'created', title: text.created, oneLine: true, cell: ({ createdAt }) => dateTime(createdAt) },
  ];
  return <ListTable caption={text.refusedMails} columns={columns} rows={mails} empty={null} />;
}

export function MailsTable({ mails }: { mails: MailStatus[] }) {
  const { count, ...formats } = useFormats();
  const columns: Column<MailStatus>[] = [
    { key: 'kind', title: text.kind, place: 'lead', cell: ({ kind }) => <strong>{inWords(kind)}</strong> },
    {
      key: 'recipient',
      title: text.recipient,
      cell: ({ recipient }) => <span className={styles.anywhere}>{recipient ?? text.none}</span>,
    },
    {
      key: 'state',
      title: text.state,
      cell: ({ state, nextAttemptAt }) => (
        <>
          <Badge tone={TONES[state]}>{text.states[state]}</Badge>
          {nextAttemptAt && <p>{text.nextAttempt({ moment: formats.dateTime(nextAttemptAt) })}</p>}
        </>
      ),
    },
    {
      key: 'created',
      title: text.created,
      oneLine: true,
      cell: ({ createdAt }) => formats.dateTime(createdAt),
    },
    {
      key: 'sent',
      title: text.sent,
      oneLine: true,
      cell: ({ sentAt }) => (sentAt === null ? text.none : formats.dateTime(sentAt)),
    },
    { key: 'attempts', title: text.attempts, align: 'end', cell: ({ attempts }) => count(attempts) },
    {
      key: 'error',
      title: text.lastError,
      cell: ({ lastError }) => <span className={styles.anywhere}>{lastError ?? text.none}</span>,
    },
  ];
  return (
    <ListTable
      caption={text.mails}
      columns={columns}
      rows={mails}
      empty={<EmptyState title={text.noMails} />}
    />
  );
}

const KINDS: Partial<Record<string, string>> = text.kinds;

const inWords = (kind: string) => KINDS[kind] ?? kind;
