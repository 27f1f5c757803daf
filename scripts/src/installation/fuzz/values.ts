import type { ApiDescription, JsonSchema } from '../api-description.js';
import { createPng, withPicture } from '@meetmark/testing/factories/pictures';
import type { Random } from './random.js';

const LENGTHS = [0, 1, 5, 6, 99, 100, 101, 255, 256, 1_000, 1_001, 10_001];
const DAY = 86_400_000;
const HOSTILE_TEXT = [
  '\0',
  '\u0007\u001b[31m',
  '\ud800',
  '\u202e\u2066',
  '\r\nX-A: b',
  '🎉'.repeat(130),
  'é'.normalize('NFD').repeat(80),
  "' OR 1=1--",
  '%00%ff',
  '../../../../etc/passwd',
  '{{7*7}}${7*7}',
  '<script>alert(1)</script>',
  'a'.repeat(5_000),
  '((((((((((a+)+)+)+)+)+)+)+)+)+)!',
  '-1',
  'NaN',
  'null',
  'infinity',
  '9'.repeat(400),
  '1e309',
  '٣',
  '__proto__',
  'toString',
];
const HOSTILE = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  '',
  [],
  {},
  [[[]]],
  { a: 1 },
];
const PICTURES = [
  withPicture(createPng(8, 8)),
  withPicture(createPng(60_000, 60_000)),
  withPicture(Buffer.from('<svg/>')),
  'data:image/png;base64,',
  'data:,',
  'https://example.org/a.png',
  `/media/avatars/${'0'.repeat(64)}.webp`,
];

export const hostileText = (random: Random) => random.pick(HOSTILE_TEXT);

export const hostileValue = (random: Random): unknown =>
  random.chance(0.6) ? hostileText(random) : random.pick(HOSTILE);

export function likelyValue(random: Random, api: ApiDescription, given: JsonSchema, name = ''): unknown {
  const schema = api.resolved(given);
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const types = [schema.type ?? 'string'].flat();
  if (types.includes('null') && random.chance(0.2)) return null;
  if (schema.properties !== undefined) return likelyObject(random, api, schema);
  if (types.includes('boolean')) return random.chance(0.5);
  if (types.includes('integer') || types.includes('number'))
    return random.below(random.pick([3, 120, 2_000_000]));
  return likelyText(random, schema, name);
}

function likelyObject(random: Random, api: ApiDescription, schema: JsonSchema): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || random.chance(0.5),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, likelyValue(random, api, field, name)]));
}

function likelyText(random: Random, { format, maxLength = 60 }: JsonSchema, name: string): string {
  if (format === 'email') return `fuzz.${random.below(2 ** 31).toString(36)}@example.org`;
  if (format === 'uri') return 'https://www.linkedin.com/in/fuzz';
  if (format === 'date-time') return new Date(Date.now() + (random.next() - 0.3) * 90 * DAY).toISOString();
  if (name === 'token') return String(random.below(1_000_000)).padStart(6, '0');
  if (name === 'price') return random.pick(['0', '12.5', '0.01', '1000000', '']);
  if (name.endsWith('ImageUrl')) return random.pick(PICTURES);
  const length = random.chance(0.2) ? random.pick(LENGTHS) : 1 + random.below(Math.min(maxLength, 30));
  return 'x'.repeat(length);
}
