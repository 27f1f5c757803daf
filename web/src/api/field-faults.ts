import type { ErrorDetails, FieldRule } from '@meetmark/contracts';
import { fieldFaultText as text } from '@meetmark/i18n/texts/field-faults';

export { refusals } from '../strings/refusals';

const rules: Partial<Record<string, string | ((values: { limit: number }) => string)>> = text.rules;

export function formatRule({ rule, limit }: FieldRule): string {
  const said = rules[rule] ?? text.rules.other;
  if (typeof said === 'string') return said;
  return limit === undefined ? text.rules.other : said({ limit });
}

const ITEM = /\[(\d+)\]/;

/** On English pages, keeps the API's messages, except those that begin with the field's API name. */
export function refusalOfFields(details: ErrorDetails): { message: string; details: ErrorDetails } {
  const inApisLanguage = /^(en|$)/.test(document.documentElement.lang);
  const fields = Object.entries(details.fields ?? {}).map(([name, [said = '']]): [string, string[]] => {
    if (inApisLanguage && !said.startsWith(`${name} `) && !said.startsWith(`${name}[`)) return [name, [said]];
    const item = ITEM.exec(name)?.[1];
    const words = formatRule(details.rules?.[name] ?? { rule: 'other' });
    return [name, [item === undefined ? words : text.inItem({ number: Number(item) + 1, fault: words })]];
  });
  const message = [text.refused, fields.flatMap(([, said]) => said).join('; ')].filter(Boolean).join(': ');
  return { message, details: { ...details, fields: Object.fromEntries(fields) } };
}
