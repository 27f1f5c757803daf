import type { CreateEventRequest, EventPage, Identity, UpdateEventRequest } from '@meetmark/contracts';
import { insertEvent } from '@meetmark/testing/factories/events';
import { CalendarService } from '../calendar/calendar.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { EventEditingService } from './event-editing.service.js';
import { EventsService } from './events.service.js';
import { RenderingUpkeep } from './rendered-texts.js';

const FORM: CreateEventRequest = {
  title: 'Meetup',
  description: 'Bring **coffee**',
  descriptionFormat: 'markdown',
  startDate: '2031-05-01T17:00:00.000Z',
  endDate: '2031-05-01T19:00:00.000Z',
  location: null,
  price: null,
  capacity: null,
  recap: 'It *was* good',
  banner: { action: 'remove' },
};
const HTML = { description: '<p>Bring <strong>coffee</strong></p>', recap: '<p>It <em>was</em> good</p>' };

describe('what Markdown became', () => {
  const events = eventsForTests();
  let editing: EventEditingService;
  let admin: Identity;
  beforeEach(async () => {
    await events.empty();
    editing = events.get(EventEditingService);
    admin = await events.administrator();
  });

  const seen = async ({ id }: { id: string }) => (await events.get(EventsService).get(id, null)).html;
  const change = (event: EventPage, given: Partial<UpdateEventRequest>) =>
    editing.update(admin, { banner: { action: 'keep' }, eventId: event.id, ...given });
  const upkeep = () => events.get(RenderingUpkeep).run();

  it('is there as soon as it is saved, as is what is typed', async () => {
    const created = await editing.create(admin, FORM);
    expect(created).toMatchObject({
      description: FORM.description,
      html: HTML,
      content: { recap: FORM.recap },
    });
    const changed = await change(created, { description: '# <b>' });
    expect(changed.html).toEqual({ ...HTML, description: '<h3>&lt;b&gt;</h3>' });
    expect(await change(created, { recap: null })).toMatchObject({ html: { recap: null } });
    expect(await change(created, { descriptionFormat: 'plain' })).toMatchObject({
      html: { description: null },
    });
  });

  it('is none of a text that the version before has written, until it is made in the background', async () => {
    const event = await editing.create(admin, FORM);
    await events.owner.query(
      "UPDATE events.events SET description = 'Bring *tea*', updated_at = now() WHERE id = $1",
      [event.id],
    );
    const made = await insertEvent(events.owner, { description: 'By **another**' });
    await events.owner.query("UPDATE events.events SET description_format = 'markdown' WHERE id = $1", [
      made.id,
    ]);
    expect([await seen(event), await seen(made)]).toEqual([null, null]);
    await upkeep();
    expect(await seen(event)).toEqual({ ...HTML, description: '<p>Bring <em>tea</em></p>' });
    expect(await seen(made)).toEqual({ description: '<p>By <strong>another</strong></p>', recap: null });
  });

  it('is made anew in the background for another renderer, and shown as it was until then', async () => {
    const event = await editing.create(admin, FORM);
    await events.owner.query("UPDATE events.rendered_texts SET renderer = 0, description_html = 'old'");
    expect(await seen(event)).toMatchObject({ description: 'old' });
    await upkeep();
    expect(await seen(event)).toEqual(HTML);
  });

  it('is none of what was stored beyond the bound, which ends the upkeep nevertheless', async () => {
    const event = await editing.create(admin, FORM);
    await events.owner.query('UPDATE events.events SET description = $2, updated_at = now() WHERE id = $1', [
      event.id,
      '> '.repeat(9),
    ]);
    await upkeep();
    expect(await seen(event)).toEqual({ ...HTML, description: null });
  });

  it('is what calendars show', async () => {
    await editing.create(admin, FORM);
    await events.owner.query("UPDATE events.rendered_texts SET description_text = 'as it is kept'");
    const { ics } = await events.get(CalendarService).ofEverything();
    expect(ics).toContain('DESCRIPTION:as it is kept');
  });

  it('goes with its event', async () => {
    const { id } = await editing.create(admin, FORM);
    await editing.delete(admin, id);
    const { rowCount } = await events.owner.query('SELECT FROM events.rendered_texts');
    expect(rowCount).toBe(0);
  });
});
