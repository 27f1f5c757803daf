import { createHash } from 'node:crypto';

/** Of data as JSON would carry it, whatever the order of its fields. */
export const digestOf = (data: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(JSON.parse(JSON.stringify(data)))))
    .digest('base64url');

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
