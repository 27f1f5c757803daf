import { randomInt } from 'node:crypto';
import { RESERVED_SLUGS } from '@meetmark/contracts/validation';
import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

type Spell = (text: string) => string;

/** Rows of one statement. */
const BATCH = 5_000;
/** Letters of one row. */
const BLOCK = 256;
/** Beyond these lie scripts that are written no more. */
const PLANES = [
  [0x80, 0xffff],
  [0x1d400, 0x1d7ff],
] as const;
const WRITTEN = /[\p{L}\p{N}\p{M}\p{Cf}’]/u;
const WITHIN_WORDS = /[\p{M}\p{Cf}’]/u;
/** As German writes them where it has none. */
const GERMAN: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'ae', Ö: 'oe', Ü: 'ue' };

/** Characters of an address before its number or ending. */
const WORDS = 71;
const DATE = /^\d{4,}-\d\d-\d\d$/;
const ALPHABET = 'abcdefghjkmnpqrstvwxyz0123456789';
const ending = () => Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/**
 * The short addresses of events, `/e/{slug}`. `events.slugs` has every one that was ever used: it names the event that it belongs to, also
 * once that is deleted, so it is never another's. `events.letters` is how letters of other scripts are spelt in ASCII, for the trigger that
 * gives an address to what is published from here on, by whatever version. The events that exist get theirs here, the oldest first.
 * The column is not called `slug`: 1.0.0 joins events to topics and asks for a `slug` without saying whose.
 */
export class ShortAddresses1795759500000 implements Migration {
  name = 'ShortAddresses1795759500000';

  async up(runner: QueryRunner): Promise<void> {
    // half a megabyte, which nothing else needs
    const { default: spell } = await import('any-ascii');
    await runner.query(`
      CREATE TABLE events.letters (
        block integer CONSTRAINT letters_pkey PRIMARY KEY,
        spelt text[] NOT NULL,
        CONSTRAINT letters_spelt_check CHECK (cardinality(spelt) = ${BLOCK})
      )`);
    await runner.query(
      `INSERT INTO events.letters SELECT (entry ->> 0)::integer, ARRAY(SELECT jsonb_array_elements_text(entry -> 1))
       FROM jsonb_array_elements($1::jsonb) AS entry`,
      [JSON.stringify([...letters(spell)])],
    );
    await runner.query(`
      CREATE TABLE events.slugs (
        slug text CONSTRAINT slugs_pkey PRIMARY KEY,
        event_id uuid NOT NULL,
        words text,
        number integer,
        is_random boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT slugs_slug_event_id_key UNIQUE (slug, event_id),
        CONSTRAINT slugs_slug_check CHECK (slug ~ '^[a-z0-9][a-z0-9-]{1,78}[a-z0-9]$'),
        CONSTRAINT slugs_number_check CHECK ((words IS NULL) = (number IS NULL) AND number >= 1),
        CONSTRAINT slugs_is_random_check CHECK (NOT is_random OR slug ~ '-[a-z0-9]{8}$')
      )`);
    // the latest number of the same words
    await runner.query(
      'CREATE INDEX slugs_words_idx ON events.slugs (words, number) WHERE words IS NOT NULL',
    );
    await runner.query('GRANT SELECT, INSERT (slug, event_id, is_random) ON events.slugs TO meetmark_events');
    await runner.query('ALTER TABLE events.events ADD COLUMN event_slug text');
    await this.giveAddresses(runner, spell);
    // an address is one event's, as the key of events.slugs says
    await runner.query(`
      ALTER TABLE events.events
        ADD CONSTRAINT events_event_slug_check CHECK ((event_slug IS NULL) = (status = 'draft')),
        ADD CONSTRAINT events_event_slug_fkey FOREIGN KEY (event_slug, id) REFERENCES events.slugs (slug, event_id)`);
    await runner.query('GRANT UPDATE (event_slug) ON events.events TO meetmark_events');
  }

  private async giveAddresses(runner: QueryRunner, spell: Spell): Promise<void> {
    const events = (await runner.query(`
      SELECT id, title, visibility, to_char(start_date AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date
      FROM events.events WHERE status <> 'draft' ORDER BY created_at, id`)) as PublishedEvent[];
    const given = addressesOf(events, spell);
    for (let from = 0; from < given.length; from += BATCH) {
      await runner.query(
        `WITH given AS (
           INSERT INTO events.slugs (slug, event_id, words, number, is_random)
           SELECT slug, id, words, number, words IS NULL
           FROM jsonb_to_recordset($1::jsonb) AS entry (slug text, id uuid, words text, number integer)
           RETURNING slug, event_id)
         UPDATE events.events SET event_slug = given.slug FROM given WHERE events.id = given.event_id`,
        [JSON.stringify(given.slice(from, from + BATCH))],
      );
    }
  }
}

interface PublishedEvent {
  id: string;
  title: string;
  visibility: string;
  date: string;
}

interface Address {
  id: string;
  slug: string;
  words: string | null;
  number: number | null;
}

/** As events.new_slug gives them. */
export function addressesOf(events: PublishedEvent[], spell: Spell): Address[] {
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  return events.map(({ id, title, visibility, date }) => {
    const words = wordsOf(title, spell) || date;
    if (visibility === 'unlisted') return { id, slug: `${words}-${ending()}`, words: null, number: null };
    const alone = words.length >= 3 && !DATE.test(words) && !RESERVED_SLUGS.includes(words);
    for (let number = (numbers.get(words) ?? 0) + 1; ; number += 1) {
      const slug = alone && number === 1 ? words : `${words}-${number}`;
      if (used.has(slug)) continue;
      used.add(slug);
      numbers.set(words, number);
      return { id, slug, words, number };
    }
  });
}

/** As events.slug_words makes them. */
function wordsOf(title: string, spell: Spell): string {
  const spelt = Array.from(title.normalize('NFC'), (letter) => spelling(letter, spell) ?? ' ').join('');
  const words = spelt
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  if (words.length <= WORDS) return words;
  return words
    .slice(0, WORDS + 1)
    .replace(/-[^-]*$/, '')
    .slice(0, WORDS);
}

/** Null: what is no letter parts words. */
function spelling(letter: string, spell: Spell): string | null {
  if (letter === "'") return '';
  if (letter < '\u0080') return letter;
  if (!PLANES.some(([first, last]) => letter.codePointAt(0)! >= first && letter.codePointAt(0)! <= last))
    return null;
  if (!WRITTEN.test(letter)) return null;
  const spelt = (GERMAN[letter] ?? spell(letter))
    .toLowerCase()
    .replaceAll(/['`^"]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  return spelt === '' && !WITHIN_WORDS.test(letter) ? null : spelt;
}

/** The rows that spell some letter; what has no spelling is a blank. */
function* letters(spell: Spell): Generator<[number, string[]]> {
  for (const [first, last] of PLANES) {
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block += 1) {
      const codes = Array.from({ length: BLOCK }, (_, place) => block * BLOCK + place);
      const spelt = codes.map((code) =>
        code < 0x80 || (code >= 0xd800 && code <= 0xdfff)
          ? ' '
          : (spelling(String.fromCodePoint(code), spell) ?? ' '),
      );
      if (spelt.some((each) => each !== ' ')) yield [block, spelt];
    }
  }
}
