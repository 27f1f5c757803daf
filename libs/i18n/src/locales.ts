export const LOCALES = ['en-US', 'en-GB', 'de', 'fr', 'es', 'nl'] as const;
export type ProductLocale = (typeof LOCALES)[number];

export const FORMS_OF_ADDRESS = ['formal', 'informal'] as const;
export type FormOfAddress = (typeof FORMS_OF_ADDRESS)[number];
/** The folder `de-x-du` contains only the differences from `de`. */
const INFORMAL = { de: '-x-du' } as const;
export type TextLocale = ProductLocale | 'de-x-du';
export const TEXT_LOCALES: readonly TextLocale[] = [...LOCALES, 'de-x-du'];

export const isLocale = (value: unknown): value is ProductLocale =>
  (LOCALES as readonly unknown[]).includes(value);

/** Some browsers report the operating system's locale, such as `en-US@posix` or `de_DE.UTF-8`. */
export function parseLocale(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag.replace(/[.@].*$/s, '').replaceAll('_', '-'));
  } catch {
    return null;
  }
}

export function closestLocale(tag: string): ProductLocale {
  if (isLocale(tag)) return tag;
  // An invalid tag often starts with a valid language, such as `de-`.
  const { language, region } = parseLocale(tag) ?? parseLocale(tag.split('-', 1)[0]!) ?? {};
  if (language === 'en' && region !== undefined && region !== 'US') return 'en-GB';
  return LOCALES.find((locale) => new Intl.Locale(locale).language === language) ?? LOCALES[0];
}

const getInformalSuffix = (locale: ProductLocale) =>
  (INFORMAL as Partial<Record<ProductLocale, '-x-du'>>)[locale];

export function toTextLocale(tag: string): TextLocale {
  const locale = closestLocale(tag);
  const informal = getInformalSuffix(locale);
  return informal !== undefined && tag.endsWith(informal) ? (`${locale}${informal}` as TextLocale) : locale;
}

/** Uses the recipient's language if available, but always the community's form of address. */
export function tagFor(
  locale: string | null | undefined,
  community: { locale: string; formOfAddress: FormOfAddress },
): string {
  const tag = isLocale(locale) ? locale : community.locale;
  const informal = community.formOfAddress === 'informal' ? getInformalSuffix(closestLocale(tag)) : undefined;
  return informal === undefined || tag.includes('-x-') ? tag : `${tag}${informal}`;
}

/** Removes the form of address, for the `lang` attribute. */
export const withoutAddress = (tag: string) => tag.replace(/-x-.*$/, '');
