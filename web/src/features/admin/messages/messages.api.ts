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
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson, useIdempotencyKey } from '../../../api/client';
import { readPage, withQuery } from '../../../api/pages';
import { ALWAYS_STALE } from '../../../api/query-client';
import { pageQuery, ROWS_PER_PAGE } from '../shared/paged-list';

const pathOf = (eventId: string) => `/api/admin/events/${eventId}/messages`;
const KEY = '/api/admin/events/messages';
/** Milliseconds between looks at a message that is being sent. */
const LOOK_AGAIN = 2_000;

const isMoving = ({ state }: EventMessage) => state === 'sending';

export const firstMessagesPath = (eventId: string) => withQuery(pathOf(eventId), { limit: ROWS_PER_PAGE });

export const messagesPageQuery = (path: string) =>
  queryOptions({
    ...pageQuery<EventMessage>([KEY], path),
    refetchInterval: ({ state: { data } }) => (data?.items.some(isMoving) ? LOOK_AGAIN : false),
  });

export const messageQuery = (eventId: string, id: string) =>
  queryOptions({
    queryKey: [KEY, eventId, id],
    queryFn: ({ signal }) => sendForJson<EventMessagePage>(`${pathOf(eventId)}/${id}`, { signal }),
    ...ALWAYS_STALE,
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? LOOK_AGAIN : false),
  });

export const audienceQuery = (eventId: string) =>
  queryOptions({
    queryKey: [KEY, eventId, 'audience'],
    queryFn: ({ signal }) => sendForJson<MessageAudience>(`${pathOf(eventId)}/audience`, { signal }),
    ...ALWAYS_STALE,
  });

export const firstRecipientsPath = (eventId: string, id: string, state: RecipientState | '') =>
  withQuery(`${pathOf(eventId)}/${id}/recipients`, { state, limit: ROWS_PER_PAGE });

/** Rows of lists have an id. */
export type RecipientRow = MessageRecipient & { id: string };

export const recipientsPageQuery = (path: string, isSending: boolean) =>
  queryOptions({
    queryKey: [KEY, 'recipients', path],
    queryFn: async ({ signal }) => {
      const page = await readPage<MessageRecipient>(path, signal);
      return { ...page, items: page.items.map((row): RecipientRow => ({ ...row, id: row.registrationId })) };
    },
    ...ALWAYS_STALE,
    placeholderData: keepPreviousData,
    refetchInterval: isSending ? LOOK_AGAIN : false,
  });

function useRefresh() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: [KEY] });
}

/** Makes a message, or changes the one with that id. */
export function useSaveMessage(eventId: string, id?: string) {
  const keyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: MessageFields) =>
      id === undefined
        ? sendForJson<EventMessagePage>(pathOf(eventId), { method: 'POST', body, headers: keyFor(body) })
        : sendForJson<EventMessagePage>(`${pathOf(eventId)}/${id}`, { method: 'PUT', body }),
    onSettled: useRefresh(),
  });
}

/** Removes a draft, cancels what is scheduled. */
export const useCancelMessage = (eventId: string) =>
  useMutation({
    mutationFn: (id: string) => send(`${pathOf(eventId)}/${id}`, { method: 'DELETE' }),
    onSettled: useRefresh(),
  });

export const usePreviewMessage = (eventId: string) =>
  useMutation({
    mutationFn: (body: MessageText) =>
      sendForJson<RenderedMessage>(`${pathOf(eventId)}/preview`, { method: 'POST', body }),
  });

export const useTestMessage = (eventId: string) =>
  useMutation({
    mutationFn: (body: MessageText) => send(`${pathOf(eventId)}/test`, { method: 'POST', body }),
  });
