import {
  CreateAccount,
  DeleteAccount,
  AccountDeleted,
  HandOverEvents,
  ListAccounts,
  SendAccountResetCode,
  SetAccountAdmin,
  SetAccountPassword,
  SummariseAccounts,
  SummariseEvents,
  UpdateAccount,
  type DomainError,
  type Identity,
  type Message,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';

export const aUser = { id: 'the user' } as never;
export const aPage = { items: [], total: 0, nextCursor: null };
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

export const AUTH_STAND_IN = scenes(
  noting(ListAccounts, aPage, refusals),
  noting(CreateAccount, aUser, refusals),
  noting(UpdateAccount, aUser, refusals),
  noting(SetAccountPassword, aUser, refusals),
  noting(SetAccountAdmin, aUser, refusals),
  noting(SendAccountResetCode, undefined, refusals),
  noting(SummariseAccounts, { total: 40, createdLast30Days: 4 }),
  noting(DeleteAccount, undefined, refusals),
);
export const EVENTS_STAND_IN = scenes(
  noting(HandOverEvents, undefined),
  noting(AccountDeleted, undefined, deafness),
  noting(SummariseEvents, { total: 24, createdLast30Days: 6, upcoming: 9, nextEvents: [] }),
);
