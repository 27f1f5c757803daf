import { type RequestClass, ERRORS, type ErrorCode } from '@meetmark/contracts';
import {
  ApiResponse,
  ApiBody,
  ApiExtension,
  ApiHeader,
  ApiOperation,
  ApiQuery,
  ApiSecurity,
} from '@nestjs/swagger';
import { applyDecorators, RequestMethod } from '@nestjs/common';
import { ref, type AnswerName } from './answer-schemas.js';
import { traitsOf } from '../http/route.js';
import { propertySchemas } from './request-schema.js';

export interface RequestClasses {
  body?: RequestClass;
  query?: RequestClass;
}

const CLASSES = Symbol('request classes');
/** Of the whole process: each becomes a schema of the document. */
const bodies = new Set<RequestClass>();

/** Remembers what a method declares of its request, for the document that describes it. */
export function declareRequest(target: object, method: string | symbol, classes: RequestClasses): void {
  Reflect.defineMetadata(CLASSES, { ...requestClasses(target, method), ...classes }, target, method);
  if (classes.body !== undefined) bodies.add(classes.body);
}

export const requestClasses = (target: object, method: string | symbol): RequestClasses =>
  (Reflect.getMetadata(CLASSES, target, method) as RequestClasses | undefined) ?? {};

export const bodyClasses = (): RequestClass[] => [...bodies];

/** A schema by name, a list of it, a page of it (with X-Total-Count and Link), another media type, or nothing. */
export type Answers =
  | AnswerName
  | `${AnswerName}[]`
  | `page of ${AnswerName}`
  | `${AnswerName} or null`
  | `${string}/${string}`
  | null;

const PAGE_HEADERS = {
  'X-Total-Count': { description: 'How many match, over all pages', schema: { type: 'integer' } },
  Link: { description: 'rel="next": the address of the next page', schema: { type: 'string' } },
} as const;

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } as const;

/** Public answers carry an ETag. */
export const UNCHANGED = ApiResponse({
  status: 304,
  description: 'What the client has, by `If-None-Match`, still holds',
});

export function answerResponse(status: number, answer: Answers): MethodDecorator {
  if (answer === null) return ApiResponse({ status, description: 'Done' });
  const [, name = '', array, nullable] = /^(?:page of )?(\w+)(\[\])?( or null)?$/.exec(answer) ?? [];
  if (name === '') return ApiResponse({ status, description: 'The document', content: { [answer]: {} } });
  const page = answer.startsWith('page of ');
  const one = nullable ? { oneOf: [ref(name), { type: 'null' }] } : ref(name);
  const schema = array || page ? { type: 'array', items: one } : one;
  return ApiResponse({
    status,
    description: page ? 'The list, or with `limit` one page of it' : 'The answer',
    ...(page ? { headers: PAGE_HEADERS } : {}),
    schema,
  });
}

/** One response a status, naming the codes that it can carry. */
export function refusals(codes: Set<ErrorCode>): MethodDecorator[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, group]) =>
    ApiResponse({
      status,
      description: group.map((code) => `\`${code}\` ${ERRORS[code].message}`).join('\n\n'),
      ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
      schema: { allOf: [ref('Error'), { properties: { code: { enum: group } } }] },
    }),
  );
}

export interface Description {
  summary: string;
  /** Status to what comes with it. */
  answers: Record<number, Answers>;
  /** Refusals of this call alone; those that follow from access, body and path are added. */
  refuses?: ErrorCode[];
  /** Of a body that the method itself checks; one declared by @Fields() is known. */
  body?: RequestClass;
  bodyOptional?: boolean;
  /** Of a query that the method itself checks. */
  query?: RequestClass;
  idempotent?: boolean;
  /** Takes the version that the change began from. */
  versioned?: boolean;
}

