import type {
  CalendarFeed,
  DataExport,
  EventRole,
  MailListState,
  MailPreferences,
  ShowMe,
  User,
} from '@meetmark/contracts';
import type { ProductLocale } from '@meetmark/i18n/locales';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { readQuery } from '../../api/query-client';
import { rememberUser } from '../auth/current-user';

export type ProfileFields = Pick<
  User,
  'firstName' | 'lastName' | 'email' | 'description' | 'profileImageUrl' | 'linkedInUrl'
>;

export const toProfileFields = (user: ProfileFields): ProfileFields => ({
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  description: user.description,
  profileImageUrl: user.profileImageUrl,
  linkedInUrl: user.linkedInUrl,
});

/** For each new email address, whether the code went there ('new') or to the current address ('present'). */
export const codeSentTo = new Map<string, 'new' | 'present'>();

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

export const mailPreferencesQuery = readQuery<MailPreferences>(PREFERENCES);

export function useSetMailPreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (preferences: MailPreferences) =>
      sendForJson<MailPreferences>(PREFERENCES, { method: 'PUT', body: preferences }),
    onSuccess: (preferences) => client.setQueryData(mailPreferencesQuery.queryKey, preferences),
  });
}

const ROLES = '/api/event-roles';

export const eventRolesQuery = readQuery<EventRole[]>(ROLES);

export const sameRole = (one: EventRole, other: EventRole) =>
  one.eventId === other.eventId && one.role === other.role;

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

export const mailListQuery = (token: string) =>
  readQuery<MailListState>(`${unsubscribePath(token)}/list`, ['mail list', token]);

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

export const calendarFeedQuery = readQuery<CalendarFeed | null>(FEED);

/** The response to creating a feed, the only one with its URL. */
interface NewFeed extends CalendarFeed {
  url: string;
}

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

const EXPORT = '/api/user/export';
/** Milliseconds between polls while the file is being prepared. */
const POLL = 3_000;

export const dataExportQuery = queryOptions({
  ...readQuery<DataExport | null>(EXPORT),
  refetchInterval: ({ state: { data } }) => (data?.readyAt === null ? POLL : false),
});

export function useRequestDataExport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => sendForJson<DataExport>(EXPORT, { method: 'POST' }),
    onSuccess: (present) => client.setQueryData(dataExportQuery.queryKey, present),
  });
}
