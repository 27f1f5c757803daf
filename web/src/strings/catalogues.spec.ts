import { ERRORS } from '@meetmark/contracts/errors';
import { LOCALES } from '@meetmark/contracts/locales';
import { parse } from '@messageformat/parser';
import { argumentsOf, DEFAULT_LOCALE, faultsOf, readCatalogues, type Texts } from '../../scripts/catalogues';

const root = new URL('../..', import.meta.url).pathname;
const all = readCatalogues(root);
/** The refusals' sentences travel with the answers of the API: no screen has them. */
const namespaces = Object.entries(all[DEFAULT_LOCALE] ?? {}).filter(([name]) => name !== 'errors');

/** The messages of a catalogue by their paths. */
const messages = (texts: Texts, path: string[] = []): [path: string[], message: string][] =>
  typeof texts === 'string'
    ? [[path, texts]]
    : Object.entries(texts).flatMap(([key, value]) => messages(value as Texts, [...path, key]));

it('has catalogues for exactly the languages that the product offers', () => {
  expect(Object.keys(all).toSorted()).toEqual([...LOCALES].toSorted());
});

it.each(LOCALES)('has every text of %s, with the same arguments', (locale) => {
  expect(faultsOf(locale, all[locale], all[DEFAULT_LOCALE])).toEqual([]);
});

it('names a text that is missing, unknown, broken, or has other arguments', () => {
  const own = {
    a: { one: 'One', two: 'Two {name}', three: ['x', 'y'], four: 'Four', plural: '{n, plural, other {#}}' },
  };
  const theirs = {
    a: { one: 'Eins {', two: 'Zwei {nam}', three: ['x'], five: 'Fünf', plural: '{n, plural, one {#}}' },
  };
  expect(faultsOf('de', theirs, own)).toEqual([
    'de: a.one has a brace that nothing closes',
    'de: a.two has the arguments (nam), not (name)',
    'de: a.three has 1 entries, not 2',
    'de: a.four is missing',
    expect.stringMatching(/^de: a\.plural cannot be read: .*other/),
    'de: a.five is not in en-US',
  ]);
  expect(faultsOf('en-GB', { a: { one: 'Uno' } }, own)).toEqual([]);
  expect(faultsOf('en-GB', { a: { six: 'Six' } }, own)).toEqual(['en-GB: a.six is not in en-US']);
});

it.each(namespaces)('gives every message of %s its arguments', async (namespace, texts) => {
  const exported = (await import(`./${namespace}.ts`)) as Record<string, unknown>;
  for (const [path, message] of messages(texts)) {
    const said = path.reduce((value, key) => (value as Record<string, unknown>)[key], exported as unknown);
    const names = argumentsOf(parse(message));
    if (names.length === 0) expect([path, said]).toEqual([path, message]);
    else
      expect([path, (said as (...values: unknown[]) => unknown)(2, 3, 4)]).toEqual([
        path,
        expect.any(String),
      ]);
  }
});

it('has the sentence of every refusal, in the default’s as the API says it', () => {
  const said = Object.entries(ERRORS).map(([code, { message }]) => [code, message]);
  expect(all[DEFAULT_LOCALE]?.errors).toEqual(Object.fromEntries(said));
});
