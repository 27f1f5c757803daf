import type { DoorGuest, DoorItem, DoorResult, DoorSnapshot } from '@meetmark/contracts';
import { waitFor } from '@testing-library/react';
import { DoorPhone, computeDigest } from './phone';
import { type DoorStore, memoryStore } from './store';
import {
  toAnswer,
  asSeen,
  codeIn,
  countGuests,
  matching,
  objection,
  wasWrong,
  withResult,
} from './guest-list';

describe('A phone at the door', () => {
  const TOKEN = 't'.repeat(43);
  const guest = (id: string, given: Partial<DoorGuest> = {}): DoorGuest => ({
    ...{ id, name: `${id} Guest`, state: 'registered', checkedInAt: null, codeDigest: '' },
    ...given,
  });

  class FakeDoor {
    guests = [guest('Anna'), guest('Ben'), guest('Cleo', { state: 'waitlisted' })];
    items: DoorItem[] = [];
    walkIns: { name: string; override?: boolean }[] = [];
    requests: { path: string; headers: Headers; init: RequestInit }[] = [];
    fails: ((path: string, items: DoorItem[]) => Response | Error | undefined) | undefined;
    result: (item: DoorItem) => Partial<DoorResult> = ({ at, guestId }) => ({ result: 'ok', guestId, at });
    ahead = 0;

    answer = async (path: string, init: RequestInit = {}): Promise<Response> => {
      const body = JSON.parse(String(init.body ?? '{}')) as { items?: DoorItem[]; key: string; name: string };
      const { items = [], key, name } = body;
      this.requests.push({ path, headers: new Headers(init.headers), init });
      const failure = this.fails?.(path, items);
      if (failure instanceof Error) throw failure;
      if (failure) return failure;
      const headers = { date: new Date(Date.now() - this.ahead).toUTCString() };
      if (path.endsWith('/check-ins')) {
        this.items.push(...items);
        return Response.json(
          items.map((item) => ({ key: item.key, ...this.result(item) })),
          { headers },
        );
      }
      if (path.endsWith('/walk-ins')) {
        this.walkIns.push(body);
        return Response.json({ key, result: 'ok', guestId: name, name, at: EARLIER });
      }
      const event = { id: 'e', title: 'An evening', startDate: EARLIER, endDate: EARLIER, cancelled: false };
      return Response.json({ event, expiresAt: '2099-01-01', counts: {}, guests: this.guests }, { headers });
    };
  }
  const refused = (status: number, code?: string) =>
    new Response(code ? JSON.stringify({ code, message: code }) : '<html>', { status });
  const away = () => new TypeError('Failed to fetch');

  let door: FakeDoor;
  const phones: DoorPhone[] = [];
  const realFetch = globalThis.fetch;
  const open = async (store: DoorStore = memoryStore()) => {
    const phone = new DoorPhone(TOKEN, store);
    phones.push(phone);
    await phone.start();
    return phone;
  };
  const back = () => {
    door.fails = undefined;
    window.dispatchEvent(new Event('online'));
  };
  const admit = async (phone: DoorPhone, id: string) => {
    const answer = await phone.choose(id);
    if (answer.kind !== 'in') throw new Error(answer.kind);
    return answer;
  };
  const named = (phone: DoorPhone, id: string) => phone.now().guests.find((one) => one.id === id);

  beforeEach(() => {
    door = new FakeDoor();
    globalThis.fetch = door.answer as typeof fetch;
  });
  afterEach(() => {
    phones.splice(0).forEach((phone) => phone.stop());
    globalThis.fetch = realFetch;
  });

  it('sends its token in a header, without cookies or caching', async () => {
    await open();
    const [{ path, headers, init }] = door.requests as [(typeof door.requests)[0]];
    expect(path).toBe('/api/door');
    expect(headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
    expect(init).toMatchObject({ cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' });
  });

  it('shows the earlier time when the server reports that a guest is already in', async () => {
    const phone = await open();
    door.result = ({ guestId }) => ({ result: 'already', guestId, at: EARLIER });
    expect(await phone.choose('Anna')).toEqual({ kind: 'already', name: 'Anna Guest', at: EARLIER });
    expect(named(phone, 'Anna')?.checkedInAt).toBe(EARLIER);
    expect(phone.now().waiting).toBe(0);
  });

  it('recognises a code by its digest, and asks the server about unknown codes', async () => {
    door.guests[0]!.codeDigest = (await computeDigest(CODE))!;
    const phone = await open();
    expect(await phone.scan(CODE)).toMatchObject({ kind: 'in', name: 'Anna Guest' });
    expect(door.items).toMatchObject([{ guestId: 'Anna' }]);
    door.result = () => ({ result: 'wrong-event', title: 'Another evening' });
    expect(await phone.scan('x'.repeat(22))).toEqual({ kind: 'wrong-event', title: 'Another evening' });
    door.fails = away;
    expect(await phone.scan('y'.repeat(22))).toEqual({ kind: 'unknown', code: 'y'.repeat(22) });
    expect(phone.now().waiting).toBe(0);
  });

  it('works offline, even after a reload, and sends its changes when online', async () => {
    const store = memoryStore();
    const phone = await open(store);
    door.fails = away;
    expect(await phone.choose('Anna')).toMatchObject({ kind: 'in', name: 'Anna Guest' });
    expect(await phone.choose('Anna')).toMatchObject({ kind: 'already' });
    expect(await phone.choose('Cleo')).toMatchObject({ kind: 'not-registered', state: 'waitlisted' });
    await phone.walkIn('Wanda', null);
    expect(phone.now()).toMatchObject({ online: false, waiting: 2, counts: { registered: 3, checkedIn: 2 } });
    phone.stop();

    const reloaded = await open(store);
    expect(reloaded.now()).toMatchObject({ link: 'open', online: false, waiting: 2 });
    await reloaded.choose('Ben');
    expect(await phone.scan('z'.repeat(22))).toMatchObject({ kind: 'unknown' });
    door.result = ({ guestId, at }) =>
      guestId === 'Ben' ? { result: 'already', guestId, at: EARLIER } : { result: 'ok', guestId, at };
    back();
    await waitFor(() => expect(reloaded.now()).toMatchObject({ waiting: 0, online: true, mistakes: [] }));
    expect(door.items.map(({ guestId }) => guestId)).toEqual(['Anna', 'Ben']);
    expect(new Set(door.items.map(({ key }) => key)).size).toBe(2);
    expect(door.walkIns).toMatchObject([{ name: 'Wanda', override: true }]);
    expect((await store.read()).seen).toEqual([]);
  });

  it.each([
    ['reloads a short guest list', 0, 2],
    ["doesn't reload a long guest list", 2_000, 1],
  ])('%s after a check-in', async (_, more, readings) => {
    door.guests.push(...Array.from({ length: more }, (__, n) => guest(`Guest ${n}`)));
    const phone = await open();
    expect(await phone.choose('Anna')).toMatchObject({ kind: 'in' });
    await waitFor(() => expect(phone.now().waiting).toBe(0));
    const lists = () => door.requests.filter(({ path }) => path === '/api/door').length;
    await waitFor(() => expect(lists()).toBe(readings));
  });

  it('keeps newer check-ins when an older guest list arrives late', async () => {
    const phone = await open();
    const older = await door.answer('/api/door');
    let arrive: (list: Response) => void = () => undefined;
    const late = new Promise<Response>((resolve) => (arrive = resolve));
    let asked = 0;
    globalThis.fetch = ((path: string, init?: RequestInit) =>
      path === '/api/door' && (asked += 1) === 1 ? late : door.answer(path, init)) as typeof fetch;
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(asked).toBe(1));
    door.guests[0] = guest('Anna', { checkedInAt: EARLIER });
    door.result = ({ guestId }) => ({ result: 'ok', guestId, at: EARLIER });
    expect(await phone.choose('Anna')).toMatchObject({ kind: 'in' });
    await waitFor(() => expect(asked).toBe(2));
    const shown: unknown[] = [];
    phone.subscribe(() => shown.push(named(phone, 'Anna')?.checkedInAt));
    arrive(older);
    await waitFor(() => expect(shown).not.toEqual([]));
    expect(new Set(shown)).toEqual(new Set([EARLIER]));
  });

  it('sends an undo immediately, or after reconnecting when offline', async () => {
    const phone = await open();
    const answer = await admit(phone, 'Anna');
    door.result = ({ undo }) => ({ result: 'ok', guestId: 'Anna', at: undo ? null : EARLIER });
    expect(await phone.undo(answer.key, answer.name)).toEqual({ kind: 'undone', name: 'Anna Guest' });
    expect(door.items.at(-1)).toMatchObject({ undo: answer.key });
    expect(named(phone, 'Anna')?.checkedInAt).toBeNull();

    door.fails = away;
    const lost = await admit(phone, 'Ben');
    await phone.undo(lost.key, lost.name);
    expect(named(phone, 'Ben')?.checkedInAt).toBeNull();
    back();
    await waitFor(() => expect(phone.now().waiting).toBe(0));
    expect(door.items.slice(-2)).toMatchObject([{ key: lost.key }, { undo: lost.key }]);
  });

  it('keeps a guest checked in when the server rejects a late undo', async () => {
    const phone = await open();
    door.result = ({ undo }) =>
      undo
        ? { result: 'refused', reason: 'undo-too-late', guestId: 'Anna', at: EARLIER }
        : { result: 'ok', guestId: 'Anna', at: EARLIER };
    const answer = await admit(phone, 'Anna');
    expect(await phone.undo(answer.key, answer.name)).toEqual({ kind: 'undo-too-late', name: 'Anna Guest' });
    expect(named(phone, 'Anna')?.checkedInAt).toBe(EARLIER);
    expect(phone.now().mistakes).toEqual([]);
  });

  it('lists guests whom it admitted offline and the server rejected', async () => {
    const phone = await open();
    door.fails = away;
    await phone.choose('Anna');
    await phone.letInUnknown(CODE, 'Somebody');
    door.result = ({ guestId }) =>
      guestId
        ? { result: 'not-registered', guestId, name: 'Anna Guest', state: 'cancelled' }
        : { result: 'unknown' };
    back();
    await waitFor(() => expect(phone.now().waiting).toBe(0));
    expect(phone.now().mistakes).toMatchObject([
      { name: 'Anna Guest', answer: { kind: 'not-registered', state: 'cancelled', guestId: 'Anna' } },
      { name: 'Somebody', answer: { kind: 'unknown' } },
    ]);
    phone.dismiss(phone.now().mistakes[0]!.key);
    expect(phone.now().mistakes).toHaveLength(1);
  });

  it('erases its data when the link has ended, and lists rejected check-ins', async () => {
    const store = memoryStore();
    const phone = await open(store);
    door.fails = away;
    await phone.choose('Anna');
    await phone.choose('Ben');
    const tried: string[] = [];
    door.fails = (path, items) => {
      tried.push(...items.map(({ guestId }) => guestId!));
      return refused(401, 'DOOR_LINK_ENDED');
    };
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(phone.now().link).toBe('ended'));
    expect(phone.now().refused).toMatchObject([{ name: 'Anna Guest' }, { name: 'Ben Guest' }]);
    expect(new Set(tried)).toEqual(new Set(['Anna', 'Ben']));
    expect(await store.read()).toEqual({ snapshot: null, seen: [] });
    expect(phone.now().guests).toEqual([]);
  });

  it('sends walk-ins even after the link has ended, and lists them as rejected', async () => {
    const phone = await open();
    door.fails = away;
    await phone.walkIn('Wanda', 'wanda@example.org');
    const ben = await admit(phone, 'Ben');
    await phone.undo(ben.key, ben.name);
    door.requests = [];
    door.fails = () => refused(401, 'DOOR_LINK_ENDED');
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(phone.now().link).toBe('ended'));
    expect(phone.now().refused).toMatchObject([{ name: 'Wanda' }]);
    const walkIns = door.requests.filter(({ path }) => path.endsWith('/walk-ins'));
    expect(walkIns[0]?.init.body).toContain('wanda@example.org');
  });

  it('asks for a walk-in without email when the link’s email limit is reached', async () => {
    const phone = await open();
    door.fails = (path) => (path.endsWith('/walk-ins') ? refused(409, 'DOOR_MAIL_LIMIT') : undefined);
    expect(await phone.walkIn('Zoe', 'zoe@example.org')).toEqual({ kind: 'no-address', name: 'Zoe' });
    door.fails = undefined;
    expect(await phone.walkIn('Zoe', null)).toMatchObject({ kind: 'in' });
    expect(door.walkIns).toMatchObject([{ name: 'Zoe', email: null }]);
  });

  it.each([
    ['a 401 from a captive portal', () => refused(401)],
    ['a captive portal’s page', () => new Response('<html>Sign in to the Wi-Fi</html>')],
    ['a busy server', () => refused(429, 'RATE_LIMITED')],
    ['a server that is starting', () => refused(503, 'SERVICE_UNAVAILABLE')],
  ])('treats %s as being offline', async (_, answer) => {
    const phone = await open();
    door.fails = answer;
    expect(await phone.choose('Anna')).toMatchObject({ kind: 'in' });
    expect(phone.now()).toMatchObject({ link: 'open', online: false, waiting: 1 });
  });

  it.each([
    ['Anna', 'Ben'],
    ['Ben', 'Anna'],
  ])('sends the other check-in when the server rejects that of %s', async (wrong, right) => {
    const phone = await open();
    door.fails = away;
    await phone.choose('Anna');
    await phone.choose('Ben');
    door.fails = (_, items) =>
      items.some(({ guestId }) => guestId === wrong) ? refused(400, 'VALIDATION_FAILED') : undefined;
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(phone.now().waiting).toBe(0));
    expect(door.items).toMatchObject([{ guestId: right }]);
    expect(phone.now().mistakes).toMatchObject([{ name: `${wrong} Guest`, answer: { kind: 'refused' } }]);
  });

  it('asks before it adds a walk-in to a full event', async () => {
    const phone = await open();
    door.fails = (path) => (path.endsWith('/walk-ins') ? refused(409, 'EVENT_FULL') : undefined);
    const full = { kind: 'full', name: 'Wanda', email: 'w@example.org' };
    expect(await phone.walkIn('Wanda', 'w@example.org')).toEqual(full);
    expect(phone.now().waiting).toBe(0);
    door.fails = undefined;
    expect(await phone.walkIn('Wanda', 'w@example.org', true)).toMatchObject({ kind: 'in', name: 'Wanda' });
    expect(door.walkIns).toMatchObject([{ name: 'Wanda', override: true }]);
  });

  it('corrects check-in times when its clock is an hour fast', async () => {
    door.ahead = 3_600_000;
    const phone = await open();
    door.fails = away;
    await phone.choose('Anna');
    const wrongBy = Date.now() - Date.parse(named(phone, 'Anna')!.checkedInAt!);
    expect(Math.abs(wrongBy - 3_600_000)).toBeLessThan(5_000);
  });

  it('keeps working when storage is full, and reports that nothing is saved', async () => {
    const store = memoryStore();
    const phone = await open({ ...store, put: () => Promise.reject(new Error('QuotaExceededError')) });
    expect(await phone.choose('Anna')).toMatchObject({ kind: 'in' });
    expect(phone.now().forgetful).toBe(true);
  });
});

