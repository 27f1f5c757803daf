import { type Handbook, handbookFile, handbookLanguage } from '@meetmark/contracts/handbook';
import { sendForJson } from '../../api/client';

let loading: Promise<Handbook> | undefined;

export function loadHandbook(): Promise<Handbook> {
  loading ??= sendForJson<Handbook>(handbookFile(handbookLanguage(document.documentElement.lang))).catch(
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
