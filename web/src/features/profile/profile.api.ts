import type {
  CalendarFeed,
  EventRole,
  MailListState,
  MailPreferences,
  ProductLocale,
  ShowMe,
  User,
} from '@meetmark/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson } from '../../api/client';
import { ALWAYS_STALE } from '../../api/query-client';
import { rememberUser } from '../auth/auth.api';

export type ProfileFields = Pick<
  User,
  'firstName' | 'lastName' | 'email' | 'description' | 'profileImageUrl' | 'linkedInUrl'
>;

export const profileFieldsOf = (user: ProfileFields): ProfileFields => ({
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  description: user.description,
  profileImageUrl: user.profileImageUrl,
  linkedInUrl: user.linkedInUrl,
});

/** Where the code of an address change went, while the page remembers: with the password to the new address, else to the present. */
export const codeSentTo = new Map<string, 'new' | 'present'>();

/** The updated user takes the place of the cached one. */
export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (
      profile: Partial<ProfileFields> & {
        showMe?: ShowMe;
        locale?: ProductLocale | null;
        version?: number;
        currentPassword?: string;
      },
    ) => sendForJson<User>('/api/user/profile', { method: 'PUT', body: profile }),
    onSuccess: (user, { currentPassword }) => {
      if (user.pendingEmail !== null) codeSentTo.set(user.pendingEmail, currentPassword ? 'new' : 'present');
      rememberUser(client, user);
    },
  });
}

const PREFERENCES = '/api/user/mail-preferences';

export const mailPreferencesQuery = queryOptions({
  queryKey: [PREFERENCES],
  queryFn: ({ signal }) => sendForJson<MailPreferences>(PREFERENCES, { signal }),
  ...ALWAYS_STALE,
});

export function useSetMailPreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (preferences: MailPreferences) =>
      sendForJson<MailPreferences>(PREFERENCES, { method: 'PUT', body: preferences }),
    onSuccess: (preferences) => client.setQueryData(mailPreferencesQuery.queryKey, preferences),
  });
}

const ROLES = '/api/event-roles';

/** Where the member is named as host or speaker. */
export const eventRolesQuery = queryOptions({
  queryKey: [ROLES],
  queryFn: ({ signal }) => sendForJson<EventRole[]>(ROLES, { signal }),
  ...ALWAYS_STALE,
});

export const sameRole = (one: EventRole, other: EventRole) =>
  one.eventId === other.eventId && one.role === other.role;

/** Says whether the member is shown in a role. */
export function useAnswerEventRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ role: { eventId, role }, agreed }: { role: EventRole; agreed: boolean }) =>
      sendForJson<EventRole>(`${ROLES}/${eventId}/${role}`, { method: 'PUT', body: { agreed } }),
    onSuccess: (answered) =>
      client.setQueryData(eventRolesQuery.queryKey, (roles) =>
        roles?.map((role) => (sameRole(role, answered) ? answered : role)),
      ),
  });
}

const unsubscribePath = (token: string) => `/api/unsubscribe/${encodeURIComponent(token)}`;

/** Which list the link of a mail stops. */
export const mailListQuery = (token: string) =>
  queryOptions({
    queryKey: ['mail list', token],
    queryFn: ({ signal }) => sendForJson<MailListState>(`${unsubscribePath(token)}/list`, { signal }),
    ...ALWAYS_STALE,
  });

/** Stops the list of a link (`false`), or resumes it (`true`). */
export function useTurnMailList(token: string) {
  const client = useQueryClient();
  const { queryKey } = mailListQuery(token);
  return useMutation({
    mutationFn: (subscribed: boolean) =>
      send(`${unsubscribePath(token)}${subscribed ? '/undo' : ''}`, { method: 'POST' }),
    onSuccess: (_, subscribed) =>
      client.setQueryData(queryKey, (state: MailListState | undefined) => state && { ...state, subscribed }),
  });
}

const FEED = '/api/user/calendar-feed';

export const calendarFeedQuery = queryOptions({
  queryKey: [FEED],
  queryFn: ({ signal }) => sendForJson<CalendarFeed | null>(FEED, { signal }),
  ...ALWAYS_STALE,
});

/** The gateway's answer to a new feed, the only one with its address. */
interface NewFeed extends CalendarFeed {
  url: string;
}

/** Makes the secret address and replaces an earlier one. */
export function useCreateCalendarFeed() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => sendForJson<NewFeed>(FEED, { method: 'POST' }),
    onSuccess: ({ createdAt }) => client.setQueryData([FEED], { createdAt } satisfies CalendarFeed),
  });
}

export function useRemoveCalendarFeed() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(FEED, { method: 'DELETE' }),
    onSuccess: () => client.setQueryData(calendarFeedQuery.queryKey, null),
  });
}