const guest = (name: string, given: Partial<DoorGuest> = {}): DoorGuest => ({
  ...{ id: name, name, state: 'registered', checkedInAt: null, codeDigest: '' },
  ...given,
});
const AT = '2030-05-01T18:07:00.000Z';
const EARLIER = '2030-05-01T18:01:00.000Z';
const CODE = 'AbCdEfGhIjKlMnOpQrSt-_';

it.each([
  [CODE, CODE],
  [` https://events.example/c/${CODE}\n`, CODE],
  [`https://events.example/c/${CODE}/`, CODE],
  [`https://events.example/events/${CODE}`, null],
  ['https://elsewhere.example', null],
  [`${CODE}x`, null],
  ['Anna', null],
])('reads %j as the code %j', (said, code) => expect(codeIn(said)).toBe(code));

it.each([
  ['', ['Zoë Müller-Strauß', 'Łukasz Ørsted', 'Anna Bell']],
  ['zoe', ['Zoë Müller-Strauß']],
  ['STRAUSS z', ['Zoë Müller-Strauß']],
  ['lukasz o', ['Łukasz Ørsted']],
  ['ell', []],
])('finds guests by %j', (typed, names) => {
  const guests = [guest('Zoë Müller-Strauß'), guest('Łukasz Ørsted'), guest('Anna Bell')];
  expect(matching(guests, typed).map(({ name }) => name)).toEqual(names);
});

