import type { ErrorCode, Event } from '@meetmark/contracts';
import type { Answer, ApiClient } from '../../support/api-client.js';
import type { Person } from './people.js';

/** Who and what the refusals are about. */
export interface Stage {
  visitor: ApiClient;
  member: Person;
  administrator: Person;
  other: Person;
  event: Event;
  /** Began a minute ago. */
  started: Event;
  /** Its one seat is taken. */
  full: Event;
}

export interface Refusal {
  code: ErrorCode;
  when: string;
  /** What clients match on. */
  words?: string;
  act: (stage: Stage) => Promise<Answer>;
}

/** A valid id that belongs to nothing. */
export const NOBODY = '01999999-0000-7000-8000-000000000000';

export const profileWith = (fields: object) => (stage: Stage) => {
  const { email, firstName, lastName } = stage.member.person;
  return stage.member.client.put('/api/user/profile', { email, firstName, lastName, ...fields });
};
