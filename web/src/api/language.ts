import type { ProductLocale } from '@meetmark/contracts';

const COOKIE = 'locale';
const YEAR = 31_536_000; // seconds
const ASKED = 'locale-asked';

/** The language of this page when the reader chose it; null when the gateway decided. */
export function chosenLocale(): string | null {
  const { lang, dataset } = document.documentElement;
  return dataset.chosen === undefined ? null : lang;
}

/** The language of this page where it is not the community's own: chosen, or what the browser prefers. */
export function otherLocale(): string | null {
  const { lang, dataset } = document.documentElement;
  return dataset.chosen === undefined && dataset.asked === undefined ? null : lang;
}

/** The language that the browser asks for, '' for none. */
const askedFor = () => /(?:^|;\s*)locale=([\w-]*)/.exec(document.cookie)?.[1] ?? '';

/**
 * Shows the pages of this browser in a member's language from now on; null: what the browser prefers, else
 * the community's. Another one than the present page's reloads it, once; a browser that keeps no cookies stays as it is.
 */
export function speak(locale: ProductLocale | null): void {
  const wanted = locale ?? '';
  try {
    if (wanted === (chosenLocale() ?? '')) return sessionStorage.removeItem(ASKED);
    document.cookie = `${COOKIE}=${wanted}; path=/; samesite=lax; max-age=${locale === null ? 0 : YEAR}`;
    // Chromium sets cookies in the background: a reload can leave before them, unless they have been read back.
    const { lang, dataset } = document.documentElement;
    // the page has it already, by the browser's wish
    if (lang === wanted && dataset.asked !== undefined) return void (dataset.chosen = '');
    if (askedFor() !== wanted || sessionStorage.getItem(ASKED) === wanted) return;
    sessionStorage.setItem(ASKED, wanted);
  } catch {
    return; // it could not be noted that the page was reloaded, so it might be for ever
  }
  window.location.reload();
}
