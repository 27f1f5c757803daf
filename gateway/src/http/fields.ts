import {
  DomainError,
  GetEvent,
  invalidFields,
  UUID_PATTERN,
  type Page,
  type PageRequest,
  type RequestClass,
} from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { Body, Param, Query, type PipeTransform } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services.js';

interface RequestClasses {
  body?: RequestClass;
  query?: RequestClass;
  /** Whether a part of the route's address is an id, which is checked. */
  id?: boolean;
}

const CLASSES = Symbol('request classes');
/** All body classes of the process: each becomes a schema of the API's document. */
const bodies = new Set<RequestClass>();

/** Records the classes of a method's body and query, and whether it takes an id, for the API's document. */
export function declareRequest(target: object, method: string | symbol, classes: RequestClasses): void {
  Reflect.defineMetadata(CLASSES, { ...requestClasses(target, method), ...classes }, target, method);
  if (classes.body !== undefined) bodies.add(classes.body);
}

export const requestClasses = (target: object, method: string | symbol): RequestClasses =>
  (Reflect.getMetadata(CLASSES, target, method) as RequestClasses | undefined) ?? {};

export const bodyClasses = (): RequestClass[] => [...bodies];

class FieldsPipe implements PipeTransform {
  constructor(private readonly type: RequestClass) {}

  transform(value: unknown): Promise<object> {
    return checkedFields(this.type, value);
  }
}

/** The content checked against its class; an absent body counts as `{}`. @throws DomainError VALIDATION_FAILED */
export const checkedFields = <T extends object>(type: RequestClass<T>, value: unknown): Promise<T> =>
  validated(type, value ?? {});

/** The result of `check`. If it refuses, `find` runs first: a missing subject is a 404, also with wrong fields. */
export async function validateAfterExists<T>(
  find: () => Promise<unknown>,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await find();
    throw error;
  }
}

/** The content, checked, of a call about an event: a missing event is a 404, also with wrong fields. */
export const checkedOfEvent = <T extends object>(
  services: Services,
  eventId: string,
  type: RequestClass<T>,
  body: unknown,
): Promise<T> =>
  validateAfterExists(
    () => services.read(GetEvent, { eventId }),
    () => checkedFields(type, body),
  );

const VERSION = /^(?:W\/)?"?(\d{1,9})"?$/;

/**
 * The version from which a change began, from `If-Match` or from the body. Undefined means any version.
 * @throws DomainError VALIDATION_FAILED
 */
export function baseVersion({ headers }: FastifyRequest, inBody?: number | null): number | undefined {
  const header = headers['if-match']?.trim() ?? '*';
  if (header === '*') return inBody ?? undefined;
  const version = Number(VERSION.exec(header)?.[1]);
  if (version > 0 && (inBody ?? version) === version) return version;
  throw invalidFields([
    'If-Match',
    'must be the version that was read, and the one in the body if there is one',
  ]);
}

/** The body, checked. */
export const Fields =
  (type: RequestClass): ParameterDecorator =>
  (target, method, index) => {
    Body(new FieldsPipe(type))(target, method, index);
    declareRequest(target, method!, { body: type });
  };

/** The query parameters, checked. */
export const Filter =
  (type: RequestClass): ParameterDecorator =>
  (target, method, index) => {
    Query({ transform: (value: object) => ({ ...value }) }, new FieldsPipe(type))(target, method, index);
    declareRequest(target, method!, { query: type });
  };

/** An id in the path. @throws DomainError MALFORMED_ID */
export const Id =
  (name = 'id'): ParameterDecorator =>
  (target, method, index) => {
    Param(name, { transform: idOf })(target, method, index);
    declareRequest(target, method!, { id: true });
  };

function idOf(value: string): string {
  if (!UUID_PATTERN.test(value)) throw new DomainError('MALFORMED_ID');
  return value.toLowerCase();
}

/** A page in HTTP: a plain array, with the total and the address of the next page in headers. */
export function answerPage<T>(reply: FastifyReply, filter: PageRequest, page: Page<T>): T[] {
  const [path = ''] = reply.request.url.split('?', 1);
  reply.headers(pageHeaders(path, filter, page));
  return page.items;
}

/** @param filter of this page; the next one has the same with its cursor */
export function pageHeaders(
  path: string,
  filter: PageRequest,
  { total, nextCursor }: Page<unknown>,
): Record<string, string> {
  const headers = { 'x-total-count': String(total) };
  if (nextCursor === null) return headers;
  const parameters = new URLSearchParams(
    Object.entries({ ...filter, cursor: nextCursor })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { ...headers, link: `<${path}?${parameters}>; rel="next"` };
}
