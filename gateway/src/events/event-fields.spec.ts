import { CreateEvent, UpdateEvent, type DomainError, type RequestClass } from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { eventFields } from '@meetmark/testing/factories/samples';
import { requestSchema, type JsonSchema } from '../openapi/request-schema.js';
import { EventBody, EventChangesBody } from './events.dto.js';

interface Rule {
  takes: unknown[];
  refuses: unknown[];
  typed?: unknown[];
  kept?: unknown[];
}

const letters = (length: number) => 'x'.repeat(length);
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const ids = (count: number) => times(count, () => crypto.randomUUID());
const NO_TEXT = [true, 7, -1, 1e308, [], {}, [[]], { $gt: '' }, ['x', 'y'], { length: 3 }];
const NO_LIST = ['x', 7, true, {}, { length: 0 }];
const CONTROLS = ['a\0', '\u0007', 'a\u007f', '\ud800'];
const BREAKS = ['a\r\nBcc: everybody@example.org', 'a\nb', 'a\rb', 'a\u0085b', 'a\u2028b', 'a\tb'];

const required = (rule: Rule): Rule => ({ ...rule, refuses: [...rule.refuses, '', null] });
const orEmpty = ({ takes, refuses, typed = [], kept = [] }: Rule): Rule => ({
  ...{ takes: [...takes, null], refuses, typed: [...typed, ''], kept: [...kept, null] },
});
const orAbsent = ({ refuses, ...rest }: Rule): Rule => ({ ...rest, refuses: [...refuses, '', null] });
const orNull = ({ takes, refuses, ...rest }: Rule): Rule => ({
  ...{ ...rest, takes: [...takes, null], refuses: [...refuses, ''] },
});

