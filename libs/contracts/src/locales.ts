/** The languages of the product's texts, by BCP 47. The first is that of what has no other. */
export const LOCALES = ['en-US', 'en-GB', 'de'] as const;
export type ProductLocale = (typeof LOCALES)[number];

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
