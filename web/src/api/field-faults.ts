import type { ErrorDetails, FieldRule } from '@meetmark/contracts';
import { fieldFaultText as text } from '@meetmark/contracts/texts/field-faults';

// A file of its own, loaded with the first refusal.
export { refusals } from '../strings/refusals';

const rules: Partial<Record<string, string | ((values: { limit: number }) => string)>> = text.rules;

function wordsOf({ rule, limit }: FieldRule): string {
  const said = rules[rule] ?? text.rules.other;
  if (typeof said === 'string') return said;
  return limit === undefined ? text.rules.other : said({ limit });
}

/** '[3]' of 'agenda[3].title'. */
const ITEM = /\[(\d+)\]/;

/**
 * The refused fields with what people read: the API's own words where it has some in the page's language, else those of the rule. The
 * API's names of fields are for programs; the label stands beside what is said.
 */
export function refusalOfFields(details: ErrorDetails): { message: string; details: ErrorDetails } {
  const inApisLanguage = /^(en|$)/.test(document.documentElement.lang);
  const fields = Object.entries(details.fields ?? {}).map(([name, [said = '']]): [string, string[]] => {
    if (inApisLanguage && !said.startsWith(`${name} `) && !said.startsWith(`${name}[`)) return [name, [said]];
    const item = ITEM.exec(name)?.[1];
    const words = wordsOf(details.rules?.[name] ?? { rule: 'other' });
    return [name, [item === undefined ? words : text.inItem({ number: Number(item) + 1, fault: words })]];
  });
  const message = [text.refused, fields.flatMap(([, said]) => said).join('; ')].filter(Boolean).join(': ');
  return { message, details: { ...details, fields: Object.fromEntries(fields) } };
}
