import { readFileSync } from 'node:fs';
import { allJobs } from '@meetmark/contracts';
import { LOCALES } from '@meetmark/i18n/locales';
import { resolveCatalogue, readCatalogues, type Texts } from '@meetmark/i18n/catalogues';
import { foreignWordsIn, misspeltIn } from '@meetmark/testing/languages';
import { getMetadataStorage } from 'class-validator';

const catalogue = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../../../libs/i18n/texts/en/${name}.json`, import.meta.url), 'utf8')) as T;

it('the System page names every kind of email', () => {
  const { adminSystemText: text } = catalogue<{ adminSystemText: { kinds: object } }>('admin');
  const emails = allJobs()
    .map(({ name }) => name)
    .filter((name) => /^(mail|messages|announcements)\./.test(name));
  expect(Object.keys(text.kinds).toSorted()).toEqual(emails.toSorted());
});

it('every validation rule for form fields has its own message', () => {
  // Rules for values that nobody types into a form: ids, keys, stored images, responses of authenticators.
  const sentByNoForm = 'isId isIdempotencyKey isString isObject isObjectOf nestedValidation fitsIsAdmin';
  const conditions = 'isOptional conditionalValidation';
  const { fieldFaultText: text } = catalogue<{ fieldFaultText: { rules: object } }>('field-faults');
  const storage = getMetadataStorage() as unknown as {
    validationMetadatas: Map<object, { context?: { rule?: string }; name?: string; type: string }[]>;
  };
  const rules = [...storage.validationMetadatas.values()]
    .flat()
    .map(({ context, name, type }) => context?.rule ?? name ?? type)
    .filter((rule) => !`${sentByNoForm} ${conditions}`.split(' ').includes(rule));
  expect(Object.keys(text.rules).toSorted()).toEqual([...new Set(rules), 'other'].toSorted());
});

describe('the texts', () => {
  const all = readCatalogues();
  const listTexts = (texts: Texts, path = ''): [string, string][] =>
    typeof texts === 'string'
      ? [[path, texts.replaceAll(/\{\w+(?=[,}])|\b(select|plural|one|other|host|link|code)(?=[,\s{])/g, '')]]
      : Object.entries(texts).flatMap(([key, each]) => listTexts(each, path === '' ? key : `${path}.${key}`));

  it.each(LOCALES)('have no words of another language in %s', (locale) => {
    const texts = listTexts(locale.startsWith('en-') ? resolveCatalogue(all, locale) : all[locale]!);
    expect(texts.filter(([, text]) => foreignWordsIn(text, locale).length > 0)).toEqual([]);
  });

  it.each(['en-US', 'en-GB'] as const)('are spelt as in %s', (locale) => {
    const texts = listTexts(resolveCatalogue(all, locale));
    expect(texts.filter(([, text]) => misspeltIn(text, locale).length > 0)).toEqual([]);
  });

  const ALIKE =
    'Admin Admins du Google Calendar https://www.linkedin.com/in ID LinkedIn Logo Outlook RSS Sie';
  it.each([
    [
      'de',
      'Code Community DKIM DMARC Format Hybrid Link Name OK Online optional Passkey SPF Sponsor Status System Test Text TXT Version',
    ],
    [
      'fr',
      'Actions Administration Code Description Format Menu Message Messages Note Notifications OK Photo Public Question Questions Sponsor Sponsors Triangles Version',
    ],
    ['es', 'Error Factor No'],
    [
      'nl',
      'Code Factor Filters Help hosts in Later Link Menu OK Online Open Passkey Privacy Sponsor Sponsors Status Test was Week',
    ],
  ])('contain no untranslated text in %s', (locale, own) => {
    const alike = new RegExp(`(?<!\\p{L})(${`${ALIKE} ${own}`.replaceAll(' ', '|')})(?!\\p{L})`, 'giu');
    const english = new Map(listTexts(all['en']!));
    const left = listTexts(all[locale as 'de']!).filter(
      ([path, text]) =>
        english.get(path) === text && /\p{L}{2}/u.test(text.replaceAll(/\{\w+\}/g, '').replaceAll(alike, '')),
    );
    expect(left).toEqual([]);
  });

  describe('in German', () => {
    const [formal, informal] = ['de', 'de-x-du'].map(
      (locale) => new Map(listTexts(resolveCatalogue(all, locale))),
    );
    const INFORMAL = /(?<!\p{L})(du|dich|dir|dein(e[mnrs]?)?|euch|euer|eure[mnrs]?)(?!\p{L})/iu;
    const FORMAL = /\b(Sie|Ihnen|Ihr(e[mnrs]?)?)\b/;
    /**
     * Text that names the formal address, so it may always contain 'Sie'. In all other texts, 'Sie' means the
     * reader, never 'they'.
     */
    const NOT_TO_THE_READER = 'settings.settingsText.formsOfAddress.formal';

    it('have an informal version of every text that addresses the reader', () => {
      const toTheReader = [...formal!].filter(
        ([path, text]) => FORMAL.test(text) && path !== NOT_TO_THE_READER,
      );
      expect(toTheReader.length).toBeGreaterThan(500);
      expect(toTheReader.filter(([path, text]) => informal!.get(path) === text)).toEqual([]);
    });

    it('never mix formal and informal address', () => {
      const mixed = (texts: Map<string, string>, other: RegExp) =>
        [...texts].filter(([path, text]) => !/formsOfAddress/.test(path) && other.test(text));
      expect(mixed(formal!, INFORMAL)).toEqual([]);
      expect(mixed(informal!, FORMAL)).toEqual([]);
    });
  });
});
