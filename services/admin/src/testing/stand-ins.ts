import {
  DeleteAccount,
  AccountDeleted,
  HandOverEvents,
  type DomainError,
  type Identity,
  type Message,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';

/** What the stand-ins were asked, and in whose name. */
export const seen: { message: string; request: object; caller: Identity | null }[] = [];
/** What auth refuses next, in order. */
export const refusals: DomainError[] = [];
/** What the events service answers about a deleted account instead of success, in order. */
export const deafness: DomainError[] = [];

/** Notes what it is asked, and answers that, or the next of the errors while there is one. */
const noting = <Req extends object, Res>(
  message: Message<Req, Res>,
  answer: Res,
  errors: DomainError[] = [],
) =>
  played(message, (request, call) => {
    seen.push({ message: message.name, request: { ...request }, caller: call.identity });
    const refusal = errors.shift();
    if (refusal) throw refusal;
    return answer;
  });

export const AUTH_STAND_IN = scenes(noting(DeleteAccount, undefined, refusals));
export const EVENTS_STAND_IN = scenes(
  noting(HandOverEvents, undefined),
  noting(AccountDeleted, undefined, deafness),
);
