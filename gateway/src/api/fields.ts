import { DomainError, UUID_PATTERN, type RequestClass } from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { Body, Param, Query, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { declareRequest } from '../openapi/request-classes.js';

class FieldsPipe implements PipeTransform {
  constructor(private readonly type: RequestClass) {}

  transform(value: unknown): Promise<object> {
    return checkedFields(this.type, value);
  }
}

/** The content checked against its class; an absent body counts as `{}`. @throws DomainError VALIDATION_FAILED */
export const checkedFields = <T extends object>(type: RequestClass<T>, value: unknown): Promise<T> =>
  validated(type, value ?? {});

/** What `check` gives. Should it refuse, `find` is asked whether there is such a subject at all: that is said first (B.2). */
export async function existenceFirst<T>(find: () => Promise<unknown>, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await find();
    throw error;
  }
}

const VERSION = /^(?:W\/)?"?(\d{1,9})"?$/;

/**
 * The version that a change began from: of `If-Match`, as HTTP has it, or of the body. Undefined: whichever is there.
 * @throws DomainError VALIDATION_FAILED
 */
export function baseVersion({ headers }: FastifyRequest, inBody?: number | null): number | undefined {
  const header = headers['if-match']?.trim() ?? '*';
  if (header === '*') return inBody ?? undefined;
  const version = Number(VERSION.exec(header)?.[1]);
  if (version > 0 && (inBody ?? version) === version) return version;
  throw new DomainError('VALIDATION_FAILED', {
    fields: {
      'If-Match': ['If-Match must be the version that was read, and the one in the body if there is one'],
    },
  });
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
export const Id = () =>
  Param('id', {
    transform: (value: string) => {
      if (!UUID_PATTERN.test(value)) throw new DomainError('MALFORMED_ID');
      return value.toLowerCase();
    },
  });
