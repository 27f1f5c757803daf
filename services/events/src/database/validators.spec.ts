import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import '@meetmark/contracts';
import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import pg from 'pg';

type Class = new () => object;
interface Rule {
  target: Class;
  propertyName: string;
  name?: string;
  context?: { rule?: string };
}

const { validationMetadatas } = getMetadataStorage() as unknown as {
  validationMetadatas: Map<Class, Rule[]>;
};
const rules = [...validationMetadatas.values()].flat();
const isUrl = ({ name }: Rule) => name === 'isWebUrl';
const isLine = ({ name, context }: Rule) => context?.rule === 'isLine' || name === 'isListOfLines';
const fieldsWith = (holds: (rule: Rule) => boolean) =>
  new Map(rules.filter(holds).map((rule) => [`${rule.target.name}.${rule.propertyName}`, rule] as const));

type Stored = [table: string, constraint: string, row: (value: unknown) => object];
const column = (table: string, name: string, constraint = `${table.split('.')[1]}_${name}_check`): Stored => [
  table,
  constraint,
  (value) => ({ [name]: value }),
];
const inList = (list: string, item: (value: unknown) => object): Stored => [
  'events.event_contents',
  `event_contents_${list}_check`,
  (value) => ({ [list]: [item(value)] }),
];
const picture = (alt: unknown) => ({ id: randomUUID(), hash: 'a'.repeat(64), alt });
const gallery: Stored[] = [
  ['events.events', 'events_gallery_pictures_check', (alt) => ({ gallery_pictures: [picture(alt)] })],
];
const guestName = column('events.event_registrations', 'guest_name');
const firstName = [
  column('auth.users', 'first_name'),
  column('auth.code_flows', 'first_name', 'code_flows_names_check'),
];
const lastName = [
  column('auth.users', 'last_name'),
  column('auth.code_flows', 'last_name', 'code_flows_names_check'),
];
const linkedIn = [column('auth.users', 'linked_in_url')];

const STORED: Record<string, Stored[]> = {
  'AgendaItem.title': [inList('agenda', (title) => ({ title }))],
  'ConfirmLinkFields.firstName': firstName,
  'ConfirmLinkFields.lastName': lastName,
  'EventContentFields.onlineUrl': [column('events.event_contents', 'online_url')],
  'EventFields.location': [column('events.events', 'location')],
  'EventFields.paymentNote': [column('events.events', 'payment_note')],
  'EventFields.title': [column('events.events', 'title')],
  'EventResource.title': [inList('resources', (title) => ({ title, url: 'https://a.example' }))],
  'EventResource.url': [inList('resources', (url) => ({ title: 'Slides', url }))],
  'FactorName.name': [column('auth.second_factors', 'name')],
  'GalleryItem.alt': gallery,
  'GalleryWords.alt': gallery,
  'GuestFields.name': [guestName],
  'ImportFileFields.fileName': [column('events.imports', 'file_name')],
  'ImportRowFields.key': [
    column('events.import_rows', 'source_key'),
    column('events.imported_events', 'source_key'),
  ],
  'MessageText.subject': [column('events.messages', 'subject')],
  'PersonFields.firstName': firstName,
  'PersonFields.lastName': lastName,
  'ProfileForm.linkedInUrl': linkedIn,
  'ProposalFields.title': [column('events.proposals', 'title')],
  'QuestionFields.label': [inList('questions', (label) => ({ label, options: [] }))],
  'QuestionFields.options': [inList('questions', (options) => ({ label: 'x', options }))],
  'SignUpFields.linkedInUrl': linkedIn,
  'SpeakerFields.linkUrl': [column('events.event_people', 'link_url')],
  'SpeakerFields.name': [column('events.event_people', 'name')],
  'SpeakerFields.role': [column('events.event_people', 'title')],
  'TopicFields.name': [column('events.topics', 'name')],
  'Venue.address': [column('events.event_contents', 'venue_address')],
  'Venue.mapUrl': [column('events.event_contents', 'venue_map_url')],
  'Venue.name': [column('events.event_contents', 'venue_name')],
  'VisitorMessageFields.name': [column('events.host_messages', 'name')],
  'WalkInFields.name': [guestName, column('events.door_refusals', 'guest_name')],
  'WriteToHostAsVisitorRequest.name': [column('events.host_messages', 'name')],
};

/** Fields without a constraint: email addresses, search terms, codes, and the settings (one document). */
const WITHOUT_CONSTRAINT =
  /\.(email|q|was|recoveryCode)$|^(SettingsFields|SponsorFields|PasskeySite)\.|^OwnerFields\./;

