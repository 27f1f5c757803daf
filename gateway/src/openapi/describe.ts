import { ERRORS, type ErrorCode, type RequestClass } from '@meetmark/contracts';
import { applyDecorators, HttpCode, RequestMethod, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  getSchemaPath,
  type OpenAPIObject,
} from '@nestjs/swagger';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { traitsOf } from '../http/access.js';
import { declareRequest, requestClasses } from '../http/fields.js';
import { ErrorAnswer } from './answers.js';
import { propertySchemas } from './request-schema.js';

/** An answer class, alone or in one of the shapes below; a media type; null for no body. */
type Answers = Type | Shape | `${string}/${string}` | null;

interface Shape {
  type: Type;
  shape: 'list' | 'page' | 'nullable';
}

export const listOf = (type: Type): Shape => ({ type, shape: 'list' });
/** A list with X-Total-Count and Link. */
export const pageOf = (type: Type): Shape => ({ type, shape: 'page' });
export const orNull = (type: Type): Shape => ({ type, shape: 'nullable' });

const PAGE_HEADERS = {
  'X-Total-Count': { description: 'How many match, over all pages', schema: { type: 'integer' } },
  Link: { description: 'rel="next": the address of the next page', schema: { type: 'string' } },
} as const;

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } as const;

type ResponseObject = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>[string];

/** Public answers have an ETag. */
const UNCHANGED = ApiResponse({
  status: 304,
  description: 'What the client has, by `If-None-Match`, still holds',
});

function answerResponse(status: number, answer: Answers): MethodDecorator {
  if (answer === null) return ApiResponse({ status, description: 'Done' });
  if (typeof answer === 'string')
    return ApiResponse({ status, description: 'The document', content: { [answer]: {} } });
  const { type, shape } = typeof answer === 'function' ? { type: answer, shape: 'one' } : answer;
  const description = 'The answer';
  if (shape === 'one') return ApiResponse({ status, description, type });
  if (shape === 'list') return ApiResponse({ status, description, type, isArray: true });
  if (shape === 'page')
    return ApiResponse({
      status,
      description: 'The list, or with `limit` one page of it',
      headers: PAGE_HEADERS,
      type,
      isArray: true,
    });
  const schema = { oneOf: [{ $ref: getSchemaPath(type) }, { type: 'null' }] };
  return applyDecorators(ApiExtraModels(type), ApiResponse({ status, description, schema }));
}

const refusedCodes = new Map<string, Set<ErrorCode>>();

/**
 * The refusals of an operation: one response for each status, with its codes. They are added to the finished document: with a decorator
 * for each, three quarters of all responses would be copied several times while it is made, which doubles its cost.
 */
export function refusals(operationId: string): Record<string, ResponseObject> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of refusedCodes.get(operationId) ?? []) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const schema = {
        allOf: [{ $ref: getSchemaPath(ErrorAnswer) }, { properties: { code: { enum: group } } }],
      };
      return [
        status,
        {
          description: group.map((code) => `\`${code}\` ${ERRORS[code].message}`).join('\n\n'),
          ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
          content: { 'application/json': { schema } },
        } as ResponseObject,
      ];
    }),
  );
}

interface Description {
  summary: string;
  /** The answer of each status. A single success is the status that is sent. */
  answers: Record<number, Answers>;
  /** Refusals of this call only; those of access, body and path are added. */
  refuses?: ErrorCode[];
  /** The class of a body that the method itself validates; that of @Fields() is known. */
  body?: RequestClass;
  bodyOptional?: boolean;
  /** The class of a query that the method itself validates. */
  query?: RequestClass;
  idempotent?: boolean;
  /** Takes the version from which the change began. */
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
const REDIRECT = 300;
const SAFE = [RequestMethod.GET, RequestMethod.HEAD];

/**
 * The OpenAPI description of a route. It must be the first decorator of the method: it reads from the others who may call, and the
 * classes of body and query, and derives the refusals from them.
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
    const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, name) ?? {}) as object;
    const hasParameter = Object.keys(given).some((key) => key.startsWith(`${RouteParamtypes.PARAM}:`));
    const codes = new Set<ErrorCode>([
      ...refuses,
      ...(access === 'public' ? [] : (['UNAUTHORIZED'] as const)),
      ...(access === 'public' || access === 'member'
        ? []
        : (['FORBIDDEN', 'SECOND_FACTOR_SETUP_REQUIRED'] as const)),
      ...(access === 'manager' ? (['EVENT_NOT_FOUND'] as const) : []),
      ...(fresh ? (['FRESH_SIGN_IN_REQUIRED'] as const) : []),
      ...(safe || fromAnywhere ? [] : (['CROSS_SITE'] as const)),
      ...(known.id || access === 'manager' ? (['MALFORMED_ID'] as const) : []),
      ...(hasParameter ? (['NOT_FOUND'] as const) : []), // of a parameter that no address has
      ...(safe ? [] : ANY_BODY), // also for calls without a body, since a body that is sent is checked
      ...(known.query === undefined ? [] : (['VALIDATION_FAILED', 'MALFORMED_CURSOR'] as const)),
      ...(bodyLimit === undefined ? [] : WITH_PICTURE),
      ...(idempotent ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
      ...(versioned ? (['EDIT_CONFLICT'] as const) : []),
      ...EVERYWHERE,
    ]);
    const successes = Object.keys(answers)
      .map(Number)
      .filter((status) => status < REDIRECT);
    const operationId = `${target.constructor.name.replace(/Controller$/, '')}_${String(name)}`;
    refusedCodes.set(operationId, codes);
    applyDecorators(
      ...(successes.length === 1 ? [HttpCode(successes[0]!)] : []),
      ApiOperation({ summary, operationId }),
      ApiExtension('x-access', access),
      ...(access === 'public' ? [] : [ApiSecurity(COOKIE_AUTH)]),
      ...Object.entries(answers).map(([status, answer]) => answerResponse(Number(status), answer)),
      ...(safe && access === 'public' && 200 in answers ? [UNCHANGED] : []),
      ...(bodyClass === undefined
        ? []
        : [ApiBody({ schema: { $ref: getSchemaPath(bodyClass.name) }, required: !bodyOptional })]),
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
