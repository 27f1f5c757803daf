import type { EventRole } from '@meetmark/contracts';
import { eventRolesText as text } from '@meetmark/i18n/texts/profile';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { Card } from '../../ui/card';
import { ErrorState } from '../../ui/feedback';
import { eventDate } from '../../ui/event-days';
import { AT_PLACE } from '../../ui/event-times';
import { Preference } from './preference';
import { eventRolesQuery, sameRole, useAnswerEventRole } from './profile.api';
import { useAction } from '../auth/use-action';

export function EventRolesCard() {
  const { data: roles, error, refetch } = useQuery(eventRolesQuery);
  if (!error && !roles?.length) return null;
  return (
    <Card title={text.title} intro={text.intro}>
      {roles ? <Roles roles={roles} /> : <ErrorState error={error} retry={() => void refetch()} />}
    </Card>
  );
}

const isAgreed = ({ agreedAt, coHost }: EventRole) => agreedAt !== null && coHost !== 'asked';

function Roles({ roles }: { roles: EventRole[] }) {
  const community = useCommunity();
  const answer = useAnswerEventRole();
  const answerOnce = useAction(answer);
  return roles.map((role) => {
    const busy = answer.isPending && sameRole(answer.variables.role, role);
    return (
      <Preference
        key={`${role.eventId} ${role.role}`}
        name={role.coHost ? text.coHost : text.as[role.role]}
        hint={
          <>
            <Link to={`/events/${role.eventId}`}>{role.title}</Link>,{' '}
            {eventDate({ ...AT_PLACE, ...role }, community)}
          </>
        }
        on={busy ? answer.variables.agreed : isAgreed(role)}
        busy={busy}
        turn={(agreed) =>
          answerOnce({ role, agreed }, { title: agreed ? text.shown : text.hidden, failed: text.failed })
        }
      />
    );
  });
}
