import { BASE, resolveCatalogue, compiled, findFaults, buildModules, readCatalogues } from './catalogues.js';
import { TEXT_LOCALES } from './locales.js';

const all = readCatalogues();

it('has catalogues for exactly the languages that the product offers', () => {
  expect(Object.keys(all).toSorted()).toEqual([BASE, ...TEXT_LOCALES].toSorted());
});

it.each(TEXT_LOCALES)('has every text in %s with the same arguments', (locale) => {
  expect(findFaults(locale, all[locale], all[BASE])).toEqual([]);
});

it('reports missing, unknown and invalid texts, and differing arguments', () => {
  const [plural, select] = ['{n, plural, other {#}}', '{n, select, other {x}}'];
  const own = {
    a: { one: 'One', two: 'Two {name}', three: ['x', 'y'], four: 'Four', plural, select, few: plural },
  };
  const theirs = {
    a: {
      ...{ one: 'Eins {', two: 'Zwei {nam}', three: ['x'], five: 'Fünf' },
      ...{ plural: '{n, plural, one {#}}', select: '{n, number}', few: '{n, plural, few {#} other {#}}' },
    },
  };
  expect(findFaults('de', theirs, own)).toEqual([
    'de: a.one has a brace that nothing closes',
    'de: a.two has the arguments (nam), not (name)',
    'de: a.three has 1 entries, not 2',
    'de: a.four is missing',
    'de: a.plural cannot be read: {n} has no case for all other',
    'de: a.select cannot be read: the catalogue’s compiler knows no function',
    expect.stringMatching(/^de: a\.few cannot be read: The plural case few is not valid in this locale/),
    'de: a.five is not in en',
  ]);
  expect(findFaults('en-GB', { a: { one: 'Uno' } }, own)).toEqual([]);
  expect(findFaults('en-GB', { a: { six: 'Six' } }, own)).toEqual(['en-GB: a.six is not in en']);
});

it.each([
  ['de', { count: 0 }, 'Niemand und 1.000 Plätze'],
  ['de', { count: 1_200 }, '1.200 Leute und 1.000 Plätze'],
  ['pl', { count: 3 }, '3 osoby'],
  ['nl', { what: 'link' }, 'De link!'],
])('formats a message in %s for %j', (locale, values, expected) => {
  const texts: Record<string, string> = {
    de: '{count, plural, =0 {Niemand} one {eine Person} other {# Leute}} und {places, plural, other {# Plätze}}',
    pl: '{count, plural, one {# osoba} few {# osoby} many {# osób} other {# osoby}}',
    nl: 'De {what, select, link {link} other {code}}!',
  };
  const format = new Function(`return ${compiled(texts[locale]!, locale)}`)() as (values: object) => string;
  expect(format({ ...values, places: 1_000 })).toBe(expected);
});

it('falls back to the base language for texts missing in a dialect', () => {
  const texts = { en: { a: { one: 'One', two: 'Two' } }, 'en-GB': { a: { two: 'A pair' } } };
  const german = { de: { a: { one: 'Ihr', two: 'Zwei' } }, 'de-x-du': { a: { one: 'Dein' } } };
  const each = (locale: string) => resolveCatalogue({ ...texts, ...german }, locale).a;
  expect(['en', 'en-GB', 'de', 'de-x-du'].map(each)).toEqual([
    { one: 'One', two: 'Two' },
    { one: 'One', two: 'A pair' },
    { one: 'Ihr', two: 'Zwei' },
    { one: 'Dein', two: 'Zwei' },
  ]);
});

it('builds one module per namespace, with all languages only for emails', () => {
  const texts = { common: { aText: { go: 'Go {where}' } }, mails: { go: 'Go' }, errors: { NOT_FOUND: 'No' } };
  const modules = buildModules({ en: texts, 'en-US': {}, 'en-GB': {} });
  expect(Object.keys(modules)).toEqual(['common', 'mails']);
  expect(modules['common']).toEqual({
    code: 'export const aText = {go:a=>"Go "+a.where};\n',
    types: 'export declare const aText: {go:(values: { where: string | number }) => string};\n',
  });
  expect(modules['mails']?.code).toContain(
    'export const texts = {\n"en-US": {go:"Go"},\n"en-GB": {go:"Go"},\n};',
  );
  expect(modules['mails']?.types).toBe(
    'export declare const texts: Record<"en-US" | "en-GB", {go:string}>;\n',
  );
});
