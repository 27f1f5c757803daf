import {
  ERRORS,
  type ErrorCode,
  type FreshSignInFor,
  PICTURES,
  type RequestClass,
} from '@meetmark/contracts';
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
import { getTraits } from '../http/access.js';
import { declareRequest, requestClasses } from '../http/fields.js';
import { ErrorAnswer } from './answers.js';
import { propertySchemas } from './request-schema.js';

type Answers = Type | Shape | `${string}/${string}` | null;

interface Shape {
  type: Type;
  shape: 'list' | 'page' | 'nullable';
}

export const describeList = (type: Type): Shape => ({ type, shape: 'list' });
export const describePage = (type: Type): Shape => ({ type, shape: 'page' });
export const orNull = (type: Type): Shape => ({ type, shape: 'nullable' });

const PAGE_HEADERS = {
  'X-Total-Count': { description: 'Number of items over all pages', schema: { type: 'integer' } },
  Link: {
    description: 'Path of the next page, with `rel="next"`. Absent on the last page',
    schema: { type: 'string' },
  },
} as const;

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before you retry', schema: { type: 'integer' } },
} as const;

type ResponseObject = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>[string];

const UNCHANGED = ApiResponse({
  status: 304,
  description: 'Not modified: your copy, named in `If-None-Match`, is current',
});

function answerResponse(status: number, answer: Answers): MethodDecorator {
  if (answer === null)
    return ApiResponse({ status, description: status < REDIRECT ? 'Success, without a body' : 'Redirect' });
  if (typeof answer === 'string')
    return ApiResponse({ status, description: 'The file', content: { [answer]: {} } });
  const { type, shape } = typeof answer === 'function' ? { type: answer, shape: 'one' } : answer;
  const description = 'Success';
  if (shape === 'one') return ApiResponse({ status, description, type });
  if (shape === 'list') return ApiResponse({ status, description, type, isArray: true });
  if (shape === 'page')
    return ApiResponse({
      status,
      description: 'The list, or one page of it',
      headers: PAGE_HEADERS,
      type,
      isArray: true,
    });
  const schema = { oneOf: [{ $ref: getSchemaPath(type) }, { type: 'null' }] };
  return applyDecorators(ApiExtraModels(type), ApiResponse({ status, description, schema }));
}

const refusedCodes = new Map<string, Set<ErrorCode>>();

/**
 * Returns the error responses of an operation, to be added to the finished document. Adding them by
 * decorators would copy most responses and take twice the time.
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
  /** Imperative phrase of up to eight words, such as 'List public events'. */
  summary: string;
  /** Markdown. The required access and the required age of the sign-in are added automatically. */
  description?: string;
  /** Responses by status. If exactly one status means success, it becomes the status of the route. */
  answers: Record<number, Answers>;
  /** Error codes. Codes that follow from access, body and path are added automatically. */
  refuses?: ErrorCode[];
  /** Class of a body that the method validates itself. The class of @Fields() is found automatically. */
  body?: RequestClass;
  bodyOptional?: boolean;
  query?: RequestClass;
  idempotent?: boolean;
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
 * Also sets the status of the response if `answers` has one success. Must be the first decorator of a method,
 * because decorators run from last to first.
 */
export function Describe(description: Description): MethodDecorator {
  const {
    summary,
    description: about,
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
    const { access = 'public', beforeConsent, bodyLimit, fromAnywhere, fresh } = getTraits(handler);
    const known = requestClasses(target, name);
    const bodyClass = known.body;
    const safe = SAFE.includes(Reflect.getMetadata('method', handler) as RequestMethod);
    const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, name) ?? {}) as object;
    const hasParameter = Object.keys(given).some((key) => key.startsWith(`${RouteParamtypes.PARAM}:`));
    const codes = new Set<ErrorCode>([
      ...refuses,
      ...(access === 'public' ? [] : (['UNAUTHORIZED'] as const)),
      ...(access === 'public' || beforeConsent ? [] : (['CONSENT_REQUIRED'] as const)),
      ...(access === 'public' || access === 'member'
        ? []
        : (['FORBIDDEN', 'SECOND_FACTOR_SETUP_REQUIRED'] as const)),
      ...(access === 'manager' ? (['EVENT_NOT_FOUND'] as const) : []),
      ...(fresh ? (['FRESH_SIGN_IN_REQUIRED'] as const) : []),
      ...(safe || fromAnywhere ? [] : (['CROSS_SITE'] as const)),
      ...(known.id || access === 'manager' ? (['MALFORMED_ID'] as const) : []),
      ...(hasParameter ? (['NOT_FOUND'] as const) : []), // Without parameters, the path always exists.
      ...(safe ? [] : ANY_BODY), // A call that takes no body still validates a body that is sent.
      ...(known.query === undefined ? [] : (['VALIDATION_FAILED', 'MALFORMED_CURSOR'] as const)),
      ...(bodyLimit !== undefined && bodyLimit > PICTURES.maxBytes ? WITH_PICTURE : []),
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
      ApiOperation({ summary, description: withAccess(about, getTraits(handler)), operationId }),
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

const WHO_MAY_CALL: Record<NonNullable<ReturnType<typeof getTraits>['access']>, string> = {
  public: 'Access: anyone, without a session.',
  member: 'Access: any signed-in member.',
  organiser: 'Access: organisers and owners.',
  manager: 'Access: people who manage the event (its creator as an organiser, its co-hosts, and owners).',
  admin: 'Access: owners.',
};
const AT_DOOR = 'Access: anyone with a door link. Send its token as `Authorization: Bearer {token}`.';
const HOW_FRESH: Record<FreshSignInFor, string> = {
  sensitive: 'Requires a sign-in, or `POST /api/user/confirm`, within the last 10 minutes.',
  administration: 'Requires a sign-in, or `POST /api/user/confirm`, within the last 2 hours.',
};

function withAccess(
  description: string | undefined,
  { access = 'public', door, fresh }: ReturnType<typeof getTraits>,
): string {
  const who = door ? AT_DOOR : WHO_MAY_CALL[access];
  const needs = fresh === undefined ? who : `${who} ${HOW_FRESH[fresh]}`;
  return description === undefined ? needs : `${description}\n\n${needs}`;
}

const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  required: false,
  description:
    'A key that you make up for this request. Sending the same request with the same key again within 24 hours returns the first response',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const;
const VERSION_HEADER = {
  name: 'If-Match',
  required: false,
  description:
    'The `version` that you read, in quotes: `"3"`. Fails with 409 `EDIT_CONFLICT` if there is a newer one. The same as `version` in the body',
  schema: { type: 'string' },
} as const;
const queryParameters = (query: RequestClass) =>
  [...propertySchemas(query)].map(
    ([
      name,
      {
        schema: { description, ...schema },
        optional,
      },
    ]) =>
      ApiQuery({ name, required: !optional, description: description as string, schema: schema as object }),
  );
