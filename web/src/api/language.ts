import type { ProductLocale } from '@meetmark/i18n/locales';

const COOKIE = 'locale';
const YEAR = 31_536_000;
const ASKED = 'locale-asked';

export function chosenLocale(): string | null {
  const { lang, dataset } = document.documentElement;
  return dataset.chosen === undefined ? null : lang;
}

/** Returns the page's language, or null if neither the reader nor the browser asked for it. */
export function otherLocale(): string | null {
  const { lang, dataset } = document.documentElement;
  return dataset.chosen === undefined && dataset.asked === undefined ? null : lang;
}

const askedFor = () => /(?:^|;\s*)locale=([\w-]*)/.exec(document.cookie)?.[1] ?? '';

/**
 * Sets the language in a cookie, then reloads the page once. Doesn't reload if cookies are blocked. Null
 * means the browser's preferred language, or else the community's.
 */
export function speak(locale: ProductLocale | null): void {
  const wanted = locale ?? '';
  try {
    if (wanted === (chosenLocale() ?? '')) return sessionStorage.removeItem(ASKED);
    document.cookie = `${COOKIE}=${wanted}; path=/; samesite=lax; max-age=${locale === null ? 0 : YEAR}`;
    // Chromium sets cookies in the background. Reading the cookie back ensures that the reload sends it.
    const { lang, dataset } = document.documentElement;
    // the page already has this language, because the browser prefers it
    if (lang === wanted && dataset.asked !== undefined) return void (dataset.chosen = '');
    if (askedFor() !== wanted || sessionStorage.getItem(ASKED) === wanted) return;
    sessionStorage.setItem(ASKED, wanted);
  } catch {
    return; // without a record in sessionStorage, the page could reload forever
  }
  window.location.reload();
}
