import type { FieldRule } from '@meetmark/contracts';
import type { ValidationError, getMetadataStorage } from 'class-validator';

export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

export interface Fault {
  text: string;
  rule: FieldRule;
}

type Figures = unknown[];

/**
 * Each text continues a sentence that starts with the field's name. Custom rules define their own messages.
 */
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
  isIn: ([values]) => formatChoices(values as unknown[]),
  matches: () => 'does not have the right form',
  isEmail: () => 'must be an email address',
  isUrl: () => 'must be a web address',
  isISO4217CurrencyCode: () => 'must be a currency code such as GBP',
  whitelistValidation: () => 'is not a known field',
};

const characters = (count: unknown) => (count === 1 ? '1 character' : `${count} characters`);
const formatChoices = (values: unknown[]) =>
  values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;

/** If a field breaks several rules, only one is reported. The rules in this list come first. */
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

const OF_TEXT = ['isString', 'isWellFormed', 'minLength', 'maxLength'];

export function toFault(
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
  const rule = candidates.find(({ message }) => fillProperty(message, property) === said) ?? candidates[0];
  if (rule?.message === undefined && Object.hasOwn(SENTENCES, first)) return fault(name, first, rule);
  const text = said.startsWith(`${property} `) ? name + said.slice(property.length) : said;
  return { text, rule: toFieldRule(first, rule) };
}

const fillProperty = (message: unknown, property: string) =>
  typeof message === 'string' ? message.replaceAll('$property', property) : undefined;

export const fault = (name: string, broken: string, rule?: Rule): Fault => ({
  text: `${name} ${SENTENCES[broken]!((rule?.constraints as Figures | undefined) ?? [])}`,
  rule: toFieldRule(broken, rule),
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

function toFieldRule(broken: string, rule?: Rule): FieldRule {
  const named = (rule?.context as { rule?: string } | undefined)?.rule;
  const [figure] = (rule?.constraints as Figures | undefined) ?? [];
  if (broken === 'minLength' && figure === 1) return { rule: 'required' };
  return {
    rule: named ?? NAMES[broken] ?? broken,
    ...(typeof figure === 'number' ? { limit: figure } : {}),
    ...(broken === 'isIn' ? { values: (figure as unknown[]).map(String) } : {}),
  };
}
