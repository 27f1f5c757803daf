import type { EventRole } from '@meetmark/contracts';
import { eventRolesText as text } from '@meetmark/contracts/texts/profile';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { serverMessage } from '../../api/client';
import { useOnce } from '../../ui/action-button';
import { Card } from '../../ui/card';
import { ErrorState } from '../../ui/feedback';
import { useToasts } from '../../ui/toasts';
import { eventDate } from '../../ui/event-days';
import { AT_PLACE } from '../../ui/event-times';
import { useFailure } from '../auth/session';
import { Preference } from './preference';
import { eventRolesQuery, sameRole, useAnswerEventRole } from './profile.api';

/** Where organisers have named the member, who decides whether they are shown; each switch saves at once. Nothing for everybody else. */
export function EventRolesCard() {
  const { data: roles, error, refetch } = useQuery(eventRolesQuery);
  if (!error && !roles?.length) return null;
  return (
    <Card title={text.title} intro={text.intro}>
      {roles ? <Roles roles={roles} /> : <ErrorState error={error} retry={() => void refetch()} />}
    </Card>
  );
}

/** A co-host may have agreed to be shown before they were asked to manage the event. */
const isAgreed = ({ agreedAt, coHost }: EventRole) => agreedAt !== null && coHost !== 'asked';

function Roles({ roles }: { roles: EventRole[] }) {
  const community = useCommunity();
  const toasts = useToasts();
  const failed = useFailure();
  const answer = useAnswerEventRole();
  const answerOnce = useOnce(answer);
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
          answerOnce(
            { role, agreed },
            {
              onSuccess: () => toasts.success(agreed ? text.shown : text.hidden),
              onError: (error) => failed(error, serverMessage(error) ?? text.failed),
            },
          )
        }
      />
    );
  });
}