export const COOKIE_AUTH = 'session';
const EVERYWHERE: ErrorCode[] = [
  'HOST_UNKNOWN',
  'RATE_LIMITED',
  'INTERNAL',
  'SERVICE_UNAVAILABLE',
  'SERVICE_OVERLOADED',
  'DEADLINE_EXCEEDED',
];
const ANY_BODY: ErrorCode[] = [
  'VALIDATION_FAILED',
  'MALFORMED_JSON',
  'MALFORMED_TEXT',
  'BODY_TOO_DEEP',
  'BODY_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'NOT_JSON',
];
const WITH_PICTURE: ErrorCode[] = [
  'PICTURE_TYPE',
  'PICTURE_TOO_LARGE',
  'PICTURE_BROKEN',
  'PICTURE_NOT_FOUND',
];
const SAFE = [RequestMethod.GET, RequestMethod.HEAD];

/**
 * What OpenAPI says of a route. Stands above all other decorators of the method: it reads from them who may call, what the
 * body and the query are, and so what can be refused.
 */
export function Describe(description: Description): MethodDecorator {
  const {
    summary,
    answers,
    refuses = [],
    body,
    query,
    bodyOptional = false,
    idempotent = false,
    versioned = false,
  } = description;
  return (target, name, descriptor) => {
    if (body !== undefined) declareRequest(target, name, { body });
    if (query !== undefined) declareRequest(target, name, { query });
    const handler = descriptor.value as object;
    const { access = 'public', bodyLimit, fromAnywhere, fresh } = traitsOf(handler);
    const known = requestClasses(target, name);
    const bodyClass = known.body;
    const safe = SAFE.includes(Reflect.getMetadata('method', handler) as RequestMethod);
    const path = String(Reflect.getMetadata('path', handler));
    const codes = new Set<ErrorCode>([
      ...refuses,
      ...(access === 'public' ? [] : (['UNAUTHORIZED'] as const)),
      ...(access === 'admin' ? (['FORBIDDEN', 'SECOND_FACTOR_SETUP_REQUIRED'] as const) : []),
      ...(fresh ? (['FRESH_SIGN_IN_REQUIRED'] as const) : []),
      ...(safe || fromAnywhere ? [] : (['CROSS_SITE'] as const)),
      ...(path.includes(':id') ? (['MALFORMED_ID'] as const) : []),
      ...(safe ? [] : ANY_BODY), // refused as it comes in, also where none is wanted
      ...(known.query === undefined ? [] : (['VALIDATION_FAILED', 'MALFORMED_CURSOR'] as const)),
      ...(bodyLimit === undefined ? [] : WITH_PICTURE),
      ...(idempotent ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
      ...(versioned ? (['EDIT_CONFLICT'] as const) : []),
      ...EVERYWHERE,
    ]);
    applyDecorators(
      ApiOperation({
        summary,
        operationId: `${target.constructor.name.replace(/Controller$/, '')}_${String(name)}`,
      }),
      ApiExtension('x-access', access),
      ...(access === 'public' ? [] : [ApiSecurity(COOKIE_AUTH)]),
      ...Object.entries(answers).map(([status, answer]) => answerResponse(Number(status), answer)),
      ...(safe && access === 'public' && 200 in answers ? [UNCHANGED] : []),
      ...refusals(codes),
      ...(bodyClass === undefined ? [] : [ApiBody({ schema: ref(bodyClass.name), required: !bodyOptional })]),
      ...(known.query === undefined ? [] : queryParameters(known.query)),
      ...(idempotent ? [ApiHeader(IDEMPOTENCY_HEADER)] : []),
      ...(versioned ? [ApiHeader(VERSION_HEADER)] : []),
    )(target, name, descriptor);
  };
}

const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  required: false,
  description: 'Repeating a request with the same key within 24 hours repeats its answer',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const;
const VERSION_HEADER = {
  name: 'If-Match',
  required: false,
  description: 'The version that the change began from, as `"3"`; the same as `version` in the body',
  schema: { type: 'string' },
} as const;
const queryParameters = (query: RequestClass) =>
  [...propertySchemas(query)].map(([name, { schema, optional }]) =>
    ApiQuery({ name, required: !optional, schema: schema as object }),
  );
