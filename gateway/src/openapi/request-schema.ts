import { getAbout, type RequestClass } from '@meetmark/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

export interface JsonSchema {
  type?: string | string[];
  [keyword: string]: unknown;
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** JSON Schema keywords by validation rule. Rules that JSON Schema can't express are missing. */
const KEYWORDS: Record<string, (constraints: unknown[]) => JsonSchema> = {
  isString: () => ({ type: 'string' }),
  isWellFormed: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isMoment: () => ({ type: 'string', format: 'date-time' }),
  isPictureAddress: () => ({
    type: 'string',
    description: 'A data URL, a path on this site or an https URL',
  }),
  isMapAddress: () => ({
    type: 'string',
    format: 'uri',
    pattern: String.raw`^https://[^*]+\*[^*]*$`,
  }),
  isTimeZone: () => ({ type: 'string' }),
  isLocale: () => ({ type: 'string' }),
  isISO4217CurrencyCode: () => ({ type: 'string', minLength: 3, maxLength: 3 }),
  isWebUrl: () => ({ type: 'string', format: 'uri' }),
  minLength: ([minLength]) => ({ type: 'string', minLength }),
  maxLength: ([maxLength]) => ({ type: 'string', maxLength }),
  matches: ([pattern]) => ({ type: 'string', pattern: (pattern as RegExp).source }),
  min: ([minimum]) => ({ minimum }),
  max: ([maximum]) => ({ maximum }),
  isIn: ([values]) => ({ enum: values }),
  isListOf: ([maxItems, item]) => ({
    type: 'array',
    maxItems,
    ...(item === undefined
      ? { items: { type: 'string', format: 'uuid' }, uniqueItems: true }
      : { items: requestSchema(item as RequestClass) }),
  }),
  isListOfLines: ([maxItems, maxLength]) => ({
    type: 'array',
    maxItems,
    uniqueItems: true,
    items: { type: 'string', minLength: 1, maxLength },
  }),
  isAnswers: ([maxProperties]) => ({
    type: 'object',
    maxProperties,
    additionalProperties: { type: ['string', 'boolean', 'null'] },
    description: 'Answers by the ID of the question',
  }),
  isObjectOf: ([type]) => requestSchema(type as RequestClass),
  isPayable: ([maximum]) => ({
    type: ['string', 'number'],
    minimum: 0,
    maximum,
    description: "Up to 2 decimals. 0 and '' mean free",
  }),
};

export function requestSchema(type: RequestClass): JsonSchema {
  const properties = propertySchemas(type);
  const required = [...properties].filter(([, { optional }]) => !optional).map(([name]) => name);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      [...properties].map(([name, { schema, nullable }]) => [name, nullable ? orNull(schema) : schema]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

interface Property {
  schema: JsonSchema;
  optional: boolean;
  nullable: boolean;
  /** Whether null can be stored. If false, null is only another way to omit the field. */
  mayBeEmpty: boolean;
}

export function propertySchemas(type: RequestClass): Map<string, Property> {
  const byName = new Map<string, Metadata[]>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false))
    byName.set(metadata.propertyName, [...(byName.get(metadata.propertyName) ?? []), metadata]);
  return new Map([...byName].map(([name, rules]) => [name, propertySchema(rules, getAbout(type, name))]));
}

function propertySchema(rules: Metadata[], about: ReturnType<typeof getAbout>): Property {
  const schema: JsonSchema = {};
  for (const { name = '', constraints = [] } of rules) {
    const { pattern, ...keywords } = KEYWORDS[name]?.(constraints as unknown[]) ?? {};
    const types = [...new Set([schema.type ?? [], keywords.type ?? []].flat())];
    Object.assign(schema, keywords, types.length > 1 ? { type: types } : {});
    if (pattern === undefined) continue;
    if (schema.pattern === undefined) schema.pattern = pattern;
    else schema.allOf = [...((schema.allOf as JsonSchema[] | undefined) ?? []), { pattern }];
  }
  const conditions = rules
    .filter(({ type }) => type === 'conditionalValidation')
    .flatMap(({ constraints }) => constraints as ((object: object, value: unknown) => boolean)[]);
  const takes = (value: unknown) => conditions.some((holds) => !holds({}, value));
  const mayBeEmpty = rules.some(
    ({ context }) => (context as { emptyIsNull?: boolean } | undefined)?.emptyIsNull,
  );
  const said = [about?.description ?? schema.description, mayBeEmpty ? "'' counts as null" : undefined];
  const description = said.filter((each) => each !== undefined).join('. ');
  if (description !== '') schema.description = description;
  if (about?.example !== undefined) schema.examples = [about.example];
  return { schema, optional: conditions.length > 0, nullable: takes(null), mayBeEmpty };
}

function orNull(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(schema.type === undefined ? {} : { type: [schema.type, 'null'].flat() }),
    ...(schema.enum === undefined ? {} : { enum: [...(schema.enum as unknown[]), null] }),
  };
}

/** Keywords that also apply to responses. The others only restrict what clients may send. */
const ANSWERED = ['type', 'format', 'enum', 'items', 'examples'];

/** Returns a class that describes `fields` of a response by the rules of the request class `form`. */
export function answeredFields<T extends object>(form: RequestClass, fields: (keyof T & string)[]): Type<T> {
  class Fields {}
  const properties = propertySchemas(form);
  for (const name of fields) {
    const { schema, mayBeEmpty } = properties.get(name)!;
    const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => ANSWERED.includes(keyword)));
    const description = getAbout(form, name)?.description;
    ApiProperty({ ...kept, ...(mayBeEmpty && { nullable: true }), description } as object)(
      Fields.prototype,
      name,
    );
  }
  return Fields as Type<T>;
}
