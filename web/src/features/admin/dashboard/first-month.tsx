import type { Checklist, ChecklistItem, ChecklistName } from '@meetmark/contracts';
import { adminDashboardText as text } from '@meetmark/i18n/texts/admin';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { ErrorState } from '../../../ui/feedback';
import { CheckIcon } from '../../../ui/icons';
import { useFormats } from '../../../ui/use-formats';
import { HelpButton } from '../../help/help-button';
import { checklistQuery } from './dashboard.api';
import styles from './dashboard.module.css';

const PLACES: Record<ChecklistName, string> = {
  mail: '/admin/system#mail-check',
  legalPages: '/admin/settings',
  secondFactor: '/profile/security',
  members: '/admin/users',
  topics: '/admin/topics',
  firstEvent: '/admin/events',
  firstEvening: '/admin/events',
  backup: '/admin/system',
};

export function FirstMonth() {
  const checklist = useQuery(checklistQuery);
  const { data } = checklist;
  if (!data && !checklist.isError) return null;
  if (data?.items.every(({ done }) => done)) return null;
  return (
    <section className={styles.month} aria-label={text.firstMonth}>
      <details>
        <summary>
          <h2>{text.firstMonth}</h2>
          {data && <span className={styles.soft}>{formatProgress(data)}</span>}
        </summary>
        {data ? (
          <Items checklist={data} />
        ) : (
          <ErrorState error={checklist.error} retry={() => void checklist.refetch()} />
        )}
      </details>
      <HelpButton panel="firstMonth" title={text.firstMonth} />
    </section>
  );
}

const formatProgress = ({ items }: Checklist) =>
  text.firstMonthDone({ done: items.filter(({ done }) => done).length, all: items.length });

const Items = ({ checklist }: { checklist: Checklist }) => (
  <ul className={styles.items}>
    {checklist.items.map((item) => (
      <li key={item.name} className={styles.item} data-done={item.done || undefined}>
        <span className={styles.tick} aria-hidden="true">
          {item.done && <CheckIcon size={18} />}
        </span>
        <div className={styles.words}>
          <Link to={PLACES[item.name]} className={styles.title}>
            {text.checklist[item.name]}
          </Link>
          <State item={item} checklist={checklist} />
        </div>
      </li>
    ))}
  </ul>
);

function State({
  item: { name, count, needed, done },
  checklist,
}: {
  item: ChecklistItem;
  checklist: Checklist;
}) {
  const { count: written, dateTime } = useFormats();
  const counts = { count: written(count), needed: written(needed) };
  const { lastBackup } = checklist;
  const states: Record<ChecklistName, string> = {
    mail: text.open.mail(counts),
    legalPages: text.open.legalPages(counts),
    secondFactor: text.open.secondFactor(counts),
    members: text.open.members(counts),
    topics: text.open.topics,
    firstEvent: text.open.firstEvent,
    firstEvening: text.open.firstEvening,
    backup: lastBackup === null ? text.open.backup : text.open.oldBackup({ moment: dateTime(lastBackup) }),
  };
  return (
    <p className={styles.soft}>
      {!done
        ? states[name]
        : name === 'backup'
          ? text.backupMade({ moment: dateTime(lastBackup!) })
          : text.itemDone}
    </p>
  );
}
