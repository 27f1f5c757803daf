import { setTimeout as wait } from 'node:timers/promises';
import { Controller, Module } from '@nestjs/common';
import { DomainError, type Nothing } from '@meetmark/contracts';
import type { Call } from '../call/call.js';
import { Handles } from '../rpc/handles.js';
import {
  AdminsOnly,
  Break,
  Look,
  MembersOnly,
  Refuse,
  Silent,
  Work,
  type Seen,
  type WorkDone,
  type WorkRequest,
} from './sample.messages.js';

export const ledger = {
  begun: (_number: number): void => undefined,
};

const seen = (call: Call): Seen => ({
  requestId: call.requestId,
  traceparent: call.traceparent,
  sub: call.identity?.sub ?? null,
  timeLeft: call.deadline - Date.now(),
});

@Controller()
class SampleController {
  @Handles(Work)
  async work({ number, takes, size }: WorkRequest): Promise<WorkDone> {
    ledger.begun(number);
    if (takes !== undefined) await wait(takes);
    return { number, pid: process.pid, text: 'x'.repeat(size ?? 0) };
  }

  @Handles(MembersOnly)
  membersOnly(_request: Nothing, call: Call): Seen {
    return seen(call);
  }

  @Handles(AdminsOnly)
  adminsOnly(_request: Nothing, call: Call): Seen {
    return seen(call);
  }

  @Handles(Look)
  look(_request: Nothing, call: Call): Seen {
    return seen(call);
  }

  @Handles(Refuse)
  refuse(): void {
    throw new DomainError('CAPACITY_BELOW_REGISTERED', { registered: 7 });
  }

  @Handles(Break)
  break(): void {
    throw new Error('secret detail');
  }

  @Handles(Silent)
  silent(): void {}
}

@Module({ controllers: [SampleController] })
export class SampleModule {}
