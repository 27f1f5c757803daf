import type { Query } from '@meetmark/platform/database/database-code';

type Spell = (text: string) => string;

const BLOCK = 256;
const PLANES = [
  [0x80, 0xffff],
  [0x1d400, 0x1d7ff],
] as const;
const LETTER = /[\p{L}\p{N}\p{M}\p{Cf}’]/u;
const WITHIN_WORDS = /[\p{M}\p{Cf}’]/u;
const GERMAN: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'ae', Ö: 'oe', Ü: 'ue' };

export async function fillLetters(query: Query): Promise<void> {
  const { default: spell } = await import('any-ascii');
  await query(
    `INSERT INTO events.letters SELECT (entry ->> 0)::integer, ARRAY(SELECT jsonb_array_elements_text(entry -> 1))
     FROM jsonb_array_elements($1::jsonb) AS entry`,
    [JSON.stringify([...getBlocks(spell)])],
  );
}

function* getBlocks(spell: Spell): Generator<[number, string[]]> {
  for (const [first, last] of PLANES) {
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block += 1) {
      const spelt = Array.from({ length: BLOCK }, (_, index) => spellLetter(block * BLOCK + index, spell));
      if (spelt.some((each) => each !== ' ')) yield [block, spelt];
    }
  }
}

function spellLetter(code: number, spell: Spell): string {
  if (code < 0x80 || (code >= 0xd800 && code <= 0xdfff)) return ' ';
  const letter = String.fromCodePoint(code);
  if (!LETTER.test(letter)) return ' ';
  const spelt = (GERMAN[letter] ?? spell(letter))
    .toLowerCase()
    .replaceAll(/['`^"]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  return spelt === '' && !WITHIN_WORDS.test(letter) ? ' ' : spelt;
}
