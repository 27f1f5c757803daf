import { closestLocale } from './locales.js';

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
