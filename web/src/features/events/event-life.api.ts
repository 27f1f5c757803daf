import type { Event, EventPage, GalleryItem } from '@meetmark/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { detailsOf, send, sendForJson, useIdempotencyKey } from '../../api/client';
import { ALWAYS_STALE } from '../../api/query-client';
import { eventQuery, refreshEvents } from './shared/events.api';

const pathOf = (id: string) => `/api/events/${id}`;

/** A call that changes what an event is; every list learns of it, after a refusal too. */
function useEventCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: call, onSettled: () => void refreshEvents(client) });
}

export const usePublishEvent = ({ id, version }: Event) =>
  useEventCall((announce: boolean | undefined) =>
    sendForJson<Event>(`${pathOf(id)}/publish`, { method: 'POST', body: { version, announce } }),
  );

export const useCancelEvent = ({ id, version }: Event) =>
  useEventCall((reason: string) =>
    sendForJson<Event>(`${pathOf(id)}/cancel`, {
      method: 'POST',
      body: { version, ...(reason && { reason }) },
    }),
  );

export const useChangeSlug = ({ id }: Event) =>
  useEventCall((slug: string) =>
    sendForJson<EventPage>(`${pathOf(id)}/slug`, { method: 'PUT', body: { slug } }),
  );

const galleryPath = (id: string) => `${pathOf(id)}/gallery`;

interface GalleryChange {
  /**
   * All of them in their order. New ones have a picture instead of an id; `came` is called with theirs when they are stored. Those
   * that are there have what they said before instead, where they get other words.
   */
  items: { id?: string; picture?: string; alt: string; was?: string; came: (id?: string) => void }[];
  isMoved: boolean;
}

/** Sends what is changed alone, as others may change the rest meanwhile. What came through stays where one is refused. */
export function useSaveGallery({ id }: Event) {
  const client = useQueryClient();
  const { queryKey } = eventQuery(id);
  return useEventCall(async ({ items, isMoved }: GalleryChange) => {
    const known = new Set(items.map((item) => item.id));
    const pictures: GalleryItem[] = [];
    for (const { id: own, picture, alt, was, came } of items) {
      if (own !== undefined) {
        if (isMoved || was !== undefined) pictures.push({ id: own, ...(was !== undefined && { alt, was }) });
        continue;
      }
      const page = await sendForJson<EventPage>(galleryPath(id), { method: 'POST', body: { picture, alt } });
      // a picture that is there already comes to no second place
      const stored = page.gallery?.findLast((item) => !known.has(item.id) && item.alt === alt);
      known.add(stored?.id);
      if (isMoved && stored) pictures.push({ id: stored.id });
      client.setQueryData(queryKey, page);
      came(stored?.id);
    }
    if (pictures.length === 0) return;
    const body = { pictures };
    try {
      client.setQueryData(queryKey, await sendForJson<EventPage>(galleryPath(id), { method: 'PUT', body }));
    } catch (error) {
      const { present } = detailsOf(error, 'EDIT_CONFLICT') ?? {};
      if (present) client.setQueryData(queryKey, present as EventPage);
      throw error;
    }
  });
}

export const useRemoveGalleryPicture = ({ id }: Event) =>
  useEventCall((pictureId: string) => send(`${galleryPath(id)}/${pictureId}`, { method: 'DELETE' }));

/** Makes a preview link; an earlier one ends. */
export const useMakePreview = ({ id }: Event) =>
  useMutation({
    mutationFn: () => sendForJson<{ token: string }>(`${pathOf(id)}/preview`, { method: 'POST' }),
  });

export const useRevokePreview = ({ id }: Event) =>
  useMutation({ mutationFn: () => send(`${pathOf(id)}/preview`, { method: 'DELETE' }) });

/** What a preview link shows. */
export const previewQuery = (token: string) =>
  queryOptions({
    queryKey: ['/api/event-previews', token],
    queryFn: ({ signal }) =>
      sendForJson<EventPage>(`/api/event-previews/${encodeURIComponent(token)}`, { signal }),
    ...ALWAYS_STALE,
  });

/** `count` includes the event itself. */
export interface SeriesPlan {
  every: 'week' | 'two-weeks' | 'month';
  count: number;
}

/** Makes the drafts that follow an event. */
export function useMakeSeries({ id }: Event) {
  const keyFor = useIdempotencyKey();
  return useEventCall((plan: SeriesPlan) =>
    sendForJson<Event[]>(`${pathOf(id)}/series`, { method: 'POST', body: plan, headers: keyFor(plan) }),
  );
}
