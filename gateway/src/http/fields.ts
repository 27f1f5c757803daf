import {
  DomainError,
  GetEvent,
  invalidFields,
  LIMITS,
  PageRequest,
  UUID_PATTERN,
  type Page,
  type RequestClass,
} from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { Body, Param, Query, type PipeTransform } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services.js';

interface RequestClasses {
  body?: RequestClass;
  query?: RequestClass;
  id?: boolean;
}

const CLASSES = Symbol('request classes');
const bodies = new Set<RequestClass>();

export function declareRequest(target: object, method: string | symbol, classes: RequestClasses): void {
  Reflect.defineMetadata(CLASSES, { ...requestClasses(target, method), ...classes }, target, method);
  if (classes.body !== undefined) bodies.add(classes.body);
}

export const requestClasses = (target: object, method: string | symbol): RequestClasses =>
  (Reflect.getMetadata(CLASSES, target, method) as RequestClasses | undefined) ?? {};

export const bodyClasses = (): RequestClass[] => [...bodies];

class FieldsPipe implements PipeTransform {
  constructor(private readonly type: RequestClass) {}

  transform(value: object): Promise<object> {
    return isList(this.type) ? checkedFilter(this.type, value) : checkedFields(this.type, value);
  }
}

/**
 * Returns the validated fields. A missing body counts as `{}`.
 * @throws DomainError VALIDATION_FAILED
 */
export const checkedFields = <T extends object>(type: RequestClass<T>, value: unknown): Promise<T> =>
  validated(type, value ?? {});

const isList = (type: RequestClass): type is RequestClass<PageRequest> =>
  type.prototype instanceof PageRequest || type === PageRequest;

/**
 * Limits a filtered list to one page, because there are countless filters and each would read a whole list.
 * @throws DomainError VALIDATION_FAILED
 */
export async function checkedFilter<T extends PageRequest>(type: RequestClass<T>, query: object): Promise<T> {
  const filter = await checkedFields(type, query);
  if (Object.keys(query).length > 0) filter.limit ??= LIMITS.pageSizeMax;
  return filter;
}

/** If `check` fails, runs `find`, so that a missing event or user returns 404 instead of 400. */
export async function validateOrNotFound<T>(
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

export const checkedOfEvent = <T extends object>(
  services: Services,
  eventId: string,
  type: RequestClass<T>,
  body: unknown,
): Promise<T> =>
  validateOrNotFound(
    () => services.read(GetEvent, { eventId }),
    () => checkedFields(type, body),
  );

const VERSION = /^(?:W\/)?"?(\d{1,9})"?$/;

/**
 * Returns the version in `If-Match` or the body, or undefined if the client accepts any version.
 * @throws DomainError VALIDATION_FAILED
 */
export function baseVersion({ headers }: FastifyRequest, inBody?: number | null): number | undefined {
  const header = headers['if-match']?.trim() ?? '*';
  if (header === '*') return inBody ?? undefined;
  const version = Number(VERSION.exec(header)?.[1]);
  if (version > 0 && (inBody ?? version) === version) return version;
  throw invalidFields([
    'If-Match',
    'must be the version that you read, such as "3", and the same as version in the body',
  ]);
}

export const Fields =
  (type: RequestClass): ParameterDecorator =>
  (target, method, index) => {
    Body(new FieldsPipe(type))(target, method, index);
    declareRequest(target, method!, { body: type });
  };

export const Filter =
  (type: RequestClass): ParameterDecorator =>
  (target, method, index) => {
    Query({ transform: (value: object) => ({ ...value }) }, new FieldsPipe(type))(target, method, index);
    declareRequest(target, method!, { query: type });
  };

/** @throws DomainError MALFORMED_ID */
export const Id =
  (name = 'id'): ParameterDecorator =>
  (target, method, index) => {
    Param(name, { transform: parseId })(target, method, index);
    declareRequest(target, method!, { id: true });
  };

function parseId(value: string): string {
  if (!UUID_PATTERN.test(value)) throw new DomainError('MALFORMED_ID');
  return value.toLowerCase();
}

export function answerPage<T>(reply: FastifyReply, filter: PageRequest, page: Page<T>): T[] {
  const [path = ''] = reply.request.url.split('?', 1);
  reply.headers(pageHeaders(path, filter, page));
  return page.items;
}

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
