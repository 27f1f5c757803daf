import { DomainError } from './errors.js';
import { DEADLINES, FRESH_SIGN_IN, type FreshSignInFor } from './limits.js';

/**
 * - `organiser`: owners and organisers
 * - `manager`: people who manage the event in `eventId`: owners, its organiser, and co-hosts who agreed
 * - `admin`: owners
 * - `internal`: Meetmark's processes without a caller
 */
export type Access = 'public' | 'member' | 'organiser' | 'manager' | 'admin' | 'internal';

export const SERVICES = ['auth', 'events', 'admin'] as const;
export type ServiceName = (typeof SERVICES)[number];

// oxlint-disable-next-line typescript/no-explicit-any -- a constructor type cannot be written with unknown[]
export type RequestClass<Req extends object = object> = new (...args: any[]) => Req;

/** Two versions run during upgrades: new fields must be optional, and receivers ignore unknown fields. */
export interface Message<Req extends object = object, Res = unknown> {
  readonly service: ServiceName;
  /** `<domain>.<verb>`, unique across all services. */
  readonly name: string;
  readonly access: Access;
  /** The caller must have confirmed their identity within FRESH_SIGN_IN[fresh] milliseconds. */
  readonly fresh?: FreshSignInFor;
  readonly request: RequestClass<Req>;
  /** For messages that read a row per guest of an event. Each account can run two of them at a time. */
  readonly heavy?: true;
  /** Exists only as a type and is never set. */
  readonly response?: Res;
}

export class Nothing {}

const registry = new Map<string, Message>();

/** The response type is given in a second call, so that TypeScript can infer the other types. */
export function messagesTo(service: ServiceName) {
  const sentBy =
    (access: Access) =>
    <Req extends object>(
      name: string,
      request: RequestClass<Req>,
      more: Pick<Message, 'fresh' | 'heavy'> = {},
    ) =>
    <Res>(): Message<Req, Res> => {
      if (registry.has(name)) throw new Error(`message ${name} is declared twice`);
      const message = { service, name, access, request, ...more };
      registry.set(name, message);
      return message;
    };
  return {
    public: sentBy('public'),
    member: sentBy('member'),
    organiser: sentBy('organiser'),
    manager: sentBy('manager'),
    admin: sentBy('admin'),
    internal: sentBy('internal'),
  };
}

/** The service doesn't start unless each message has a handler. */
export function listMessages(service: ServiceName): Message[] {
  return [...registry.values()].filter((message) => message.service === service);
}

export interface Identity {
  sub: string;
  adminSecondFactorRequired?: boolean;
  /** True for owners. If a second factor is required, only after the owner has used one. */
  isAdmin: boolean;
  /** False for owners. Absent in tokens of an older gateway. */
  isOrganiser?: boolean;
  epoch: number;
  /**
   * Time of the last confirmation of identity, in milliseconds since 1970. If absent, the caller must confirm
   * again.
   */
  confirmedAt?: number;
}

/** Maximum milliseconds between the gateway's check and the service's check. */
const ON_THE_WAY = DEADLINES.gateway;

/**
 * Services repeat the gateway's check, in case a request bypasses it.
 * @throws DomainError FRESH_SIGN_IN_REQUIRED
 */
export function requireFreshSignIn(identity: Identity | null, kind: FreshSignInFor): void {
  const age = Date.now() - (identity?.confirmedAt ?? -Infinity);
  if (!(age < FRESH_SIGN_IN[kind] + ON_THE_WAY)) throw new DomainError('FRESH_SIGN_IN_REQUIRED');
}
