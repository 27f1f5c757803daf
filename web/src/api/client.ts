import type { ErrorBody, ErrorCode, ErrorDetails } from '@meetmark/contracts';
import { BROWSER_DEADLINE } from '@meetmark/contracts/limits';
import { useRef } from 'react';
import { forgetDehydratedQueries, takeDehydratedResponse } from './dehydrated-queries';
import { loadRefusalText } from './refusal-text';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
    readonly body: ErrorBody | null,
  ) {
    super(`${status}: ${text}`);
    this.name = 'ApiError';
  }
}

export function serverMessage(error: unknown): string | null {
  return error instanceof ApiError ? (error.body?.message ?? null) : null;
}

export function refusedFields(error: unknown): Record<string, string> {
  const fields = (error instanceof ApiError && error.body?.details?.fields) || {};
  return Object.fromEntries(Object.entries(fields).map(([name, [first = '']]) => [name, first]));
}

export const errorCode = (error: unknown): ErrorCode | undefined =>
  error instanceof ApiError ? error.body?.code : undefined;

export const hasCode = (error: unknown, code: ErrorCode) => errorCode(error) === code;

export const getErrorDetails = (error: unknown, code: ErrorCode): ErrorDetails | undefined =>
  error instanceof ApiError && error.body?.code === code ? (error.body.details ?? {}) : undefined;

export const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === 401;

export const mayBeDone = (error: unknown) =>
  error instanceof ApiError && error.body?.details?.outcome === 'unknown';

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** @throws ApiError if the response isn't a success, TypeError if the network fails */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', body, headers, signal } = options;
  if (method !== 'GET') forgetDehydratedQueries();
  const deadline = AbortSignal.timeout(BROWSER_DEADLINE);
  const response =
    takeDehydratedResponse(path) ??
    (await fetch(path, {
      method,
      credentials: 'include',
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    }));
  if (!response.ok) throw await toApiError(response);
  return response;
}

export async function sendForJson<T>(path: string, options?: RequestOptions): Promise<T> {
  return (await send(path, options)).json() as Promise<T>;
}

export async function readUnlessUnauthorized<T>(path: string, options?: RequestOptions): Promise<T | null> {
  try {
    return await sendForJson<T>(path, options);
  } catch (error) {
    if (isUnauthorized(error)) return null;
    throw error;
  }
}

async function toApiError(response: Response): Promise<ApiError> {
  const text = (await response.text()) || response.statusText;
  return new ApiError(response.status, text, await parseErrorBody(text));
}

async function parseErrorBody(text: string): Promise<ErrorBody | null> {
  try {
    const body: unknown = JSON.parse(text);
    return isErrorBody(body) ? { ...body, ...(await loadRefusalText(body)) } : null;
  } catch {
    return null;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
}

const KEY_BYTES = 16;

const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/**
 * Returns a function that creates an `Idempotency-Key` header. Sending the same payload again uses the same
 * key.
 */
export function useIdempotencyKey(): (payload: unknown) => Record<string, string> {
  const last = useRef({ content: '', key: '' });
  return (payload) => {
    const content = JSON.stringify(payload);
    if (content !== last.current.content) last.current = { content, key: randomKey() };
    return { 'Idempotency-Key': last.current.key };
  };
}
