/**
 * Parts of texts. Repeated, they slow down careless code, such as input checks, regular expressions, Markdown
 * parsers and Unicode normalisation.
 */
const UNITS = {
  'one ideograph': '字',
  ideographs: Array.from({ length: 997 }, (_, n) =>
    String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)),
  ).join(''),
  'combining marks': '\u0301\u0323',
  'a letter that has no lower case of one character': 'İ',
  'a sign that is eighteen letters': 'ﷺ',
  'right-to-left marks': '\u202e\u200f',
  dots: '.',
  'labels of a domain': 'a.',
  'domains that are spelled in ASCII': 'xn--a-ecp.',
  'signs of an address': '@',
  spaces: ' ',
  'line breaks': '\n',
  digits: '9',
  hyphens: '-',
  quotes: '"\\',
  'percent signs': '%',
  'angle brackets': '<!--',
  brackets: '[',
  'links that do not end': '[a](',
  'pictures in brackets': '![[',
  'list marks': '- ',
  'lists in lists': '- 1. ',
  'list marks of one line each': '-\n',
  'quotes in quotes': '> ',
  emphasis: '*a_',
  backticks: '`a',
  'tables without an end': '|-',
};

type HostileText = keyof typeof UNITS;
export const HOSTILE_TEXTS = Object.keys(UNITS) as HostileText[];

export function hostileText(name: HostileText, bytes: number): string {
  const unit = UNITS[name];
  return unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
}

export const ordinaryText = (bytes: number): string => 'a'.repeat(bytes);

const TRIES = 5;
const MICROSECONDS = 1_000;

/** Returns the processor time of `work` in milliseconds. Other processes don't affect the result. */
async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROSECONDS;
}

/**
 * Returns by how many milliseconds of processor time `hostile` exceeds `ordinary`, as the median of five
 * runs. Returns 0 early if a first run of `hostile` takes less than half of `most`.
 */
export async function dearerBy(
  most: number,
  ordinary: () => unknown,
  hostile: () => unknown,
): Promise<number> {
  if ((await processorTime(hostile)) < most / 2) return 0;
  const more: number[] = [];
  for (let each = 0; each < TRIES; each += 1) {
    const usual = await processorTime(ordinary);
    more.push((await processorTime(hostile)) - usual);
  }
  return more.toSorted((one, other) => one - other)[Math.floor(TRIES / 2)]!;
}