const line = (max: number): Rule => ({
  takes: ['x', letters(max), 'ÄÖÜß€', '🎉'.repeat(max / 2)],
  refuses: [letters(max + 1), `${letters(max)}🎉`, ...CONTROLS, ...BREAKS, ...NO_TEXT],
  ...{ typed: [` ${letters(max)} `], kept: [letters(max)] },
});
const title = (max: number): Rule => {
  const { refuses, ...rest } = required(line(max));
  return { ...rest, refuses: [...refuses, '   ', '\u200b\u2800\u3164'] };
};
const text = (max: number): Rule => ({
  takes: ['x', `a\r\n\t${letters(max - 4)}`, ' a '],
  refuses: [letters(max + 1), ...CONTROLS, ...NO_TEXT],
});
const NO_ADDRESS = [
  'javascript:alert(1)',
  'data:text/html,x',
  'x.example',
  'https://a b.example',
  'https://',
];
const address = (...alsoRefused: string[]): Rule => ({
  takes: ['https://x.example/'.padEnd(1_000, 'x'), 'HTTPS://meet.example/1?pwd=2'],
  refuses: [
    ...['https://x.example/'.padEnd(1_001, 'x'), 'https://a:b@x.example', 'https://x.example/a\nb'],
    ...['https://x.example/\ud800', ...alsoRefused, ...NO_ADDRESS, ...NO_TEXT],
  ],
});
const https = address('http://x.example');
const web: Rule = { ...address(), takes: [...address().takes, 'http://x.example'] };
const NO_MOMENT = ['2031-05-01', '2031-05-01T17:00:00', '2031-02-30T10:00:00Z', 'infinity', 'soon'];
const moment: Rule = {
  takes: ['2031-05-01T18:00:00Z', '2031-05-01T20:00:00.123+02:00'],
  refuses: [...NO_MOMENT, 1_900_000_000_000, ...NO_TEXT],
};
const buildChoiceRule = (...words: string[]): Rule => ({
  takes: words,
  refuses: ['another', words[0]!.toUpperCase(), words, words.slice(1), ...NO_TEXT],
});
const zone: Rule = {
  takes: ['Europe/London', 'Europe/Kyiv', 'Asia/Kolkata', 'UTC'],
  refuses: ['London', 'Mars/Olympus', '+05:00', 'Europe/London\n', ...NO_TEXT],
  ...{ typed: ['Europe/Kiev', 'Asia/Calcutta', 'us/pacific'] },
  ...{ kept: ['Europe/Kyiv', 'Asia/Kolkata', 'America/Los_Angeles'] },
};
const yesNo: Rule = { takes: [true, false], refuses: ['true', 'yes', 1, 0, [], [true], {}] };
const FIRST = '0197f000-0000-7000-8000-00000000000a';
const id: Rule = { takes: [FIRST, FIRST.toUpperCase()], refuses: ['ada', '1', { $ne: null }, ...NO_TEXT] };
const idList = (max: number): Rule => ({
  takes: [[], ids(max)],
  refuses: [ids(max + 1), ['Ada'], [7], [null], [FIRST, FIRST], [FIRST, FIRST.toUpperCase()], ...NO_LIST],
  ...{ typed: [[FIRST.toUpperCase()]], kept: [[FIRST]] },
});
const buildListRule = (max: number, item: object): Rule => ({
  takes: [[], times(max, () => item)],
  refuses: [times(max + 1, () => item), item, [null], ['x'], [[item]], [7], ...NO_LIST],
});
const price: Rule = {
  takes: ['0', '0.00', '0.01', '12.5', '1000000', '1000000.00', null],
  refuses: [
    ...['-1', -0.01, '1.005', 1.005, '1000000.01', 1_000_000.01, '1'.repeat(51), '1e3', 'free', ' 1'],
    ...[true, [], {}, ['1'], 1e308],
  ],
  ...{ typed: ['', 0, 12.5, 1_000_000], kept: [null, '0', '12.5', '1000000'] },
};
const capacity: Rule = {
  takes: [1, 60, 1_000_000],
  refuses: [0, -1, 1.5, 1_000_001, 2 ** 31, 'many', '1', true, [], {}],
};
const fraction = (max: number, min = 0): Rule => ({
  takes: [min, max, (min + max) / 2],
  refuses: [min - 0.1, max + 0.1, 1e308, String(max), '', null, true, [], {}, [max]],
  ...{ typed: [max - 0.123_45], kept: [Number((max - 0.123_45).toFixed(4))] },
});
const options: Rule = {
  takes: [['a', 'b'], times(10, String), ['a', letters(100)]],
  refuses: [
    ...[[], ['a'], ['a', 'a'], ['a', ' a '], ['a', ''], ['a', ' '], ['a', letters(101)], ['a', 2]],
    ...[times(11, String), ['a', 'b\nc'], ['a', 'b\0'], null, '', ...NO_LIST],
  ],
  ...{ typed: [[' a ', 'b']], kept: [['a', 'b']] },
};

const [VENUE, ITEM] = [{ name: 'Platform' }, { startsAt: '2031-05-01T17:00:00Z', title: 'Doors' }];
const SPEAKER = { name: 'Grace', userId: FIRST };
const CROP = { x: 0.5, y: 0, zoom: 1 };
const SLIDES = { title: 'Slides', url: 'https://x.example' };
const QUESTION = { kind: 'text', label: 'What do you not eat?' };
const CHOICE = { kind: 'choice', label: 'Which track?', options: ['Search', 'Social'] };
const BESIDE = {
  venue: VENUE,
  coverSquare: CROP,
  coverWide: CROP,
  agenda: ITEM,
  speakers: SPEAKER,
  resources: SLIDES,
  questions: QUESTION,
};

