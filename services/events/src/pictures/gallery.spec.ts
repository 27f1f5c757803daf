import {
  AddGalleryPictureRequest,
  type EventPage,
  type GalleryPicture,
  pictureHash,
  RecordAudit,
} from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { beforeCommit, outcomes } from '@meetmark/testing';
import { daysFromNow, insertEvent } from '@meetmark/testing/factories/events';
import { EventsService } from '../events/core/events.service.js';
import { createPicture, manageEvents } from '../testing/manage-events.js';
import { createCall, eventsForTests, inject } from '../testing/open-events.js';
import { GalleryService } from './gallery.service.js';

describe('the gallery of an event', () => {
  const events = eventsForTests();
  const service = inject(events, GalleryService);
  const managing = manageEvents(events);
  const { admin, get } = managing;
  let eventId: string;
  beforeEach(async () => {
    eventId = (await insertEvent(events.owner, { startDate: daysFromNow(-2), endDate: daysFromNow(-1) })).id;
  });
  const add = (content: string, alt = `Words of ${content}`) =>
    service.add({ eventId, alt, picture: createPicture(content) }, createCall(admin));
  const remove = (pictureId: string) => service.remove({ eventId, pictureId }, createCall(admin));
  type Change = Parameters<GalleryService['changeSome']>[0]['pictures'];
  const change = (pictures: Change) => service.changeSome({ eventId, pictures }, createCall(admin));
  const fill = async (count: number) => {
    for (let n = 0; n < count; n += 1) await add(`${n}`);
  };
  const atOnce = <T>(work: () => Promise<T>) =>
    beforeCommit(
      events.owner,
      ['SELECT FROM events.events WHERE id = $1 FOR NO KEY UPDATE', [eventId]],
      work,
    );
  const shown = async () => (await get(eventId, null)).gallery!;
  const wordsIn = (page: Pick<EventPage, 'gallery'>) => page.gallery!.map(({ alt }) => alt);

  it('shows the gallery only on the event page, and does not raise the version', async () => {
    const before = await get(eventId);
    expect(before.gallery).toEqual([]);
    await add('hall');
    const after = await add('talk');
    expect(wordsIn(after)).toEqual(['Words of hall', 'Words of talk']);
    expect(await shown()).toEqual(after.gallery);
    expect(after.version).toBe(before.version);
    expect(await managing.fetchSequence(eventId)).toBe(0);
    const { items } = await events.get(EventsService).list({ when: 'past' } as never, createCall(admin));
    expect(items.map((item) => [item.id, 'gallery' in item])).toContainEqual([eventId, false]);
  });

  it('stores a repeated image once, with the new alt text', async () => {
    const [first] = (await add('hall', 'A hall')).gallery!;
    expect((await add('hall', 'The hall at noon')).gallery).toEqual([{ ...first, alt: 'The hall at noon' }]);
  });

  it.each(['', ' \u200B ', 'x'.repeat(251), 'two\nlines', undefined])(
    'rejects an image with the alt text %j',
    async (alt) => {
      const given = { eventId, picture: createPicture('hall'), alt };
      await expect(validated(AddGalleryPictureRequest, given)).rejects.toMatchObject({
        details: { fields: { alt: expect.anything() } },
      });
    },
  );

  it('limits a gallery to eight images, even when two are added simultaneously', async () => {
    await fill(7);
    const both = await atOnce(() => outcomes([add('eighth'), add('ninth')]));
    expect(both).toEqual({ ok: 1, VALIDATION_FAILED: 1 });
    expect(await shown()).toHaveLength(8);
    await expect(add('tenth')).rejects.toMatchObject({
      details: { fields: { picture: ['picture cannot be added: a gallery has at most 8 images'] } },
    });
    await add('0', 'Other words');
    expect((await shown())[0]!.alt).toBe('Other words');
  });

  it('changes the alt text and order of the given images and rejects unknown ones', async () => {
    await fill(3);
    const [one, two, three] = await shown();
    const pictures = [
      { id: three!.id.toUpperCase(), alt: 'Third' },
      { id: one!.id, alt: 'First' },
    ];
    expect((await change(pictures)).gallery).toEqual([
      { ...three, alt: 'Third' },
      two,
      { ...one, alt: 'First' },
    ]);
    const other = { ...pictures[0]!, id: eventId };
    await expect(change([pictures[1]!, other])).rejects.toMatchObject({
      details: { fields: { 'pictures[1].id': ['pictures[1].id is not an image of this event'] } },
    });
  });

  it('merges simultaneous changes to different alt texts and to the order', async () => {
    await fill(3);
    const [one, two, three] = (await shown()) as [GalleryPicture, GalleryPicture, GalleryPicture];
    const changes = [
      [{ id: one.id, alt: 'One by one', was: one.alt }],
      [{ id: two.id, alt: 'Two by another', was: two.alt }],
      [three, two, one].map(({ id }) => ({ id })),
    ];
    const all = await atOnce(() => outcomes(changes.map(change)));
    expect(all).toEqual({ ok: 3 });
    expect(wordsIn({ gallery: await shown() })).toEqual([three.alt, 'Two by another', 'One by one']);
  });

  it('rejects a change based on an outdated alt text and returns the current gallery', async () => {
    await fill(1);
    const [one] = (await shown()) as [GalleryPicture];
    const say = (alt: string, was?: string) => change([{ id: one.id, alt, was }]);
    const both = await atOnce(() => outcomes([say('Mine', one.alt), say('Theirs', one.alt)]));
    expect(both).toEqual({ ok: 1, EDIT_CONFLICT: 1 });
    const gallery = await shown();
    const [{ alt: saved } = { alt: '' }] = gallery;
    expect(['Mine', 'Theirs']).toContain(saved);
    await expect(say('Third', one.alt)).rejects.toMatchObject({
      code: 'EDIT_CONFLICT',
      details: { present: { id: eventId, gallery } },
    });
    expect(wordsIn(await say(saved, one.alt))).toEqual([saved]);
    expect(wordsIn(await say('Seen', saved))).toEqual(['Seen']);
    expect(wordsIn(await say('The last one'))).toEqual(['The last one']);
  });

  it('stops serving a removed image and the images of a deleted event', async () => {
    await fill(2);
    const hashes = (await shown()).map(({ url }) => pictureHash('gallery', url)!);
    const [gone, kept] = hashes as [string, string];
    const { base64 } = await service.get({ hash: gone });
    expect(Buffer.from(base64, 'base64').toString()).toBe('0');
    const [{ id: pictureId } = { id: '' }] = await shown();
    for (let times = 0; times < 2; times += 1) await remove(pictureId);
    expect(wordsIn({ gallery: await shown() })).toEqual(['Words of 1']);
    await expect(service.get({ hash: gone })).rejects.toMatchObject({ code: 'PICTURE_NOT_FOUND' });
    expect([await service.has({ hash: gone }), await service.has({ hash: kept })]).toEqual([false, true]);
    await managing.remove(eventId);
    await expect(service.get({ hash: kept })).rejects.toMatchObject({ code: 'PICTURE_NOT_FOUND' });
    expect(await service.has({ hash: kept })).toBe(false);
  });

  it('allows changes after a cancellation, and does not copy images to a series', async () => {
    await add('hall');
    await managing.cancel(eventId);
    await add('talk');
    const [{ id: pictureId } = { id: '' }] = await shown();
    await remove(pictureId);
    expect(wordsIn({ gallery: await shown() })).toEqual(['Words of talk']);
    eventId = (await insertEvent(events.owner)).id;
    await add('hall');
    const [made] = await managing.makeSeries(eventId);
    expect((await get(made!)).gallery).toEqual([]);
  });

  it('lets only event managers change the gallery, and records audit entries', async () => {
    await add('hall');
    const [{ id } = { id: '' }] = await shown();
    const stranger = createCall(await events.person());
    const refused = [
      service.add({ eventId, alt: 'x', picture: createPicture('x') }, stranger),
      service.changeSome({ eventId, pictures: [] }, stranger),
      service.remove({ eventId, pictureId: id }, stranger),
    ];
    expect(await outcomes(refused)).toEqual({ FORBIDDEN: 3 });
    await change([]);
    await remove(id);
    const audited = await events.outbox(RecordAudit);
    expect(audited).toMatchObject(
      [1, 2].map(() => ({
        action: 'event.updated',
        subjectId: eventId,
        actorId: admin.sub,
        changed: ['gallery'],
      })),
    );
    expect(audited).toHaveLength(2);
  });

  it('prevents the deletion of stored images that a gallery still contains', async () => {
    await add('hall');
    const { hash } = createPicture('hall');
    const collect = () => events.owner.query('DELETE FROM events.pictures WHERE hash = $1', [hash]);
    expect((await collect()).rowCount).toBe(0);
    await remove((await shown())[0]!.id);
    expect((await collect()).rowCount).toBe(1);
  });
});
