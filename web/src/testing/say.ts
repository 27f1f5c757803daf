import { parse } from '@messageformat/parser';
import { argumentsOf, compiled, DEFAULT_LOCALE, type Texts } from '../../scripts/catalogues';

/** Takes the place of strings/say.ts in specs, where no build has made functions of messages. */
export function said(texts: Texts): unknown {
  if (Array.isArray(texts)) return texts.map(said);
  if (typeof texts === 'object')
    return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, said(text)]));
  return argumentsOf(parse(texts)).length === 0
    ? texts
    : (new Function(`return ${compiled(texts, texts, DEFAULT_LOCALE)}`) as () => unknown)();
}
