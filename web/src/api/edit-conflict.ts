import type { Edit } from '@meetmark/contracts';
import { ApiError } from './client';

/** That somebody saved the same thing since the form was opened. */
export interface EditConflict<T> {
  /** The latest first. */
  edits: Edit[];
  /** As it is now. */
  present: T;
}

export function editConflictOf<T>(error: unknown): EditConflict<T> | null {
  if (!(error instanceof ApiError) || error.body?.code !== 'EDIT_CONFLICT') return null;
  const { edits = [], present } = error.body.details ?? {};
  return present === undefined ? null : { edits, present: present as T };
}

/** The values that are not as they were: all that is sent to save over somebody else's changes, so that the others stay. */
export const changesSince = <Values extends object>(base: Values, values: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== base[name as keyof Values]),
  ) as Partial<Values>;
