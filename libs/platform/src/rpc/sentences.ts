import type { FieldRule } from '@meetmark/contracts';
import type { ValidationError, getMetadataStorage } from 'class-validator';

export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** What is wrong with a field: the one sentence that people read, and the rule for clients that word it themselves. */
export interface Fault {
  text: string;
  rule: FieldRule;
}

type Figures = unknown[];

/** What the library's own rules say here; each reads after the name of its field. Rules of ours, and those given words, say their own. */
const SENTENCES: Record<string, (figures: Figures) => string> = {
  isString: () => 'must be text',
  isBoolean: () => 'must be true or false',
  isInt: () => 'must be a whole number',
  isObject: () => 'must be an object',
  nestedValidation: () => 'must be an object',
  min: ([least]) => `must be at least ${least}`,
  max: ([most]) => `must be at most ${most}`,
  minLength: ([least]) => `must have at least ${characters(least)}`,
  maxLength: ([most]) => `must have at most ${characters(most)}`,
  isIn: ([values]) => oneOf(values as unknown[]),
  matches: () => 'does not have the right form',
  isEmail: () => 'must be an email address',
  isUrl: () => 'must be a web address',
  isISO4217CurrencyCode: () => 'must be a currency code such as GBP',
  whitelistValidation: () => 'is not a known field',
};

const characters = (count: unknown) => (count === 1 ? '1 character' : `${count} characters`);
const oneOf = (values: unknown[]) =>
  values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;

/** Says most about a field when several rules are broken; all others come between, as they are declared. */
const FIRST = [
  'whitelistValidation',
  'isObjectOf',
  'isListOf',
  'isListOfLines',
  'isInt',
  'isBoolean',
  'isIn',
];
const FIRST_OF_TEXT = ['minLength', 'maxLength'];
const LAST = ['min', 'max', 'nestedValidation'];
const ORDER = [...FIRST, ...FIRST_OF_TEXT];
const rank = (rule: string) =>
  LAST.includes(rule) ? ORDER.length + 1 : ORDER.includes(rule) ? ORDER.indexOf(rule) : ORDER.length;

/** Rules that only text obeys: of anything else they say nothing helpful. */
const OF_TEXT = ['isString', 'isWellFormed', 'minLength', 'maxLength'];

/** @param name of the field, with its path @param rules of the field */
export function faultOf(
  name: string,
  { constraints = {}, property, target }: ValidationError,
  rules: Rule[],
): Fault {
  const broken = Object.keys(constraints).toSorted((one, other) => rank(one) - rank(other));
  const value = (target as Record<string, unknown> | undefined)?.[property];
  if (typeof value !== 'string' && broken.some((rule) => OF_TEXT.includes(rule)))
    return fault(name, 'isString');
  const [first = 'isString'] = broken;
  const said = constraints[first] ?? '';
  const candidates = rules.filter((rule) => rule.name === first);
  const rule = candidates.find(({ message }) => wordsOf(message, property) === said) ?? candidates[0];
  if (rule?.message === undefined && Object.hasOwn(SENTENCES, first)) return fault(name, first, rule);
  const text = said.startsWith(`${property} `) ? name + said.slice(property.length) : said;
  return { text, rule: ruleOf(first, rule) };
}

const wordsOf = (message: unknown, property: string) =>
  typeof message === 'string' ? message.replaceAll('$property', property) : undefined;

/** By a rule of the library, or one of the two that are found before all others. */
export const fault = (name: string, broken: string, rule?: Rule): Fault => ({
  text: `${name} ${SENTENCES[broken]!((rule?.constraints as Figures | undefined) ?? [])}`,
  rule: ruleOf(broken, rule),
});

export const tooLong = (name: string, most: number): Fault => ({
  text: `${name} ${SENTENCES.maxLength!([most])}`,
  rule: { rule: 'maxLength', limit: most },
});

export const missing = (name: string, text: string): Fault => ({
  text: text === '' ? `${name} is required` : text,
  rule: { rule: 'required' },
});

const NAMES: Record<string, string> = {
  whitelistValidation: 'unknown',
  nestedValidation: 'isObject',
  isObjectOf: 'isObject',
};

function ruleOf(broken: string, rule?: Rule): FieldRule {
  const named = (rule?.context as { rule?: string } | undefined)?.rule;
  const [figure] = (rule?.constraints as Figures | undefined) ?? [];
  if (broken === 'minLength' && figure === 1) return { rule: 'required' };
  return {
    rule: named ?? NAMES[broken] ?? broken,
    ...(typeof figure === 'number' ? { limit: figure } : {}),
    ...(broken === 'isIn' ? { values: (figure as unknown[]).map(String) } : {}),
  };
}
