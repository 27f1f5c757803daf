import { DomainError } from './errors.js';
import { DEADLINES, SECOND_FACTOR } from './limits.js';

/**
 * Who may send a message. `admin`: owners. `organiser`: owners and organisers. `manager`: who manages the event that the request names by
 * `eventId`: owners, the organiser who created it, its agreed co-hosts. `internal` is for calls between our own processes without a caller.
 */
export type Access = 'public' | 'member' | 'organiser' | 'manager' | 'admin' | 'internal';

export type ServiceName = 'auth' | 'events' | 'admin';

// oxlint-disable-next-line typescript/no-explicit-any -- a constructor type cannot be written with unknown[]
export type RequestClass<Req extends object = object> = new (...args: any[]) => Req;

/**
 * One message between processes: its name, who may send it, its request class (validated by the receiver) and,
 * in the type only, its response. The sender's call and the receiver's @Handles take this same value, so the two cannot drift.
 */
export interface Message<Req extends object = object, Res = unknown> {
  readonly service: ServiceName;
  /** Unique over the whole system, `<domain>.<verb>`. */
  readonly name: string;
  readonly access: Access;
  /** Refused with FRESH_SIGN_IN_REQUIRED unless its sender has just proved who they are. */
  readonly fresh?: true;
  readonly request: RequestClass<Req>;
  /** Handling it twice changes nothing: it need not be kept from being handled twice, which costs a round trip. */
  readonly reads?: true;
  /**
   * Fields that a replica of the version before does not know and can do without, by their paths (`asker.device`): one that refuses them
   * gets the message once more without them.
   */
  readonly dispensable?: readonly string[];
  /** What an answer lacks while replicas of the version before still give it: the caller reads these instead. */
  readonly defaults?: object;
  /** Never set: carries the response type. */
  readonly response?: Res;
}

/** The request of a message that needs no more than the caller's identity. */
export class Nothing {}

const registry = new Map<string, Message>();

/** Declares a message. Called twice because TypeScript infers all type arguments or none: `defineMessage({...})<Response>()`. */
export function defineMessage<Req extends object>(definition: Omit<Message<Req>, 'response'>) {
  return <Res>(): Message<Req, Res> => {
    if (registry.has(definition.name)) throw new Error(`message ${definition.name} is declared twice`);
    registry.set(definition.name, definition);
    return definition;
  };
}

/** Every message that a service has to answer: a process compares it with its handlers and refuses to start on a gap. */
export function messagesOf(service: ServiceName): Message[] {
  return [...registry.values()].filter((message) => message.service === service);
}

/** Who the caller is, as a service may believe it: the verified content of the signed token on each message. */
export interface Identity {
  /** User id. */
  sub: string;
  /** An owner, with the second factor where owners need one. */
  isAdmin: boolean;
  /** An organiser who is no owner. Absent, as in the tokens of an older gateway, counts as none. */
  isOrganiser?: boolean;
  /** The user's session epoch when the token was signed. */
  epoch: number;
  /** When the user last proved who they are, in milliseconds since 1970. Absent counts as long ago. */
  confirmedAt?: number;
}

/** Milliseconds that a message may be under way since the gateway looked whether the sign-in is fresh. */
const ON_THE_WAY = DEADLINES.gateway;

/**
 * The gateway asks first; a service asks again, so that no path around the gateway's check needs less.
 * @throws DomainError FRESH_SIGN_IN_REQUIRED
 */
export function requireFreshSignIn(identity: Identity | null): void {
  const age = Date.now() - (identity?.confirmedAt ?? -Infinity);
  if (!(age < SECOND_FACTOR.freshFor + ON_THE_WAY)) throw new DomainError('FRESH_SIGN_IN_REQUIRED');
}
