import { createHash } from 'node:crypto';
import type {
  CancelEventRequest,
  CreateEventRequest,
  Identity,
  SeriesStep,
  StoredPicture,
  UpdateEventRequest,
} from '@meetmark/contracts';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { EventLifeService } from '../events/core/event-life.service.js';
import { EventsService } from '../events/core/events.service.js';
import { createCall, eventForm, inject, type TestEvents } from './open-events.js';

type Which = string | { id: string };
const getId = (event: Which) => (typeof event === 'string' ? event : event.id);

/**
 * Returns calls that change events, made by an administrator unless `who` is given. Before each test, deletes
 * all events and inserts a new administrator.
 */
export function manageEvents(events: TestEvents) {
  const editing = inject(events, EventEditingService);
  const life = inject(events, EventLifeService);
  const reading = inject(events, EventsService);
  const admin = {} as Identity;
  beforeEach(async () => {
    await events.empty();
    Object.assign(admin, await events.administrator());
  });
  return {
    admin,
    create: (given: Partial<CreateEventRequest> = {}, who = admin) =>
      editing.create(eventForm(given), createCall(who)),
    change: (event: Which, given: Partial<UpdateEventRequest>, who = admin) =>
      editing.update({ eventId: getId(event), banner: { action: 'keep' }, ...given }, createCall(who)),
    makeSeries: (event: Which, count = 2, every: SeriesStep = 'week') =>
      editing.makeSeries({ eventId: getId(event), every, count }, createCall(admin)),
    remove: (event: Which) => editing.delete({ eventId: getId(event) }, createCall(admin)),
    publish: (event: Which, version?: number, who = admin) =>
      life.publish({ eventId: getId(event), version }, createCall(who)),
    cancel: (event: Which, given: Omit<CancelEventRequest, 'eventId'> = {}) =>
      life.cancel({ eventId: getId(event), ...given }, createCall(admin)),
    get: (event: Which, viewer: Identity | null = admin) =>
      reading.get({ eventId: getId(event) }, createCall(viewer)),
    fetchSequence: async (event: Which) =>
      (await events.row('SELECT sequence FROM events.events WHERE id = $1', getId(event))).sequence,
  };
}

/** Returns an image whose bytes are the given text. */
export function createPicture(content: string): StoredPicture {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { hash, base64: bytes.toString('base64'), width: 16, height: 9 };
}
