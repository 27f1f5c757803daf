import { Controller, Module } from '@nestjs/common';
import {
  CreateAccount,
  DeleteAccount,
  FollowDeletedAccount,
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
import { Handles, type Call } from '@meetmark/platform';

const user = { id: 'the user' };
/** What the stand-ins were asked, and in whose name. */
export const seen: { message: string; request: object; caller: Identity | null }[] = [];
/** What the next deletions of an account are refused with, in order. */
export const refusals: DomainError[] = [];
/** What the events service, told of a deleted account, answers instead of having heard it, in order. */
export const deafness: DomainError[] = [];

function note<T>(message: Message, request: object, call: Call, answer: T): T {
  seen.push({ message: message.name, request: { ...request }, caller: call.identity });
  return answer;
}

@Controller()
class AuthStandIn {
  @Handles(ListAccounts)
  list(request: object, call: Call) {
    return note(ListAccounts, request, call, { items: [], total: 0, nextCursor: null });
  }
  @Handles(CreateAccount)
  create(request: object, call: Call) {
    return note(CreateAccount, request, call, user as never);
  }
  @Handles(UpdateAccount)
  update(request: object, call: Call) {
    return note(UpdateAccount, request, call, user as never);
  }
  @Handles(SetAccountPassword)
  setPassword(request: object, call: Call) {
    return note(SetAccountPassword, request, call, user as never);
  }
  @Handles(SetAccountAdmin)
  setAdmin(request: object, call: Call) {
    return note(SetAccountAdmin, request, call, user as never);
  }
  @Handles(SendAccountResetCode)
  sendResetCode(request: object, call: Call) {
    return note(SendAccountResetCode, request, call, undefined);
  }
  @Handles(SummariseAccounts)
  summarise(request: object, call: Call) {
    return note(SummariseAccounts, request, call, { total: 40, createdLast30Days: 4 });
  }
  @Handles(DeleteAccount)
  delete(request: object, call: Call) {
    note(DeleteAccount, request, call, undefined);
    const refusal = refusals.shift();
    if (refusal) throw refusal;
  }
}

@Controller()
class EventsStandIn {
  @Handles(HandOverEvents)
  handOver(request: object, call: Call) {
    return note(HandOverEvents, request, call, undefined);
  }
  @Handles(FollowDeletedAccount)
  followDeletedAccount(request: object, call: Call) {
    note(FollowDeletedAccount, request, call, undefined);
    const refusal = deafness.shift();
    if (refusal) throw refusal;
  }
  @Handles(SummariseEvents)
  summarise(request: object, call: Call) {
    return note(SummariseEvents, request, call, {
      total: 24,
      createdLast30Days: 6,
      upcoming: 9,
      nextEvents: [],
    });
  }
}

@Module({ controllers: [AuthStandIn] })
export class AuthStandInModule {}
@Module({ controllers: [EventsStandIn] })
export class EventsStandInModule {}

export const AUTH_MESSAGES = [
  ListAccounts,
  CreateAccount,
  UpdateAccount,
  SetAccountPassword,
  SetAccountAdmin,
  SendAccountResetCode,
  SummariseAccounts,
  DeleteAccount,
];
export const EVENTS_MESSAGES = [HandOverEvents, FollowDeletedAccount, SummariseEvents];
