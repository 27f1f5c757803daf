import { BASE, readCatalogues } from '@meetmark/i18n/catalogues';
import { ERRORS } from './errors.js';

it('has the API message of every error in the base language', () => {
  const sentences = Object.entries(ERRORS).map(([code, { message }]) => [code, message]);
  expect(readCatalogues()[BASE]?.errors).toEqual(Object.fromEntries(sentences));
});
