import type { Event, EventPage, GalleryItem, PreviewLink } from '@meetmark/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { getErrorDetails, send, sendForJson, useIdempotencyKey } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { readQuery } from '../../api/query-client';
import { eventQuery, refreshEvents } from './shared/events.api';

const getPath = (id: string) => `/api/events/${id}`;

function useEventCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: call, onSettled: () => void refreshEvents(client) });
}

export const usePublishEvent = ({ id, version }: Event) =>
  useEventCall((announce: boolean | undefined) =>
    sendForJson<Event>(`${getPath(id)}/publish`, { method: 'POST', body: { version, announce } }),
  );

export const useCancelEvent = ({ id, version }: Event) =>
  useEventCall((reason: string) =>
    sendForJson<Event>(`${getPath(id)}/cancel`, {
      method: 'POST',
      body: { version, ...(reason && { reason }) },
    }),
  );

export const useChangeSlug = ({ id }: Event) =>
  useEventCall((slug: string) =>
    sendForJson<EventPage>(`${getPath(id)}/slug`, { method: 'PUT', body: { slug } }),
  );

const galleryPath = (id: string) => `${getPath(id)}/gallery`;

interface GalleryChange {
  /**
   * Only a new image has `picture`. `was` is the alt text before it was edited. `came` is called once a new
   * image is stored.
   */
  items: { id?: string; picture?: string; alt: string; was?: string; came: (id?: string) => void }[];
  isMoved: boolean;
}

/**
 * Sends only what has changed, because other people may edit the gallery at the same time. New images are
 * stored one by one, so that a failure keeps the earlier ones.
 */
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
      // undefined if the gallery already had an identical image
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
      const { present } = getErrorDetails(error, 'EDIT_CONFLICT') ?? {};
      if (present) client.setQueryData(queryKey, present as EventPage);
      throw error;
    }
  });
}

export const useRemoveGalleryPicture = ({ id }: Event) =>
  useEventCall((pictureId: string) => send(`${galleryPath(id)}/${pictureId}`, { method: 'DELETE' }));

export const previewLinkQuery = ({ id }: Event) => readQuery<PreviewLink | null>(`${getPath(id)}/preview`);

function usePreviewCall<Answer>(event: Event, call: () => Promise<Answer>) {
  const client = useQueryClient();
  const { queryKey } = previewLinkQuery(event);
  return useMutation({ mutationFn: call, onSettled: () => void client.invalidateQueries({ queryKey }) });
}

export const useMakePreview = (event: Event) =>
  usePreviewCall(event, () =>
    sendForJson<{ token: string }>(`${getPath(event.id)}/preview`, { method: 'POST' }),
  );

export const useRevokePreview = (event: Event) =>
  usePreviewCall(event, () => send(`${getPath(event.id)}/preview`, { method: 'DELETE' }));

export const previewQuery = (token: string) =>
  readQuery<EventPage>(`/api/event-previews/${encodeURIComponent(token)}`, ['/api/event-previews', token]);

export interface SeriesPlan {
  every: 'week' | 'two-weeks' | 'month';
  count: number;
}

export function useMakeSeries({ id }: Event) {
  const keyFor = useIdempotencyKey();
  return useEventCall((plan: SeriesPlan) =>
    sendForJson<Event[]>(`${getPath(id)}/series`, { method: 'POST', body: plan, headers: keyFor(plan) }),
  );
}
