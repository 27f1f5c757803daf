import { ERRORS } from '@meetmark/contracts/errors';
import { LOCALES } from '@meetmark/contracts/locales';
import { parse } from '@messageformat/parser';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import {
  argumentsOf,
  compiled,
  DEFAULT_LOCALE,
  faultsOf,
  readCatalogues,
  type Texts,
} from '../../scripts/catalogues';

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

/** The arguments that a file of strings declares for each message, by its path. */
function declared(namespace: string): Record<string, string[]> {
  const source = readFileSync(join(root, `src/strings/${namespace}.ts`), 'utf8');
  const found: Record<string, string[]> = {};
  const visit = (type: ts.Node, path: string) => {
    if (ts.isTypeLiteralNode(type))
      for (const member of type.members)
        if (ts.isPropertySignature(member) && member.type)
          visit(member.type, [path, member.name.getText()].filter(Boolean).join('.'));
    if (ts.isTupleTypeNode(type))
      found[path] = type.elements.map((element) => (element as ts.NamedTupleMember).name.getText());
  };
  const calls = (node: ts.Node) => {
    // without types where no message has arguments
    const types =
      ts.isCallExpression(node) && node.expression.getText() === 'said' && node.typeArguments?.[1];
    if (types) visit(types, '');
    ts.forEachChild(node, calls);
  };
  calls(ts.createSourceFile(namespace, source, ts.ScriptTarget.Latest, true));
  return found;
}

it.each(namespaces)('gives every message of %s its arguments, in their order', (namespace, texts) => {
  const needed = messages(texts)
    .map(([path, message]): [string, string[]] => [path.join('.'), argumentsOf(parse(message))])
    .filter(([, names]) => names.length > 0);
  expect(declared(namespace)).toEqual(Object.fromEntries(needed));
});

it.each([
  ['de', 0, 'Niemand und 1.000 Plätze'],
  ['de', 1, 'eine Person und 1.000 Plätze'],
  ['de', 1_200, '1.200 Leute und 1.000 Plätze'],
  ['pl', 3, '3 osoby'],
  ['pl', 5, '5 osób'],
])('says a message in %s of %s', (locale, count, said) => {
  const own =
    '{count, plural, =0 {Nobody} one {one} other {{count} people}} and {places, plural, other {# places}}';
  const texts: Record<string, string> = {
    de: '{count, plural, =0 {Niemand} one {eine Person} other {# Leute}} und {places, plural, other {# Plätze}}',
    pl: '{count, plural, one {# osoba} few {# osoby} many {# osób} other {# osoby}}',
  };
  const code = compiled(texts[locale]!, own, locale);
  const say = new Function(`return ${code}`)() as (count: number, places: number) => string;
  expect(say(count, 1_000)).toBe(said);
});

it('has the sentence of every refusal, in the default’s as the API says it', () => {
  const said = Object.entries(ERRORS).map(([code, { message }]) => [code, message]);
  expect(all[DEFAULT_LOCALE]?.errors).toEqual(Object.fromEntries(said));
});
