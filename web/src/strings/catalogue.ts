import type { ConfigProviderProps } from 'antd';

/** What a page in another language than the default loads before the application (web/scripts/catalogues.ts). */
interface Translation {
  /** By namespace: the texts that differ from the default's. */
  texts: Record<string, unknown>;
  /** The words of the component library. */
  components: ConfigProviderProps['locale'];
}

declare global {
  var translation: Translation | undefined;
}

/** The texts of a namespace in the page's language; `texts` are the default's. */
export const catalogue = <T>(namespace: string, texts: T): T =>
  translated(texts, globalThis.translation?.texts[namespace]);

function translated<T>(texts: T, others: unknown): T {
  if (others === undefined) return texts;
  if (typeof texts !== 'object' || Array.isArray(texts)) return others as T;
  const own = Object.entries(texts as object);
  return Object.fromEntries(
    own.map(([key, text]) => [key, translated<unknown>(text, (others as Record<string, unknown>)[key])]),
  ) as T;
}

/** What a refusal of the API says in the page's language; undefined where the API's own sentence is right. */
export const refusalText = (code: string) =>
  (globalThis.translation?.texts.errors as Record<string, string> | undefined)?.[code];

/** The words of the component library in the page's language; undefined for its own. */
export const componentWords = globalThis.translation?.components;
