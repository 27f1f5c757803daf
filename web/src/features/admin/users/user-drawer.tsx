import type { User, UserActivity } from '@meetmark/contracts';
import { adminAuditText, adminUsersText as text } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../../api/query-client';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { Loaded } from '../../../ui/feedback';
import { useFormats } from '../../../ui/use-formats';
import { auditPageQuery, firstAuditPath } from '../audit/audit.api';
import { Changes } from '../audit/changes';
import styles from '../shared/admin.module.css';
import { DetailDrawer, Facts } from '../shared/detail-drawer';
import { Person } from '../shared/list-table';

export function UserDrawer({ user, close }: { user: User; close: () => void }) {
  const { count, dateTime } = useFormats();
  const { data: activity, isError } = useQuery(activityQuery(user.id));
  const unknown = isError ? text.notKnown : commonText.loading;
  const facts = [
    [text.role, text.roleNames[user.role]],
    [text.joined, dateTime(user.createdAt)],
    [
      text.lastSeen,
      activity ? (activity.lastSeenAt ? dateTime(activity.lastSeenAt) : text.notLately) : unknown,
    ],
    [
      text.registrations,
      activity
        ? text.used({
            registered: count(activity.registered),
            attended: count(activity.attended),
            noShows: count(activity.noShows),
          })
        : unknown,
    ],
    [text.changed, dateTime(user.updatedAt)],
    [text.address, user.emailVerifiedAt ? text.verified : text.unverified],
    [text.signsIn, user.hasPassword ? text.withPassword : text.withCode],
    [text.secondFactor, user.hasSecondFactor ? text.hasFactor : text.noFactor],
  ] as const;
  return (
    <DetailDrawer title={text.user} size={440} close={close}>
      <Person person={user} />
      <Facts facts={facts} />
      <History userId={user.id} />
    </DetailDrawer>
  );
}

const HISTORY = 10;

function History({ userId }: { userId: string }) {
  const title = useId();
  const { dateTime } = useFormats();
  const history = useQuery(auditPageQuery(firstAuditPath({ subjectId: userId }, HISTORY)));
  return (
    <section aria-labelledby={title} className={styles.history}>
      <h3 id={title}>{text.history}</h3>
      <Loaded query={history}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{text.noHistory}</p>
          ) : (
            <ol className={styles.history}>
              {items.map((entry) => (
                <li key={entry.id}>
                  {text.historyBy({ what: adminAuditText.actions[entry.action], who: entry.actorName })}
                  <Changes entry={entry} />
                  <p>
                    <time dateTime={entry.at}>{dateTime(entry.at)}</time>
                  </p>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
      {history.data && history.data.total > HISTORY && (
        <Link to={`/admin/audit?subjectId=${userId}`}>{text.wholeHistory}</Link>
      )}
    </section>
  );
}

const activityQuery = (userId: string) =>
  readQuery<UserActivity>(`/api/admin/users/${userId}/activity`, ['/api/admin/users', userId, 'activity']);
