import { Controller } from '@nestjs/common';
import {
  Summarise,
  SummariseAccounts,
  SummariseEvents,
  type Nothing,
  type Summary,
} from '@meetmark/contracts';
import { Handles, RpcClient } from '@meetmark/platform';

/** The figures of the dashboard, from auth and events. */
@Controller()
export class SummaryController {
  constructor(private readonly rpc: RpcClient) {}

  @Handles(Summarise)
  async summarise(_request: Nothing): Promise<Summary> {
    const [accounts, events] = await Promise.all([
      this.rpc.call(SummariseAccounts, {}),
      this.rpc.call(SummariseEvents, {}),
    ]);
    return {
      totalEvents: events.total,
      eventsThisMonth: events.createdLast30Days,
      upcomingEvents: events.upcoming,
      nextEvents: events.nextEvents,
      totalUsers: accounts.total,
      newUsers: accounts.createdLast30Days,
    };
  }
}