describe('The guest list of a phone', () => {
  const guests = [guest('Anna'), guest('Ben', { checkedInAt: EARLIER })];
  const seen = (given: object) => ({ key: 'k', at: AT, name: 'Anna', ...given });

  it('includes unsent check-ins with corrected times, but keeps earlier times', () => {
    const list = asSeen(guests, [seen({ guestId: 'Anna' }), seen({ guestId: 'Ben' })], 3_600_000);
    const corrected = '2030-05-01T17:07:00.000Z';
    expect(list.map(({ checkedInAt }) => checkedInAt)).toEqual([corrected, corrected]);
    expect(asSeen(guests, [seen({ guestId: 'Ben' })], 0)[1]?.checkedInAt).toBe(EARLIER);
  });

  it('counts walk-ins, but not undone check-ins', () => {
    const walkIn = seen({ walkIn: { email: null }, name: 'Wanda', key: 'w' });
    const list = asSeen(guests, [walkIn, seen({ undo: 'x', about: 'Ben' })], 0);
    expect(countGuests(list)).toEqual({ registered: 3, checkedIn: 1 });
  });

  it('applies the server’s results to guests and adds new guests', () => {
    const snapshot = { guests, event: {}, counts: {}, expiresAt: AT } as unknown as DoorSnapshot;
    const after = (result: Omit<DoorResult, 'key'>, before = snapshot) =>
      withResult(before, seen({}), { key: 'k', ...result });
    const known = after({ result: 'ok', guestId: 'Anna', at: EARLIER });
    expect(known.guests[0]?.checkedInAt).toBe(EARLIER);
    expect(after({ result: 'ok', guestId: 'Anna', at: null }, known).guests[0]?.checkedInAt).toBeNull();
    const { guests: more } = after({ result: 'ok', guestId: 'new', name: 'Nora', at: AT });
    expect(more[2]).toMatchObject({ id: 'new', name: 'Nora', checkedInAt: AT });
    const { guests: fewer } = after({ result: 'not-registered', guestId: 'Anna', state: 'cancelled' });
    expect(fewer[0]).toMatchObject({ state: 'cancelled', checkedInAt: null });
  });
});