const each = (rule: Rule, ...names: string[]) => Object.fromEntries(names.map((name) => [name, rule]));
/** Rules of every field. They repeat the rules in the code, so that the tests notice a lost or moved rule. */
const FIELDS = {
  ...each(title(255), 'title'),
  ...each(title(150), 'venue.name', 'agenda.title', 'resources.title', 'questions.label'),
  ...each(orEmpty(line(100)), 'speakers.name'),
  ...each(orEmpty(line(150)), 'speakers.role'),
  ...each(orEmpty(line(255)), 'location', 'venue.address'),
  ...each(orEmpty(line(300)), 'paymentNote'),
  ...each(orEmpty(text(500)), 'venue.note', 'onlineNote', 'accessibility', 'agenda.note'),
  ...each(orEmpty(text(1_000)), 'speakers.bio'),
  ...each(orEmpty(text(10_000)), 'description', 'recap'),
  ...each(required(https), 'resources.url'),
  ...each(orEmpty(https), 'onlineUrl'),
  ...each(orEmpty(web), 'venue.mapUrl', 'speakers.linkUrl'),
  ...each(required(moment), 'startDate', 'endDate', 'agenda.startsAt'),
  ...each(orEmpty(moment), 'publishAt', 'registrationOpensAt', 'registrationClosesAt', 'agenda.endsAt'),
  ...each(orAbsent(buildChoiceRule('plain', 'markdown')), 'descriptionFormat'),
  ...each(orAbsent(buildChoiceRule('in_person', 'online', 'hybrid')), 'format'),
  ...each(orEmpty(zone), 'timeZone'),
  ...each(orAbsent(buildChoiceRule('public', 'unlisted')), 'visibility'),
  ...each(required(buildChoiceRule('text', 'yesNo')), 'questions.kind'),
  ...each(orAbsent(yesNo), 'isAllDay', 'waitlistEnabled', 'questions.required'),
  ...each(required(id), 'questions.id'),
  ...each(orEmpty(id), 'speakers.userId'),
  ...each(orNull(idList(10)), 'hosts', 'coHosts'),
  ...each(orNull(idList(3)), 'topics'),
  ...each(orNull({ takes: [VENUE], refuses: ['Platform', 7, true, [], [VENUE]] }), 'venue'),
  ...{ agenda: orNull(buildListRule(50, ITEM)), speakers: orNull(buildListRule(30, SPEAKER)) },
  ...{ resources: orNull(buildListRule(20, SLIDES)), questions: orNull(buildListRule(10, QUESTION)) },
  ...each(orNull({ takes: [CROP], refuses: ['middle', 7, true, [], [CROP]] }), 'coverSquare', 'coverWide'),
  ...each(fraction(1), 'coverSquare.x', 'coverSquare.y', 'coverWide.x', 'coverWide.y'),
  ...each(fraction(3, 1), 'coverSquare.zoom', 'coverWide.zoom'),
  coverPattern: orEmpty({ takes: [1, 8], refuses: [0, 9, -1, 1.5, '1', 'rings', true, [], {}] }),
  ...{ price, capacity: orEmpty(capacity), 'questions.options': options },
  bannerImageUrl: { takes: ['', null, 'data:image/png;base64,x'], refuses: NO_TEXT },
};
const NONE = { takes: [], refuses: [null, true, 'x'] };
const UNKNOWN = {
  ...each(NONE, 'content', 'hasOnlineUrl', 'cancelReason', 'seriesId', 'registrationCount', 'createdById'),
  ...each(
    NONE,
    'coverSquare.width',
    'coverWide.width',
    'venue.city',
    'agenda.room',
    'speakers.agreed',
    'resources.kind',
    'questions.hint',
  ),
};

const namesIn = ({ properties = {} }: JsonSchema, before = ''): string[] =>
  Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, schema]) => [
    before + name,
    ...namesIn((schema.items ?? schema) as JsonSchema, `${before}${name}.`),
  ]);

function placed(name: string, value: unknown): [given: object, called: string] {
  const [field, inner] = name.split('.') as [keyof typeof BESIDE, string?];
  if (inner === undefined) return [{ [field]: value }, field];
  const whole = { ...(inner === 'options' ? CHOICE : BESIDE[field]), [inner]: value };
  if (['venue', 'coverSquare', 'coverWide'].includes(field)) return [{ [field]: whole }, name];
  return [{ [field]: [BESIDE[field], whole] }, `${field}[1].${inner}`];
}

