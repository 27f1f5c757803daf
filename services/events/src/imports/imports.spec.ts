import { randomUUID } from 'node:crypto';
import {
  type Identity,
  type Import,
  type ImportedFields,
  type ImportRow,
  type ImportRowFields,
  LIMITS,
  RecordAudit,
} from '@meetmark/contracts';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import { beforeCommit, outcomes } from '@meetmark/testing';
import { insertRow, updateRow } from '@meetmark/testing/factories/users';
import fc from 'fast-check';
import { manageEvents } from '../testing/manage-events.js';
import { createCall, eventsForTests, inject, persistently, UNKNOWN } from '../testing/open-events.js';
import { ROWS_PER_STEP } from './imports.repository.js';
import { ImportsService } from './imports.service.js';

const NOW = Date.now();
const DAY = 24 * 3_600_000;
const span = (days: number) => ({
  startDate: new Date(NOW + days * DAY).toISOString(),
  endDate: new Date(NOW + (days + 0.1) * DAY).toISOString(),
});
const past = (days = 0) => span(-30 - days);
const future = (days = 0) => span(30 + days);

describe('an import of events', () => {
  const events = eventsForTests();
  const service = inject(events, ImportsService);
  const { admin, change, get, publish, remove } = manageEvents(events);
  let organiser: Identity;
  beforeEach(async () => {
    await events.owner.query('TRUNCATE events.imports CASCADE');
    organiser = await events.person({ isOrganiser: true });
  });

  const row = (
    number: number,
    given: Partial<ImportedFields> = {},
    key = `key ${number}`,
  ): ImportRowFields => ({
    number,
    key,
    fields: { title: `Event ${number}`, ...future(number), ...given },
  });
  const preview = async (rows: ImportRowFields[], who = organiser): Promise<Import> => {
    let entry = await service.create({ fileName: 'events.csv' }, createCall(who));
    for (let at = 0; at < rows.length; at += IMPORTS.batch) {
      const part = rows.slice(at, at + IMPORTS.batch);
      entry = await service.addRows({ importId: entry.id, rows: part }, createCall(who));
    }
    return entry;
  };
  const step = (importId: string, who = organiser) => service.continue({ importId }, createCall(who));
  const finish = async (importId: string, who = organiser): Promise<Import> => {
    for (;;) {
      const entry = await persistently(() => step(importId, who));
      if (entry.state === 'done') return entry;
    }
  };
  const undo = async (importId: string, who = organiser): Promise<Import> => {
    for (;;) {
      const entry = await service.undo({ importId }, createCall(who));
      if (entry.state === 'undone') return entry;
    }
  };
  const run = async (rows: ImportRowFields[], who = organiser) => finish((await preview(rows, who)).id, who);
  const rowsOf = async ({ id: importId }: Import, who = organiser): Promise<ImportRow[]> =>
    (await service.listRows({ importId }, createCall(who))).items;
  const rulesOf = async (entry: Import, who = organiser) =>
    (await rowsOf(entry, who)).map(({ problems }) => problems.map(({ field, rule }) => `${field} ${rule}`));
  const stored = () => events.rows('SELECT * FROM events.events ORDER BY start_date');

  it('publishes past events and saves future ones as drafts, without emails', async () => {
    const entry = await run([
      row(1, { ...past(), title: 'Then', location: 'Granary Hall', price: '12.5', capacity: '60' }),
      row(2, {
        title: 'Soon',
        description: '**Bring** a pencil',
        isMarkdown: true,
        timeZone: 'Europe/Berlin',
      }),
      row(3, { title: 'Online', ...future(50), format: 'online', onlineUrl: 'https://meet.example.org/a' }),
    ]);
    expect(entry).toMatchObject({ state: 'done', rows: 3, outcomes: { created: 3 } });
    const [then, soon, online] = await stored();
    expect(then).toMatchObject({ title: 'Then', status: 'published', price: '12.50', capacity: 60 });
    expect(soon).toMatchObject({ title: 'Soon', status: 'draft', time_zone: 'Europe/Berlin', version: 1 });
    expect((await get(soon)).html?.description).toContain('<strong>Bring</strong>');
    expect((await get(online)).content.onlineUrl).toBe('https://meet.example.org/a');
    const jobs = await events.rows("SELECT job, payload ->> 'action' AS action FROM events.outbox");
    expect(jobs).toEqual([{ job: RecordAudit.name, action: 'event.imported' }]);
  });

  it('gives each invalid row a verdict with the field', async () => {
    const long = 'x'.repeat(IMPORTS.text);
    const entry = await preview([
      row(1, { title: null }),
      row(2, { startDate: 'soon', endDate: null }),
      row(3, { endDate: span(1).endDate }),
      row(4, { timeZone: 'Mars/Base', capacity: 'many', price: '-1' }),
      row(5, { title: long, description: long }),
      row(6, { onlineUrl: 'javascript:alert(1)' }),
      row(7, {}, 'key 6'),
      { ...row(8), cancelled: true },
      row(9, { title: '=HYPERLINK("https://evil.example")' }),
    ]);
    expect(entry.verdicts).toEqual({ new: 1, changed: 0, unchanged: 0, problem: 8 });
    expect((await rulesOf(entry)).map((rules) => rules.toSorted())).toEqual([
      ['title required'],
      ['startDate isMoment'],
      ['endDate dateRange'],
      ['capacity isInt', 'price isPrice', 'timeZone isTimeZone'],
      ['description maxLength', 'title maxLength'],
      ['onlineUrl isWebUrl'],
      ['key repeated'],
      ['key cancelled'],
      [],
    ]);
    expect((await finish(entry.id)).outcomes.created).toBe(1);
  });

  it('changes nothing when the same file is imported again, even by someone else', async () => {
    const rows = [row(1), row(2, past())];
    await run(rows);
    const before = await stored();
    expect((await preview(rows)).verdicts).toMatchObject({ unchanged: 2 });
    expect(await run(rows, admin)).toMatchObject({ outcomes: { created: 0, updated: 0 } });
    expect(await stored()).toEqual(before);
    const other = await events.person({ isOrganiser: true });
    expect(await rulesOf(await preview(rows, other), other)).toEqual([['key taken'], ['key taken']]);
  });

  it('updates only events that nobody has edited or registered for', async () => {
    await run([row(1), row(2), row(3, past()), row(4, past()), row(5)]);
    const ids = (
      await events.rows('SELECT event_id AS id FROM events.imported_events ORDER BY source_key')
    ).map(({ id }) => id as string);
    await publish(ids[1]!);
    await events.register(ids[2]!, await events.members(1));
    const again = await preview([
      row(1, { title: 'Renamed', location: 'Upstairs', onlineUrl: 'https://meet.example.org/b' }),
      row(2, { title: 'Renamed' }),
      row(3, { ...past(), title: 'Renamed' }),
      row(4, future()),
      row(5),
    ]);
    expect(again.verdicts).toEqual({ new: 0, changed: 1, unchanged: 1, problem: 3 });
    expect(await rulesOf(again)).toEqual([[], ['key edited'], ['key edited'], ['endDate held'], []]);
    await finish(again.id);
    expect(await get(ids[0]!)).toMatchObject({ title: 'Renamed', location: 'Upstairs', version: 2 });
    expect(await undo(again.id)).toMatchObject({ outcomes: { undone: 1 } });
    expect(await get(ids[0]!)).toMatchObject({
      title: 'Event 1',
      location: null,
      content: { onlineUrl: null },
    });
  });

  it('undoes an import except for events with edits, registrations or guests', async () => {
    const { id: importId } = await run([
      row(1),
      row(2, past()),
      row(3),
      row(4, past(1)),
      row(5),
      row(6, past(2)),
    ]);
    const ids = (await rowsOf({ id: importId } as Import)).map(({ eventId }) => eventId!);
    await change(ids[2]!, { title: 'Edited' });
    await events.register(ids[3]!, await events.members(1));
    await remove(ids[4]!);
    await insertRow(events.owner, 'events.event_registrations', {
      ...{ id: randomUUID(), eventId: ids[5]!, guestName: 'Alan' },
      ...{ registeredAt: new Date(), status: 'registered', showMe: 'no' },
    });
    const undone = await undo(importId);
    expect(undone.outcomes).toEqual({ created: 0, updated: 0, undone: 3, kept: 3 });
    const kept = [ids[2], ids[3], ids[5]];
    expect((await stored()).map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
    const { items } = await service.listRows({ importId, outcome: 'kept' }, createCall(organiser));
    expect(items.map(({ eventId }) => eventId)).toEqual(kept);
    expect(await outcomes([step(importId)])).toEqual({ IMPORT_UNDONE: 1 });
    expect(await events.outbox({ name: 'mail.eventCancelled', queue: 'mail' })).toEqual([]);
  });

  it('continues an import whose connection broke, and imports no row twice', async () => {
    const rows = Array.from({ length: 2 * ROWS_PER_STEP + 3 }, (_, n) => row(n + 1, past(n)));
    const { id: importId } = await preview(rows);
    await step(importId);
    expect(await stored()).toHaveLength(ROWS_PER_STEP);
    await events.owner.query(
      `CREATE FUNCTION public.end_connection() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
       CREATE TRIGGER end_connection AFTER INSERT ON events.imported_events
       FOR EACH ROW WHEN (NEW.source_key = 'key 50') EXECUTE FUNCTION public.end_connection()`,
    );
    await expect(step(importId)).rejects.toThrow();
    await events.owner.query('DROP FUNCTION public.end_connection CASCADE');
    expect(await stored()).toHaveLength(ROWS_PER_STEP);
    const all = await Promise.all([finish(importId), finish(importId), finish(importId)]);
    expect(all[0]).toMatchObject({ outcomes: { created: rows.length } });
    expect(await stored()).toHaveLength(rows.length);
  });

  it('imports an event once if two people import the same file simultaneously', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => row(n + 1, past(n)));
    const other = await events.administrator();
    const [one, two] = [await preview(rows, admin), await preview(rows, other)];
    await Promise.all([finish(one.id, admin), finish(two.id, other)]);
    expect(await stored()).toHaveLength(rows.length);
  });

  it('leaves out drafts beyond the limit', async () => {
    const rows = Array.from({ length: LIMITS.drafts + 1 }, (_, n) => row(n + 1));
    const { outcomes: done, verdicts, id } = await run(rows);
    expect([done.created, verdicts.problem]).toEqual([LIMITS.drafts, 1]);
    expect(
      (await service.listRows({ importId: id, verdict: 'problem' }, createCall(organiser))).items,
    ).toMatchObject([{ problems: [{ rule: 'drafts' }] }]);
  });

  it('is visible only to its owner, and takes rows only before it starts', async () => {
    const { id: importId } = await preview([row(1)]);
    const call = createCall(admin);
    const refusals = [
      service.addRows({ importId, rows: [] }, call),
      service.listRows({ importId }, call),
      service.continue({ importId }, call),
      service.undo({ importId }, call),
      service.undo({ importId: UNKNOWN }, createCall(organiser)),
    ];
    expect(await outcomes(refusals)).toEqual({ IMPORT_NOT_FOUND: 5 });
    expect(await service.list({}, call)).toEqual([]);
    await service.addRows({ importId, rows: [row(1, { title: 'Sent again' })] }, createCall(organiser));
    expect(await rowsOf({ id: importId } as Import)).toMatchObject([{ title: 'Event 1' }]);
    await finish(importId);
    const late = service.addRows({ importId, rows: [row(2)] }, createCall(organiser));
    expect(await outcomes([late])).toEqual({ IMPORT_STARTED: 1 });
  });

  it('keeps one preview per person, and pages its rows', async () => {
    await preview([row(1)]);
    const { id: importId } = await preview(Array.from({ length: 45 }, (_, n) => row(n + 1)));
    expect((await service.list({}, createCall(organiser))).map(({ id }) => id)).toEqual([importId]);
    const first = await service.listRows({ importId, limit: 40 }, createCall(organiser));
    expect([first.items.length, first.total]).toEqual([40, 45]);
    const cursor = first.nextCursor!;
    const rest = await service.listRows({ importId, limit: 40, cursor }, createCall(organiser));
    expect(rest.items.map(({ number }) => number)).toEqual([41, 42, 43, 44, 45]);
    const wrong = service.listRows({ importId, cursor: 'WyJudW1iZXIiLCJ4IiwieCJd' }, createCall(organiser));
    expect(await outcomes([wrong])).toEqual({ MALFORMED_CURSOR: 1 });
  });

  it('gives a verdict to any text, and imports the rows without an error', async () => {
    const text = fc.oneof(
      fc.constantFrom(null, '', ' ', '\u202e', '=1+1', '-1', '1e400', '0', 'x'.repeat(IMPORTS.text)),
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((any) => any.replaceAll(/\p{Cc}/gu, '')),
    );
    const moment = fc.oneof(
      text,
      fc
        .date({ min: new Date('1800-01-01'), max: new Date('3100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
    );
    const hostile = fc.record({
      ...{ title: text, description: text, timeZone: text, location: text },
      ...{ onlineUrl: text, price: text, capacity: text },
      startDate: moment,
      endDate: moment,
      isMarkdown: fc.boolean(),
    });
    const fields = fc.sample(hostile, { numRuns: 200, seed: 7 });
    const plausible = fields.map((given, n) =>
      n % 2 === 0 ? given : { ...given, ...past(n), title: `No ${n}` },
    );
    const entry = await run(plausible.map((given, n) => row(n + 1, given)));
    const { verdicts, outcomes: done } = entry;
    expect(verdicts.new + verdicts.problem).toBe(plausible.length);
    expect(done.created).toBe(verdicts.new);
  });

  it('rejects a former organiser', async () => {
    const { id: importId } = await preview([row(1)]);
    await updateRow(events.owner, 'auth.users', organiser.sub, { isOrganiser: false });
    const calls = [step(importId), service.undo({ importId }, createCall(organiser))];
    expect(await outcomes(calls)).toEqual({ FORBIDDEN: 2 });
  });

  it('keeps an event that someone registers for while the import is undone', async () => {
    const { id: importId } = await run([row(1, past())]);
    const [{ eventId }] = (await rowsOf({ id: importId } as Import)) as [ImportRow];
    const [guest] = await events.members(1);
    const registration: [string, unknown[]] = [
      `INSERT INTO events.event_registrations (id, event_id, user_id, status, show_me)
       VALUES (gen_random_uuid(), $1, $2, 'registered', 'name')`,
      [eventId, guest],
    ];
    await beforeCommit(events.owner, registration, () => undo(importId));
    expect(await stored()).toHaveLength(1);
  });
});