const URLS = [
  ...String.raw`
    https://example.org http://example.org HTTPS://Example.org/A?b=c#d https://example.org. https://localhost/x
    https://a_b.example https://-a.example https://xn--bcher-kva.example/ https://bücher.example/karte
    https://例え.テスト/道 https://example.org/ü?q=日本#é https://1.2.3.4:8080/ https://example.org:65535
    https://example.org:0 https://example.org/a\b https://example.org/@a:b
    https:evil.example https:/evil.example https:///evil.example http:\x.example http:\\x.example
    https:// https://?a https://#a https://. https://a..b
    https://user@evil.example https://user:secret@evil.example https://@evil.example
    https://good.example\@evil.example
    https://example.org: https://example.org:65536 https://example.org:99999 https://example.org:x
    https://1.2.3 https://256.1.1.1 https://01.2.3.4 https://a.1 https://0x7f.1 https://[::1]/ https://[::1
    https://%65vil.example https://a<b.example https://a|b.example https://a,b.example https://a;b.example
    javascript:alert(1) data:text/html,x ftp://example.org //example.org example.org xhttps://a.example https//a
  `
    .trim()
    .split(/\s+/),
  ...['https://a b.example', 'https://a.example/b c', 'ht\ntps://example.org', 'https://exa\tmple.org'],
  ...['https://example.org\t', 'https://example.org/a\tb', 'https://a.example\nhttps://b.example'],
  ...['https://a.example/\u0007', 'https://a.example/\u007f', 'https://a.example/\u00a0'],
  ...['https://a.example\u3000', 'https://a\u2028b', 'https://a\u202eb.example', 'https://a.example/\u202eb'],
  ...['https://a.example/\u2066b', 'https://a.example/\u200db'],
];
const UNSEEN = [0, 1, 8, 9, 10, 13, 31, 127, 128, 159, 0x2028, 0x2029];
const DIRECTIONS = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const ALLOWED = [
  32, 0xa0, 0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2027, 0x202f, 0x2065, 0x206a, 0xfeff,
];
const withIt = (point: number) => `a${String.fromCodePoint(point)}b`;
const REFUSED_LINES = [...UNSEEN, ...DIRECTIONS].map(withIt);
const LINES = [...REFUSED_LINES, ...ALLOWED.map(withIt), 'می‌خواهم', '👩‍👩‍👧 شركة', 'Ünïcode 日本'];

describe('validators and constraints', () => {
  let database: TestDatabase;
  let owner: pg.Pool;
  beforeAll(async () => {
    database = await testDatabase();
    owner = new pg.Pool({ connectionString: database.url, max: 1 });
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  function judged({ target, propertyName, name }: Rule, value: string): { value: unknown; fits: boolean } {
    // a question of kind 'choice' needs two options
    const given = name === 'isListOfLines' ? [value, 'another'] : value;
    const instance = plainToInstance(target, { kind: 'choice', [propertyName]: given }) as Record<
      string,
      unknown
    >;
    const faults = validateSync(instance).filter(({ property }) => property === propertyName);
    return { value: instance[propertyName], fits: faults.length === 0 };
  }

  async function fitsConstraint([table, constraint, row]: Stored, value: unknown): Promise<boolean> {
    const {
      rows: [found],
    } = await owner.query<{ rule: string }>(
      'SELECT pg_get_expr(conbin, conrelid) AS rule FROM pg_constraint WHERE conrelid = $1::regclass AND conname = $2',
      [table, constraint],
    );
    if (found === undefined) throw new Error(`${table} has no ${constraint}`);
    const { rows } = await owner.query<{ fits: boolean }>(
      `SELECT (${found.rule}) IS NOT FALSE AS fits FROM jsonb_populate_record(NULL::${table}, $1)`,
      [JSON.stringify(row(value))],
    );
    return rows[0]!.fits;
  }

  it('every URL and single-line text field with a validator has a constraint', () => {
    const fields = [...fieldsWith((rule) => isUrl(rule) || isLine(rule)).keys()];
    expect(fields.filter((field) => !WITHOUT_CONSTRAINT.test(field)).toSorted()).toEqual(
      Object.keys(STORED).toSorted(),
    );
  });

  const judge = (fields: Map<string, Rule>, texts: string[]) =>
    [...fields].flatMap(([field, rule]) =>
      texts.flatMap((text) => (STORED[field] ?? []).map((stored) => ({ field, rule, text, stored }))),
    );

  it.each([
    ['URLs', fieldsWith(isUrl), URLS],
    [
      'single-line text',
      new Map([...fieldsWith(isLine)].filter(([field]) => !fieldsWith(isUrl).has(field))),
      LINES,
    ],
  ])('a validator and its constraint agree about %s', async (_, fields, texts) => {
    const differences: unknown[] = [];
    for (const { field, rule, text, stored } of judge(fields, texts)) {
      const { value, fits } = judged(rule, text);
      if (text.includes('\0')) expect(fits).toBe(false);
      else if ((await fitsConstraint(stored, value)) !== fits)
        differences.push({ field, text, constraint: stored[1], validator: fits });
    }
    expect(differences).toEqual([]);
  });

  it('validators reject control and text-direction characters in single-line text', () => {
    const taken = [...fieldsWith(isLine)].flatMap(([field, rule]) =>
      REFUSED_LINES.filter((text) => judged(rule, text).fits).map((text) => [field, text]),
    );
    expect(taken).toEqual([]);
  });

  it('the validator rejects a URL whose host has no ASCII form', async () => {
    const fields = fieldsWith(isUrl);
    for (const text of ['https://xn--a.example', 'https://a\u00ad.example／b']) {
      const { fits } = judged(fields.get('Venue.mapUrl')!, text);
      expect([text, fits]).toEqual([text, false]);
    }
  });
});
