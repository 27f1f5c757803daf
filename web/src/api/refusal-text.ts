import { LOCALES } from '@meetmark/contracts/locales';

/** What a refusal says in the page's language; undefined where the API's own sentence is right, or the others are out of reach. */
export async function refusalText(code: string): Promise<string | undefined> {
  if (document.documentElement.lang === LOCALES[0]) return undefined;
  const { refusals } = await import('../strings/refusals').catch(() => ({
    refusals: {} as Partial<Record<string, string>>,
  }));
  return refusals[code];
}
