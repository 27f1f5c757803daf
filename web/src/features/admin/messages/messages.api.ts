import type {
  EventMessage,
  EventMessagePage,
  MessageAudience,
  MessageFields,
  MessageRecipient,
  MessageText,
  RecipientState,
  RenderedMessage,
} from '@meetmark/contracts';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson, useIdempotencyKey } from '../../../api/client';
import { useMutation } from '../../../api/mutation';
import { readPage, withQuery } from '../../../api/pages';
import { ALWAYS_STALE, readQuery } from '../../../api/query-client';
import { withName } from '../shared/former-member';
import { pageQuery, ROWS_PER_PAGE } from '../shared/paged-list';

const getPath = (eventId: string) => `/api/admin/events/${eventId}/messages`;
const KEY = '/api/admin/events/messages';
const LOOK_AGAIN = 2_000;

const isMoving = ({ state }: EventMessage) => state === 'sending';

export const firstMessagesPath = (eventId: string) => withQuery(getPath(eventId), { limit: ROWS_PER_PAGE });

export const messagesPageQuery = (path: string) =>
  queryOptions({
    ...pageQuery<EventMessage>([KEY], path),
    refetchInterval: ({ state: { data } }) => (data?.items.some(isMoving) ? LOOK_AGAIN : false),
  });

export const messageQuery = (eventId: string, id: string) =>
  queryOptions({
    queryKey: [KEY, eventId, id],
    queryFn: ({ signal }) => sendForJson<EventMessagePage>(`${getPath(eventId)}/${id}`, { signal }),
    ...ALWAYS_STALE,
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? LOOK_AGAIN : false),
  });

export const audienceQuery = (eventId: string) =>
  readQuery<MessageAudience>(`${getPath(eventId)}/audience`, [KEY, eventId, 'audience']);

export const firstRecipientsPath = (eventId: string, id: string, state: RecipientState | '') =>
  withQuery(`${getPath(eventId)}/${id}/recipients`, { state, limit: ROWS_PER_PAGE });

export type RecipientRow = MessageRecipient & { id: string };

export const recipientsPageQuery = (path: string, isSending: boolean) =>
  queryOptions({
    queryKey: [KEY, 'recipients', path],
    queryFn: async ({ signal }) => {
      const page = await readPage<MessageRecipient>(path, signal);
      return {
        ...page,
        items: page.items.map((row): RecipientRow => ({ ...withName(row), id: row.registrationId })),
      };
    },
    ...ALWAYS_STALE,
    placeholderData: keepPreviousData,
    refetchInterval: isSending ? LOOK_AGAIN : false,
  });

function useRefresh() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: [KEY] });
}

export function useSaveMessage(eventId: string, id?: string) {
  const keyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: MessageFields) =>
      id === undefined
        ? sendForJson<EventMessagePage>(getPath(eventId), { method: 'POST', body, headers: keyFor(body) })
        : sendForJson<EventMessagePage>(`${getPath(eventId)}/${id}`, { method: 'PUT', body }),
    onSettled: useRefresh(),
  });
}

export const useCancelMessage = (eventId: string) =>
  useMutation({
    mutationFn: (id: string) => send(`${getPath(eventId)}/${id}`, { method: 'DELETE' }),
    onSettled: useRefresh(),
  });

export const usePreviewMessage = (eventId: string) =>
  useMutation({
    mutationFn: (body: MessageText) =>
      sendForJson<RenderedMessage>(`${getPath(eventId)}/preview`, { method: 'POST', body }),
  });

export const useTestMessage = (eventId: string) =>
  useMutation({
    mutationFn: (body: MessageText) => send(`${getPath(eventId)}/test`, { method: 'POST', body }),
  });