const waiting = guest('Anna', { state: 'waitlisted' });
const absent = guest('Anna', { state: 'cancelled' });
const CANCELLED = { cancelled: true, override: true } as const;
it.each<[string, DoorGuest, { cancelled?: true; override?: true }, object | null]>([
  ['admits a registered guest', guest('Anna'), {}, null],
  ['reports an earlier check-in', guest('Anna', { checkedInAt: AT }), {}, { kind: 'already', at: AT }],
  ['asks about a waiting guest', waiting, {}, { kind: 'not-registered', state: 'waitlisted' }],
  ['asks about a guest who cancelled', absent, {}, { kind: 'not-registered', state: 'cancelled' }],
  ['admits a guest who cancelled when overridden', absent, { override: true }, null],
  ['admits nobody to a cancelled event', absent, CANCELLED, { kind: 'event-cancelled' }],
])('the door page %s', (_, who, { cancelled = false, override }, answer) => {
  const said = objection(who, cancelled, override);
  if (answer) expect(said).toMatchObject(answer);
  else expect(said).toBeNull();
});

const WAITING = { guestId: 'g', state: 'waitlisted' } as const;
it.each<[DoorResult['result'], Partial<DoorResult>, object]>([
  ['ok', { at: AT }, { kind: 'in', name: 'Anna', key: 'k' }],
  ['already', { at: AT }, { kind: 'already', name: 'Anna', at: AT }],
  ['already', { at: null }, { kind: 'in', name: 'Anna', key: 'k' }],
  ['not-registered', WAITING, { kind: 'not-registered', name: 'Anna', ...WAITING }],
  ['wrong-event', { title: 'Another' }, { kind: 'wrong-event', title: 'Another' }],
  ['refused', { reason: 'event-cancelled' }, { kind: 'event-cancelled' }],
  ['unknown', {}, { kind: 'unknown' }],
])('converts the server’s result %s into an answer', (result, given, answer) =>
  expect(toAnswer({ key: 'k', name: 'Anna', result, ...given })).toEqual(answer),
);

it.each<[DoorResult['result'], string | undefined, boolean]>([
  ['ok', undefined, false],
  ['already', undefined, false],
  ['not-registered', undefined, true],
  ['unknown', undefined, true],
  ['unknown', 'k', false],
])('treats the result %s (undo of %s) as a mistake: %s', (result, undo, wrong) =>
  expect(wasWrong({ key: 'k', at: AT, name: '', undo }, { key: 'k', result })).toBe(wrong),
);