it('every field of an event, including nested ones, has a rule in this file', () => {
  const names = namesIn(requestSchema(EventBody)).filter((name) => !['status', 'announce'].includes(name));
  expect(Object.keys(FIELDS).toSorted()).toEqual(names.toSorted());
});

describe.each<[what: string, type: RequestClass, needs: object]>([
  ['a new event', EventBody, {}],
  ['a changed event', EventChangesBody, {}],
  ['a new event in the request to the service', CreateEvent.request, { banner: { action: 'remove' } }],
  [
    'a changed event in the request to the service',
    UpdateEvent.request,
    { banner: { action: 'keep' }, eventId: FIRST },
  ],
])('%s', (_what, type, needs) => {
  const { bannerImageUrl: _, ...others } = eventFields();
  const judged = (given: object) =>
    validated<object>(type, { ...others, ...needs, ...given }).then(
      (kept) => ({ kept, fields: {} }),
      ({ details }: DomainError) => ({ kept: {}, fields: details!.fields! }),
    );
  const wrong = async (given: object) => Object.keys((await judged(given)).fields);
  const rules = Object.entries<Rule>({ ...FIELDS, ...UNKNOWN });

  it.each(rules.filter(([name]) => name !== 'bannerImageUrl' || !('banner' in needs)))(
    'accepts valid values of %s and refuses others, naming the field',
    async (name, { takes, refuses, typed = [], kept = [] }) => {
      const misjudged: unknown[] = [];
      for (const [index, value] of [...takes, ...refuses].entries()) {
        const [given, called] = placed(name, value);
        const named = await wrong(given);
        const isNamed = named.includes(called) && named.every((one) => one.startsWith(called));
        if (index < takes.length ? named.length > 0 : !isNamed)
          misjudged.push([JSON.stringify(value).slice(0, 80), named]);
      }
      expect(misjudged).toEqual([]);
      for (const [index, value] of typed.entries())
        expect(await judged(placed(name, value)[0])).toMatchObject({ kept: placed(name, kept[index])[0] });
    },
  );

  const nested = '- '.repeat(10);
  const own = { ...QUESTION, id: FIRST };
  it.each<[given: object, named: string[]]>([
    [{ description: nested, descriptionFormat: 'plain' }, []],
    [{ description: nested, descriptionFormat: 'markdown' }, ['description']],
    [{ recap: nested }, ['recap']],
    [{ speakers: [{ name: 'Grace' }, { userId: FIRST }] }, []],
    [{ speakers: [SPEAKER, { role: 'Admiral' }] }, ['speakers']],
    [{ speakers: [{ name: '' }] }, ['speakers']],
    [{ questions: [QUESTION, CHOICE] }, []],
    [{ questions: [own, own] }, ['questions']],
    [{ questions: [{ ...CHOICE, kind: 'text' }] }, ['questions[0].options']],
    [{ questions: [{ kind: 'choice', label: 'Which?' }] }, ['questions[0].options']],
    [{ agenda: [{ startsAt: ITEM.startsAt }] }, ['agenda[0].title']],
    [{ venue: { address: 'Leeds' } }, ['venue.name']],
    [{ coverWide: { x: 0.5, y: 0.5 } }, ['coverWide.zoom']],
  ])('an event with %j has the invalid fields %j', async (given, named) => {
    expect(await wrong(given)).toEqual(named);
  });

  it('reports a 51st agenda item and a URL without https', async () => {
    const { fields } = await judged({ agenda: times(51, () => ITEM), onlineUrl: 'meet.example' });
    const sentences = ['agenda must have at most 50 items', 'onlineUrl must start with https://'];
    expect(Object.values(fields).flat().toSorted()).toEqual(sentences);
  });
});
