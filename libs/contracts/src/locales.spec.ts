import { closestLocale, tagFor, textLocaleOf, withoutAddress } from './locales.js';

it.each([
  ['en-US', 'en-US'],
  ['en', 'en-US'],
  ['en-GB', 'en-GB'],
  ['en-AU', 'en-GB'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['pt-PT', 'en-US'],
])('writes for %s in %s', (tag, locale) => {
  expect(closestLocale(tag)).toBe(locale);
});

it.each([
  ['fr', 'de', 'informal', 'fr'],
  [null, 'de-AT', 'formal', 'de-AT'],
  [null, 'de-AT', 'informal', 'de-AT-x-du'],
  ['de', 'en-US', 'informal', 'de-x-du'],
  ['de', 'en-US', 'formal', 'de'],
  ['pt', 'de', 'informal', 'de-x-du'],
] as const)(
  'writes to a reader of %s in a community of %s (%s) in %s',
  (reader, locale, formOfAddress, tag) => {
    expect(tagFor(reader, { locale, formOfAddress })).toBe(tag);
    expect(withoutAddress(tag)).toBe(tag.replace('-x-du', ''));
    expect(textLocaleOf(tag)).toBe(tag.replace('-AT', ''));
  },
);
