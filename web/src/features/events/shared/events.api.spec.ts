import { createQueryClient, CURRENT_USER_KEY } from '../../../api/query-client';
import { activityQuery } from '../../admin/dashboard/dashboard.api';
import { usersPageQuery } from '../../admin/users/users.api';
import { currentUserQuery } from '../../auth/auth.api';
import { myEventsQuery } from '../../registrations/registrations.api';
import {
  ALL_UPCOMING,
  browseEventsQuery,
  dashboardEventsQuery,
  eventQuery,
  refreshEvents,
  registrationCountQuery,
} from './events.api';

const MINUTE = 60_000;

it('keeps answers for five minutes and asks for none by itself, unless their query says otherwise', () => {
  expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
    staleTime: 5 * MINUTE,
    gcTime: 10 * MINUTE,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnMount: false,
    refetchOnReconnect: false,
  });
  expect(currentUserQuery).toMatchObject({
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: true,
    refetchOnMount: true,
    refetchOnReconnect: true,
  });
  const fresh = { dashboard: dashboardEventsQuery({}), users: usersPageQuery(''), activity: activityQuery };
  expect(Object.entries(fresh).map(([name, { staleTime }]) => [name, staleTime])).toEqual([
    ['dashboard', 2 * MINUTE],
    ['users', 2 * MINUTE],
    ['activity', 5 * MINUTE],
  ]);
  const stale = [browseEventsQuery(ALL_UPCOMING), registrationCountQuery('1'), myEventsQuery];
  expect(stale.map(({ staleTime }) => staleTime)).toEqual([0, 0, 0]);
});

it('holds every answer about events for old after a change of one', async () => {
  const client = createQueryClient();
  const about = [
    myEventsQuery.queryKey,
    browseEventsQuery(ALL_UPCOMING).queryKey,
    eventQuery('an-id').queryKey,
    ['/api/admin/events/an-id/guests'],
  ];
  for (const key of [...about, CURRENT_USER_KEY]) client.setQueryData(key as string[], []);
  await refreshEvents(client);
  const old = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  expect(about.map(old)).toEqual(about.map(() => true));
  expect(old(CURRENT_USER_KEY)).toBe(false);
  client.clear();
});
