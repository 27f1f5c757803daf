import { DomainError } from '@meetmark/contracts';
import type { IncomingHttpHeaders } from 'node:http';

export type BodyKind = 'json' | 'form';

const MEDIA_TYPES: Record<BodyKind, string[]> = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded', 'multipart/form-data'],
};

/**
 * Judges a body by what its headers say, before anyone reads it.
 * @throws DomainError BODY_TOO_LARGE, NOT_JSON
 */
export function checkDeclaredBody(headers: IncomingHttpHeaders, limit: number, kind: BodyKind): void {
  const length = Number(headers['content-length'] ?? 0);
  if (length > limit) throw new DomainError('BODY_TOO_LARGE');
  if (length === 0 && headers['transfer-encoding'] === undefined) return;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const encoding = headers['content-encoding'] ?? 'identity'; // a compressed body could be a bomb (T11)
  if (!MEDIA_TYPES[kind].includes(type ?? '') || encoding !== 'identity') throw new DomainError('NOT_JSON');
}
