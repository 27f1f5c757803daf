/** The languages of the product's texts, by BCP 47; each has a folder in texts/. The first is that of what has no other. */
export const LOCALES = ['en-US', 'en-GB', 'de', 'fr', 'es', 'nl'] as const;
export type ProductLocale = (typeof LOCALES)[number];

/** How a community addresses its readers, in the languages that have two ways. */
export const FORMS_OF_ADDRESS = ['formal', 'informal'] as const;
export type FormOfAddress = (typeof FORMS_OF_ADDRESS)[number];
/** Marks the tag of a language in its informal way: the folder `de-x-du` has what is said differently from `de`. */
const INFORMAL = { de: '-x-du' } as const;
/** A language of texts with the way in which they address their reader. */
export type TextLocale = ProductLocale | 'de-x-du';
export const TEXT_LOCALES: readonly TextLocale[] = [...LOCALES, 'de-x-du'];

export const isLocale = (value: unknown): value is ProductLocale =>
  (LOCALES as readonly unknown[]).includes(value);

/**
 * The product's language that is closest to a language tag: itself, else one of the same language. English outside of the United States
 * is written as in Britain.
 */
export function closestLocale(tag: string): ProductLocale {
  if (isLocale(tag)) return tag;
  const { language, region } = new Intl.Locale(tag);
  if (language === 'en' && region !== undefined && region !== 'US') return 'en-GB';
  return LOCALES.find((locale) => new Intl.Locale(locale).language === language) ?? LOCALES[0];
}

const informalOf = (locale: ProductLocale) => (INFORMAL as Partial<Record<ProductLocale, '-x-du'>>)[locale];

/** The texts for a tag. */
export function textLocaleOf(tag: string): TextLocale {
  const locale = closestLocale(tag);
  const informal = informalOf(locale);
  return informal !== undefined && tag.endsWith(informal) ? (`${locale}${informal}` as TextLocale) : locale;
}

/** The tag by which a community writes to somebody: in their language if the product has it, else in its own, and in its way of address. */
export function tagFor(
  locale: string | null | undefined,
  community: { locale: string; formOfAddress: FormOfAddress },
): string {
  const tag = isLocale(locale) ? locale : community.locale;
  const informal = community.formOfAddress === 'informal' ? informalOf(closestLocale(tag)) : undefined;
  return informal === undefined || tag.includes('-x-') ? tag : `${tag}${informal}`;
}

/** A tag as documents name their language: without the way of address. */
export const withoutAddress = (tag: string) => tag.replace(/-x-.*$/, '');
