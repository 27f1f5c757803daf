import { createQueryClient, CURRENT_USER_KEY } from '../../api/query-client';
import { myEventsQuery } from '../registrations/registrations.api';
import { ALL_UPCOMING, browseEventsQuery, eventQuery, refreshEvents } from './events.api';

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
