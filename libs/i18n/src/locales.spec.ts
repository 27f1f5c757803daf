import { closestLocale, parseLocale, tagFor, toTextLocale, withoutAddress } from './locales.js';

it.each([
  ['en-US', 'en-US'],
  ['en', 'en-US'],
  ['en-GB', 'en-GB'],
  ['en-AU', 'en-GB'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['pt-PT', 'en-US'],
  ['en-US@posix', 'en-US'],
  ['en_AU.UTF-8', 'en-GB'],
  ['de_DE.ISO-8859-1@euro', 'de'],
  ['de-a', 'de'],
  ['C', 'en-US'],
  ['*', 'en-US'],
  ['', 'en-US'],
])('maps the language tag %s to the locale %s', (tag, locale) => {
  expect(closestLocale(tag)).toBe(locale);
});

it.each([
  ['pt-BR', 'pt-BR'],
  ['en-US@posix', 'en-US'],
  ['de_CH.UTF-8', 'de-CH'],
  ['C.UTF-8', undefined],
  ['POSIX region', undefined],
  ['', undefined],
])('parses the language tag %j as %s', (tag, parsed) => {
  expect(parseLocale(tag)?.baseName).toBe(parsed);
});

it.each([
  ['fr', 'de', 'informal', 'fr'],
  [null, 'de-AT', 'formal', 'de-AT'],
  [null, 'de-AT', 'informal', 'de-AT-x-du'],
  ['de', 'en-US', 'informal', 'de-x-du'],
  ['de', 'en-US', 'formal', 'de'],
  ['pt', 'de', 'informal', 'de-x-du'],
] as const)('resolves reader %s in community %s (%s) to the tag %s', (reader, locale, formOfAddress, tag) => {
  expect(tagFor(reader, { locale, formOfAddress })).toBe(tag);
  expect(withoutAddress(tag)).toBe(tag.replace('-x-du', ''));
  expect(toTextLocale(tag)).toBe(tag.replace('-AT', ''));
});
