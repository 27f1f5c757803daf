import { type Handbook, handbookFile, handbookLanguage } from '@meetmark/contracts/handbook';
import { sendForJson } from '../../api/client';

let loading: Promise<Handbook> | undefined;

/** The text in the language of the page, or the nearest to it. After a failure it is asked for again. */
export function loadHandbook(): Promise<Handbook> {
  loading ??= sendForJson<Handbook>(handbookFile(handbookLanguage(document.documentElement.lang))).catch(
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
